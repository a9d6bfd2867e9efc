/** Recording messages of a lead and moving its status, for other domains. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { emit, warn } from "../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../kernel/failure/failures.ts"
import { Ids, type LeadId, now } from "../kernel/schema/IdsAndTime.ts"
import { dateTime, line, nonEmptyBody, nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { holdLead } from "./findLead.ts"
import { type LeadMessageRow, type LeadRow, lastInteractionOf, leadIdField, MessageChannel } from "./Lead.ts"
import { LeadConsequences, storeLead } from "./LeadConsequences.ts"
import { afterEvent, type LeadEvent } from "./LeadStatus.ts"
import { LeadsRepo } from "./LeadsRepo.ts"
import { isOptOut } from "./optOut/isOptOut.ts"

/** A sent or received message. `externalId` is the provider's id, if known. */
export type NewMessage = Omit<LeadMessageRow, "id" | "organizationId">

const latest = (known: string | null, date: string): string => (known !== null && known > date ? known : date)

/**
 * Stores a message and moves the lead's status: the only way in for messages. One with a known external id changes nothing;
 * then `isNew` is false. `isFirst`: no earlier message in this direction. What was sent is recorded even for a lead in
 * DoNotContact.
 *
 * An inbound message returns what waits for the lead to review. One that certainly asks for no further contact opts the lead
 * out; then `isOptOut` is true.
 *
 * Fails with NOT_FOUND, and with INVALID_INPUT when the external id belongs to a message of another lead.
 */
export const recordOnce = Effect.fnUntraced(function* (message: NewMessage) {
  const lead = yield* holdLead(message.leadId)
  const { row } = lead
  const id = yield* (yield* Ids).next("msg")
  const { id: leadId, organizationId } = row
  const isInbound = message.direction === "inbound"
  const optsOut = isInbound && isOptOut(message.content)
  const isFirst = (isInbound ? row.lastInboundAt : row.lastOutboundAt) === null
  const known = yield* (yield* LeadsRepo).addMessage({ ...message, leadId, id, organizationId })
  if (known !== undefined && known.leadId !== leadId) {
    return yield* new InvalidInput({
      message: `external_id: already used for a message of lead ${known.leadId}. Use a different id for each message.`
    })
  }
  if (known !== undefined) return { id: known.id, leadId, isNew: false, isFirst: false, isOptOut: false }
  yield* storeLead(lead, {
    status: afterEvent(row.status, isInbound ? "inbound" : "outbound_confirmed"),
    ...(isInbound
      ? { lastInboundAt: latest(row.lastInboundAt, message.date), awayUntil: null }
      : { lastOutboundAt: latest(row.lastOutboundAt, message.date), draftRequest: null }),
    // Something new was said, so there is something to look at again.
    ...(message.date > (lastInteractionOf(row) ?? "") ? { snoozedUntil: null } : {})
  })
  if (isInbound) {
    const subject = { type: "lead", id: leadId }
    const data = { message_id: id, channel: message.channel }
    yield* emit({ type: "message.received", subject, data: { ...data, is_first: isFirst } })
    yield* emit({ type: "lead.replied", subject, data })
    if (optsOut) yield* applyOptOut(leadId, "asked for no further contact")
    yield* (yield* LeadConsequences).onReply(organizationId, leadId)
  }
  return { id, leadId, isNew: true, isFirst, isOptOut: optsOut }
})

/** Moves the status of a lead and emits the change, if any. */
const move = Effect.fnUntraced(function* (leadId: LeadId, event: LeadEvent, reason?: string) {
  const lead = yield* holdLead(leadId)
  const status = afterEvent(lead.row.status, event)
  if (status !== lead.row.status) yield* storeLead(lead, { status }, reason)
})

/** Ends the request for a draft to a held lead, to whom something was written. */
export const endDraftRequest = ({ draftRequest, id }: LeadRow) =>
  draftRequest === null
    ? Effect.void
    : Effect.flatMap(holdLead(id), (lead) => storeLead(lead, { draftRequest: null })).pipe(
        Effect.catchTag("NotFound", () => Effect.void)
      )

