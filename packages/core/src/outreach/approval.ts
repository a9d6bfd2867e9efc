/**
 * What an approval binds: it is made when something is approved, and again, of how things are then, when it is claimed. Nothing
 * leaves where the two differ.
 */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../kernel/command/Execution.ts"
import { normalizeEmail } from "../kernel/schema/Email.ts"
import { canonicalJson, sha256Hex } from "../kernel/schema/Hash.ts"
import { type Identity, type IdentityKind, identityKey } from "../leads/identity/Identity.ts"
import { parseLinkedInProfile } from "../leads/identity/LinkedInProfile.ts"
import type { LeadRow } from "../leads/Lead.ts"
import type { QueueReason } from "./reasons.ts"
import type { Approved, EmailRow, TransmissionView } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** The same before its mission and words are hashed. */
interface Approvable extends Pick<Approved, "recipient" | "sender"> {
  readonly missionId: string | null
  readonly words: ReadonlyArray<string | null>
}

export const approvalOf = ({ missionId, words, ...bound }: Approvable): Approved => ({
  ...bound,
  mission: missionId && sha256Hex(missionId),
  wording: sha256Hex(canonicalJson(words))
})

const keyOfRecipient = (recipient: ReadonlyArray<Identity>): string => recipient.map(identityKey).join(" ")

/** Whether both name the same person in the same way. */
export const isSameRecipient = (a: ReadonlyArray<Identity>, b: ReadonlyArray<Identity>): boolean =>
  keyOfRecipient(a) === keyOfRecipient(b)

/** What may differ from an approval: in words, and where it shows. */
const differences = {
  recipient_changed: ["the lead's address or profile", ({ recipient }) => keyOfRecipient(recipient)],
  account_changed: ["the sender's account", ({ sender }) => sender],
  mission_changed: ["the mission", ({ mission }) => mission],
  text_changed: ["the text", ({ wording }) => wording]
} as const satisfies Partial<Record<QueueReason, readonly [what: string, bound: (by: Approved) => string | null]>>
export type ApprovalChange = keyof typeof differences

export const isApprovalChange = (reason: string | null): reason is ApprovalChange =>
  reason !== null && Object.hasOwn(differences, reason)

/** What changed, as a clause: "the mission and the text changed". */
export const changedWords = (changes: ReadonlyArray<ApprovalChange>): string =>
  `${changes.map((change) => differences[change][0]).join(" and ")} changed`

/** What differs between what was approved and how it would leave now; everything without an approval. */
export const changesSince = (approved: Approved | null | undefined, now: Approved): ReadonlyArray<ApprovalChange> =>
  (Object.keys(differences) as ReadonlyArray<ApprovalChange>).filter((change) => {
    const [, bound] = differences[change]
    return !approved || bound(approved) !== bound(now)
  })

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

/**
 * Whom a message to this lead goes to now, as one identity: the profile that is shown with the lead, or the best identifier of a
 * lead without one. Empty when nothing identifies the lead.
 */
export const recipientNow = Effect.fnUntraced(function* ({ id, linkedinUrl }: Pick<LeadRow, "id" | "linkedinUrl">) {
  const shown = parseLinkedInProfile(linkedinUrl, { deriveMemberId: false })
  if (Result.isSuccess(shown) && shown.success.identities.length > 0) return shown.success.identities
  const { organizationId } = yield* Actor
  const { identities } = yield* (yield* TransmissionsRepo).person(organizationId, null, id)
  return identities.toSorted((a, b) => preference.indexOf(a.kind) - preference.indexOf(b.kind)).slice(0, 1)
})

const keyOf = (address: string): string =>
  Result.match(normalizeEmail(address), { onSuccess: ({ key }) => key, onFailure: () => address })

/** The agent's address that an e-mail was written with; another one of the agent if that is gone, undefined without any. */
export const senderOf = ({ agent: { addresses }, row }: TransmissionView<EmailRow>): string | undefined =>
  addresses.find((address) => keyOf(address) === keyOf(row.fromAddress)) ?? addresses[0]

/** What the approval of an email binds, from these addresses. */
export const approvalOfEmail = (
  row: Pick<EmailRow, "bodyHtml" | "bodyText" | "fromAddress" | "missionId" | "subject" | "toAddress">
): Approved =>
  approvalOf({
    recipient: [{ kind: "email", value: keyOf(row.toAddress), derived: false }],
    sender: keyOf(row.fromAddress),
    missionId: row.missionId,
    words: [row.subject, row.bodyText, row.bodyHtml]
  })
