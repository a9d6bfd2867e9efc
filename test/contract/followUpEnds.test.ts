/** What ends a follow-up, or makes it wait, on every store: before it is sent, and while a try to send it fails. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { eachBackendWith } from "./backends.ts"
import { days, prepareLead, prepareMission, setDay, step, takingAll } from "./followUpWorld.ts"
import { busyGateways, Provider, provider } from "./gateWorld.ts"

const mixed = [step(), step({ channel: "EMAIL" })]

/** A lead of two missions with an approved follow-up of one, an e-mail of the other and a draft of another agent for no step. */
const prepareOpen = Effect.gen(function* () {
  const world = yield* prepareMission(mixed)
  const { addLead, draft, email, run, stepOf, write } = world
  yield* run("agent.create", { first_name: "Bob", last_name: "Moss" })
  const autumn = { mission_id: "autumn", steps: [step({ channel: "EMAIL" })] }
  yield* run("mission.create", { name: "Autumn", handle: "autumn", agent_handle: "ada-martin" })
  yield* run("mission.steps.set", autumn)
  const lead_id = yield* addLead("grace")
  yield* run("lead.upsert", { lead_id, mission_id: "autumn" })
  yield* write(lead_id)
  yield* setDay(3)
  const followUp = yield* draft(lead_id)
  assert.strictEqual(yield* stepOf(followUp), 1)
  // The next one waits until this one has left.
  assert.isNull((yield* email(lead_id)).follow_up)
  const letter = yield* email(lead_id, "autumn")
  assert.strictEqual(letter.follow_up.step, 1)
  const other = yield* draft(lead_id, { agent_handle: "bob-moss" })
  assert.isNull(yield* stepOf(other))
  yield* world.approve(followUp)
  yield* world.approve(other)
  const emailOf = Effect.map(run("email.list", { lead_id }), ({ emails }) => `${emails[0].state} ${emails[0].reason}`)
  return { ...world, lead_id, followUp, other, emailOf }
})

type Open = Effect.Success<typeof prepareOpen>

const setStatus =
  (status: string) =>
  ({ lead_id, run }: Open) =>
    run("lead.status.set", { lead_id, status, reason: "Said so" })

/** What happens, what becomes of a draft that is no follow-up, and why the e-mail is cancelled. */
const ends: Readonly<
  Record<string, readonly [(open: Open) => Effect.Effect<unknown, never, Dispatch>, string, reason?: string]>
> = {
  "a reply by e-mail": [({ lead_id, reply }) => reply(lead_id, "EMAIL"), "PENDING_REVIEW"],
  "a reply on LinkedIn": [({ lead_id, reply }) => reply(lead_id, "LINKEDIN"), "PENDING_REVIEW"],
  "the status Replied": [setStatus("Replied"), "READY_TO_SEND"],
  "the status Interested": [setStatus("Interested"), "READY_TO_SEND"],
  "the status MeetingBooked": [setStatus("MeetingBooked"), "READY_TO_SEND"],
  "the status NotInterested": [setStatus("NotInterested"), "PENDING_REVIEW"],
  "the status DoNotContact": [setStatus("DoNotContact"), "CANCELLED"],
  "leaving the mission": [
    ({ lead_id, run }) =>
      Effect.forEach(["spring", "autumn"], (mission_id) =>
        run("lead.mission.remove", { lead_ids: [lead_id], mission_id })
      ),
    "CANCELLED",
    "lead_left_mission"
  ]
}

eachBackendWith(takingAll)("the end of follow-ups", (world) =>
  it.layer(world)((it) => {
    for (const [name, [happen, left, reason = "follow_up_over"]] of Object.entries(ends)) {
      it.effect(`is ${name}`, () =>
        Effect.gen(function* () {
          const open = yield* prepareOpen
          yield* happen(open)
          assert.strictEqual(yield* open.statusOf(open.followUp), "CANCELLED")
          assert.strictEqual(yield* open.emailOf, `cancelled ${reason}`)
          assert.strictEqual(yield* open.statusOf(open.other), left)
          assert.isNull((yield* open.contextOf(open.lead_id)).follow_up)
          yield* setDay(20)
          assert.isNull((yield* open.contextOf(open.lead_id)).follow_up)
        })
      )
    }

    it.effect("of both leads is their merge, and what is due follows from the history of both", () =>
      Effect.gen(function* () {
        const { addLead, approve, contextOf, dispatch, draft, lead_id, run, statusOf, write } =
          yield* prepareLead(mixed)
        const loser = yield* addLead("grace-again")
        yield* write(loser)
        yield* setDay(3)
        // The other one got the first step already.
        yield* approve(yield* draft(loser))
        yield* setDay(4)
        yield* dispatch
        const followUp = yield* draft(lead_id)
        yield* approve(followUp)
        yield* run("lead.merge", { winner_lead_id: lead_id, loser_lead_ids: [loser] })
        assert.strictEqual(yield* statusOf(followUp), "CANCELLED")
        const next = (yield* contextOf(lead_id)).follow_up
        assert.deepInclude(next, { step: 2 })
        // Friday to Wednesday.
        assert.strictEqual(next.due_at.slice(0, 10), days(9).slice(0, 10))
      })
    )

    it.effect("of those by e-mail is an address that does not exist", () =>
      Effect.gen(function* () {
        const { contextOf, lead_id, organizationId, run } = yield* prepareLead([step({ channel: "EMAIL" }), step()])
        assert.strictEqual((yield* contextOf(lead_id)).follow_up.channel, "EMAIL")
        const value = (yield* run("lead.get", { lead_id })).lead.email
        const entry = { kind: "bounced", value, leadId: lead_id, reason: "No such mailbox", until: null } as const
        const suppressed = [{ ...entry, organizationId, createdAt: days(0) }]
        yield* (yield* LeadsRepo).write({ organizationId, rows: [], suppressed })
        assert.deepInclude((yield* contextOf(lead_id)).follow_up, { step: 2, channel: "LINKEDIN" })
      })
    )
  })
)

