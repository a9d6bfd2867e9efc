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
import type { DraftConsequence } from "../leads/LeadStatus.ts"
import type { LeadsRepo } from "../leads/LeadsRepo.ts"
import { MissionArchival } from "../missions/MissionsRepo.ts"
import { clearWaitingLeads, decideEach, isIdle, store } from "./carryOut.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
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

const alone = (row: Transmission): Life => ({ draft: null, row })

/** Whether it was written for a step of its mission. */
const isFollowUp = ({ draft, row }: Life): boolean => (draft ?? (row?.kind === "email" ? row : null))?.followUp != null

const isUnsentEmail = ({ kind, state }: Transmission): boolean =>
  kind === "email" && (state === "in_review" || state === "queued")

/** Whom it is sent as: a lead has one open draft of an agent, and one live invitation of an account. */
const senderOf = ({ draft, row }: Life): string | undefined => draft?.agentId ?? row?.accountId ?? undefined

/**
 * Gives drafts, queue items and relations of the losers to the winner. Where the winner has an open draft with the same agent, or
 * a live invitation from the same account, the loser's is cancelled; the oldest of several losers' stays. Open follow-ups of all are
 * cancelled. Fails with
 * DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN for what is being transmitted or may have been.
 */
const moveDrafts = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  winnerLeadId: LeadId,
  loserLeadIds: ReadonlyArray<string>
) {
  const { hold } = yield* DraftsRepo
  const { ofLead } = yield* TransmissionsRepo
  const surplus: Array<Life> = []
  const lives = Effect.fnUntraced(function* (leadId: LeadId) {
    const open = (yield* hold(organizationId, { leadId })).map(lifeOf)
    const rows = yield* ofLead(organizationId, leadId)
    const invitations = rows.filter((row) => row.kind === "invitation" && isLive(row)).map(alone)
    surplus.push(...rows.filter(isUnsentEmail).map(alone).filter(isFollowUp))
    return [...open, ...invitations]
  })
  const own = yield* lives(winnerLeadId)
  const taken = new Set(own.filter((life) => !isFollowUp(life) || refuseMove(life) !== undefined).map(senderOf))
  surplus.push(...own.filter(isFollowUp))
  for (const leadId of loserLeadIds) {
    for (const life of yield* lives(leadId)) {
      const refusal = refuseMove(life)
      if (refusal !== undefined) return yield* refusal
      if (isFollowUp(life) || taken.has(senderOf(life))) surplus.push(life)
      else taken.add(senderOf(life))
    }
  }
  const at = yield* now
  const isInvitation = ({ draft, row }: Life) => draft === null && row?.kind === "invitation"
  yield* store([
    ...decideEach(
      surplus.filter((life) => !isInvitation(life)),
      { _tag: "Cancel", reason: "lead_merged" },
      at
    ),
    ...decideEach(surplus.filter(isInvitation), { _tag: "Detach", reason: "lead_merged" }, at)
  ])
  yield* (yield* TransmissionsRepo).adopt(organizationId, winnerLeadId, loserLeadIds, at)
})

const reason = "identifier_removed"

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

/**
 * Takes what waits for a lead out of the queue, and cancels follow-ups, also those under review; returns whether something waited
 * and nothing does now.
 */
const withdrawAll = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  leadId: LeadId,
  drafts: DraftConsequence,
  emails: DraftConsequence,
  reason: QueueReason
) {
  const at = yield* now
  const open = yield* (yield* DraftsRepo).hold(organizationId, { leadId })
  const rows = (yield* (yield* TransmissionsRepo).ofLead(organizationId, leadId)).filter(
    ({ kind }) => kind !== "message"
  )
  const leadIds = yield* store(
    [...open.map(lifeOf), ...rows.map(alone)].flatMap((life) => {
      const { draft, row } = life
      if (isFollowUp(life)) return decideEach([life], { _tag: "Cancel", reason: "follow_up_over" }, at)
      const what = draft !== null ? drafts : row?.kind === "email" ? emails : "Cancel"
      if (drafts === "EndFollowUps" || what === "EndFollowUps" || (draft === null && row?.state !== "queued")) return []
      return decideEach([life], { _tag: what, reason }, at)
    })
  )
  return leadIds.length > 0 && (yield* isIdle(organizationId, leadId))
})

const consequences = Layer.effect(
  LeadConsequences,
  Effect.gen(function* () {
    const drafts = yield* DraftsRepo
    const queue = yield* TransmissionsRepo
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
          const emails = yield* queue.queued(organizationId, { missionId, leadIds })
          const gone = { _tag: "Cancel", reason: "lead_left_mission" } as const
          const ending = decideEach([...open.map(lifeOf), ...emails.map(alone).filter(isFollowUp)], gone, yield* now)
          const touched = yield* store(ending)
          const idleLeadIds = yield* Effect.filter(touched, (leadId) => isIdle(organizationId, leadId))
          const cancelled = ending.filter(({ before }) => before.draft !== null).length
          return { cancelled, kept: open.length - cancelled, idleLeadIds }
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
