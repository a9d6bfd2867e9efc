/**
 * What the gate reads and what becomes of what it refuses, before something is sent and again after a failed attempt, as things
 * may have changed while the provider was asked. `eligibility.ts` decides.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import type { Execution } from "../../kernel/command/Execution.ts"
import type { TextRules } from "../../kernel/command/Permission.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { changedAt, now } from "../../kernel/schema/Time.ts"
import type { LeadConsequences } from "../../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../../leads/LeadsRepo.ts"
import type { PrivacyRepo } from "../../leads/privacy/PrivacyRepo.ts"
import { clearWaiting } from "../../leads/recordMessage.ts"
import { withState } from "../drafts/DraftRow.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import { type DraftView, stateOfView } from "../drafts/DraftView.ts"
import { announceDraft, dispatchFailed } from "../drafts/draftTransitions.ts"
import { findSuppression } from "../drafts/readDraft.ts"
import { withdrawDrafts } from "../drafts/withdrawDrafts.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { type Addressee, type Approved, changeSince } from "./approvedRecipient.ts"
import type { Wording } from "./disclosure.ts"
import type { Decision, Facts, Refused } from "./eligibility.ts"
import type { QueueReason } from "./reasons.ts"
import { ended, isLive } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** What an approval is about, as stored now. */
interface Subject {
  readonly lead: Addressee & NonNullable<Facts["lead"]>
  readonly mission: NonNullable<Facts["mission"]> | null
  readonly agent: NonNullable<Facts["agent"]>
  readonly rules: TextRules
}

/** The facts of what was approved for a recipient and an account. `account` is what the agent has now. */
export const readFacts = Effect.fnUntraced(function* (
  { agent, lead, mission, rules }: Subject,
  wording: Wording,
  approved: Approved,
  account: Pick<LinkedInAccount, "id"> | undefined,
  decided: Decision
): Effect.fn.Return<Facts, StoreFailure, Actor | PrivacyRepo | TransmissionsRepo> {
  const suppressed = yield* findSuppression(lead)
  const changed = yield* changeSince(approved, lead, account?.id)
  return { agent, lead, mission, rules, wording, decided, suppressed, changed, hasAccount: account !== undefined }
})

// What cancelling means for leads: one for whom nothing waits, and to whom nothing was sent, is New again.

/** What it takes. */
export type SettleNeeds = Actor | Execution | LeadConsequences | LeadsRepo | TransmissionsRepo

/** Whether no message and no invitation to a lead is live. */
export const isIdle = (organizationId: OrganizationId, leadId: LeadId) =>
  Effect.flatMap(TransmissionsRepo, ({ ofLead }) =>
    Effect.map(ofLead(organizationId, leadId), (rows) => !rows.some((row) => row.kind !== "email" && isLive(row)))
  )

/** Looks at leads of which a queue item was cancelled. */
export const clearWaitingLeads = Effect.fnUntraced(function* (
  leadIds: ReadonlyArray<string>
): Effect.fn.Return<void, StoreFailure, SettleNeeds> {
  const { organizationId } = yield* Actor
  for (const leadId of leadIds) {
    if (yield* isIdle(organizationId, leadId)) yield* clearWaiting(leadId)
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
export const applyBlock = Effect.fnUntraced(function* (view: DraftView, { failure, action, reason }: Refused) {
  if (action !== "fail") {
    yield* clearWaitingLeads(yield* withdrawDrafts(view.row.organizationId, [view], action, reason))
  } else if (view.row.status === "READY_TO_SEND") yield* failForGood(view, reason, failure.message)
})
