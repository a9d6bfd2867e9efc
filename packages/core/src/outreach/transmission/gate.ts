/**
 * The gate: the checks of every transmission before it is sent, and again after a failed attempt, as things may have changed
 * while the provider was asked.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import type { Execution } from "../../kernel/command/Execution.ts"
import type { TextRules } from "../../kernel/command/Permission.ts"
import { type StoreFailure, WrongState } from "../../kernel/failure/failures.ts"
import type { InstantText } from "../../kernel/schema/RecordIds.ts"
import { changedAt, now } from "../../kernel/schema/Time.ts"
import type { LeadConsequences } from "../../leads/LeadConsequences.ts"
import type { LeadStatus } from "../../leads/LeadStatus.ts"
import type { LeadsRepo } from "../../leads/LeadsRepo.ts"
import { clearWaiting } from "../../leads/recordMessage.ts"
import type { Suppressible } from "../../leads/suppression/Suppression.ts"
import type { SuppressionsRepo } from "../../leads/suppression/SuppressionsRepo.ts"
import { type MissionStatus, refuseArchived } from "../../missions/MissionStatus.ts"
import { withState } from "../drafts/DraftRow.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import { type DraftView, stateOfView } from "../drafts/DraftView.ts"
import { announceDraft, dispatchFailed } from "../drafts/draftTransitions.ts"
import { refuseSuppressed } from "../drafts/readDraft.ts"
import { withdrawDrafts } from "../drafts/withdrawDrafts.ts"
import { type GateRefusal, NoLinkedinAccount } from "../failures.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { type Addressee, type ApprovalChange, type Approved, changeSince, differences } from "./approvedRecipient.ts"
import { refuseUndisclosed, type Wording } from "./disclosure.ts"
import { ended, type QueueReason } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** The facts to check, as stored now. */
interface GateSubject {
  readonly lead: { readonly id: string; readonly status: LeadStatus; readonly lastInboundAt: InstantText | null }
  /** The address it goes to, if the lead may no longer hold it: it may be suppressed too. */
  readonly target?: ReadonlyArray<Suppressible>
  readonly mission: { readonly status: MissionStatus } | null
  readonly agent: { readonly handle: string; readonly deleted: boolean }
  /** What the organization requires of texts, and the text. */
  readonly rules: TextRules
  readonly wording: Wording
  /** False when the agent no longer has an account to send it with. */
  readonly hasAccount?: boolean
  /** What is no longer as it was approved. */
  readonly changed?: ApprovalChange | undefined
}

/** What the decision to send was based on: a later reply, or a later change to NotInterested, revokes it. */
export interface Decision {
  readonly at: string | null
  readonly leadStatus?: LeadStatus
}

/** Why it must not be sent, and what to do with it: cancel it, return it to review, or fail it. */
export interface Block {
  readonly reason: QueueReason
  readonly action: "cancel" | "review" | "fail"
  readonly failure: GateRefusal
}

/** Whether the mission is not active, so that sending waits. An archived mission is refused by the gate instead. */
export const isMissionHeld = ({
  mission,
  row
}: Pick<GateSubject, "mission"> & { readonly row: { readonly bypass: boolean } }): boolean =>
  !row.bypass && mission !== null && mission.status !== "ACTIVE" && mission.status !== "ARCHIVED"

const meanwhile = (what: string): WrongState =>
  new WrongState({ message: `The lead ${what} after this was approved. Check the conversation and decide again.` })

const accountGone = ({ deleted, handle }: GateSubject["agent"]): NoLinkedinAccount =>
  new NoLinkedinAccount({
    message: deleted
      ? `Agent ${handle} was deleted with its LinkedIn account. Draft the message again with another agent.`
      : `Agent ${handle} no longer has an account to send this with. Link one first.`
  })

