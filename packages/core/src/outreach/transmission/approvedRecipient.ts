/**
 * Whom an approval names, and what has changed since.
 *
 * A provider is only asked for the recipient that was approved: identifiers that a lead gets afterwards may be another person's.
 */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { AccountId } from "../../kernel/schema/IdsAndTime.ts"
import { type Identity, type IdentityKind, identityKey } from "../../leads/identity/Identity.ts"
import { parseLinkedInProfile } from "../../leads/identity/LinkedInProfile.ts"
import type { LeadRow } from "../../leads/Lead.ts"
import type { QueueReason } from "./reasons.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** Which identifier stands for a lead that shows no profile, the one that providers understand best first. */
const preference: ReadonlyArray<IdentityKind> = [
  "profile_token",
  "slug",
  "sales_nav_token",
  "recruiter_token",
  "member_id",
  "custom_id",
  "email"
]

/** What of a lead decides whom a message goes to. */
type Addressee = Pick<LeadRow, "id" | "linkedinUrl">

/**
 * Whom a message to this lead goes to now, as one identity: the profile that is shown with the lead, or the best identifier of a
 * lead without one. Empty when nothing identifies the lead.
 */
export const recipientNow = Effect.fnUntraced(function* ({
  id,
  linkedinUrl
}: Addressee): Effect.fn.Return<ReadonlyArray<Identity>, StoreFailure, Actor | TransmissionsRepo> {
  const shown = parseLinkedInProfile(linkedinUrl, { deriveMemberId: false })
  if (Result.isSuccess(shown) && shown.success.identities.length > 0) return shown.success.identities
  const { organizationId } = yield* Actor
  const { identities } = yield* (yield* TransmissionsRepo).person(organizationId, null, id)
  return identities.toSorted((a, b) => preference.indexOf(a.kind) - preference.indexOf(b.kind)).slice(0, 1)
})

/** Whether both name the same person in the same way. */
export const isSameRecipient = (a: ReadonlyArray<Identity>, b: ReadonlyArray<Identity>): boolean =>
  a.map(identityKey).join(" ") === b.map(identityKey).join(" ")

/** What an approval is bound to. The account is null when the agent had none. */
interface Approved {
  readonly recipient: ReadonlyArray<Identity>
  readonly accountId: AccountId | null
}

/** What differs from an approval, in words. */
export const differences = {
  recipient_changed: "the lead's address or profile",
  account_changed: "the sender's account"
} as const satisfies Partial<Record<QueueReason, string>>
export type ApprovalChange = keyof typeof differences

/** What has changed since an approval for a lead that is held. `accountId` is the agent's account now, if it has one. */
export const changeSince = Effect.fnUntraced(function* (
  approved: Approved,
  lead: Addressee,
  accountId: AccountId | undefined
): Effect.fn.Return<ApprovalChange | undefined, StoreFailure, Actor | TransmissionsRepo> {
  if (!isSameRecipient(approved.recipient, yield* recipientNow(lead))) return "recipient_changed"
  const isOther = approved.accountId !== null && accountId !== undefined && approved.accountId !== accountId
  return isOther ? "account_changed" : undefined
})
