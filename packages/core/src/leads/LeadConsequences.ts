/**
 * What happens to drafts and queued messages when their lead changes status, replies, is merged, loses an identifier or
 * leaves a mission.
 *
 * A port, since drafts and the queue belong to a later domain, which implements it.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../kernel/command/Execution.ts"
import type { StoreMethod } from "../kernel/failure/failures.ts"
import { changedAt, type LeadId, type MissionId, now } from "../kernel/schema/IdsAndTime.ts"
import type { DraftInFlight, DraftOpen, SendOutcomeUnknown } from "./failures.ts"
import type { Identity } from "./identity/Identity.ts"
import type { LeadRow } from "./Lead.ts"
import { consequenceOf, type DraftConsequence, type LeadStatus } from "./LeadStatus.ts"
import { LeadsRepo, type StoredLead } from "./LeadsRepo.ts"
import { entriesOfStatus, leadSuppressed } from "./suppression/Suppression.ts"

/** What happened to the open drafts of leads that left a mission. */
interface WithdrawnDrafts {
  readonly cancelled: number
  /** Drafts that are being sent, or may have been sent. */
  readonly kept: number
  /** Leads that had something waiting and no longer do. */
  readonly idleLeadIds: ReadonlyArray<string>
}

/** Why an identifier cannot be removed: something to it is being sent, or may have been sent. */
type DetachRefusal = DraftInFlight | SendOutcomeUnknown

/** Why a merge fails: a draft of one of the leads is being sent, or may have been sent. */
type MergeRefusal = DetachRefusal | DraftOpen

/** A method of the port, which emits events for its changes. */
type Consequence<Args extends ReadonlyArray<unknown>, A = void, E = never> = StoreMethod<Args, A, E, Execution>

/** Methods run inside the transaction of the change, with the leads locked. */
export class LeadConsequences extends Context.Service<
  LeadConsequences,
  {
    /**
     * Cancels the lead's queue items, and cancels or withdraws its drafts; `reason` is stored with what is cancelled. Follow-ups
     * are always cancelled, with a reason of their own. What is being sent, or may have been sent, is left alone. Returns whether something waited for the lead and nothing does now.
     */
    readonly onStatus: Consequence<
      [leadId: LeadId, drafts: DraftConsequence, reason: "lead_suppressed" | "lead_not_interested"],
      boolean
    >
    /** Returns what waits for a lead who wrote to review, and cancels follow-ups. */
    readonly onReply: Consequence<[leadId: LeadId]>
    /**
     * Moves drafts and queue items of merged leads to the winner. Follow-ups to either are cancelled, as what is due follows from
     * the history of both. A loser's draft is cancelled when the winner already has
     * one with the same agent. Fails with DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN when such a draft is being sent, or may
     * have been sent.
     */
    readonly onMerge: Consequence<[winnerLeadId: LeadId, loserLeadIds: ReadonlyArray<string>], void, MergeRefusal>
    /**
     * Takes back what would be sent to removed identities. A LinkedIn identity: approved drafts return to review, queued
     * and pending invitations are cancelled, and stored relations are deleted. An email address: unsent emails to it are cancelled.
     * Returns whether something waited for the lead and nothing does now. Fails with DRAFT_IN_FLIGHT or
     * SEND_OUTCOME_UNKNOWN, as whom it went to must stay known.
     */
    readonly onDetached: Consequence<[leadId: LeadId, removed: ReadonlyArray<Identity>], boolean, DetachRefusal>
    /**
     * Cancels the open drafts, follow-ups and queue items of leads that left a mission, in that mission only.
     */
    readonly onUnlinked: Consequence<[missionId: MissionId, leadIds: ReadonlyArray<string>], WithdrawnDrafts>
  }
>()("@svc/core/leads/LeadConsequences") {}

/**
 * Emits the change to the lead's status and applies its consequences; does nothing when the status stayed. The earlier statuses
 * are that of the lead, then those of leads merged into it.
 */
export const announceMergedStatus = Effect.fnUntraced(function* (
  [before, ...brought]: readonly [LeadStatus, ...ReadonlyArray<LeadStatus>],
  { id, organizationId, status }: LeadRow,
  given?: string,
  isReply = false
) {
  if (status !== before) {
    const data = { from: before, to: status, ...(given === undefined ? {} : { reason: given }) }
    yield* emit({ type: "lead.status_changed", subject: { type: "lead", id }, data })
  }
  const other = [before, ...brought].find((from) => from !== status) ?? status
  const drafts = consequenceOf(other, status)
  // After a reply, `onReply` does it.
  if (drafts === undefined || isReply) return
  const reason = status === "DoNotContact" ? "lead_suppressed" : "lead_not_interested"
  yield* (yield* LeadConsequences).onStatus(organizationId, id, drafts, reason)
})

/** The fields that may change. */
type LeadChanges = Partial<
  Pick<LeadRow, "status" | "lastInboundAt" | "lastOutboundAt" | "snoozedUntil" | "awayUntil" | "draftRequest">
>

/**
 * Stores and announces the changes. Entering DoNotContact suppresses the lead and all its identifiers; `reason` is the
 * caller's. Returns the lead afterwards.
 */
export const storeLead = Effect.fnUntraced(function* (lead: StoredLead, changes: LeadChanges, reason?: string) {
  const before = lead.row
  const row = { ...before, ...changes, updatedAt: changedAt(before.updatedAt, yield* now) }
  const { organizationId } = row
  const isSuppressed = row.status === "DoNotContact" && before.status !== "DoNotContact"
  const suppressed = isSuppressed ? entriesOfStatus(row, lead.identities, reason) : []
  yield* (yield* LeadsRepo).write({ organizationId, rows: [row], suppressed })
  if (isSuppressed) yield* emit(leadSuppressed(row.id, null))
  yield* announceMergedStatus([before.status], row, reason, changes.lastInboundAt !== undefined)
  return { ...lead, row }
})
