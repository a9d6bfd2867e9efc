/** What is about to leave through a LinkedIn account: everything that was decided and stored before the provider is asked. */
import type { Lease } from "../../kernel/background/Lease.ts"
import type { LeadStatus } from "../../leads/LeadStatus.ts"
import type { DraftRow } from "../drafts/DraftRow.ts"
import type { DraftView } from "../drafts/DraftView.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import type { Recipient, RefusalKind, Refused, Relation, SendResult } from "../provider/SendResult.ts"
import type { SoughtMessage } from "./findSent.ts"
import type { SendAttempt } from "./SendAttempt.ts"
import type { Invitation, LinkedInTransmission, Message } from "./Transmission.ts"

// What an action at the provider comes to that did not happen, or of which nobody knows: the same for messages and
// invitations.

/** An outcome with what the provider said of account and person; undefined when that was not heard. */
type WithRelation<A> = { readonly relation: Relation | undefined } & A

/** Why it did not happen. */
type FailedOutcome =
  /** Nothing left, or it is refused for a while: try again. */
  | {
      readonly _tag: "Retry"
      readonly reason: RefusalKind | "unavailable"
      readonly detail: string
      readonly adviceSeconds: number | null
    }
  | { readonly _tag: "Rejected"; readonly kind: RefusalKind; readonly providerCode: string }
  | {
      readonly _tag: "AccountDown"
      readonly kind: "account_down" | "account_restricted"
      readonly providerCode: string
    }
  /** It may have happened. */
  | { readonly _tag: "Unknown"; readonly detail: string }

const refused = ({ kind, providerCode, retryAfterSeconds }: Refused): FailedOutcome => {
  switch (kind) {
    case "limit":
    case "transient":
      return { _tag: "Retry", reason: kind, detail: providerCode, adviceSeconds: retryAfterSeconds }
    case "account_down":
    case "account_restricted":
      return { _tag: "AccountDown", kind, providerCode }
    default:
      return { _tag: "Rejected", kind, providerCode }
  }
}

/** What an answer other than yes means. */
export const failedOutcome = (
  result: Exclude<SendResult, { readonly _tag: "Confirmed" }>,
  relation: Relation | undefined
): WithRelation<FailedOutcome> => {
  switch (result._tag) {
    case "Refused":
      return { ...refused(result), relation }
    case "Unavailable":
      return { _tag: "Retry", reason: "unavailable", detail: result.detail, adviceSeconds: null, relation }
    case "Unknown":
      return { _tag: "Unknown", detail: result.detail, relation }
  }
}

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

/** What became of a claim. */
export type SendOutcome = WithRelation<
  | { readonly _tag: "Sent"; readonly messageId: string | null; readonly externalId: string | null }
  /** Not connected, so a message waits. `invitation`: whether one is open already, or one is to be made. */
  | { readonly _tag: "Waiting"; readonly invitation: "none" | "pending" | "wanted" }
  /** An invitation was there before, or is not needed. */
  | { readonly _tag: "AlreadyPending" }
  | { readonly _tag: "AlreadyConnected" }
  | FailedOutcome
>

/** How an attempt is stored, and what is said and counted of the outcome. */
export const outcomes = {
  Sent: { attempt: "confirmed", detail: "sent" },
  Waiting: { attempt: "refused", detail: "waiting_relation" },
  AlreadyPending: { attempt: "refused", detail: "already_pending" },
  AlreadyConnected: { attempt: "refused", detail: "already_connected" },
  Retry: { attempt: "unavailable", detail: "retry" },
  Rejected: { attempt: "refused", detail: "rejected" },
  AccountDown: { attempt: "refused", detail: "account_down" },
  Unknown: { attempt: "unknown", detail: "unknown" }
} as const satisfies Record<SendOutcome["_tag"], { readonly attempt: SendAttempt["outcome"]; readonly detail: string }>
