/**
 * The status of a lead.
 *
 * Events only move a lead forward; a person may set any status. Only lead.suppression.lift leaves DoNotContact.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { LeadSuppressed } from "./failures.ts"

/** Lead status, as the specification lists it. */
export const LeadStatus = Schema.Literals([
  "New",
  "Waiting",
  "Contacted",
  "Replied",
  "MeetingBooked",
  "Interested",
  "NotInterested",
  "DoNotContact"
])

export type LeadStatus = typeof LeadStatus.Type

/**
 * Events that move the status.
 *
 * - `outbound_waiting`: an invitation was sent, or a message is queued or waits for the relation
 * - `outbound_confirmed`: the provider confirmed a message
 * - `inbound`: the lead wrote
 * - `opt_out`: the lead asked for no further contact
 * - `nothing_waiting`: everything waiting was cancelled, and nothing had been sent
 */
export type LeadEvent = "outbound_waiting" | "outbound_confirmed" | "inbound" | "opt_out" | "nothing_waiting"

/** The new status by event and current status; an event changes no other status. */
const arrivals: Readonly<Record<LeadEvent, { readonly to: LeadStatus; readonly from: ReadonlyArray<LeadStatus> }>> = {
  outbound_waiting: { to: "Waiting", from: ["New"] },
  outbound_confirmed: { to: "Contacted", from: ["New", "Waiting"] },
  inbound: { to: "Replied", from: ["New", "Waiting", "Contacted"] },
  opt_out: { to: "DoNotContact", from: LeadStatus.literals },
  nothing_waiting: { to: "New", from: ["Waiting"] }
}

/** The status after an event. No event leaves DoNotContact. */
export const afterEvent = (from: LeadStatus, event: LeadEvent): LeadStatus =>
  arrivals[event].from.includes(from) ? arrivals[event].to : from

/** The status that a person or a permitted agent sets. Fails with LEAD_SUPPRESSED when it would leave DoNotContact. */
export const setManually = (from: LeadStatus, to: LeadStatus): Result.Result<LeadStatus, LeadSuppressed> =>
  from === "DoNotContact" && to !== from ? Result.fail(suppressed()) : Result.succeed(to)

const suppressed = (): LeadSuppressed =>
  new LeadSuppressed({
    message:
      "The lead has status DoNotContact and must not be contacted. If that has changed, lift the suppression with " +
      "lead.suppression.lift and a reason."
  })

/** Statuses in which follow-ups go on. */
export const followedStatuses: ReadonlyArray<LeadStatus> = ["New", "Waiting", "Contacted"]

/**
 * What becomes of open drafts when the lead's queue items are cancelled: cancelled too, or returned to review. All end follow-ups;
 * `EndFollowUps` leaves the rest as it is.
 */
export type DraftConsequence = "Cancel" | "Withdraw" | "EndFollowUps"

/** What a change of status does to what is not sent yet; undefined when it does nothing. */
export const consequenceOf = (from: LeadStatus, to: LeadStatus): DraftConsequence | undefined => {
  if (from === to) return undefined
  if (to === "DoNotContact") return "Cancel"
  if (to === "NotInterested") return "Withdraw"
  return followedStatuses.includes(from) && !followedStatuses.includes(to) ? "EndFollowUps" : undefined
}

/** Leads who replied. */
export const repliedStatuses: ReadonlyArray<LeadStatus> = ["Replied", "MeetingBooked", "Interested", "NotInterested"]

/** Leads who are interested. */
export const positiveStatuses: ReadonlyArray<LeadStatus> = ["Interested", "MeetingBooked"]

/** Whether a lead is interested, for the page and for statistics. */
export const isPositive = (status: LeadStatus | undefined): boolean =>
  status !== undefined && positiveStatuses.includes(status)

/** Leads who were written to, including those who replied. */
export const contactedStatuses: ReadonlyArray<LeadStatus> = ["Contacted", ...repliedStatuses]
