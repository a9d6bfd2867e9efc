/** Follow-ups on every store: when a step is due, who is told, and what becomes that follow-up. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { eachBackendWith } from "./backends.ts"
import { days, prepareLead, prepareMission, setDay, step, takingAll, twoSteps } from "./followUpWorld.ts"

const kinds = ({ actions }: { readonly actions: ReadonlyArray<{ readonly kind: string }> }) =>
  actions.map(({ kind }) => kind)

eachBackendWith(takingAll)("follow-ups", (world) =>
  it.layer(world)((it) => {
    it.effect("are due after working days without a reply", () =>
      Effect.gen(function* () {
        const { contextOf, lead_id, run } = yield* prepareLead()
        const planned = (yield* contextOf(lead_id)).follow_up
        assert.strictEqual(planned.due_at.slice(0, 16), days(3).slice(0, 16))
        assert.deepInclude(planned, { step: 1, of: 2, channel: "LINKEDIN", purpose: "Ask one question", evidence: "" })
        yield* setDay(2)
        assert.isNull((yield* contextOf(lead_id)).next_action)
        assert.isEmpty(kinds(yield* run("mission.next-actions", { mission_id: "spring" })))
        yield* setDay(3)
        assert.strictEqual((yield* contextOf(lead_id)).next_action.kind, "follow_up_due")
        const { actions } = yield* run("mission.next-actions", { mission_id: "spring" })
        assert.deepInclude(actions[0], { kind: "follow_up_due", lead_id, follow_up: planned })
      })
    )

    it.effect("are due after working days alone", () =>
      Effect.gen(function* () {
        const { contextOf, lead_id } = yield* prepareLead([step({ working_days: 5 })])
        // Monday to Monday.
        assert.strictEqual((yield* contextOf(lead_id)).follow_up.due_at.slice(0, 16), days(7).slice(0, 16))
      })
    )

    it.effect("are announced once, with their event", () =>
      Effect.gen(function* () {
        const { announce, lead_id, run } = yield* prepareLead()
        yield* announce
        yield* setDay(3)
        yield* announce
        yield* announce
        const { events } = yield* run("event.list", { types: "lead.follow_up_due" })
        assert.lengthOf(events, 1)
        assert.strictEqual(events[0].subject.id, lead_id)
        assert.deepInclude(events[0].data, { step: 1, channel: "LINKEDIN" })
      })
    )

    it.effect("become what is written on their channel while they are due", () =>
      Effect.gen(function* () {
        const { approve, contextOf, dispatch, draft, email, lead_id, run, stepOf } = yield* prepareLead()
        const early = yield* draft(lead_id)
        assert.isNull(yield* stepOf(early))
        yield* run("linkedin.draft.cancel", { draft_id: early })
        yield* setDay(3)
        // Another channel than that of the step.
        assert.isNull((yield* email(lead_id)).follow_up)
        const due = yield* draft(lead_id)
        assert.strictEqual(yield* stepOf(due), 1)
        assert.strictEqual((yield* contextOf(lead_id)).next_action.kind, "draft_to_review")
        yield* approve(due)
        yield* setDay(3.5)
        yield* dispatch
        // The next step counts from that message: Thursday evening to Monday.
        const next = (yield* contextOf(lead_id)).follow_up
        assert.deepInclude(next, { step: 2, channel: "EMAIL" })
        assert.strictEqual(next.due_at.slice(0, 10), "2026-11-30")
        yield* setDay(8)
        const written = yield* email(lead_id)
        assert.deepStrictEqual(written.follow_up, { step: 2, of: 2, purpose: "Say goodbye" })
        assert.deepInclude(written, { review_strategy: "MANUAL", state: "in_review" })
        assert.isNull((yield* contextOf(lead_id)).follow_up)
      })
    )

    it.effect("are due again once cancelled, and skipped once rejected", () =>
      Effect.gen(function* () {
        const { contextOf, draft, lead_id, run, stepOf } = yield* prepareLead()
        yield* setDay(3)
        const first = yield* draft(lead_id)
        yield* run("linkedin.draft.cancel", { draft_id: first })
        assert.strictEqual((yield* contextOf(lead_id)).follow_up.step, 1)
        const second = yield* draft(lead_id, { replace_open: true })
        const third = yield* draft(lead_id, { replace_open: true })
        assert.strictEqual(yield* stepOf(third), 1)
        yield* run("linkedin.draft.reject", { draft_id: third, reason: "Not now" })
        assert.strictEqual((yield* contextOf(lead_id)).follow_up.step, 2)
        // Opened again, it is the step that it was; another one is none.
        yield* run("linkedin.draft.reopen", { draft_id: third })
        assert.strictEqual(yield* stepOf(third), 1)
        yield* run("linkedin.draft.reject", { draft_id: third, reason: "Not now" })
        yield* run("linkedin.draft.reopen", { draft_id: second })
        assert.isNull(yield* stepOf(second))
      })
    )

    it.effect("are none any more in another mission, and what follows a first e-mail is reviewed", () =>
      Effect.gen(function* () {
        const { codeOf, contextOf, draft, email, lead_id, run, stepOf } = yield* prepareLead([step()])
        yield* run("mission.create", { name: "Other", agent_handle: "ada-martin", channels: ["LINKEDIN"] })
        yield* setDay(3)
        const first = yield* draft(lead_id)
        yield* run("linkedin.draft.update", { draft_id: first, mission_id: "other" })
        assert.isNull(yield* stepOf(first))
        assert.strictEqual((yield* contextOf(lead_id)).follow_up.step, 1)
        // Due when it was begun, and not when it was sent.
        assert.deepInclude(yield* email(lead_id), { follow_up: null, review_strategy: "MANUAL", state: "in_review" })
        const steps = [step({ channel: "EMAIL" })]
        assert.strictEqual(yield* codeOf("mission.steps.set", { mission_id: "other", steps }), "INVALID_INPUT")
      })
    )

    it.effect("wait for an accepted invitation, and pass over what cannot reach the person", () =>
      Effect.gen(function* () {
        const steps = [step({ after: "invitation_accepted", working_days: 0 }), step({ channel: "EMAIL" })]
        const { addLead, contextOf, run, write } = yield* prepareMission(steps)
        const lead_id = yield* addLead("barbara")
        assert.isNull((yield* contextOf(lead_id)).follow_up)
        yield* write(lead_id)
        assert.deepInclude((yield* contextOf(lead_id)).follow_up, { step: 2, channel: "EMAIL" })
        yield* run("lead.upsert", { lead_id, email: null })
        assert.isNull((yield* contextOf(lead_id)).follow_up)
      })
    )

    it.effect("rest while their mission does", () =>
      Effect.gen(function* () {
        const { announce, codeOf, contextOf, draft, lead_id, run, stepOf } = yield* prepareLead()
        yield* setDay(3)
        yield* run("mission.pause", { mission_id: "spring" })
        yield* announce
        assert.isNull((yield* contextOf(lead_id)).follow_up)
        const none = yield* draft(lead_id)
        assert.isNull(yield* stepOf(none))
        yield* run("linkedin.draft.cancel", { draft_id: none })
        yield* run("mission.resume", { mission_id: "spring" })
        assert.strictEqual((yield* contextOf(lead_id)).next_action.kind, "follow_up_due")
        yield* run("mission.update", { mission_id: "spring", status: "archived" })
        assert.strictEqual(yield* codeOf("mission.steps.set", { mission_id: "spring", steps: [] }), "MISSION_ARCHIVED")
      })
    )

    it.effect("are read of the leads that have some", () =>
      Effect.gen(function* () {
        const { addLead, contextOf, draft, lead_id, organizationId, run } = yield* prepareLead()
        yield* run("lead.upsert", { name: "Outside", email: "outside@example.com" })
        yield* setDay(3)
        yield* draft(lead_id)
        const other = yield* addLead("alan")
        const repo = yield* LeadsRepo
        const facts = yield* repo.followUpFacts(organizationId, [lead_id, other, "ld_none"])
        assert.sameMembers([...facts.keys()], [lead_id, other])
        const one = facts.get(lead_id)
        assert.deepInclude(one, { status: "Contacted", isBounced: false, acceptedAt: null, lastInboundAt: null })
        assert.strictEqual(one?.lastOutboundAt?.slice(0, 10), "2026-11-23")
        const [mission] = one?.inMissions ?? []
        assert.deepInclude(mission, { status: "ACTIVE", taken: 1, timezone: "UTC", steps: twoSteps })
        assert.strictEqual(mission?.missionId, (yield* contextOf(lead_id)).missions[0].mission_id)
        yield* run("mission.steps.set", { mission_id: "spring", steps: [] })
        assert.strictEqual((yield* repo.followUpFacts(organizationId, [lead_id])).size, 0)
      })
    )
  })
)
