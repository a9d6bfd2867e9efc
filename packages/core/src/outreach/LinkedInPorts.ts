/** What LinkedIn does when a lead, a mission or an agent changes: the ports of the earlier domains, filled. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AgentConsequences } from "../agents/Agent.ts"
import { asService } from "../kernel/background/Worker.ts"
import { type AgentId, type LeadId, type MissionId, now, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { DraftInFlight, SendOutcomeUnknown } from "../leads/failures.ts"
import type { Identity } from "../leads/identity/Identity.ts"
import { LeadConsequences } from "../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../leads/LeadsRepo.ts"
import { MissionArchival } from "../missions/MissionsRepo.ts"
import { clearWaitingLeads, decideEach, isIdle, store } from "./carryOut.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { invitationsOf } from "./invitations/requestInvitation.ts"
import { type Life, lifeOf, refusalIn } from "./Life.ts"
import { AccountsRepo } from "./provider/AccountsRepo.ts"
import { LinkedInGateway } from "./provider/LinkedInGateway.ts"
import type { QueueReason } from "./reasons.ts"
import { isLive, type Transmission } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** Why a life must not be given to another lead: whom it went to must stay known. */
const refuseMove = (life: Life): DraftInFlight | SendOutcomeUnknown | undefined => {
  const refusal = refusalIn(life)
  return refusal instanceof DraftInFlight || refusal instanceof SendOutcomeUnknown ? refusal : undefined
}

/** Whom it is sent as: a lead has one open draft of an agent, and one live invitation of an account. */
const senderOf = ({ draft, row }: Life): string | undefined => draft?.agentId ?? row?.accountId ?? undefined

/**
 * Gives drafts, queue items and relations of the losers to the winner. Where the winner has an open draft with the same agent, or
 * a live invitation from the same account, the loser's is cancelled; the oldest of several losers' stays. Fails with
 * DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN for what is being transmitted or may have been.
 */
const moveDrafts = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  winnerLeadId: LeadId,
  loserLeadIds: ReadonlyArray<string>
) {
  const { hold } = yield* DraftsRepo
  const lives = Effect.fnUntraced(function* (leadId: LeadId) {
    const open = yield* hold(organizationId, { leadId })
    const invitations = (yield* invitationsOf(organizationId, leadId)).filter(isLive)
    return [...open.map(lifeOf), ...invitations.map((row): Life => ({ draft: null, row }))]
  })
  const taken = new Set((yield* lives(winnerLeadId)).map(senderOf))
  const surplus: Array<Life> = []
  for (const leadId of loserLeadIds) {
    for (const life of yield* lives(leadId)) {
      const refusal = refuseMove(life)
      if (refusal !== undefined) return yield* refusal
      if (taken.has(senderOf(life))) surplus.push(life)
      taken.add(senderOf(life))
    }
  }
  const at = yield* now
  const isDraft = ({ draft }: Life) => draft !== null
  yield* store([
    ...decideEach(surplus.filter(isDraft), { _tag: "Cancel", reason: "lead_merged" }, at),
    ...decideEach(
      surplus.filter((life) => !isDraft(life)),
      { _tag: "Detach", reason: "lead_merged" },
      at
    )
  ])
  yield* (yield* TransmissionsRepo).adopt(organizationId, winnerLeadId, loserLeadIds, at)
})

const reason = "identifier_removed"

const alone = (row: Transmission): Life => ({ draft: null, row })

/** The failure when it is being sent, or may have been sent. An email names its address itself, whatever becomes of it. */
const refusalOf = ({ id, kind, leadId, state }: Transmission): DraftInFlight | SendOutcomeUnknown | undefined => {
  if (state === "sending") {
    return new DraftInFlight({
      message: `Something is being sent to this identifier of lead ${leadId}. Retry in a moment.`
    })
  }
  return state !== "ambiguous" || kind === "email"
    ? undefined
    : new SendOutcomeUnknown({
        message: `It is unknown whether ${kind} ${id} to lead ${leadId} was sent. Settle it with linkedin.queue.resolve.`
      })
}

/**
 * Returns approved drafts to review and cancels queued and pending invitations when a LinkedIn identity was removed, and
 * cancels unsent emails to a removed address, which cannot be changed. Relations with the removed profile are deleted. Returns
 * whether something waited for the lead and nothing does now. Fails with DRAFT_IN_FLIGHT and SEND_OUTCOME_UNKNOWN.
 */
const withdrawDetached = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  leadId: LeadId,
  removed: ReadonlyArray<Identity>
) {
  const addresses = new Set(removed.flatMap(({ kind, value }) => (kind === "email" ? [value] : [])))
  const isLinkedIn = removed.some(({ kind }) => kind !== "email" && kind !== "custom_id")
  if (addresses.size === 0 && !isLinkedIn) return false
  const queue = yield* TransmissionsRepo
  const open = isLinkedIn ? yield* (yield* DraftsRepo).hold(organizationId, { leadId }) : []
  const affected = (yield* queue.ofLead(organizationId, leadId)).filter((row) =>
    row.kind === "email" ? addresses.has(row.toAddress.toLowerCase()) : isLinkedIn
  )
  for (const row of affected) {
    const refusal = refusalOf(row)
    if (refusal !== undefined) return yield* refusal
  }
  const at = yield* now
  const mail = affected.filter(({ kind }) => kind === "email")
  const invitations = affected.filter(({ kind }) => kind === "invitation")
  const leadIds = yield* store([
    ...decideEach(open.map(lifeOf), { _tag: "Withdraw", reason }, at),
    ...decideEach(mail.map(alone), { _tag: "Cancel", reason }, at),
    ...decideEach(invitations.map(alone), { _tag: "Detach", reason }, at)
  ])
  if (!isLinkedIn) return false
  yield* queue.forgetRelations(organizationId, leadId)
  return leadIds.length > 0 && (yield* isIdle(organizationId, leadId))
})

