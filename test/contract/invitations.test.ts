/** Invitations through commands and the dispatcher, and the gate of all uses, on every backend. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { runAsService } from "#core/kernel/background/Worker.ts"
import { isoFromMillis, now } from "#core/kernel/schema/IdsAndTime.ts"
import { invitations } from "#core/outreach/invitations/sendInvitation.ts"
import { messages } from "#core/outreach/messages.ts"
import { dispatchDue, settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { SendResult } from "#core/outreach/provider/ProviderReads.ts"
import type { QueueEntry } from "#core/outreach/QueueEntry.ts"
import type { UsageWindow } from "#core/outreach/readUsage.ts"
import type { Invitation } from "#core/outreach/Transmission.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { SimulatorLedger } from "#memory/simulator/SimulatedGateway.ts"
import { agents, draftFor, lead, read, sent } from "../core/linkedin/linkedInWorld.ts"
import { asFunctions } from "../support/asFunctions.ts"
import { beginWithin } from "../support/beginWithin.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { ok, verdict } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"

/** The simulated gateway, whose answer to an invitation is lost, or is another one, for people of some names. */
const scripted = Layer.effect(
  LinkedInGateway,
  Effect.map(LinkedInGateway, (simulated) =>
    LinkedInGateway.of({
      ...simulated,
      sendInvitation: (account, delivery) => {
        const slug = delivery.recipient.identities.find(({ kind }) => kind === "slug")?.value ?? ""
        const instead = (result: SendResult) => Effect.succeed(result)
        const refuse = (kind: "limit" | "already_pending" | "blocked", providerCode: string) =>
          instead({ _tag: "Refused", kind, providerCode, retryAfterSeconds: null })
        if (slug.startsWith("never")) return instead({ _tag: "Unknown", detail: "Nothing was heard." })
        if (slug.startsWith("recent")) return refuse("already_pending", "errors/already_invited_recently")
        if (slug.startsWith("closed")) return refuse("blocked", "errors/cannot_invite_attendee")
        if (slug.startsWith("full")) return refuse("limit", "errors/cannot_resend_yet")
        const taken = simulated.sendInvitation(account, delivery)
        return slug.startsWith("lost") ? Effect.as(taken, { _tag: "Unknown", detail: "Connection reset." }) : taken
      }
    })
  )
)

const invitationsTo = (leadId: string) =>
  Effect.flatMap(SimulatorLedger, (ledger) =>
    Effect.map(ledger.accepted, (accepted) =>
      accepted.filter((one) => one.leadId === leadId && one.kind === "invitation").map(({ text }) => text)
    )
  )

interface Sent {
  readonly result: string
  readonly invitation_id: string | null
  readonly reason: string | null
  readonly not_before: string | null
}

const invite = (lead_id: string, more: Record<string, unknown> = {}, options = {}) =>
  ok<Sent>("linkedin.invitation.send", { lead_id, agent_handle: "ada-martin", ...more }, { options })
const withdraw = (input: Record<string, unknown>) =>
  ok<{ withdrawn: boolean; state: string; invitation_id: string }>("linkedin.invitation.withdraw", input)
const find = Effect.fnUntraced(function* (id: string | null) {
  const row = (yield* (yield* TransmissionsRepo).find(yield* CurrentOrganization, id ?? ""))?.row
  return row?.kind === "invitation" ? row : undefined
})
const stateOf = (id: string | null) => Effect.map(find(id), (found) => `${found?.state} ${found?.reason}`)
const statusOf = (lead_id: string) =>
  Effect.map(ok<{ lead: { status: string } }>("lead.get", { lead_id }), ({ lead: found }) => found.status)
const eventsOf = (lead_id: string) =>
  Effect.map(ok<{ events: ReadonlyArray<{ type: string }> }>("lead.timeline", { lead_id, limit: 100 }), ({ events }) =>
    events.map(({ type }) => type).filter((type) => type.startsWith("invitation."))
  )
const dispatch = Effect.flatMap(CurrentOrganization, (organizationId) =>
  Effect.tap(dispatchDue({ organizationId }), () => settleUnknown({ organizationId }))
)