/** Why it must not be sent; undefined when it may. Fails only with UNAVAILABLE. */
export const checkGate = Effect.fnUntraced(function* (
  { agent, changed, hasAccount = true, lead, mission, rules, target = [], wording }: GateSubject,
  decided: Decision = { at: null }
): Effect.fn.Return<Block | undefined, StoreFailure, Actor | SuppressionsRepo> {
  const allowed = yield* Effect.result(refuseSuppressed(lead, target))
  if (allowed._tag === "Failure") {
    if (allowed.failure.code !== "LEAD_SUPPRESSED") return yield* allowed.failure
    // A suppression may expire or be lifted; only DoNotContact cancels permanently.
    const action = lead.status === "DoNotContact" ? "cancel" : "review"
    return { reason: "lead_suppressed", action, failure: allowed.failure }
  }
  if (mission !== null) {
    const open = yield* Effect.result(Effect.fromResult(refuseArchived(mission.status, "send")))
    if (open._tag === "Failure") return { reason: "mission_archived", action: "review", failure: open.failure }
  }
  if (agent.deleted || !hasAccount) return { reason: "no_account", action: "fail", failure: accountGone(agent) }
  if (changed !== undefined) {
    const message = `After this was approved, ${differences[changed]} changed. Read it again, then approve it.`
    return { reason: changed, action: "review", failure: new WrongState({ message }) }
  }
  if (decided.at !== null && lead.lastInboundAt !== null && lead.lastInboundAt > decided.at) {
    return { reason: "lead_replied", action: "review", failure: meanwhile("replied") }
  }
  const undisclosed = refuseUndisclosed(rules, lead, wording)
  if (undisclosed !== undefined) return { reason: "no_disclosure", action: "review", failure: undisclosed }
  const { leadStatus } = decided
  if (leadStatus !== undefined && leadStatus !== "NotInterested" && lead.status === "NotInterested") {
    return { reason: "lead_not_interested", action: "review", failure: meanwhile("became NotInterested") }
  }
  return undefined
})

/** {@link checkGate} for what was approved for a recipient and an account. `account` is what the agent has now. */
export const checkApproved = Effect.fnUntraced(function* (
  subject: Omit<GateSubject, "changed" | "hasAccount"> & { readonly lead: Addressee },
  approved: Approved,
  account: LinkedInAccount | undefined,
  decided: Decision
) {
  const changed = yield* changeSince(approved, subject.lead, account?.id)
  return yield* checkGate({ ...subject, changed, hasAccount: account !== undefined }, decided)
})

// What cancelling means for leads: one for whom nothing waits, and to whom nothing was sent, is New again.

/** What it takes. */
export type SettleNeeds = Actor | Execution | LeadConsequences | LeadsRepo | TransmissionsRepo

/** Looks at leads of which a queue item was cancelled. */
export const clearWaitingLeads = Effect.fnUntraced(function* (
  leadIds: ReadonlyArray<string>
): Effect.fn.Return<void, StoreFailure, SettleNeeds> {
  const { organizationId } = yield* Actor
  const queue = yield* TransmissionsRepo
  for (const leadId of leadIds) {
    if ((yield* queue.countLive(organizationId, leadId)) === 0) yield* clearWaiting(leadId)
  }
})

/** Puts a draft that is held back under review, as it cannot be sent as things are. */
export const failForGood = Effect.fnUntraced(function* (view: DraftView, reason: QueueReason, detail: string) {
  const { organizationId } = view.row
  const at = yield* now
  const change = yield* Effect.fromResult(dispatchFailed(stateOfView(view)))
  const row = withState(view.row, change.state, changedAt(view.row.updatedAt, at))
  const { item } = view
  if (item !== null) yield* (yield* TransmissionsRepo).save(organizationId, [ended(item, "failed", reason, at)])
  yield* (yield* DraftsRepo).save(organizationId, [row])
  yield* announceDraft("draft.dispatch_failed", row, {
    queue_id: item?.id ?? null,
    reason,
    detail: detail.slice(0, 200)
  })
  if (item !== null) yield* clearWaitingLeads([row.leadId])
})

/** Takes a draft that is held out of the queue, as the gate says. */
export const applyBlock = Effect.fnUntraced(function* (view: DraftView, { failure, action, reason }: Block) {
  if (action !== "fail") {
    yield* clearWaitingLeads(yield* withdrawDrafts(view.row.organizationId, [view], action, reason))
  } else if (view.row.status === "READY_TO_SEND") yield* failForGood(view, reason, failure.message)
})
