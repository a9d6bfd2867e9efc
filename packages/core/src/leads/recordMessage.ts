/** What other domains tell of a lead: messages that went either way, and events that move its status. Source: G11, G35. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Actor } from "../Actor.ts"
import { type Execution, emit } from "../Execution.ts"
import { type Failure, fail } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { holdLead } from "./holdLead.ts"
import type { LeadConsequences } from "./LeadConsequences.ts"
import { afterEvent, type LeadEvent } from "./LeadStatus.ts"
import { LeadsRepo } from "./LeadsRepo.ts"
import type { LeadMessageRow } from "./LeadTables.ts"
import { storeLead } from "./storeLead.ts"

/** A message that was sent or received. `date` is when; `externalId` the provider's id, null when it gave none. */
export type NewMessage = Omit<LeadMessageRow, "id" | "organizationId">

const latest = (known: string | null, date: string): string => (known !== null && known > date ? known : date)

/** A message as it is stored. `isNew` is false for one that was known by its external id. */
export interface RecordedMessage {
  readonly id: string
  readonly leadId: string
  readonly isNew: boolean
  /** Whether nothing went in this direction before. */
  readonly isFirst: boolean
}

/**
 * Stores a message of a lead and moves its status. A message that is known by its external id changes nothing. What was
 * really sent is recorded of a lead in DoNotContact too. Fails with NOT_FOUND, and with INVALID_INPUT when the external id
 * is that of a message of another lead.
 */
export const recordOnce = Effect.fnUntraced(function* (
  message: NewMessage
): Effect.fn.Return<RecordedMessage, Failure, Actor | Execution | Ids | LeadsRepo | LeadConsequences> {
  const lead = yield* holdLead(message.leadId)
  const { row } = lead
  const id = yield* (yield* Ids).next("msg")
  const { id: leadId, organizationId } = row
  const isInbound = message.direction === "inbound"
  const isFirst = (isInbound ? row.lastInboundAt : row.lastOutboundAt) === null
  const known = yield* (yield* LeadsRepo).addMessage({ ...message, leadId, id, organizationId })
  if (known !== undefined && known.leadId !== leadId) {
    return yield* fail(
      "INVALID_INPUT",
      `external_id: is that of a message of lead ${known.leadId}. Give every message an id of its own.`
    )
  }
  if (known !== undefined) return { id: known.id, leadId, isNew: false, isFirst: false }
  const status = Result.getOrElse(
    afterEvent(row.status, isInbound ? "inbound" : "outbound_confirmed"),
    () => row.status
  )
  yield* storeLead(lead, {
    status,
    ...(isInbound
      ? { lastInboundAt: latest(row.lastInboundAt, message.date) }
      : { lastOutboundAt: latest(row.lastOutboundAt, message.date) })
  })
  if (isInbound) {
    const subject = { type: "lead", id: leadId }
    const data = { message_id: id, channel: message.channel }
    yield* emit({ type: "message.received", subject, data: { ...data, is_first: isFirst } })
    yield* emit({ type: "lead.replied", subject, data })
  }
  return { id, leadId, isNew: true, isFirst }
})

/** As {@link recordOnce}; answers the message's id. */
export const recordMessage = (
  message: NewMessage
): Effect.Effect<string, Failure, Actor | Execution | Ids | LeadsRepo | LeadConsequences> =>
  Effect.map(recordOnce(message), ({ id }) => id)

/**
 * Lets an event move the status of a lead; states the change when there is one. Fails with NOT_FOUND, and with
 * LEAD_SUPPRESSED when the lead must not be contacted and the event says it was.
 */
export const applyStatusEvent = Effect.fnUntraced(function* (
  leadId: string,
  event: LeadEvent
): Effect.fn.Return<void, Failure, Actor | Execution | LeadsRepo | LeadConsequences> {
  const lead = yield* holdLead(leadId)
  const status = yield* Effect.fromResult(afterEvent(lead.row.status, event))
  if (status !== lead.row.status) yield* storeLead(lead, { status })
})

/**
 * The lead asked for no further contact: it enters DoNotContact with everything it is known by, and what is drafted or
 * queued for it is cancelled. `reason` is kept with the suppression. Fails with NOT_FOUND.
 */
export const applyOptOut = Effect.fnUntraced(function* (
  leadId: string,
  reason: string
): Effect.fn.Return<void, Failure, Actor | Execution | LeadsRepo | LeadConsequences> {
  const lead = yield* holdLead(leadId)
  const status = yield* Effect.fromResult(afterEvent(lead.row.status, "opt_out"))
  if (status !== lead.row.status) yield* storeLead(lead, { status }, reason)
})
