/** What the state machine of messages, invitations and emails decides about: states, events and effects. */

import { type ContentChanged, type InvalidInput, WrongState } from "../kernel/failure/failures.ts"
import type { EventType, NewEvent } from "../kernel/journal/Event.ts"
import { canonicalJson, sha256Hex } from "../kernel/schema/Hash.ts"
import type { DraftId, InstantText, LeadId } from "../kernel/schema/IdsAndTime.ts"
import { DraftInFlight, SendOutcomeUnknown } from "../leads/failures.ts"
import type { ApprovalChoice } from "./DraftInput.ts"
import type { DraftView } from "./DraftsRepo.ts"
import { type DraftEmpty, DraftFinal, type VariationRequired } from "./failures.ts"
import type { DraftStatus } from "./LinkedInDraft.ts"
import type { QueueReason } from "./reasons.ts"
import * as Transmissions from "./Transmission.ts"

/** What lives: a transmission, and of a message the draft that it carries. */
export interface Life {
  /** Null for invitations and emails. */
  readonly draft: Transmissions.DraftRow | null
  /** Null for a draft that nothing carries. */
  readonly row: Transmissions.Transmission | null
}

/** A draft without a live message is in the state of its status. */
export type State = Transmissions.Transmission["state"] | DraftStatus

export type Kind = Transmissions.Transmission["kind"]

export type Details = Readonly<Record<string, unknown>>

/** An event, and what it says besides ids. */
export type Saying = readonly [type: EventType, details?: Details]

/** What somebody decided. `reason` is stored with what is cancelled; `draft` is stored with the draft. */
export interface Review {
  readonly reason: string | null
  readonly draft?: Partial<Transmissions.DraftRow>
  /** The event of the draft, if it is another one than usual. */
  readonly says?: Saying
}

/** An outcome: it changes nothing once another attempt has begun. */
interface Outcome {
  readonly attempt: number
}

/** What the provider confirmed, or somebody who looked. `recordedAs` is the id of the message on the lead. */
export interface Delivery {
  readonly externalId: string | null
  readonly recordedAs: string | null
  /** Whether it is the first message to the lead. */
  readonly isFirst: boolean
}

export interface Events {
  /** A draft is changed: its texts, or `isMoved`: it goes to another lead, or belongs to another mission. */
  readonly Revise: Review & {
    readonly variations?: ReadonlyArray<string> | undefined
    readonly isMoved?: boolean
  }
  /** Something is noted on a draft in whatever state. */
  readonly Note: Review
  /** A text is approved, to leave from `notBefore` on; `contentHash` is that of the draft as it is. */
  readonly Approve: {
    readonly choice: ApprovalChoice
    readonly contentHash: string
    readonly notBefore?: InstantText | undefined
  }
  /** A reviewer approves or rejects an email. */
  readonly Judge: { readonly isRejected: boolean; readonly email: Partial<Transmissions.EmailRow> }
  /** The time to review an email is over. */
  readonly Expire: Review
  /** An approval is taken back. */
  readonly Withdraw: Review & { readonly email?: Partial<Transmissions.EmailRow> }
  readonly Reopen: Review
  /** It is not to be sent at all. */
  readonly Cancel: Review
  /** An invitation names nobody who is known any more. */
  readonly Detach: Pick<Review, "reason">
  /** It still waits. `isHeld`: for its account, of which nothing more is said. */
  readonly Wait: { readonly reason: string | null; readonly notBefore: InstantText | null; readonly isHeld: boolean }
  /** It is about to be sent. */
  readonly Start: object
  readonly Confirm: Outcome & Delivery
  /** An earlier invitation is still open. */
  readonly FindPending: Outcome
  /** The person is not connected: it waits for the connection. */
  readonly AwaitRelation: Outcome & {
    readonly notBefore: InstantText
    readonly expiresAt: InstantText
    readonly invitedAt: InstantText | null
  }
  readonly Retry: Outcome & { readonly reason: string; readonly notBefore: InstantText; readonly failures: number }
  /** It failed for good. `before` is what a refused send_now restores. An email keeps the detail as its reason. */
  readonly Fail: Outcome & {
    readonly reason: QueueReason
    readonly detail: string
    readonly before?: { readonly row: Transmissions.DraftRow; readonly item: Transmissions.Message | null } | undefined
  }
  /** It may have been sent. Without an attempt, its process stopped. */
  readonly Lose: Partial<Outcome> & { readonly detail: string }
  /** A server reported that it was not delivered. It is sent again then, or never. */
  readonly Bounce: { readonly reason: string; readonly detail: string; readonly notBefore: InstantText | null }
  /** It is looked up again then. */
  readonly Postpone: { readonly notBefore: InstantText | null }
  /** It cannot be sent as things are. */
  readonly Block: { readonly reason: string; readonly detail: string }
  /** A person said whether it was sent. */
  readonly Settle: { readonly sent: Delivery | undefined; readonly reason: string }
  /** The person and the account are connected. */
  readonly Accept: Partial<Outcome>
  /** The provider took the invitation back. */
  readonly Recall: object
}

/** What happened, or is wanted. */
export type Event<T extends keyof Events = keyof Events> = { [K in T]: { readonly _tag: K } & Events[K] }[T]

/** What follows, besides the rows. */
export type Effect =
  | { readonly _tag: "Emit"; readonly event: NewEvent }
  /** Queued invitations of a draft are cancelled. */
  | { readonly _tag: "Uninvite"; readonly draftId: DraftId; readonly reason: string }
  /** The message that waits for an invitation cannot be sent. */
  | { readonly _tag: "FailMessage"; readonly draftId: DraftId; readonly reason: string; readonly detail: string }
  /** The lead waits for a message, or perhaps no longer. */
  | { readonly _tag: "Waiting"; readonly leadId: LeadId }
  | { readonly _tag: "Idle"; readonly leadId: LeadId }
  /** The outcome of the attempts of which nobody knew. */
  | { readonly _tag: "SettleAttempts"; readonly outcome: "confirmed" | "refused" | "unknown"; readonly detail: string }
  /** The relation of account and person: invited at this time, or no longer. */
  | { readonly _tag: "Invited"; readonly at: InstantText | null }

