/**
 * What the gate reads and what becomes of what it refuses, before something is sent and again after a failed attempt, as things
 * may have changed while the provider was asked. `eligibility.ts` decides.
 */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../kernel/command/Execution.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import { normalizeEmail } from "../kernel/schema/Email.ts"
import type { AccountId, InstantText } from "../kernel/schema/IdsAndTime.ts"
import { type Identity, type IdentityKind, identityKey } from "../leads/identity/Identity.ts"
import { parseLinkedInProfile } from "../leads/identity/LinkedInProfile.ts"
import type { LeadRow } from "../leads/Lead.ts"
import type { PrivacyRepo } from "../leads/privacy/PrivacyRepo.ts"
import { carryOut, decide } from "./carryOut.ts"
import { type DraftView, findSuppression } from "./DraftsRepo.ts"
import { wordingOfDraft, wordingOfEmail, wordingOfInvitation } from "./disclosure.ts"
import type { ApprovalChange, Decision, Facts, Refused } from "./eligibility.ts"
import type { Life } from "./Life.ts"
import type { LinkedInAccount } from "./provider/LinkedInAccount.ts"
import { SendOptions } from "./SendOptions.ts"
import { type EmailRow, type Invitation, isOfKind, type TransmissionView } from "./Transmission.ts"
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
export const recipientNow = Effect.fnUntraced(function* ({ id, linkedinUrl }: Addressee) {
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

/** What has changed since an approval for a lead that is held. `accountId` is the agent's account now, if it has one. */
const changeSince = Effect.fnUntraced(function* (
  approved: Approved,
  lead: Addressee,
  accountId: AccountId | undefined
): Effect.fn.Return<ApprovalChange | undefined, StoreFailure, Actor | TransmissionsRepo> {
  if (!isSameRecipient(approved.recipient, yield* recipientNow(lead))) return "recipient_changed"
  const isOther = approved.accountId !== null && accountId !== undefined && approved.accountId !== accountId
  return isOther ? "account_changed" : undefined
})

const keyOf = (address: string): string =>
  Result.match(normalizeEmail(address), { onSuccess: ({ key }) => key, onFailure: () => address })

const isSameAddress = (a: string, b: string): boolean => keyOf(a) === keyOf(b)

/** The agent's address that an e-mail was written with; another one of the agent if that is gone, undefined without any. */
export const senderOf = ({ agent: { addresses }, row }: TransmissionView<EmailRow>): string | undefined =>
  addresses.find((address) => isSameAddress(address, row.fromAddress)) ?? addresses[0]

/** The facts of an e-mail, with the agent's hours, as no account has any. */
const factsOfEmail = Effect.fnUntraced(function* (view: TransmissionView<EmailRow>) {
  const { agent, lead, row } = view
  const suppressed = yield* findSuppression(lead, [{ kind: "email", value: row.toAddress.toLowerCase() }])
  const { pacing: paced } = yield* SendOptions
  const from = senderOf(view)
  const isMoved = from !== undefined && !isSameAddress(from, row.fromAddress)
  const ofSender = isMoved ? ("account_changed" as const) : undefined
  const changed = isSameAddress(lead.email, row.toAddress) ? ofSender : ("recipient_changed" as const)
  const hours = { paced, hours: agent, leadTimezone: lead.timezone }
  return { wording: wordingOfEmail(row), suppressed, changed, hasAccount: from !== undefined, ...hours }
})

const factsOfLinkedIn = Effect.fnUntraced(function* (
  view: DraftView | TransmissionView<Invitation>,
  account: Pick<LinkedInAccount, "id"> | undefined
) {
  const [wording, approved] =
    "item" in view
      ? [wordingOfDraft(view.row), { recipient: view.row.recipient, accountId: view.item?.accountId ?? null }]
      : [wordingOfInvitation(view.row), view.row]
  const suppressed = yield* findSuppression(view.lead)
  const changed = yield* changeSince(approved, view.lead, account?.id)
  return { wording, suppressed, changed, hasAccount: account !== undefined }
})

/** The facts of what was approved. `account` is what the agent has now; an e-mail needs none. */
export const readFacts = Effect.fnUntraced(function* (
  view: DraftView | TransmissionView<Invitation> | TransmissionView<EmailRow>,
  account: Pick<LinkedInAccount, "id"> | undefined,
  decided: Decision
): Effect.fn.Return<Facts, StoreFailure, Actor | PrivacyRepo | TransmissionsRepo> {
  const { agent, lead, mission, rules } = view
  const isEmail = isOfKind("email")
  const own = "item" in view || !isEmail(view) ? yield* factsOfLinkedIn(view, account) : yield* factsOfEmail(view)
  return { agent, lead, mission, rules, decided, ...own }
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
