/** Recording messages of a lead and moving its status, for other domains. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Actor } from "../kernel/command/Actor.ts"
import { type Execution, emit } from "../kernel/command/Execution.ts"
import type { Failure } from "../kernel/failure/Failure.ts"
import { InvalidInput, type NotFound, type StoreFailure } from "../kernel/failure/failures.ts"
import { Ids } from "../kernel/schema/Ids.ts"
import type { LeadId } from "../kernel/schema/RecordIds.ts"
import { holdLead } from "./holdLead.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import type { LeadMessageRow } from "./LeadRecords.ts"
import { afterEvent, type LeadStatus } from "./LeadStatus.ts"
import { LeadsRepo } from "./LeadsRepo.ts"
import { isOptOut } from "./optOut/isOptOut.ts"
import { storeLead } from "./storeLead.ts"

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
    if (optsOut) yield* applyOptOut(leadId, "asked for no further contact")
    yield* (yield* LeadConsequences).onReply(organizationId, leadId)
  }
  return { id, leadId, isNew: true, isFirst, isOptOut: optsOut }
})

/** Like {@link recordOnce}; returns the message's id. */
export const recordMessage = (
  message: NewMessage
): Effect.Effect<
  string,
  StoreFailure | InvalidInput | NotFound,
  Actor | Execution | Ids | LeadsRepo | LeadConsequences
> => Effect.map(recordOnce(message), ({ id }) => id)

/** Moves the status of a lead and emits the change, if any. */
const move = Effect.fnUntraced(function* <F extends Failure>(
  leadId: LeadId,
  to: (from: LeadStatus) => Result.Result<LeadStatus, F>,
  reason?: string
) {
  const lead = yield* holdLead(leadId)
  const status = yield* Effect.fromResult(to(lead.row.status))
  if (status !== lead.row.status) yield* storeLead(lead, { status }, reason)
})

/** Moves the status when the queue changes; ignores leads that are suppressed or no longer exist. */
const moveByQueue = (event: "outbound_waiting" | "nothing_waiting") => (leadId: LeadId) =>
  Effect.catchTag(
    move(leadId, (from) => afterEvent(from, event)),
    ["LeadSuppressed", "NotFound"],
    () => Effect.void
  )

/** Something is queued for the lead, or an invitation is open: New becomes Waiting. */
export const markWaiting = moveByQueue("outbound_waiting")

/** Everything queued for the lead was cancelled: Waiting becomes New. */
export const clearWaiting = moveByQueue("nothing_waiting")

/**
 * Opts a lead out: sets DoNotContact, suppresses all its identifiers and cancels its drafts and queue items. `reason` is
 * stored with the suppression. Fails with NOT_FOUND.
 */
export const applyOptOut = (leadId: LeadId, reason: string) =>
  move(leadId, (from) => afterEvent(from, "opt_out"), reason)
