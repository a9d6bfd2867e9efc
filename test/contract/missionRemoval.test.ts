/** What becomes of drafts when their lead leaves the mission that they were written for, on every store. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { DraftsRepo } from "#core/outreach/DraftsRepo.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { ok, statementsOf, warned } from "../support/World.ts"
import { eachOutreach } from "./outreachWorld.ts"

const lead = (slug: string, mission_id: string) =>
  Effect.map(
    ok("lead.upsert", { linkedin_url: `https://www.linkedin.com/in/${slug}`, name: slug, mission_id }),
    ({ lead_id }) => String(lead_id)
  )

const draft = (lead_id: string, mission_id: string, agent_handle = "ada-martin") =>
  Effect.map(
    ok("linkedin.draft.create", { lead_id, variations: [`Hello ${lead_id}`], agent_handle, mission_id }),
    (output) => String(output.draft.draft_id)
  )

const approve = (draft_id: string, extra: object = {}) => ok("linkedin.draft.approve", { draft_id, ...extra })

const statusOf = (draft_id: string) =>
  Effect.map(ok("linkedin.draft.get", { draft_id }), (output) => String(output.draft.status))

/** The missions `one` and `two` of Ada, and another agent. */
const addMissions = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("agent.create", { first_name: "Eve", last_name: "Other" })
  for (const handle of ["one", "two"]) {
    yield* ok("mission.create", { name: handle, handle, agent_handle: "ada-martin" })
  }
})

eachOutreach("leads that leave a mission", (layer) =>
  it.layer(layer)((it) => {
    it.effect("take their open drafts of it along, with what waits to be sent", () =>
      Effect.gen(function* () {
        yield* addMissions
        const review = yield* lead("review", "one")
        const approved = yield* lead("approved", "one")
        const waiting = yield* lead("waiting-2nd", "one")
        const sent = yield* lead("sent", "one")
        const both = yield* lead("both", "one")
        const stays = yield* lead("stays", "one")
        yield* ok("lead.mission.add", { mission_id: "two", lead_ids: [both] })
        const drafts = {
          review: yield* draft(review, "one"),
          approved: yield* draft(approved, "one"),
          waiting: yield* draft(waiting, "one"),
          sent: yield* draft(sent, "one"),
          both: yield* draft(both, "one"),
          elsewhere: yield* draft(both, "two", "eve-other"),
          stays: yield* draft(stays, "one")
        }
        yield* approve(drafts.approved)
        yield* approve(drafts.waiting, { send_now: true })
        yield* approve(drafts.sent, { send_now: true })
        assert.strictEqual((yield* ok("lead.get", { lead_id: waiting })).lead.status, "Waiting")

        const lead_ids = [review, approved, waiting, sent, both]
        assert.deepInclude(yield* ok("lead.mission.remove", { mission_id: "one", lead_ids }), {
          removed: 5,
          already: 0,
          drafts_cancelled: 4,
          refused: []
        })
        const statuses = yield* Effect.forEach(Object.values(drafts), statusOf)
        assert.deepStrictEqual(statuses, [
          "CANCELLED",
          "CANCELLED",
          "CANCELLED",
          "DISPATCHED",
          "CANCELLED",
          "PENDING_REVIEW",
          "PENDING_REVIEW"
        ])
        const { items } = yield* ok("linkedin.queue.list", { state: ["cancelled"] })
        const found = items.map((item: { draft_id: string; reason: string }) => [item.draft_id, item.reason])
        assert.deepStrictEqual(
          found.toSorted(),
          [drafts.approved, drafts.waiting].map((id) => [id, "lead_left_mission"]).toSorted()
        )
        // Nothing waits for the lead any more, and nothing was sent to it.
        assert.strictEqual((yield* ok("lead.get", { lead_id: waiting })).lead.status, "New")
        const { events } = yield* ok("lead.timeline", { lead_id: review })
        const cancelled = events.filter(({ type }: { type: string }) => type === "draft.cancelled")
        assert.strictEqual(cancelled.length, 1)
        const again = yield* ok("lead.mission.remove", { mission_id: "one", lead_ids })
        assert.deepInclude(again, { removed: 0, already: 5, drafts_cancelled: 0 })
      }).pipe(inOrganization("org_open"))
    )

    it.effect("leave what may have been sent, and say so", () =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        yield* addMissions
        const unknown = yield* lead("lost-unknown", "one")
        const drafted = yield* draft(unknown, "one")
        yield* approve(drafted)
        const queue = yield* TransmissionsRepo
        const drafts = yield* DraftsRepo
        yield* (yield* Transaction).run(
          Effect.gen(function* () {
            const item = (yield* drafts.hold(organizationId, { draftIds: [drafted] }))[0]?.item
            if (item == null) return assert.fail("the draft is not queued")
            yield* queue.save(organizationId, [{ ...item, state: "ambiguous" }])
          })
        )
        const input = { mission_id: "one", lead_ids: [unknown] }
        const warnings = yield* warned("lead.mission.remove", input)
        assert.match(warnings.join(), /^sending: 1 draft is being sent, or may have been sent, and stays;/)
        assert.strictEqual(yield* statusOf(drafted), "READY_TO_SEND")
        const { leads } = yield* ok("lead.search", { mission_id: "one" })
        assert.strictEqual(
          leads.some(({ lead_id }: { lead_id: string }) => lead_id === unknown),
          false
        )
      }).pipe(inOrganization("org_unknown"))
    )

    it.effect("cost seven statements when nothing was drafted", () =>
      Effect.gen(function* () {
        yield* addMissions
        const ids = yield* Effect.forEach(["a", "b", "c"], (slug) => lead(`plain-${slug}`, "two"))
        const statements = yield* statementsOf(ok("lead.mission.remove", { mission_id: "two", lead_ids: ids }))
        if (statements !== undefined) assert.isAtMost(statements, 7)
      }).pipe(inOrganization("org_plain"))
    )
  })
)
