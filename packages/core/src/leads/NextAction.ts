/**
 * What to do next about a lead: the first thing that waits for a person or a program.
 *
 * The stores order lists by it, so the rule stands here once and once more in SQL; the contract tests hold them together.
 * Source: catalogue 4.1 (mission.next-actions, lead.get, lead.search sort `action`); G11, G43 (suppressions).
 */
import * as Schema from "effect/Schema"
import { isoFromMillis } from "../Time.ts"
import type { LeadRow } from "./Lead.ts"

/** The kinds of next actions, most urgent first. */
export const ActionKind = Schema.Literals([
  "reply_waiting",
  "ambiguous_send",
  "draft_to_review",
  "invite_accepted",
  "draft_missing",
  "enrich",
  "stale"
])
export type ActionKind = typeof ActionKind.Type

/** Days without an answer after which a conversation is stale. */
export const staleDays = 7

/** At an instant: what was sent last at this one or before has waited {@link staleDays} days for an answer. */
export const staleSince = (at: string): string => isoFromMillis(Date.parse(at) - staleDays * 24 * 60 * 60 * 1000)

/** What is known of a lead itself. */
type KnownLead = Pick<
  LeadRow,
  "status" | "headline" | "jobTitle" | "company" | "email" | "linkedinUrl" | "lastInboundAt" | "lastOutboundAt"
>

/** What the next action depends on. `openDraft` is the status of a draft that is neither sent nor cancelled. */
export interface ActionFacts extends KnownLead {
  readonly hasAmbiguousSend: boolean
  readonly openDraft: "PENDING_REVIEW" | "READY_TO_SEND" | null
  readonly isInMission: boolean
  /** How the account that looked last and the lead stand; null when none did. */
  readonly relation: { readonly connected: boolean; readonly invitedAt: string | null } | null
  /** Whether an entry keeps the lead from being contacted, for a time or for good. */
  readonly isSuppressed: boolean
}

/** An invitation was accepted and nothing was written since it went out. */
const hasAccepted = ({ lastOutboundAt, relation, status }: ActionFacts): boolean =>
  (status === "New" || status === "Waiting" || status === "Contacted") &&
  relation !== null &&
  relation.connected &&
  relation.invitedAt !== null &&
  (lastOutboundAt === null || lastOutboundAt < relation.invitedAt)

/** There is no profile to look at, and nothing else to write from, or nowhere to write to. */
const isBlank = ({ company, email, headline, jobTitle, linkedinUrl }: KnownLead): boolean =>
  linkedinUrl === "" && (email === "" || (headline === "" && jobTitle === "" && company === ""))

/** We wrote last, and long ago, in a conversation that is not over. */
const isStale = ({ lastInboundAt, lastOutboundAt, status }: ActionFacts, at: string): boolean =>
  (status === "Contacted" || status === "Replied" || status === "Interested") &&
  lastOutboundAt !== null &&
  lastOutboundAt >= (lastInboundAt ?? "") &&
  lastOutboundAt <= staleSince(at)

/** The most urgent action at an instant; null when nothing waits, or the lead must not be contacted. */
export const nextAction = (facts: ActionFacts, at: string): ActionKind | null => {
  const { hasAmbiguousSend, isInMission, isSuppressed, lastInboundAt, lastOutboundAt, openDraft, status } = facts
  if (status === "DoNotContact" || isSuppressed) return null
  const isWaiting = lastInboundAt !== null && lastInboundAt > (lastOutboundAt ?? "")
  if (isWaiting && status !== "NotInterested") return "reply_waiting"
  if (hasAmbiguousSend) return "ambiguous_send"
  if (openDraft !== null) return openDraft === "PENDING_REVIEW" ? "draft_to_review" : null
  if (hasAccepted(facts)) return "invite_accepted"
  if (!isInMission) return null
  if (status === "New") return isBlank(facts) ? "enrich" : "draft_missing"
  return isStale(facts, at) ? "stale" : null
}

/** Place of an action in the order of lists: 0 for the most urgent; nothing to do comes last. */
export const actionRank = (action: ActionKind | null): number =>
  action === null ? ActionKind.literals.length : ActionKind.literals.indexOf(action)

const reasons: Readonly<Record<ActionKind, string>> = {
  reply_waiting: "The lead wrote last; answer.",
  ambiguous_send: "It is not known whether a message was sent; look at the conversation on LinkedIn and settle it.",
  draft_to_review: "A draft waits for approval.",
  invite_accepted: "The lead accepted the invitation and nothing was written since; create a draft.",
  draft_missing: "The lead is in a mission and nothing was written yet; create a draft.",
  enrich: "Too little is known to write to the lead; add a LinkedIn address, or e-mail and company, with lead.upsert.",
  stale: `The lead has not answered for ${staleDays} days; follow up, or set the status to NotInterested.`
}

/** One sentence that says why. */
export const whyOf = (action: ActionKind): string => reasons[action]
