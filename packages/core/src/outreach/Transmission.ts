/** What is stored of drafts and of transmissions: messages, invitations and emails are one row with a kind, from request to end. */

import * as Schema from "effect/Schema"
import type { WorkingHours } from "../agents/WorkingHours.ts"
import type { TextRules } from "../kernel/command/Permission.ts"
import * as Ids from "../kernel/schema/IdsAndTime.ts"
import type { FollowUp } from "../leads/followUp.ts"
import type { Identity } from "../leads/identity/Identity.ts"
import type { LeadStatus } from "../leads/LeadStatus.ts"
import type { EmailReviewStrategy, MissionStep } from "../missions/Mission.ts"
import type { MissionStatus } from "../missions/MissionStatus.ts"
import type { DraftStep, EvidenceItem } from "./Evidence.ts"
import type { DraftActor, DraftQueueState, DraftReview, DraftStatus } from "./LinkedInDraft.ts"
import type { AccountHold } from "./pacing/Pacing.ts"
import type { QueueReason } from "./reasons.ts"

/** What an approval binds, as it is stored with what was approved. */
export interface Approved {
  /** Whom it goes to, as shown: one profile or address, or none. The provider is asked for exactly this. */
  readonly recipient: ReadonlyArray<Identity>
  /** The LinkedIn account's id, or the sender's address; null without an account. */
  readonly sender: string | null
  /** SHA-256 of the mission's id, which may be deleted later; null without one. */
  readonly mission: string | null
  /** SHA-256 of everything that is read: the text of a message, the note of an invitation, subject and texts of an email. */
  readonly wording: string
}

/** A draft as stored. Instants are ISO texts. */
export interface DraftRow {
  readonly id: Ids.DraftId
  readonly organizationId: Ids.OrganizationId
  readonly leadId: Ids.LeadId
  readonly agentId: Ids.AgentId
  readonly missionId: Ids.MissionId | null
  readonly status: DraftStatus
  /** The candidate texts; a variation's position is its index. */
  readonly variations: ReadonlyArray<string>
  readonly selectedIndex: number | null
  readonly selectedBodyText: string | null
  /** The latest queue item since the latest approval. */
  readonly queueItemId: Ids.QueueItemId | null
  /** Our id of the message on the lead, and the provider's. */
  readonly messageId: string | null
  readonly externalMessageId: string | null
  /** The facts that its claims rest on, as its writer says. */
  readonly evidence: ReadonlyArray<EvidenceItem>
  /** The step of its mission that it was written for; null without one. */
  readonly followUp: FollowUp | null
  readonly review: DraftReview
  /** Who did what with it, oldest first. */
  readonly steps: ReadonlyArray<DraftStep>
  readonly createdBy: DraftActor
  readonly approvedBy: DraftActor | null
  /** What its approval binds; null under review. */
  readonly approved: Approved | null
  readonly approvedAt: Ids.InstantText | null
  readonly cancelledAt: string | null
  readonly dispatchedAt: Ids.InstantText | null
  readonly createdAt: Ids.InstantText
  readonly updatedAt: Ids.InstantText
}

/** A draft with evidence. */
export type EvidencedDraft = Pick<DraftRow, "leadId" | "agentId" | "variations" | "selectedIndex" | "evidence">

/** States of an invitation. `pending`: sent, and the person has not accepted yet. */
export const InvitationState = Schema.Literals([
  "queued",
  "sending",
  "pending",
  "ambiguous",
  "accepted",
  "withdrawn",
  "failed",
  "cancelled"
])
export type InvitationState = typeof InvitationState.Type

/** States of an email. `in_review`: a person or a webhook must decide. */
export const emailStates = [
  "in_review",
  "queued",
  "sending",
  "sent",
  "failed",
  "ambiguous",
  "rejected",
  "cancelled"
] as const
type EmailState = (typeof emailStates)[number]

/** Decisions of a reviewer. */
export const emailDecisions = ["approve", "reject", "edit"] as const
export type EmailDecision = (typeof emailDecisions)[number]

/** The fields of every kind. In state `ambiguous` it may have been sent, so it is never sent again. */
interface Row<Kind, Id, State, Reason> {
  readonly kind: Kind
  /** Also the idempotency key for the provider. */
  readonly id: Id
  readonly organizationId: Ids.OrganizationId
  readonly agentId: Ids.AgentId
  readonly leadId: Ids.LeadId
  readonly state: State
  readonly reason: Reason | null
  /** True for send_now: ignores usage limits and working hours. */
  readonly bypass: boolean
  /** Number of attempts; an outcome is only stored for its own attempt. */
  readonly attempts: number
  /** Consecutive temporary failures; determines the delay of the next attempt. */
  readonly failures: number
  /** Time of the next attempt or lookup; null if a person must act. */
  readonly notBefore: Ids.InstantText | null
  /** When waiting for a connection or for a webhook's decision ends. */
  readonly expiresAt: Ids.InstantText | null
  /** When an invitation or an email was accepted, and when the transmission ended. */
  readonly sentAt: Ids.InstantText | null
  readonly endedAt: Ids.InstantText | null
  /** The lease of the process that works on it; maintained by the store. */
  readonly leaseUntil: string | null
  readonly fence: number
  readonly createdAt: Ids.InstantText
  readonly updatedAt: Ids.InstantText
}

