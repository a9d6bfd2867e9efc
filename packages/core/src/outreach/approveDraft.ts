/** Approving a draft, the part that plain approval and send_now share. */

import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Execution.ts"
import { ContentChanged, WrongState } from "../kernel/failure/failures.ts"
import { changedAt, type DraftId, type InstantText, now } from "../kernel/schema/IdsAndTime.ts"
import type { Identity } from "../leads/identity/Identity.ts"
import { approvalOf, changedWords, changesSince, recipientNow } from "./approval.ts"
import { announce, decide } from "./carryOut.ts"
import { lackingEvidence } from "./check/draftFindings.ts"
import { enqueueDrafts } from "./claimSend.ts"
import { type ApprovalChoice, warnOfLength } from "./DraftInput.ts"
import { contentHashOfView, DraftsRepo, type DraftView, readDraft, readFacts, refuseSending } from "./DraftsRepo.ts"
import { refuseUndisclosed, wordingOfDraft } from "./disclosure.ts"
import { stepNow, withStep } from "./Evidence.ts"
import { EvidenceRequired } from "./failures.ts"
import { lifeOf } from "./Life.ts"
import type { LinkedInAccount } from "./provider/LinkedInAccount.ts"
import { accountIfAny } from "./provider/LinkedInGateway.ts"
import { scheduledAt } from "./schedule.ts"
import type { Approved, DraftRow, Transmission } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** An approval to store: the draft, and the queue item with the old text, cancelled. */
export interface Approval {
  readonly view: DraftView
  readonly row: DraftRow
  readonly cancelled: Transmission | undefined
  /** From when on it may leave; undefined for after the hold. */
  readonly notBefore: InstantText | undefined
  /** Whom the draft was shown for. */
  readonly recipient: ReadonlyArray<Identity>
}

/** What an approval of the draft binds, which its agent's account sends. */
const boundBy = (row: DraftRow, recipient: ReadonlyArray<Identity>, account: LinkedInAccount | undefined): Approved =>
  approvalOf({ recipient, sender: account?.id ?? null, missionId: row.missionId, words: [row.selectedBodyText] })

/** Fails with DISCLOSURE_REQUIRED or EVIDENCE_REQUIRED when an approved text lacks what the organization requires. */
const refuseLacking = Effect.fnUntraced(function* ({ lead, rules }: DraftView, row: DraftRow) {
  const undisclosed = refuseUndisclosed(rules, lead, wordingOfDraft(row))
  if (undisclosed !== undefined) return yield* undisclosed
  if (rules.evidence === undefined) return
  const { records } = yield* readFacts(row.organizationId, { draftId: row.id })
  const lacking = lackingEvidence(rules, row, row.selectedIndex, row.selectedBodyText ?? "", records)
  if (lacking !== undefined) return yield* new EvidenceRequired({ message: lacking.message })
})

/**
 * What approving a draft that is held would write; undefined when it is approved like that already. Fails as the state
 * machine's `approve` does, and with LEAD_SUPPRESSED, MISSION_ARCHIVED, WRONG_STATE (a deleted agent, a completed mission, a time
 * without an account), DISCLOSURE_REQUIRED or EVIDENCE_REQUIRED. `isRequest` when a person will decide.
 */