eachBackendWith(takingAll)("a follow-up", (world) =>
  it.layer(world)((it) => {
    it.effect("waits its working days again after another message, whatever its approval says", () =>
      Effect.gen(function* () {
        const { approve, dispatch, draft, lead_id, run, statusOf } = yield* prepareLead()
        yield* setDay(3)
        const followUp = yield* draft(lead_id)
        yield* run("lead.message.record", { lead_id, channel: "EMAIL", direction: "outbound", content: "By the way" })
        yield* approve(followUp)
        yield* run("linkedin.draft.approve", { draft_id: followUp, send_now: true })
        assert.strictEqual(yield* statusOf(followUp), "READY_TO_SEND")
        const { items } = yield* run("linkedin.queue.list", { state: ["queued"] })
        assert.deepInclude(items[0], { reason: "follow_up_early", draft_id: followUp })
        assert.strictEqual(items[0].not_before.slice(0, 10), days(8).slice(0, 10))
        const { departure } = yield* run("review.get", { item_id: followUp })
        assert.strictEqual(departure.reason, "follow_up_early")
        yield* setDay(7)
        yield* dispatch
        assert.strictEqual(yield* statusOf(followUp), "READY_TO_SEND")
        yield* setDay(8)
        yield* dispatch
        assert.strictEqual(yield* statusOf(followUp), "DISPATCHED")
      })
    )

    it.effect("by e-mail waits while another message is being sent to the lead", () =>
      Effect.gen(function* () {
        const { approve, draft, email, lead_id, organizationId, run } = yield* prepareLead([step({ channel: "EMAIL" })])
        yield* setDay(3)
        const { content_hash, review_id } = yield* email(lead_id)
        yield* approve(yield* draft(lead_id))
        const queue = yield* TransmissionsRepo
        const which = { kinds: ["message"], states: ["queued"], order: "oldest" } as const
        const [message] = (yield* queue.list(organizationId, which, { after: undefined, limit: 1 })).items
        if (message === undefined) return assert.fail("no message is queued")
        yield* queue.save(organizationId, [{ ...message.row, state: "sending", notBefore: null } as typeof message.row])
        yield* run("email.review.decide", { review_id, content_hash, decision: "approve" })
        yield* setDay(3.01)
        yield* dispatchEmails({ organizationId })
        const { emails } = yield* run("email.list", { lead_id })
        assert.deepInclude(emails[0], { state: "queued", reason: "lead_busy" })
      })
    )
  })
)

eachBackendWith(busyGateways)("a follow-up while a try to send it fails", (world) =>
  it.layer(world.pipe(Layer.provideMerge(provider)))((it) => {
    for (const channel of ["LINKEDIN", "EMAIL"] as const) {
      it.effect(`is over when the person replies: ${channel}`, () =>
        Effect.gen(function* () {
          const { addLead, approve, dispatch, draft, email, reply, run, statusOf } = yield* prepareMission([
            step({ channel })
          ])
          const lead_id = yield* addLead("grace")
          yield* run("lead.message.record", { lead_id, channel: "EMAIL", direction: "outbound", content: "Hello" })
          yield* setDay(3)
          const asking = yield* Provider
          asking.asked.length = 0
          const services = yield* Effect.context<Dispatch>()
          asking.meanwhile = Effect.provideContext(Effect.asVoid(reply(lead_id)), services)
          const letter = channel === "EMAIL" ? yield* email(lead_id) : undefined
          const draft_id = letter === undefined ? yield* draft(lead_id) : undefined
          if (draft_id === undefined) {
            const { content_hash, review_id } = letter
            yield* run("email.review.decide", { review_id, content_hash, decision: "approve" })
          } else yield* approve(draft_id)
          yield* setDay(3.01)
          yield* dispatch
          assert.lengthOf(asking.asked, 1)
          const { emails } = yield* run("email.list", { lead_id })
          const state = draft_id === undefined ? emails[0].state : yield* statusOf(draft_id)
          assert.strictEqual(String(state).toUpperCase(), "CANCELLED")
        })
      )
    }
  })
)
