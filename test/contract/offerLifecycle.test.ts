/** Publishing, checking and deleting offers, on every store. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { OffersRepo } from "#core/offers/Offer.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { ok, refused, statementsOf, warned } from "../support/World.ts"
import { eachOutreach } from "./outreachWorld.ts"

const texts = { one_liner: "Invoices that book themselves", value_proposition: "Close four days earlier." }

/** Makes an offer that is complete. */
const offer = (offer_id: string) => ok("offer.create", { offer_id, name: "Idea", ...texts })

eachOutreach("the life of offers", (layer) =>
  it.layer(layer)((it) => {
    it.effect("publishes what is complete, and says what is missing or weak", () =>
      Effect.gen(function* () {
        yield* organization("org_publish_b")
        yield* ok("offer.create", { offer_id: "idea", name: "Idea", is_draft: true, description: "For [Company]" })
        const missing = yield* refused("offer.publish", { offer_id: "idea" })
        assert.match(missing, /^409 WRONG_STATE .*one_liner: .*value_proposition: .*description: .*\[Company\]/)
        assert.isTrue((yield* ok("offer.get", { offer_id: "idea" })).offer.isDraft)
        yield* ok("offer.update", { offer_id: "idea", ...texts, description: null })
        const warnings = yield* warned("offer.publish", { offer_id: "idea" })
        assert.match(warnings.join("\n"), /^weak_part: references: There is no proof/m)
        const published = yield* ok("offer.get", { offer_id: "idea" })
        assert.isFalse(published.offer.isDraft)
        assert.deepStrictEqual(yield* ok("offer.publish", { offer_id: "idea" }), published)
        assert.include(yield* refused("offer.publish", { offer_id: "nope" }), "404 NOT_FOUND")
        const foreign = { actor: owner("org_publish_b") }
        assert.include(yield* refused("offer.publish", { offer_id: "idea" }, foreign), "404 NOT_FOUND")
      }).pipe(inOrganization("org_publish"))
    )

    it.effect("checks a stored offer, texts alone, and a change of a stored one", () =>
      Effect.gen(function* () {
        yield* offer("idea")
        const stored = yield* ok("offer.check", { offer_id: "idea" })
        const alone = yield* ok("offer.check", { name: "Idea", ...texts })
        assert.deepStrictEqual(stored, alone)
        const changed = yield* ok("offer.check", { offer_id: "idea", one_liner: "The best-in-class {{product}}" })
        assert.isBelow(changed.score, stored.score)
        assert.deepInclude(changed.findings[0], { path: "one_liner", severity: "error", code: "placeholder" })
        assert.strictEqual((yield* ok("offer.get", { offer_id: "idea" })).offer.oneLiner, texts.one_liner)
        assert.include(yield* refused("offer.check", {}), "400 INVALID_INPUT offer_id or the texts")
        assert.include(yield* refused("offer.check", { offer_id: "nope" }), "404 NOT_FOUND")
        assert.strictEqual((yield* statementsOf(ok("offer.check", { offer_id: "idea" }))) ?? 1, 1)
      }).pipe(inOrganization("org_check"))
    )

    it.effect("deletes what no live mission proposes, and unlinks archived ones", () =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        yield* organization("org_delete_b")
        yield* offer("idea")
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
        yield* ok("mission.create", { name: "Live", handle: "live", agent_handle: "ada-martin", offer_id: "idea" })
        yield* ok("mission.create", { name: "Old", handle: "old", agent_handle: "ada-martin", offer_id: "idea" })
        yield* ok("mission.update", { mission_id: "old", status: "archived" })
        assert.include(yield* refused("offer.delete", { offer_id: "idea" }), "409 OFFER_IN_USE")
        assert.include(yield* refused("offer.delete", { offer_id: "idea" }), "use the offer: live.")
        yield* ok("mission.update", { mission_id: "live", offer_id: null })
        const before = yield* ok("GET /missions/{missionHandle}", { missionHandle: "old" })
        const feed = (yield* Workspaces).events
        const { next: position } = yield* feed.read(organizationId, { after: 0, types: undefined, limit: 1000 })
        const foreign = { actor: owner("org_delete_b") }
        assert.include(yield* refused("offer.delete", { offer_id: "idea" }, foreign), "404 NOT_FOUND")
        assert.deepStrictEqual(yield* warned("offer.delete", { offer_id: "idea" }), [
          "unlinked: 1 archived missions no longer have an offer."
        ])
        const after = yield* ok("GET /missions/{missionHandle}", { missionHandle: "old" })
        assert.strictEqual(after.mission.offerId, "")
        assert.isAbove(Date.parse(after.mission.updatedAt), Date.parse(before.mission.updatedAt))
        assert.include(yield* refused("offer.get", { offer_id: "idea" }), "404 NOT_FOUND")
        assert.include(yield* refused("offer.delete", { offer_id: "idea" }), "404 NOT_FOUND")
        const { events } = yield* feed.read(organizationId, { after: position, types: undefined, limit: 10 })
        assert.deepStrictEqual(
          events.map(({ data, type }) => [type, data]),
          [
            ["offer.updated", { name: "Idea", deleted: true }],
            ["mission.updated", { handle: "old", offer_id: null }]
          ]
        )
        // The caller's own id is free again.
        yield* ok("offer.create", { offer_id: "idea", name: "Another", ...texts })
      }).pipe(inOrganization("org_delete"))
    )

    it.effect("lets nobody link an offer that is being deleted", () =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        const repo = yield* OffersRepo
        const transaction = yield* Transaction
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
        yield* ok("mission.create", { name: "Live", handle: "live", agent_handle: "ada-martin" })
        yield* ok("offer.create", { offer_id: "race", name: "Race", ...texts })
        const [deleted, linked] = yield* Effect.all(
          [
            Effect.exit(
              transaction.run(
                Effect.gen(function* () {
                  const held = yield* repo.holdForDeletion(organizationId, "race")
                  if (held?.users.length === 0) yield* repo.remove(organizationId, "race", "2026-11-16T10:00:00.000Z")
                  return held?.users.length
                })
              )
            ),
            refused("mission.update", { mission_id: "live", offer_id: "race" })
          ],
          { concurrency: "unbounded" }
        )
        const users = deleted._tag === "Success" ? deleted.value : -1
        // Whoever was first, the mission links an offer that is there, or none.
        assert.strictEqual(linked, users === 1 ? "ok" : linked)
        if (users === 0) assert.include(linked, "404 NOT_FOUND")
        const { mission } = yield* ok("GET /missions/{missionHandle}", { missionHandle: "live" })
        assert.strictEqual(mission.offerId, users === 1 ? "race" : "")
      }).pipe(inOrganization("org_race"))
    )
  })
)
