/**
 * Where a lead stands.
 *
 * What happens moves a lead forward only; a person may set any status. DoNotContact is left by neither: that takes
 * lead.suppression.lift. Source: G11.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Failure, fail } from "../Failure.ts"

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
 * What can happen to a lead.
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

/** Where an event leads from the statuses named; from all others it changes nothing. */
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

/** Events that a suppressed lead may have; it stays DoNotContact. */
const harmless: ReadonlyArray<LeadEvent> = ["inbound", "opt_out", "nothing_waiting"]

/** The status after an event. Fails with LEAD_SUPPRESSED when the event contradicts DoNotContact. */
export const afterEvent = (from: LeadStatus, event: LeadEvent): Result.Result<LeadStatus, Failure> => {
  const arrival = arrivals[event]
  if (from !== "DoNotContact") return Result.succeed(arrival.from.includes(from) ? arrival.to : from)
  return harmless.includes(event) ? Result.succeed(from) : Result.fail(suppressed())
}

/** The status that a person or a permitted agent sets. Fails with LEAD_SUPPRESSED when it would leave DoNotContact. */
export const setManually = (from: LeadStatus, to: LeadStatus): Result.Result<LeadStatus, Failure> =>
  from === "DoNotContact" && to !== from ? Result.fail(suppressed()) : Result.succeed(to)

const suppressed = (): Failure =>
  fail(
    "LEAD_SUPPRESSED",
    "The lead is in status DoNotContact and must not be contacted. Leave it, or lift the suppression with lead.suppression.lift and a reason."
  )

/** What else must happen when a lead changes its status. */
export interface LeadStatusConsequences {
  /** Cancel the lead's queue items that are not sent yet. */
  readonly cancelQueueItems: boolean
  /** Cancel the lead's open drafts. */
  readonly cancelDrafts: boolean
  /** Add suppression entries for all identifiers of the lead. */
  readonly suppress: boolean
}

/** What a change from one status to another brings with it; nothing when the status stays. */
export const consequences = (from: LeadStatus, to: LeadStatus): LeadStatusConsequences => {
  const entered = from === to ? undefined : to
  const suppress = entered === "DoNotContact"
  return { cancelQueueItems: suppress || entered === "NotInterested", cancelDrafts: suppress, suppress }
}