/** Moves the status when the queue changes; ignores leads that no longer exist. */
const moveByQueue = (event: LeadEvent) => (leadId: LeadId) =>
  Effect.catchTag(move(leadId, event), "NotFound", () => Effect.void)

/** Something is queued for the lead, or an invitation is open: New becomes Waiting. */
export const markWaiting = moveByQueue("outbound_waiting")

/** Everything queued for the lead was cancelled: Waiting becomes New. */
export const clearWaiting = moveByQueue("nothing_waiting")

/**
 * Opts a lead out: sets DoNotContact, suppresses all its identifiers and cancels its drafts and queue items. `reason` is
 * stored with the suppression. Fails with NOT_FOUND.
 */
export const applyOptOut = (leadId: LeadId, reason: string) => move(leadId, "opt_out", reason)

const optional = Schema.optionalKey

/** How far other clocks may be ahead of ours, in milliseconds. */
const clockSkew = 300_000

const optOutWarning =
  "The message asks for no further contact: the lead is now suppressed, and what waited for it is cancelled."

/** `lead.message.record`: records a message sent or received elsewhere. */
export const RecordLeadMessage = Command.make({
  id: "lead.message.record",
  title: "Record a message",
  summary: "Record a message that was sent or received elsewhere",
  description:
    "Adds the message to the conversation and updates the status as if the service had seen it: inbound moves the " +
    "lead to Replied, outbound to Contacted, forwards only. An inbound message cancels follow-ups and returns approved drafts and " +
    "queued emails to review; one that asks for no further contact in plain words permanently suppresses the lead. Recording the same " +
    "external_id on a channel again changes nothing. Nothing is sent.",
  whenToUse: "For conversations in a mail client, the LinkedIn app or another tool.",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    lead_id: leadIdField,
    channel: MessageChannel.annotate({ description: "Channel of the message: EMAIL or LINKEDIN" }),
    direction: Schema.Literals(["inbound", "outbound"]).annotate({
      description: "inbound: from the lead; outbound: from you"
    }),
    content: nonEmptyBody(20_000, "The text, at most 20,000 characters"),
    date: optional(dateTime("When it was sent, with UTC offset; default now")),
    sender_name: optional(line(200, "Name of the sender, for display")),
    external_id: optional(nonEmptyLine(500, "Id of the message in its original system, to store it only once"))
  }),
  output: Schema.Struct({ message_id: Schema.String, lead_id: Schema.String }),
  failures: [NotFound],
  riskNotes: [
    "Adds one message and updates the lead's status; sends nothing.",
    "An inbound opt-out sets DoNotContact, which only lead.suppression.lift undoes."
  ],
  outputNotes: ["For a known external_id, the id of the stored message."],
  relatedCommands: ["lead.timeline", "lead.get", "lead.status.set"],
  relatedResources: ["svc://prospects/{id}", "svc://inbox"],
  examples: [
    {
      title: "A reply by email",
      input: {
        lead_id: "ld_SAMPLE00000000000000000001",
        channel: "EMAIL",
        direction: "inbound",
        content: "Thank you, Thursday at ten suits me.",
        external_id: "mail-20260131-0001"
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ channel, content, date, direction, external_id, lead_id, sender_name }) {
    const at = yield* now
    if (date !== undefined && Date.parse(date) > Date.parse(at) + clockSkew) {
      const message = "date: is in the future. Send the date of the message, or leave it out."
      return yield* new InvalidInput({ message })
    }
    const { id, isFirst, isNew, isOptOut, leadId } = yield* recordOnce({
      leadId: lead_id,
      channel,
      direction,
      content,
      date: date ?? at,
      senderName: sender_name || null,
      externalId: external_id ?? null
    })
    if (isNew && direction === "outbound") {
      const data = { message_id: id, channel, is_first: isFirst }
      yield* emit({ type: "message.sent", subject: { type: "lead", id: leadId }, data })
    }
    if (isOptOut) yield* warn(optOutWarning)
    return { message_id: id, lead_id: leadId }
  })
})