export const decideApproval = Effect.fnUntraced(function* (view: DraftView, choice: ApprovalChoice, isRequest = false) {
  const { kind, userId } = yield* Actor
  if (view.agent.deleted) {
    return yield* new WrongState({
      message: `The agent ${view.agent.handle} of draft ${view.row.id} was deleted. Cancel the draft and create one with another agent.`
    })
  }
  const at = changedAt(view.row.updatedAt, yield* now)
  const notBefore = yield* Effect.fromResult(scheduledAt(choice.notBefore, view, at))
  const event = { _tag: "Approve", choice, contentHash: contentHashOfView(view), notBefore } as const
  const { life } = yield* Effect.fromResult(decide(lifeOf(view), event, at))
  yield* refuseSending(view)
  if (choice.profileUrl !== undefined && choice.profileUrl !== view.lead.linkedinUrl) {
    return yield* new ContentChanged({
      message: "The lead's LinkedIn profile has changed since it was read. Read the draft again and decide again."
    })
  }
  const account = yield* accountIfAny(view.agent.id)
  if (notBefore !== undefined && account === undefined) {
    return yield* new WrongState({
      message: `not_before requires a LinkedIn account. Link one to the agent ${view.agent.handle} with linkedin.account.link.`
    })
  }
  const recipient = yield* recipientNow(view.lead)
  if (life.draft === null || life.draft === view.row) {
    const changes = changesSince(view.row.approved, boundBy(view.row, recipient, account))
    if (changes.length === 0) return undefined
    return yield* new ContentChanged({
      message: `After this was approved, ${changedWords(changes)}. Reopen the draft with linkedin.draft.reopen, read it again and approve it.`
    })
  }
  const { selectedBodyText, variations } = life.draft
  const isEdited = selectedBodyText !== null && !variations.includes(selectedBodyText)
  const row: DraftRow = {
    ...life.draft,
    review: { ...view.row.review, snoozedUntil: null, rewrite: null },
    approvedBy: { userId, actorKind: kind },
    approvedAt: at,
    steps: withStep(view.row.steps, yield* stepNow(isEdited ? "approved_with_edits" : "approved", at))
  }
  // A person will approve what is requested.
  const approvedBy = isRequest ? { userId, actorKind: "USER" as const } : row.approvedBy
  yield* refuseLacking(view, { ...row, approvedBy })
  return { view, row, cancelled: life.row ?? undefined, recipient, notBefore }
})

/**
 * What an approval that waits for a person is pinned to: the text and the profile that it would be sent to, and the hash of what
 * was read. Fails as {@link decideApproval} does.
 */
export const pinApproval = Effect.fnUntraced(function* (draftId: DraftId, choice: ApprovalChoice) {
  const view = yield* readDraft(draftId)
  const { selectedBodyText } = (yield* decideApproval(view, choice, true))?.row ?? view.row
  return {
    content_hash: contentHashOfView(view),
    profile_url: view.lead.linkedinUrl,
    ...(selectedBodyText === null ? {} : { body_text: selectedBodyText })
  }
})

/**
 * Stores approvals, in one statement for drafts and two for queue items, and states them. Without send_now they are put
 * into the queue. Answers the drafts as they are then, in the same order.
 */
export const storeApprovals = Effect.fnUntraced(function* (approvals: ReadonlyArray<Approval>, sendNow: boolean) {
  const { organizationId } = yield* Actor
  const items = approvals.flatMap(({ cancelled }) => (cancelled === undefined ? [] : [cancelled]))
  if (items.length > 0) yield* (yield* TransmissionsRepo).save(organizationId, items)
  const accounts = new Map<string, LinkedInAccount | undefined>()
  for (const agentId of new Set(approvals.map(({ view }) => view.agent.id))) {
    accounts.set(agentId, yield* accountIfAny(agentId))
  }
  const bound = approvals.map(({ recipient, row, view }): DraftView => {
    const approved = boundBy(row, recipient, accounts.get(view.agent.id))
    return { ...view, row: { ...row, approved }, item: null }
  })
  const times = approvals.map(({ notBefore }) => notBefore)
  const after = sendNow ? bound : yield* enqueueDrafts(bound, accounts, times)
  const rows = after.map(({ row }) => row)
  if (rows.length > 0) yield* (yield* DraftsRepo).save(organizationId, rows)
  for (const [index, row] of rows.entries()) {
    const time = times[index]
    const scheduled = time === undefined ? {} : { not_before: time }
    const details = { variation_index: row.selectedIndex, send_now: sendNow, ...scheduled }
    yield* announce("draft.approved", { draft: row, row: null }, details)
  }
  return after
})

/**
 * Approves a draft that is held and answers it as it is then; approving what is approved changes nothing. Fails as
 * {@link decideApproval} does.
 */
export const approveHeld = Effect.fnUntraced(function* (view: DraftView, choice: ApprovalChoice, sendNow: boolean) {
  const approval = yield* decideApproval(view, choice)
  if (approval === undefined) return view
  const [after] = yield* storeApprovals([approval], sendNow)
  const { selectedBodyText } = approval.row
  if (selectedBodyText !== null) yield* warnOfLength([selectedBodyText])
  return after ?? view
})
