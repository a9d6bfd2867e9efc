/**
 * What the gate reads and what becomes of what it refuses, before something is sent and again after a failed attempt, as things
 * may have changed while the provider was asked. `eligibility.ts` decides.
 */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Actor } from "../kernel/command/Execution.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { InstantText } from "../kernel/schema/IdsAndTime.ts"
import { stepDueAt } from "../leads/followUp.ts"
import type { PrivacyRepo } from "../leads/privacy/PrivacyRepo.ts"
import { approvalOf, approvalOfEmail, changesSince, recipientNow, senderOf } from "./approval.ts"
import { carryOut, decide } from "./carryOut.ts"
import { type DraftView, findSuppression } from "./DraftsRepo.ts"
import { wordingOfDraft, wordingOfEmail, wordingOfInvitation } from "./disclosure.ts"
import type { Decision, Facts, Refused } from "./eligibility.ts"
import type { Life } from "./Life.ts"
import type { LinkedInAccount } from "./provider/LinkedInAccount.ts"
import { SendOptions } from "./SendOptions.ts"
import { type EmailRow, type Invitation, isOfKind, type TransmissionView } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** The facts of an e-mail, with the agent's hours, as no account has any. */
const factsOfEmail = Effect.fnUntraced(function* (view: TransmissionView<EmailRow>) {
  const { agent, lead, row } = view
  const suppressed = yield* findSuppression(
    lead,
    (["email", "bounced"] as const).map((kind) => ({ kind, value: row.toAddress.toLowerCase() }))
  )
  const { pacing: paced } = yield* SendOptions
  const from = senderOf(view)
  const asNow = approvalOfEmail({ ...row, toAddress: lead.email, fromAddress: from ?? "" })
  const hours = { paced, hours: agent, leadTimezone: lead.timezone }
  const changed = changesSince(row.approved, asNow)
  return { wording: wordingOfEmail(row), suppressed, changed, hasAccount: from !== undefined, ...hours }
})

const factsOfLinkedIn = Effect.fnUntraced(function* (
  view: DraftView | TransmissionView<Invitation>,
  account: Pick<LinkedInAccount, "id"> | undefined
) {
  const isDraft = "item" in view
  const wording = isDraft ? wordingOfDraft(view.row) : wordingOfInvitation(view.row)
  const suppressed = yield* findSuppression(view.lead)
  const asNow = approvalOf({
    recipient: yield* recipientNow(view.lead),
    sender: account?.id ?? null,
    missionId: view.row.missionId,
    words: [isDraft ? (view.item?.bodyText ?? view.row.selectedBodyText) : view.row.note]
  })
  return { wording, suppressed, changed: changesSince(view.row.approved, asNow), hasAccount: account !== undefined }
})

type Gated = DraftView | TransmissionView<Invitation> | TransmissionView<EmailRow>

/** Of a follow-up: when its days are over, counted anew if another message than itself went to the lead meanwhile. */
const factsOfFollowUp = ({ agent, lead: { lastOutboundAt }, mission, row }: Gated): Facts["followUp"] => {
  if (!("followUp" in row) || row.followUp === null) return undefined
  const { since } = row.followUp
  const step = mission?.steps[row.followUp.step]
  const known = "sentAt" in row && row.sentAt !== null ? row.sentAt : since
  const isLater = lastOutboundAt !== null && lastOutboundAt > known
  return { since, dueAt: isLater && step ? stepDueAt(agent, step, lastOutboundAt) : null }
}

/** Whether the lead has no lawful basis where the organization requires one, and nothing was ever sent to it. */
const isBasisMissing = Effect.fnUntraced(function* ({ lead, row, rules }: Gated) {
  if (rules.lawfulBasis !== "required" || lead.lawfulBasis !== "" || lead.wasWritten) return false
  const all = yield* (yield* TransmissionsRepo).ofLead(row.organizationId, lead.id)
  return !all.some((one) => one.sentAt !== null || (one.kind === "message" && one.invitedAt !== null))
})

/** The facts of what was approved. `account` is what the agent has now; an e-mail needs none. */
export const readFacts = Effect.fnUntraced(function* (
  view: Gated,
  account: Pick<LinkedInAccount, "id"> | undefined,
  decided: Decision
): Effect.fn.Return<Facts, StoreFailure, Actor | PrivacyRepo | TransmissionsRepo> {
  const { agent, lead, mission, rules } = view
  const isEmail = isOfKind("email")
  const own = "item" in view || !isEmail(view) ? yield* factsOfLinkedIn(view, account) : yield* factsOfEmail(view)
  const asked = { followUp: factsOfFollowUp(view), isBasisMissing: yield* isBasisMissing(view) }
  return { agent, lead, mission, rules, decided, ...asked, ...own }
})

const events = { cancel: "Cancel", review: "Withdraw", fail: "Block" } as const

/** Takes what is held out of the queue, as the gate says; returns the rows as they are then. */
export const applyRefusal = Effect.fnUntraced(function* (
  life: Life,
  { action, failure, reason }: Refused,
  at: InstantText
) {
  const _tag = life.draft === null ? "Cancel" : events[action]
  const decided = decide(life, { _tag, reason, detail: failure.message }, at)
  return Result.isSuccess(decided) ? yield* carryOut(decided.success, at) : life
})
