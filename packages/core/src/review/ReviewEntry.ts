/** What is reviewed, as it is read from the store: a message, an invitation, an email, an approval request or a reply. */

import type { WorkingHours } from "../agents/WorkingHours.ts"
import type { AgentId, InstantText, LeadId, MissionId } from "../kernel/schema/RecordIds.ts"

/** The tabs of the review queue. */
export const reviewTabs = ["to_review", "approved", "sent", "replies", "problems", "snoozed"] as const
export type ReviewTab = (typeof reviewTabs)[number]

/** The kinds of items. */
export const reviewKinds = ["message", "invitation", "email", "approval", "reply"] as const
export type ReviewKind = (typeof reviewKinds)[number]

/** Days that `sent`, `replies` and problems that nobody can solve go back. */
export const shownDays = 30

/** One item. Unknown texts are empty. */
export interface ReviewEntry {
  /** Id of the draft, invitation, email or approval request; of a reply, of the lead. */
  readonly itemId: string
  readonly kind: ReviewKind
  /** See `reviewState`. */
  readonly state: string
  /** Why it is in that state. */
  readonly reason: string | null
  readonly lead: {
    readonly id: LeadId
    readonly name: string
    readonly jobTitle: string
    readonly company: string
    readonly score: number
    readonly timezone: string
  } | null
  readonly agent: {
    readonly id: AgentId
    readonly handle: string
    readonly name: string
    readonly timezone: string
    readonly workingHours: WorkingHours
  } | null
  readonly mission: { readonly id: MissionId; readonly handle: string; readonly name: string } | null
  /** The approved text, else the first variation; of an approval request, the command. */
  readonly text: string
  readonly flagged: boolean
  readonly snoozedUntil: InstantText | null
  readonly rewriteRequested: boolean
  /** The transmission that carries it, and when it is next worked on. */
  readonly queueId: string | null
  readonly notBefore: InstantText | null
  /** Its place in the list: an instant. */
  readonly place: InstantText
  readonly createdAt: InstantText
  readonly updatedAt: InstantText
}

/** Which items of a list; undefined means any. `mission` and `agent` are an id or a handle. */
export interface ReviewFilter {
  readonly kinds: ReadonlyArray<ReviewKind>
  /** Commands whose approval requests are not shown. */
  readonly hidden: ReadonlyArray<string>
  readonly mission: string | undefined
  readonly agent: string | undefined
  readonly minScore: number | undefined
  readonly flagged: boolean | undefined
  /** Part of the lead's name or company, or of the text, ignoring case. */
  readonly query: string | undefined
  /** The current time, and the first instant of the {@link shownDays}. */
  readonly at: InstantText
  readonly since: InstantText
}

/** Lists that begin with the latest. */
export const isNewestFirst = (tab: ReviewTab): boolean => tab === "sent" || tab === "replies" || tab === "problems"