/** The approved text of a draft. */
export interface Message extends Row<"message", Ids.QueueItemId, DraftQueueState, QueueReason> {
  readonly accountId: Ids.AccountId
  readonly draftId: Ids.DraftId
  /** The mission is that of the draft. */
  readonly missionId: null
  readonly bodyText: string
  /** Whether to invite a person who is not connected; `invitedAt` is set once that is confirmed. */
  readonly invite: boolean
  readonly invitationNote: string | null
  readonly invitedAt: Ids.InstantText | null
}

/** An invitation to connect; at most one live one per account and lead. */
export interface Invitation extends Row<"invitation", Ids.InvitationId, InvitationState, QueueReason> {
  readonly accountId: Ids.AccountId
  /** The draft whose message waits for it; null without one. */
  readonly draftId: Ids.DraftId | null
  readonly missionId: null
  readonly note: string | null
  /** What the request binds. */
  readonly approved: Approved
  /** Who wanted it with this note. */
  readonly requestedBy: DraftActor
  /** The provider's id, if known. */
  readonly externalId: string | null
}

/** The texts of an e-mail. */
export interface EmailText {
  readonly subject: string
  readonly bodyText: string
  /** Null for plain text only. */
  readonly bodyHtml: string | null
}

/** An email, with its review. */
export interface EmailRow extends Row<"email", Ids.EmailId, EmailState, string>, EmailText {
  readonly accountId: null
  readonly draftId: null
  /** Null after the mission was deleted. */
  readonly missionId: Ids.MissionId | null
  /** The step of its mission that it was written for; null without one. */
  readonly followUp: FollowUp | null
  readonly fromAddress: string
  readonly toAddress: string
  /** Who reviews it: WEBHOOK becomes MANUAL when the webhook does not decide in time. */
  readonly strategy: EmailReviewStrategy
  readonly decision: EmailDecision | null
  readonly decidedBy: string | null
  readonly decidedAt: Ids.InstantText | null
  /** What its approval binds; null under review. */
  readonly approved: Approved | null
  readonly messageId: string | null
  readonly createdBy: string
  /** Who wrote it and decided on it, oldest first. */
  readonly steps: ReadonlyArray<DraftStep>
}

/** The kinds sent with a LinkedIn account. */
export type LinkedInTransmission = Message | Invitation
export type Transmission = LinkedInTransmission | EmailRow
export type TransmissionId = Transmission["id"]

/** Defaults of a new row. */
export const freshRow = {
  reason: null,
  bypass: false,
  attempts: 0,
  failures: 0,
  expiresAt: null,
  sentAt: null,
  endedAt: null,
  leaseUntil: null,
  fence: 0
} as const

/** Whether nothing happens any more in a state. */
export const isFinal = (state: Transmission["state"] | undefined): boolean =>
  state !== undefined && state !== "in_review" && !liveStates.includes(state)

/** Whether it waits to be sent. */
export const isWaiting = ({ state }: Pick<Transmission, "state">): boolean =>
  state === "queued" || state === "waiting_relation"

/** The row after a change; in a final state, it ends. */
export const changed = <A extends Transmission>(row: A, changes: Partial<A>, at: string): A => ({
  ...row,
  ...changes,
  updatedAt: Ids.changedAt(row.updatedAt, at),
  ...(isFinal(changes.state) ? { notBefore: null, expiresAt: null, endedAt: at } : {})
})

const liveStates: ReadonlyArray<Transmission["state"]> = [
  "queued",
  "waiting_relation",
  "sending",
  "pending",
  "ambiguous"
]

/** Whether it is neither final nor under review. */
export const isLive = ({ state }: Pick<Transmission, "state">): boolean => liveStates.includes(state)

/** The action to count against limits. */
export const actionOf = (row: LinkedInTransmission): "message" | "invitation" | "invitation_with_note" =>
  row.kind === "message" ? "message" : row.note === null ? "invitation" : "invitation_with_note"

/** A transmission with what decides whether it may leave, and what is shown beside it. Texts that are not known are empty. */
export interface TransmissionView<Row extends Transmission = Transmission> {
  readonly row: Row
  readonly lead: {
    readonly id: Ids.LeadId
    readonly name: string
    readonly company: string
    readonly email: string
    readonly linkedinUrl: string
    readonly status: LeadStatus
    readonly wasWritten: boolean
    /** Empty when it is not known. */
    readonly lawfulBasis: string
    readonly lastInboundAt: Ids.InstantText | null
    readonly lastOutboundAt: Ids.InstantText | null
    readonly awayUntil: Ids.InstantText | null
    readonly timezone: string
  }
  readonly agent: {
    readonly id: Ids.AgentId
    readonly handle: string
    readonly name: string
    readonly deleted: boolean
    readonly timezone: string
    readonly workingHours: WorkingHours
    /** The addresses that it may send e-mails from. */
    readonly addresses: ReadonlyArray<string>
  }
  /** That of an e-mail, or of the draft. */
  readonly mission: {
    readonly id: Ids.MissionId
    readonly handle: string
    readonly name: string
    readonly status: MissionStatus
    readonly steps: ReadonlyArray<MissionStep>
  } | null
  /** What the organization requires of texts. */
  readonly rules: TextRules
  readonly hold: AccountHold
  /** The place of a message among those of its account that wait, from 1; null for others. */
  readonly position: number | null
}

type OfKind<Kind> = Extract<Transmission, { readonly kind: Kind }>

/** Whether it is of a kind. */
export const isOfKind =
  <Kind extends Transmission["kind"]>(...kinds: ReadonlyArray<Kind>) =>
  (view: TransmissionView): view is TransmissionView<OfKind<Kind>> =>
    kinds.some((kind) => kind === view.row.kind)