/** What to store and to do. Without a change, `life` is `before`. */
export interface Decision {
  readonly before: Life
  readonly life: Life
  readonly effects: ReadonlyArray<Effect>
}

type StateRefusal = DraftFinal | DraftInFlight | SendOutcomeUnknown | WrongState

interface OwnRefusals {
  readonly Approve: ContentChanged | DraftEmpty | InvalidInput | VariationRequired
}

/** Why an event must not happen. */
export type Refusal<T extends keyof Events> = StateRefusal | (T extends keyof OwnRefusals ? OwnRefusals[T] : never)

/** The state that decides. */
export const stateOf = ({ draft, row }: Life): State => {
  if (draft === null) return row?.state ?? "cancelled"
  return draft.status === "READY_TO_SEND" && row !== null && Transmissions.isLive(row) ? row.state : draft.status
}

/** The life of what was read. */
export const lifeOf = (view: DraftView | Transmissions.TransmissionView): Life =>
  "item" in view ? { draft: view.row, row: view.item } : { draft: null, row: view.row }

/** The draft as it was read, with its life of now. */
export const viewIn = (view: DraftView, { draft, row }: Life): DraftView => ({
  ...view,
  row: draft ?? view.row,
  item: row?.kind === "message" && row.id === draft?.queueItemId ? row : null
})

/** The email is not in a state for this. */
export const emailOver = ({ id, state }: Transmissions.EmailRow): WrongState =>
  new WrongState({ message: `Email ${id} is already ${state}. Read it with email.list.` })

/** Why an event must not happen in a state. */
export const refusalIn = (life: Life): StateRefusal => {
  const { draft, row } = life
  const state = stateOf(life)
  if (row?.kind === "email") return emailOver(row)
  if (state === "sending") {
    return new DraftInFlight({
      message:
        draft === null
          ? `Invitation ${row?.id} is being sent. Read the queue again in a moment.`
          : "The draft is being sent. Read it again in a moment with linkedin.draft.get."
    })
  }
  if (state === "ambiguous") {
    return new SendOutcomeUnknown({
      message:
        draft === null
          ? `It is unknown whether invitation ${row?.id} was sent. Settle it with linkedin.queue.resolve, or withdraw it with linkedin.invitation.withdraw.`
          : "It is unknown whether the draft's message was sent. Check the conversation on LinkedIn, then settle the queue item with linkedin.queue.resolve."
    })
  }
  if (draft === null) {
    return new WrongState({ message: `Invitation ${row?.id} is already ${state}. Read it with linkedin.queue.list.` })
  }
  if (draft.status === "PENDING_REVIEW") {
    return new WrongState({
      message: "The draft is PENDING_REVIEW, not READY_TO_SEND. Approve it with linkedin.draft.approve first."
    })
  }
  return finalDraft(draft)
}

/** The draft was sent or cancelled. */
export const finalDraft = ({ status }: Pick<Transmissions.DraftRow, "status">): DraftFinal => {
  const next = status === "CANCELLED" ? "Reopen it with linkedin.draft.reopen, or create" : "Create"
  return new DraftFinal({
    message: `The draft is ${status} and cannot be changed. ${next} a new one with linkedin.draft.create.`
  })
}

/** Names exactly what is reviewed of an email: SHA-256 of sender, addressee and texts. */
export const emailHashOf = ({
  bodyHtml,
  bodyText,
  fromAddress,
  id,
  leadId,
  subject,
  toAddress
}: Transmissions.EmailRow): string =>
  sha256Hex(
    canonicalJson({
      review_id: id,
      lead_id: leadId,
      from: fromAddress,
      to: toAddress,
      subject,
      body_text: bodyText,
      body_html: bodyHtml
    })
  )

const factsOf = (type: EventType, { draft, row }: Life): Details => {
  if (draft !== null) {
    const ids = { lead_id: draft.leadId, agent_id: draft.agentId, mission_id: draft.missionId }
    return type.startsWith("draft.")
      ? { status: draft.status, ...ids }
      : { channel: "LINKEDIN", draft_id: draft.id, ...ids }
  }
  if (row?.kind === "invitation") {
    const { accountId, agentId, draftId, id, note } = row
    const of = draftId === null ? {} : { draft_id: draftId }
    const sent = type === "invitation.sent" ? { with_note: note !== null } : {}
    return { invitation_id: id, account_id: accountId, agent_id: agentId, ...of, ...sent }
  }
  if (row?.kind !== "email") return {}
  const ids = { lead_id: row.leadId, mission_id: row.missionId, agent_id: row.agentId }
  if (type === "message.sent") return { channel: "EMAIL", email_id: row.id, ...ids }
  return { ...ids, content_hash: emailHashOf(row), ...(row.strategy === "AUTO" ? {} : { review_id: row.id }) }
}

/** An event about it: ids and states, never texts. */
export const eventOf = (type: EventType, life: Life, details: Details = {}): NewEvent => {
  const { draft, row } = life
  const kind = type.slice(0, type.indexOf("."))
  const isOfLead = kind === "invitation" || kind === "message"
  const id = isOfLead ? (draft ?? row)?.leadId : (draft ?? row)?.id
  return {
    type,
    subject: { type: isOfLead ? "lead" : kind, id: id ?? "" },
    data: { ...factsOf(type, life), ...details }
  }
}