/** Takes what waits for a lead out of the queue; returns whether something waited and nothing does now. */
const withdrawAll = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  leadId: LeadId,
  drafts: "Cancel" | "Withdraw",
  emails: "Cancel" | "Withdraw",
  reason: QueueReason
) {
  const at = yield* now
  const open = yield* (yield* DraftsRepo).hold(organizationId, { leadId })
  const queued = (yield* (yield* TransmissionsRepo).ofLead(organizationId, leadId)).filter(
    ({ kind, state }) => kind !== "message" && state === "queued"
  )
  const leadIds = yield* store([
    ...decideEach(open.map(lifeOf), { _tag: drafts, reason }, at),
    ...queued.flatMap((row) => decideEach([alone(row)], { _tag: row.kind === "email" ? emails : "Cancel", reason }, at))
  ])
  return leadIds.length > 0 && (yield* isIdle(organizationId, leadId))
})

const consequences = Layer.effect(
  LeadConsequences,
  Effect.gen(function* () {
    const drafts = yield* DraftsRepo
    const mine = yield* Effect.context<DraftsRepo | TransmissionsRepo>()
    return LeadConsequences.of({
      onStatus: (organizationId, leadId, whatOfDrafts, reason) => {
        // An e-mail to somebody who is suppressed is over, however long the suppression is.
        const emails = reason === "lead_suppressed" ? "Cancel" : "Withdraw"
        return Effect.provideContext(withdrawAll(organizationId, leadId, whatOfDrafts, emails, reason), mine)
      },
      // Whenever the message was written: who approved them may not have seen it.
      onReply: (organizationId, leadId) =>
        Effect.asVoid(
          Effect.provideContext(withdrawAll(organizationId, leadId, "Withdraw", "Withdraw", "lead_replied"), mine)
        ),
      onMerge: (organizationId, winnerLeadId, loserLeadIds) =>
        Effect.provideContext(moveDrafts(organizationId, winnerLeadId, loserLeadIds), mine),
      onDetached: (organizationId, leadId, removed) =>
        Effect.provideContext(withdrawDetached(organizationId, leadId, removed), mine),
      onUnlinked: (organizationId, missionId, leadIds) =>
        Effect.gen(function* () {
          const open = yield* drafts.hold(organizationId, { missionId, leadIds })
          const ending = decideEach(open.map(lifeOf), { _tag: "Cancel", reason: "lead_left_mission" }, yield* now)
          const touched = yield* store(ending)
          const idleLeadIds = yield* Effect.filter(touched, (leadId) => isIdle(organizationId, leadId))
          return { cancelled: ending.length, kept: open.length - ending.length, idleLeadIds }
        }).pipe(Effect.provideContext(mine))
    })
  })
)

const ports = Layer.effectContext(
  Effect.gen(function* () {
    const accounts = yield* AccountsRepo
    const drafts = yield* DraftsRepo
    const queue = yield* TransmissionsRepo
    const services = yield* Effect.context<DraftsRepo | TransmissionsRepo | LeadsRepo | LeadConsequences>()
    const backToReview = (
      organizationId: OrganizationId,
      owner: { missionId: MissionId } | { agentId: AgentId },
      reason: QueueReason
    ) =>
      Effect.gen(function* () {
        const open = yield* drafts.hold(organizationId, owner)
        const withdrawn = decideEach(open.map(lifeOf), { _tag: "Withdraw", reason }, yield* now)
        yield* asService(organizationId, clearWaitingLeads(yield* store(withdrawn)))
      }).pipe(Effect.provideContext(services))
    const { name: gateway } = yield* LinkedInGateway
    const ofAgents = AgentConsequences.of({
      onPaceChanged: (organizationId, agentId) =>
        Effect.gen(function* () {
          const account = (yield* accounts.ofAgent(organizationId, agentId, gateway))?.account
          if (account) yield* queue.setLimits(organizationId, account.id, { limits: {}, ramp: undefined })
        }),
      // Held first: who approves a draft of the agent now does so before the count, or finds the agent deleted.
      unsent: (organizationId, agentId) =>
        Effect.andThen(drafts.hold(organizationId, { agentId }), queue.countUnsent(organizationId, agentId)),
      onDeleted: (organizationId, agentId) =>
        Effect.gen(function* () {
          yield* backToReview(organizationId, { agentId }, "agent_deleted")
          const waiting = yield* queue.queued(organizationId, { agentId })
          const held = yield* Effect.forEach(
            waiting.toSorted((a, b) => (a.leadId < b.leadId ? -1 : 1)),
            ({ id }) => queue.hold(organizationId, id)
          )
          const rows = held.flatMap((view) => (view === undefined ? [] : [view.row]))
          const at = yield* now
          const gone = { reason: "agent_deleted", detail: "" } as const
          const leadIds = yield* store(
            rows.flatMap((row) =>
              decideEach([alone(row)], { ...gone, _tag: row.kind === "email" ? "Block" : "Cancel" }, at)
            )
          )
          yield* asService(organizationId, clearWaitingLeads(leadIds))
          yield* accounts.unlinkAgent(organizationId, agentId, at)
        }).pipe(Effect.provideContext(services))
    })
    const archival = MissionArchival.of({
      onArchived: (organizationId, missionId) => backToReview(organizationId, { missionId }, "mission_archived")
    })
    return Context.make(AgentConsequences, ofAgents).pipe(Context.add(MissionArchival, archival))
  })
)

/** Fills the ports of leads, missions and agents. */
export const layer = ports.pipe(Layer.provideMerge(consequences))
