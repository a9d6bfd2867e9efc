/**
 * The next action for a lead: the most urgent thing that waits for a person or an AI agent.
 *
 * The PostgreSQL store sorts by it, so the rule exists a second time in SQL; the contract tests compare the two.
 */

import * as Schema from "effect/Schema"
import { type InstantText, isoFromMillis } from "../kernel/schema/IdsAndTime.ts"
import { finishedStatuses, type MissionStatus } from "../missions/MissionStatus.ts"
import type { NextFollowUp } from "./followUp.ts"
import type { LeadRow } from "./Lead.ts"

/** The kinds of next actions, most urgent first. */
export const ActionKind = Schema.Literals([
  "draft_requested",
  "reply_waiting",
  "ambiguous_send",
  "rewrite_requested",
  "draft_to_review",
  "follow_up_due",
  "invite_accepted",
  "draft_missing",
  "enrich",
  "stale"
])
export type ActionKind = typeof ActionKind.Type

/** Days without a reply after which a conversation is stale. */
export const staleDays = 7

/** A conversation is stale at `at` when the last message was sent at this time or earlier. */
const staleSince = (at: string): string => isoFromMillis(Date.parse(at) - staleDays * 24 * 60 * 60 * 1000)

/** The facts from the lead itself. */
type KnownLead = Pick<
  LeadRow,
  | "status"
  | "headline"
  | "jobTitle"
  | "company"
  | "email"
  | "linkedinUrl"
  | "lastInboundAt"
  | "lastOutboundAt"
  | "snoozedUntil"
  | "draftRequest"
>

/** What becomes of a draft that is neither sent nor cancelled: who has to act, or whether it is hidden for a while. */
type OpenDraft = "PENDING_REVIEW" | "REWRITE_REQUESTED" | "SNOOZED" | "READY_TO_SEND"

/** The state of a draft that is neither sent nor cancelled, at an instant. */
export const openDraftAt = (
  draft: {
    readonly status: "PENDING_REVIEW" | "READY_TO_SEND"
    readonly rewriteRequested: boolean
    readonly snoozedUntil: InstantText | null
  } | null,
  at: string
): OpenDraft | null => {
  if (draft?.status !== "PENDING_REVIEW") return draft?.status ?? null
  if (draft.rewriteRequested) return "REWRITE_REQUESTED"
  return draft.snoozedUntil !== null && draft.snoozedUntil > at ? "SNOOZED" : "PENDING_REVIEW"
}

/** What the next action depends on. */
export interface ActionFacts extends KnownLead {
  readonly hasAmbiguousSend: boolean
  readonly openDraft: OpenDraft | null
  /** The statuses of its missions. */
  readonly missions: ReadonlyArray<MissionStatus>
  /** LinkedIn relation at the last check; null before the first. */
  readonly relation: { readonly connected: boolean; readonly invitedAt: InstantText | null } | null
  readonly followUp: NextFollowUp | null
  /** Whether a suppression is active. */
  readonly isSuppressed: boolean
}

/** The invitation was accepted, and no message was sent since. */
const hasAccepted = ({ lastOutboundAt, relation, status }: ActionFacts): boolean =>
  (status === "New" || status === "Waiting" || status === "Contacted") &&
  relation !== null &&
  relation.connected &&
  relation.invitedAt !== null &&
  (lastOutboundAt === null || lastOutboundAt < relation.invitedAt)

/** Without a profile, there is too little to write about, or no address to write to. */
const isBlank = ({ company, email, headline, jobTitle, linkedinUrl }: KnownLead): boolean =>
  linkedinUrl === "" && (email === "" || (headline === "" && jobTitle === "" && company === ""))

/** We wrote last, {@link staleDays} days ago or more, in an open conversation. */
const isStale = ({ lastInboundAt, lastOutboundAt, status }: ActionFacts, at: string): boolean =>
  (status === "Contacted" || status === "Replied" || status === "Interested") &&
  lastOutboundAt !== null &&
  lastOutboundAt >= (lastInboundAt ?? "") &&
  lastOutboundAt <= staleSince(at)

/**
 * The most urgent action at `at`; null without one, or when the lead must not be contacted. A lead of finished missions only
 * has none, unless a person asked for a draft, it waits for a reply or a message of unknown outcome must be settled.
 */
export const nextAction = (facts: ActionFacts, at: string): ActionKind | null => {
  const { followUp, hasAmbiguousSend, isSuppressed, lastInboundAt, lastOutboundAt, missions, openDraft, status } = facts
  const isSnoozed = facts.snoozedUntil !== null && facts.snoozedUntil > at
  if (status === "DoNotContact" || isSuppressed) return null
  if (facts.draftRequest !== null) return "draft_requested"
  const isWaiting = lastInboundAt !== null && lastInboundAt > (lastOutboundAt ?? "")
  if (isWaiting && status !== "NotInterested") return isSnoozed ? null : "reply_waiting"
  if (hasAmbiguousSend) return "ambiguous_send"
  if (missions.length > 0 && missions.every((mission) => finishedStatuses.includes(mission))) return null
  if (openDraft !== null) return actionOfDraft[openDraft]
  // The steps of a mission say when to write, in place of the general rules below.
  if (followUp !== null) return followUp.dueAt > at ? null : "follow_up_due"
  if (hasAccepted(facts)) return "invite_accepted"
  if (missions.length === 0) return null
  if (status === "New") return isBlank(facts) ? "enrich" : "draft_missing"
  return isStale(facts, at) ? "stale" : null
}

const actionOfDraft: Readonly<Record<OpenDraft, ActionKind | null>> = {
  PENDING_REVIEW: "draft_to_review",
  REWRITE_REQUESTED: "rewrite_requested",
  SNOOZED: null,
  READY_TO_SEND: null
}

/** Rank of an action in lists: 0 for the most urgent; no action comes last. */
export const actionRank = (action: ActionKind | null): number =>
  action === null ? ActionKind.literals.length : ActionKind.literals.indexOf(action)

const reasons: Readonly<Record<ActionKind, string>> = {
  draft_requested:
    "A person asked for a draft; read the instructions with lead.get (draft_request) and write it with linkedin.draft.create.",
  reply_waiting: "The lead wrote last; reply.",
  ambiguous_send: "It is unknown whether a message was sent; check the conversation on LinkedIn and settle it.",
  rewrite_requested:
    "A reviewer asked for another text; read the instructions with review.get and change it with linkedin.draft.update.",
  draft_to_review: "A draft is waiting for approval.",
  follow_up_due:
    "A step of the mission is due: follow_up says its channel and purpose; write it with linkedin.draft.create or email.send.",
  invite_accepted: "The lead accepted the invitation and has not been written to since; create a draft.",
  draft_missing: "The lead is in a mission and has not been written to; create a draft.",
  enrich: "Not enough is known to write to the lead; add a LinkedIn URL, or email and company, with lead.upsert.",
  stale: `The lead has not replied for ${staleDays} days; follow up, or set the status to NotInterested.`
}

/** One sentence that explains an action. */
export const actionReason = (action: ActionKind): string => reasons[action]
