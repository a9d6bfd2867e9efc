/**
 * What to do next about a lead: the first thing that waits for a person or a program.
 *
 * The stores order lists by it, so the rule stands here once and once more in SQL; the contract tests hold them together.
 * Source: catalogue 4.1 (mission.next-actions, lead.get, lead.search sort `action`).
 */
import * as Schema from "effect/Schema"
import type { LeadStatus } from "./LeadStatus.ts"

/** The kinds of next actions, most urgent first. */
export const ActionKind = Schema.Literals(["reply_waiting", "ambiguous_send", "draft_to_review", "draft_missing"])
export type ActionKind = typeof ActionKind.Type

/** What the next action depends on. `openDraft` is the status of a draft that is neither sent nor cancelled. */
export interface ActionFacts {
  readonly status: LeadStatus
  readonly lastInboundAt: string | null
  readonly lastOutboundAt: string | null
  readonly hasAmbiguousSend: boolean
  readonly openDraft: "PENDING_REVIEW" | "READY_TO_SEND" | null
  readonly isInMission: boolean
}

/** The most urgent action; null when nothing waits, or the lead must not be contacted. */
export const nextAction = (facts: ActionFacts): ActionKind | null => {
  if (facts.status === "DoNotContact") return null
  const isWaiting = facts.lastInboundAt !== null && facts.lastInboundAt > (facts.lastOutboundAt ?? "")
  if (isWaiting && facts.status !== "NotInterested") return "reply_waiting"
  if (facts.hasAmbiguousSend) return "ambiguous_send"
  if (facts.openDraft !== null) return facts.openDraft === "PENDING_REVIEW" ? "draft_to_review" : null
  return facts.status === "New" && facts.isInMission ? "draft_missing" : null
}

/** Place of an action in the order of lists: 0 for the most urgent; nothing to do comes last. */
export const actionRank = (action: ActionKind | null): number =>
  action === null ? ActionKind.literals.length : ActionKind.literals.indexOf(action)

const reasons: Readonly<Record<ActionKind, string>> = {
  reply_waiting: "The lead wrote last; answer.",
  ambiguous_send: "It is not known whether a message was sent; look at the conversation on LinkedIn and settle it.",
  draft_to_review: "A draft waits for approval.",
  draft_missing: "The lead is in a mission and nothing was written yet; create a draft."
}

/** One sentence that says why. */
export const whyOf = (action: ActionKind): string => reasons[action]
