/** What is about to leave through a LinkedIn account: everything that was decided and stored before the provider is asked. */
import type { Lease } from "../../kernel/background/Lease.ts"
import type { LeadStatus } from "../../leads/LeadStatus.ts"
import type { DraftRow } from "../drafts/DraftRow.ts"
import type { DraftView } from "../drafts/DraftView.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import type { Confirmed, Recipient, RefusalKind, Relation, SendResult } from "../provider/SendResult.ts"
import type { SoughtMessage } from "./findSent.ts"
import type { SendAttempt } from "./SendAttempt.ts"
import type { Invitation, LinkedInTransmission, Message } from "./Transmission.ts"

/** The claim: `row` is in state `sending`, and `attempt` is stored without an outcome. */
export interface LinkedInClaim<Row extends LinkedInTransmission = LinkedInTransmission> {
  readonly row: Row
  /** The lease under which it is transmitted. */
  readonly lease: Lease
  readonly attempt: SendAttempt
  readonly account: LinkedInAccount
  readonly recipient: Recipient
  /** True for a command, whose caller hears of a refusal; a refusal of the dispatcher's puts a draft under review. */
  readonly isFromCommand: boolean
  /** What a conversation shows where it left already: of a message that is older than the last release of a hold. */
  readonly sought: SoughtMessage | undefined
  /** That of its lead when it was claimed. */
  readonly leadStatus: LeadStatus
}

/** The claim of a message. */
export interface MessageClaim extends LinkedInClaim<Message> {
  /** Draft and message as they were before; `item` is null when nothing live carried the draft. */
  readonly before: { readonly row: DraftRow; readonly item: Message | null }
  /** The draft as stored with the claim. */
  readonly view: DraftView
}

/** The claim of an invitation. */
export type InvitationClaim = LinkedInClaim<Invitation>

/** What became of a claim, with what the provider said of account and person; undefined when that was not heard. */
export type SendOutcome = { readonly relation: Relation | undefined } & (
  | { readonly _tag: "Sent"; readonly messageId: string | null; readonly externalId: string | null }
  /** Not connected, so a message waits. `invitation`: whether one is open already, or one is to be made. */
  | { readonly _tag: "Waiting"; readonly invitation: "none" | "pending" | "wanted" }
  /** An invitation was there before, or is not needed. */
  | { readonly _tag: "AlreadyPending" }
  | { readonly _tag: "AlreadyConnected" }
  | Exclude<SendResult, Confirmed>
)

const words = {
  Sent: { attempt: "confirmed", detail: "sent" },
  Waiting: { attempt: "refused", detail: "waiting_relation" },
  AlreadyPending: { attempt: "refused", detail: "already_pending" },
  AlreadyConnected: { attempt: "refused", detail: "already_connected" },
  Unavailable: { attempt: "unavailable", detail: "retry" },
  Unknown: { attempt: "unknown", detail: "unknown" }
} as const

/** Whether a refusal passes by itself, and whether it is about the account. */
export const isTemporary = (kind: RefusalKind) => kind === "limit" || kind === "transient"
export const isOfAccount = (kind: RefusalKind) => kind === "account_down" || kind === "account_restricted"

/** How an attempt is stored, and what is counted of the outcome. */
export const wordsOf = (
  outcome: SendOutcome
): { readonly attempt: SendAttempt["outcome"]; readonly detail: string } => {
  if (outcome._tag !== "Refused") return words[outcome._tag]
  if (isTemporary(outcome.kind)) return words.Unavailable
  return { attempt: "refused", detail: isOfAccount(outcome.kind) ? "account_down" : "rejected" }
}