// Through the functions of a host, which must do what the gateway behind them does.
eachBackendWith({ acceptSeconds: 3_600, gateway: asFunctions(scripted) })("invitations", (layer) =>
  it.layer(layer)((it) => {
    it.effect("are sent once, and end when the person accepts", () =>
      Effect.gen(function* () {
        yield* organization("org_sent_b")
        yield* agents(2)
        const hedy = yield* lead("hedy-2nd")
        const dry = yield* invite(hedy, {}, { dryRun: true })
        assert.strictEqual(dry.result, "sent")
        assert.deepStrictEqual([yield* find(dry.invitation_id), yield* invitationsTo(hedy)], [undefined, []])

        const first = yield* invite(hedy, { note: "Hello Hedy" }, { idempotencyKey: "once" })
        assert.deepInclude(first, { result: "sent", reason: null, not_before: null })
        assert.deepStrictEqual(yield* invite(hedy, { note: "Hello Hedy" }, { idempotencyKey: "once" }), first)
        assert.deepStrictEqual(yield* invite(hedy), { ...first, result: "already_pending" })
        assert.deepStrictEqual(yield* invitationsTo(hedy), ["Hello Hedy"])
        assert.strictEqual(yield* statusOf(hedy), "Waiting")
        const other = yield* invite(hedy, { agent_handle: "bob-berg" })
        assert.strictEqual(other.result, "sent", "another account's is another one")

        const strangers = { actor: owner("org_sent_b") }
        const theirs = { invitation_id: first.invitation_id }
        assert.strictEqual(yield* verdict("linkedin.invitation.withdraw", theirs, strangers), "404 NOT_FOUND")
        assert.strictEqual(yield* verdict("linkedin.invitation.send", { lead_id: hedy }, strangers), "404 NOT_FOUND")

        const { items } = yield* ok<{ items: ReadonlyArray<QueueEntry> }>("linkedin.queue.list", {
          state: ["pending"]
        })
        assert.deepStrictEqual(
          items.map(({ kind, queue_id }) => [kind, queue_id]),
          [
            ["invitation", first.invitation_id],
            ["invitation", other.invitation_id]
          ]
        )
        yield* TestClock.adjust("61 minutes")
        yield* ok("linkedin.conversation.sync", { lead_id: hedy, agent_handle: "ada-martin" })
        assert.strictEqual(yield* stateOf(first.invitation_id), "accepted null")
        yield* ok("linkedin.conversation.sync", { lead_id: hedy, agent_handle: "ada-martin" })
        const events = yield* eventsOf(hedy)
        const [queued, sent] = ["invitation.queued", "invitation.sent"]
        assert.deepStrictEqual(events.toSorted(), ["invitation.accepted", queued, queued, sent, sent])
        assert.strictEqual((yield* invite(hedy)).result, "already_connected")
        assert.strictEqual((yield* invite(yield* lead("friend"))).result, "already_connected")
      }).pipe(inOrganization("org_sent"))
    )

    it.effect("of unknown outcome are never sent again, and are settled by a look or by a person", () =>
      Effect.gen(function* () {
        yield* agents()
        const organizationId = yield* CurrentOrganization
        const lost = yield* lead("lost-2nd")
        const never = yield* lead("never-2nd")
        for (const lead_id of [lost, never]) {
          const sending = verdict("linkedin.invitation.send", { lead_id, agent_handle: "ada-martin" })
          assert.strictEqual(yield* sending, "409 SEND_OUTCOME_UNKNOWN")
          assert.strictEqual(yield* sending, "409 SEND_OUTCOME_UNKNOWN", "nor at a second try")
        }
        const queue = yield* TransmissionsRepo
        const idOf = (lead_id: string) => Effect.map(queue.ofLead(organizationId, lead_id), ([one]) => one?.id ?? null)
        const [a, b] = [yield* idOf(lost), yield* idOf(never)]
        for (let round = 0; round < 5; round++) {
          yield* TestClock.adjust("100 seconds")
          yield* dispatch
        }
        assert.strictEqual(yield* stateOf(a), "pending invitation_pending", "LinkedIn shows it")
        assert.strictEqual(yield* stateOf(b), "ambiguous outcome_unknown", "what it does not show stays unknown")
        assert.deepStrictEqual([yield* invitationsTo(lost), yield* invitationsTo(never)], [[null], []])
        assert.strictEqual(yield* verdict("linkedin.queue.cancel", { queue_id: b }), "409 SEND_OUTCOME_UNKNOWN")
        const settled = yield* ok<{ draft: unknown; item: QueueEntry }>("linkedin.queue.resolve", {
          queue_id: b,
          outcome: "not_sent"
        })
        assert.deepInclude(settled.item, { kind: "invitation", state: "failed", reason: "not_sent" })
        assert.isNull(settled.draft)
        assert.strictEqual(yield* statusOf(never), "New")
        assert.strictEqual(
          yield* verdict("linkedin.queue.resolve", { queue_id: b, outcome: "sent" }),
          "409 WRONG_STATE"
        )
      }).pipe(inOrganization("org_unknown"))
    )

    it.effect("take the provider's word: invited already, refused for good, or refused for a day", () =>
      Effect.gen(function* () {
        yield* agents(2)
        const recent = yield* invite(yield* lead("recent-2nd"))
        assert.strictEqual(recent.result, "already_pending")
        assert.strictEqual(yield* stateOf(recent.invitation_id), "pending invitation_pending")
        const closed = yield* lead("closed-2nd")
        const input = { lead_id: closed, agent_handle: "ada-martin" }
        assert.strictEqual(yield* verdict("linkedin.invitation.send", input), "502 GATEWAY_REJECTED")
        assert.strictEqual(yield* statusOf(closed), "New")
        const down = yield* invite(yield* lead("ivy-down"))
        assert.deepInclude(down, { result: "queued", reason: "unavailable" })
        const at = Date.parse(yield* now)
        const full = yield* invite(yield* lead("full-2nd"), { agent_handle: "bob-berg" })
        assert.deepInclude(full, { result: "queued", reason: "limit", not_before: isoFromMillis(at + 86_400_000) })
        const next = yield* invite(yield* lead("next-2nd"), { agent_handle: "bob-berg" })
        assert.deepInclude(next, { result: "queued", reason: "limit" }, "the whole account rests")
        yield* withdraw({ invitation_id: full.invitation_id })
        yield* TestClock.adjust("25 hours")
        yield* dispatch
        assert.strictEqual(yield* stateOf(next.invitation_id), "pending invitation_pending")
        yield* withdraw({ invitation_id: down.invitation_id })
      }).pipe(inOrganization("org_word"))
    )

    it.effect("are taken back, and then not made again for 21 days", () =>
      Effect.gen(function* () {
        yield* agents()
        const mae = yield* lead("mae-2nd")
        const { invitation_id } = yield* invite(mae)
        const taken = yield* withdraw({ lead_id: mae })
        assert.deepStrictEqual(taken, { withdrawn: true, state: "withdrawn", invitation_id: invitation_id ?? "" })
        assert.strictEqual(yield* statusOf(mae), "New")
        assert.include(yield* eventsOf(mae), "invitation.withdrawn")
        const input = { lead_id: mae, agent_handle: "ada-martin" }
        assert.strictEqual(yield* verdict("linkedin.invitation.send", input), "409 WRONG_STATE")
        assert.strictEqual(yield* verdict("linkedin.invitation.withdraw", { lead_id: mae }), "404 NOT_FOUND")
        assert.strictEqual(yield* verdict("linkedin.invitation.withdraw", { invitation_id }), "409 WRONG_STATE")
        const windows = yield* ok<{ windows: ReadonlyArray<UsageWindow> }>("linkedin.usage.get", {})
        assert.isTrue(windows.windows.some(({ action, used }) => action === "withdrawal" && used === 1))
        yield* TestClock.adjust("20 days")
        assert.strictEqual(yield* verdict("linkedin.invitation.send", input), "409 WRONG_STATE")
        yield* TestClock.adjust("2 days")
        assert.strictEqual((yield* invite(mae)).result, "sent")
        yield* TestClock.adjust("2 hours")
        const late = yield* withdraw({ lead_id: mae })
        assert.deepInclude(late, { withdrawn: false, state: "accepted" }, "the person was faster")
      }).pipe(inOrganization("org_withdrawn"))
    )

    it.effect("are cancelled while they wait when the lead must be left alone, and move when leads are merged", () =>
      Effect.gen(function* () {
        yield* agents()
        const wait = Effect.fnUntraced(function* (slug: string) {
          const lead_id = yield* lead(`${slug}-down`)
          return { lead_id, id: (yield* invite(lead_id)).invitation_id }
        })
        const quiet = yield* wait("quiet")
        yield* ok("lead.status.set", { lead_id: quiet.lead_id, status: "DoNotContact", reason: "Asked" })
        assert.strictEqual(yield* stateOf(quiet.id), "cancelled lead_suppressed")
        const again = { lead_id: quiet.lead_id, agent_handle: "ada-martin" }
        assert.strictEqual(yield* verdict("linkedin.invitation.send", again), "409 LEAD_SUPPRESSED")
        const cold = yield* wait("cold")
        yield* ok("lead.status.set", { lead_id: cold.lead_id, status: "NotInterested", reason: "Said so" })
        assert.strictEqual(yield* stateOf(cold.id), "cancelled lead_not_interested")
        const held = yield* wait("held")
        const known = { linkedin_url: "https://www.linkedin.com/in/held-down", email: "held@quiet.example" }
        yield* ok("lead.upsert", known)
        yield* ok("lead.suppress", { domain: "quiet.example", reason: "All of them asked" })
        assert.strictEqual(yield* stateOf(held.id), "queued unavailable")
        yield* TestClock.adjust("1 hour")
        yield* dispatch
        assert.strictEqual(yield* stateOf(held.id), "cancelled lead_suppressed", "found by the dispatcher")
        assert.strictEqual(yield* statusOf(held.lead_id), "New")

        const winner = yield* wait("winner")
        const loser = yield* wait("loser")
        const third = yield* lead("third-2nd")
        const { invitation_id } = yield* invite(third)
        yield* ok("lead.merge", { winner_lead_id: winner.lead_id, loser_lead_ids: [loser.lead_id] })
        assert.strictEqual(yield* stateOf(loser.id), "cancelled lead_merged")
        const fourth = yield* lead("fourth-down")
        yield* ok("lead.merge", { winner_lead_id: fourth, loser_lead_ids: [third] })
        assert.strictEqual((yield* find(invitation_id))?.leadId, fourth)
        yield* ok("linkedin.queue.cancel", { queue_id: winner.id })
        assert.strictEqual(yield* stateOf(winner.id), "cancelled item_cancelled")
      }).pipe(inOrganization("org_cancelled"))
    )

    it.effect("of a message that waits for them are the same thing", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("noor-2nd", { agent_handle: "ada-martin" })
        const answer = yield* sent(draft, { send_invitation: true, invitation_note: "Hi Noor" })
        assert.strictEqual(answer.dispatch_result?.["status"], "waiting_relation")
        const again = yield* invite(draft.lead.lead_id)
        assert.strictEqual(again.result, "already_pending")
        assert.strictEqual((yield* find(again.invitation_id))?.draftId, draft.draft_id)
        yield* TestClock.adjust("2 hours")
        yield* dispatch
        yield* TestClock.adjust("1 hour")
        yield* dispatch
        assert.strictEqual((yield* read(draft)).status, "DISPATCHED")
        assert.strictEqual(yield* stateOf(again.invitation_id), "accepted null")
        const shut = yield* draftFor("closed-two-2nd", { agent_handle: "ada-martin" })
        const input = { draft_id: shut.draft_id, send_now: true, send_invitation: true }
        assert.strictEqual(yield* verdict("linkedin.draft.approve", input), "502 GATEWAY_REJECTED")
        assert.strictEqual((yield* read(shut)).status, "PENDING_REVIEW")
      }).pipe(inOrganization("org_message"))
    )

    it.effect("do not leave with a message when a later rule requires more of their note", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("full-2nd", { agent_handle: "ada-martin", variations: ["By an assistant."] })
        const waiting = yield* invite(draft.lead.lead_id, { note: "Hello" })
        assert.strictEqual(yield* stateOf(waiting.invitation_id), "queued limit")
        yield* ok("policy.set", { disclosure: "By an assistant." })
        yield* TestClock.adjust("25 hours")
        const answer = yield* sent(draft, { send_invitation: true })
        assert.strictEqual(answer.dispatch_result?.["status"], "waiting_relation")
        assert.strictEqual((yield* find(waiting.invitation_id))?.attempts, 1)
        yield* dispatch
        assert.strictEqual(yield* stateOf(waiting.invitation_id), "cancelled no_disclosure")
      }).pipe(inOrganization("org_note"))
    )

    it.effect("pass a limit never, however many begin at once, and are taken by one process alone", () =>
      Effect.gen(function* () {
        yield* agents()
        const organizationId = yield* CurrentOrganization
        const queue = yield* TransmissionsRepo
        const model = yield* find((yield* invite(yield* lead("model-2nd"))).invitation_id)
        if (model === undefined) return assert.fail()
        const at = isoFromMillis(Date.parse(yield* now) + 8 * 86_400_000)
        const made: Array<Invitation> = []
        for (let index = 0; index < 60; index++) {
          const id = `inv_parallel${String(index).padStart(4, "0")}`
          const note = index % 2 === 0 ? null : "Hi"
          const leadId = yield* lead(`parallel-${index}`)
          const blank = { state: "queued" as const, reason: null, attempts: 0, sentAt: null, notBefore: at, fence: 0 }
          made.push({ ...model, ...blank, id, leadId, note })
        }
        yield* queue.save(organizationId, made)
        const request = {
          kind: "invitation",
          organizationId,
          now: at,
          isPaced: true,
          leaseSeconds: 15,
          limit: 9
        } as const
        const rounds = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], () => queue.take(request), {
          concurrency: 10
        })
        const ids = rounds.flat().map(({ id }) => id)
        assert.lengthOf(new Set(ids), ids.length, "two got the same")
        const all = { counts: ["invitation", "invitation_with_note"] as const, caps: { day: 20, week: null } }
        const noted = { counts: ["invitation_with_note"] as const, caps: { day: 3, week: 15 } }
        const begun = yield* Effect.forEach(
          made,
          (one) => {
            const action = one.note === null ? ("invitation" as const) : ("invitation_with_note" as const)
            return beginWithin(one, action, one.note === null ? [all] : [all, noted], at)
          },
          { concurrency: 60 }
        )
        const passed = made.filter((_, index) => begun[index]?._tag === "Begun")
        assert.lengthOf(passed, 20)
        assert.isAtMost(passed.filter(({ note }) => note !== null).length, 3)
        const held = begun.find(({ _tag }) => _tag === "Held")
        assert.deepInclude(held, {
          until: isoFromMillis(Date.parse(at) + 86_400_000)
        })
        const [first] = passed
        yield* TestClock.setTime(Date.parse(at) + 60_000)
        yield* dispatch
        assert.strictEqual(yield* stateOf(first?.id ?? ""), "ambiguous outcome_unknown", "its process went silent")
      }).pipe(inOrganization("org_limit"))
    )

    it.effect("and messages are taken back when the lead replies while a try fails", () =>
      Effect.gen(function* () {
        yield* agents()
        const organizationId = yield* CurrentOrganization
        const queue = yield* TransmissionsRepo
        const reply = Effect.fnUntraced(function* (lead_id: string) {
          yield* TestClock.adjust("1 second")
          const date = yield* now
          const content = "Not now"
          yield* ok("lead.message.record", { lead_id, channel: "LINKEDIN", direction: "inbound", content, date })
        })
        const relation = undefined
        const busy = { _tag: "Unavailable", detail: "", relation } as const
        const request = { organizationId, isPaced: false, leaseSeconds: 60, limit: 1 }
        const draft = yield* draftFor("reply-1st", { agent_handle: "ada-martin" })
        yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
        yield* TestClock.adjust("11 seconds")
        const [message] = yield* queue.take({ ...request, kind: "message", now: yield* now })
        if (message === undefined) return assert.fail()
        const claim = yield* runAsService(organizationId, messages.claim(message, "claim"))
        if (claim === undefined) return assert.fail()
        yield* reply(claim.row.leadId)
        assert.isFalse(yield* runAsService(organizationId, messages.record(claim, busy)))
        assert.strictEqual((yield* read(draft)).status, "PENDING_REVIEW")

        const model = yield* find((yield* invite(yield* lead("shown-2nd"))).invitation_id)
        if (model === undefined) return assert.fail()
        const blank = { state: "queued" as const, reason: null, attempts: 0, sentAt: null, notBefore: yield* now }
        const waiting = { ...model, ...blank, id: "inv_reply", leadId: yield* lead("reply-2nd"), fence: 0 }
        const recipient = [{ kind: "slug", value: "reply-2nd", derived: false }] as const
        yield* queue.save(organizationId, [{ ...waiting, approved: { ...model.approved, recipient } }])
        const [due] = yield* queue.take({ ...request, kind: "invitation", now: yield* now })
        if (due === undefined) return assert.fail()
        const invited = yield* runAsService(organizationId, invitations.claim(due, "claim"))
        if (invited === undefined) return assert.fail()
        yield* reply(waiting.leadId)
        assert.isFalse(yield* runAsService(organizationId, invitations.record(invited, busy)))
        assert.strictEqual(yield* stateOf(waiting.id), "cancelled lead_replied")
      }).pipe(inOrganization("org_meanwhile"))
    )
  })
)
