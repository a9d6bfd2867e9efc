/**
 * On every store: a provider is asked for exactly the person and with exactly the account that were approved. What is approved for
 * others returns to review.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { tokenOf } from "../core/leads/identity/arbitraries.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { ok, refused } from "../support/World.ts"
import {
  asked,
  askedGateways,
  asks,
  draftFor,
  link,
  linkOf,
  prepare,
  provider,
  relink,
  returned,
  round,
  stateOf
} from "./approvalWorld.ts"
import { eachBackendWith } from "./backends.ts"

type Change = (lead_id: string) => Effect.Effect<unknown, never, Dispatch>

const importGrace = (row: object) =>
  ok("POST /missions/{missionHandle}/leads", {
    missionHandle: "spring",
    leads: [{ email: "grace@example.com", ...row }]
  })

/** What makes somebody else the recipient. */
const others: Readonly<Record<string, Change>> = {
  "lead.upsert shows another profile": (lead_id) => ok("lead.upsert", { lead_id, linkedin_url: linkOf("mallory") }),
  "lead.merge": (lead_id) =>
    Effect.flatMap(ok("lead.upsert", { name: "M", linkedin_url: linkOf("mallory") }), (other) =>
      ok("lead.merge", { winner_lead_id: other.lead_id, loser_lead_ids: [lead_id] })
    ),
  "an upsert that moves the profile to another lead": (lead_id) =>
    Effect.andThen(
      ok("lead.upsert", { name: "M", custom_id: "m" }),
      ok("lead.upsert", { custom_id: "m", linkedin_url: linkOf("grace"), on_conflict: "prefer_strongest" })
    ).pipe(Effect.andThen(ok("lead.upsert", { lead_id, linkedin_id: tokenOf(0x2a, 99) })))
}

/** What changes nothing of whom it goes to. */
const same: Readonly<Record<string, Change>> = {
  "an import adds a profile to what a person entered": () => importGrace({ linkedinUrl: linkOf("mallory") }),
  "tokens of somebody else": (lead_id) =>
    ok("lead.upsert", { lead_id, linkedin_id: tokenOf(0x2a, 77), sales_nav_id: tokenOf(0x2c, 77) }),
  "another e-mail address": (lead_id) => ok("lead.upsert", { lead_id, email: "g@elsewhere.example" }),
  "the same profile in another spelling": (lead_id) =>
    ok("lead.upsert", { lead_id, linkedin_url: "HTTP://m.LinkedIn.com/in/GRACE/?trk=1" })
}

