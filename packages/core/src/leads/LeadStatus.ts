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
 * - `meeting`: a meeting was booked
 * - `interested`, `not_interested`: the conversation was classified
 * - `opt_out`: the lead or a complaint asked for no further contact
 * - `nothing_waiting`: everything waiting was cancelled, and nothing had been sent
 */
export type LeadEvent =
  | "outbound_waiting"
  | "outbound_confirmed"
  | "inbound"
  | "meeting"
  | "interested"
  | "not_interested"
  | "opt_out"
  | "nothing_waiting"

/** The new status by event and current status; an event changes no other status. */
const arrivals: Readonly<Record<LeadEvent, { readonly to: LeadStatus; readonly from: ReadonlyArray<LeadStatus> }>> = {
  outbound_waiting: { to: "Waiting", from: ["New"] },
  outbound_confirmed: { to: "Contacted", from: ["New", "Waiting"] },
  inbound: { to: "Replied", from: ["New", "Waiting", "Contacted"] },
  meeting: { to: "MeetingBooked", from: LeadStatus.literals },
  interested: { to: "Interested", from: LeadStatus.literals },
  not_interested: { to: "NotInterested", from: LeadStatus.literals },
  opt_out: { to: "DoNotContact", from: LeadStatus.literals },
  nothing_waiting: { to: "New", from: ["Waiting"] }
}

/** Events that are allowed in DoNotContact, which stays. */
const harmless = ["inbound", "opt_out", "nothing_waiting"] as const

/** The status after an event that every status allows. */
export function afterEvent(from: LeadStatus, event: (typeof harmless)[number]): Result.Result<LeadStatus>

/** The status after an event. Fails with LEAD_SUPPRESSED when the event contradicts DoNotContact. */
export function afterEvent(from: LeadStatus, event: LeadEvent): Result.Result<LeadStatus, LeadSuppressed>

export function afterEvent(from: LeadStatus, event: LeadEvent): Result.Result<LeadStatus, LeadSuppressed> {
  const arrival = arrivals[event]
  if (from !== "DoNotContact") return Result.succeed(arrival.from.includes(from) ? arrival.to : from)
  return harmless.some((one) => one === event) ? Result.succeed(from) : Result.fail(suppressed())
}

/** The status that a person or a permitted agent sets. Fails with LEAD_SUPPRESSED when it would leave DoNotContact. */
export const setManually = (from: LeadStatus, to: LeadStatus): Result.Result<LeadStatus, LeadSuppressed> =>
  from === "DoNotContact" && to !== from ? Result.fail(suppressed()) : Result.succeed(to)

const suppressed = (): LeadSuppressed =>
  new LeadSuppressed({
    message:
      "The lead has status DoNotContact and must not be contacted. If that has changed, lift the suppression with " +
      "lead.suppression.lift and a reason."
  })

/** What becomes of open drafts when the lead's queue items are cancelled: cancelled too, or returned to review. */
export type DraftConsequence = "Cancel" | "Withdraw"

/** What a change of status does to what is not sent yet; undefined when it does nothing. */
export const consequenceOf = (from: LeadStatus, to: LeadStatus): DraftConsequence | undefined => {
  if (from === to) return undefined
  if (to === "DoNotContact") return "Cancel"
  return to === "NotInterested" ? "Withdraw" : undefined
}

/** Leads who replied. */
export const repliedStatuses: ReadonlyArray<LeadStatus> = ["Replied", "MeetingBooked", "Interested", "NotInterested"]

/** Leads who were written to, including those who replied. */
export const contactedStatuses: ReadonlyArray<LeadStatus> = ["Contacted", ...repliedStatuses]