eachBackendWith(askedGateways)("what was approved", (world) =>
  it.layer(world)((it) => {
    for (const [index, [name, change]] of Object.entries(others).entries()) {
      it.effect(`a message returns to review after ${name}`, () =>
        Effect.gen(function* () {
          const lead_id = yield* prepare()
          const draft_id = yield* draftFor(lead_id)
          yield* ok("linkedin.draft.approve", { draft_id })
          yield* change(lead_id)
          yield* round
          assert.deepStrictEqual(asked, [])
          assert.deepStrictEqual(yield* stateOf(draft_id), returned("recipient_changed"))
          const { events } = yield* ok("event.list", { limit: 100 })
          const changes = events.filter((event: { readonly type: string }) => event.type === "draft.updated")
          assert.strictEqual(changes.at(-1)?.data.reason, "recipient_changed")
          // A new approval is one for who is shown now.
          yield* ok("linkedin.draft.approve", { draft_id })
          yield* round
          assert.lengthOf(asks("message"), 1)
          assert.notInclude(asks("message")[0], "grace")
        }).pipe(inOrganization(`org_other_${index}`))
      )
    }

    for (const [index, [name, change]] of Object.entries(same).entries()) {
      it.effect(`a message leaves for the approved profile alone after ${name}`, () =>
        Effect.gen(function* () {
          const lead_id = yield* prepare()
          const draft_id = yield* draftFor(lead_id)
          yield* ok("linkedin.draft.approve", { draft_id })
          yield* change(lead_id)
          yield* round
          assert.deepStrictEqual(asked, ["relation first slug:grace", "message first slug:grace"])
        }).pipe(inOrganization(`org_same_${index}`))
      )
    }

    for (const [index, [kind, known, expected]] of [
      ["message", "m1", ["relation first slug:grace-new", "message first slug:grace-new"]],
      ["message", "m2", []],
      ["invitation", "m1", ["relation first slug:grace-new-2nd", "invitation first slug:grace-new-2nd"]],
      ["invitation", "m2", []]
    ].entries()) {
      const isSame = known === "m1"
      it.effect(`${kind} to ${isSame ? "the same member" : "another member"} under a new profile`, () =>
        Effect.gen(function* () {
          const end = kind === "message" ? "" : "-2nd"
          const lead_id = yield* prepare(`grace${end}`)
          if (kind === "message") yield* ok("linkedin.draft.approve", { draft_id: yield* draftFor(lead_id) })
          provider.isBusy = true
          if (kind === "invitation") yield* ok("linkedin.invitation.send", { lead_id, agent_handle: "ada-martin" })
          asked.length = 0
          provider.isBusy = false
          provider.members.set(`grace${end}`, "m1").set(`grace-new${end}`, String(known))
          yield* ok("lead.upsert", { lead_id, linkedin_url: linkOf(`grace-new${end}`) })
          yield* round
          assert.deepStrictEqual(asked, expected)
        }).pipe(inOrganization(`org_renamed_${index}`))
      )
    }

    it.effect("what an import wrote, another import changes: the message returns to review", () =>
      Effect.gen(function* () {
        yield* prepare()
        const leads = [{ email: "ida@example.com", name: "Ida", linkedinUrl: linkOf("ida") }]
        yield* ok("POST /missions/{missionHandle}/leads", { missionHandle: "spring", leads })
        const { lead_id } = yield* ok("lead.get", { email: "ida@example.com" })
        const draft_id = yield* draftFor(lead_id)
        yield* ok("linkedin.draft.approve", { draft_id })
        const again = [{ email: "ida@example.com", linkedinUrl: linkOf("mallory") }]
        yield* ok("POST /missions/{missionHandle}/leads", { missionHandle: "spring", leads: again })
        yield* round
        assert.deepStrictEqual(asked, [])
        assert.deepStrictEqual(yield* stateOf(draft_id), returned("recipient_changed"))
      }).pipe(inOrganization("org_imports"))
    )

    it.effect(
      "a lead without a profile is approved as the identifier that it has, and none that is added is asked for",
      () =>
        Effect.gen(function* () {
          yield* prepare()
          const { lead_id } = yield* ok("lead.upsert", { name: "Ida", linkedin_id: "urn:li:member:77" })
          const draft_id = yield* draftFor(lead_id)
          yield* ok("linkedin.draft.approve", { draft_id })
          yield* ok("lead.upsert", { lead_id, email: "ida@example.com" })
          provider.isBusy = true
          yield* round
          assert.deepStrictEqual(asks("message"), ["message first member_id:77"])
          // A token of unknown layout has no URL to be shown.
          yield* ok("lead.upsert", { lead_id, linkedin_id: "urn:li:fsd_profile:mallory-is-somebody-else" })
          yield* round
          assert.lengthOf(asks("message"), 1)
          assert.deepStrictEqual(yield* stateOf(draft_id), returned("recipient_changed"))
        }).pipe(inOrganization("org_member"))
    )

    it.effect("another account returns a message to review, and the same one linked again does not", () =>
      Effect.gen(function* () {
        const lead_id = yield* prepare()
        const draft_id = yield* draftFor(lead_id)
        yield* ok("linkedin.draft.approve", { draft_id })
        yield* ok("linkedin.account.unlink", { agent_handle: "ada-martin" })
        yield* link(`${yield* CurrentOrganization}-first`)
        provider.isBusy = true
        yield* round
        assert.deepStrictEqual(asks("message"), ["message first slug:grace"])
        yield* relink
        yield* round
        assert.lengthOf(asks("message"), 1)
        assert.deepStrictEqual(yield* stateOf(draft_id), returned("account_changed"))
        provider.isBusy = false
        yield* ok("linkedin.draft.approve", { draft_id })
        yield* round
        assert.deepStrictEqual(asks("message").at(-1), "message second slug:grace")
      }).pipe(inOrganization("org_account"))
    )

    it.effect("a retry after a failure goes to the same person, or back to review", () =>
      Effect.gen(function* () {
        const lead_id = yield* prepare()
        const draft_id = yield* draftFor(lead_id)
        yield* ok("linkedin.draft.approve", { draft_id })
        provider.isBusy = true
        yield* round
        yield* ok("lead.upsert", { lead_id, linkedin_id: tokenOf(0x2a, 77) })
        yield* round
        assert.deepStrictEqual(asks("message"), ["message first slug:grace", "message first slug:grace"])
        provider.isBusy = false
        yield* ok("lead.upsert", { lead_id, linkedin_url: linkOf("mallory") })
        yield* round
        assert.lengthOf(asks("message"), 2)
        assert.deepStrictEqual(yield* stateOf(draft_id), returned("recipient_changed"))
      }).pipe(inOrganization("org_retry"))
    )

    it.effect("send_now sends what is shown, and refuses what was approved for somebody else before", () =>
      Effect.gen(function* () {
        const lead_id = yield* prepare()
        const draft_id = yield* draftFor(lead_id)
        yield* ok("linkedin.draft.approve", { draft_id })
        yield* ok("lead.upsert", { lead_id, linkedin_url: linkOf("mallory") })
        for (const more of [{}, { send_now: true }]) {
          assert.include(yield* refused("linkedin.draft.approve", { draft_id, ...more }), "409 CONTENT_CHANGED")
        }
        const many = yield* ok("linkedin.draft.approve-many", { items: [{ draft_id }] })
        assert.strictEqual(many.results[0].error.code, "CONTENT_CHANGED")
        assert.deepStrictEqual(asked, [])
        yield* ok("linkedin.draft.reopen", { draft_id })
        const read = { draft_id, send_now: true, profile_url: linkOf("grace") }
        assert.include(yield* refused("linkedin.draft.approve", read), "409 CONTENT_CHANGED")
        yield* ok("linkedin.draft.approve", { ...read, profile_url: linkOf("mallory") })
        assert.deepStrictEqual(asks("message"), ["message first slug:mallory"])
      }).pipe(inOrganization("org_now"))
    )

    it.effect("send_now refuses another account than the one that was approved", () =>
      Effect.gen(function* () {
        const draft_id = yield* draftFor(yield* prepare())
        yield* ok("linkedin.draft.approve", { draft_id })
        yield* relink
        assert.include(yield* refused("linkedin.draft.approve", { draft_id, send_now: true }), "account changed")
        assert.deepStrictEqual(asked, [])
        yield* round
        assert.deepStrictEqual(yield* stateOf(draft_id), returned("account_changed"))
      }).pipe(inOrganization("org_now_account"))
    )

    it.effect("of drafts approved together, each goes to its own person", () =>
      Effect.gen(function* () {
        const grace = yield* prepare()
        const { lead_id: ida } = yield* ok("lead.upsert", { name: "Ida", linkedin_url: linkOf("ida") })
        const [first, second] = [yield* draftFor(grace), yield* draftFor(ida)]
        yield* ok("linkedin.draft.approve-many", { items: [{ draft_id: first }, { draft_id: second }] })
        yield* ok("lead.upsert", { lead_id: grace, linkedin_url: linkOf("mallory") })
        yield* ok("lead.upsert", { lead_id: ida, linkedin_id: tokenOf(0x2a, 77) })
        yield* round
        assert.deepStrictEqual(asks("message"), ["message first slug:ida"])
        assert.deepStrictEqual(yield* stateOf(first), returned("recipient_changed"))
      }).pipe(inOrganization("org_many"))
    )
  })
)
