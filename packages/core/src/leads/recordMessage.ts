/** What other domains tell of a lead: messages that went either way, and events that move its status. Source: G11, G35. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../Actor.ts"
import { type Execution, emit } from "../Execution.ts"
import { type Failure, notFound } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { changedAt, now } from "../Time.ts"
import { announceStatus } from "./announceStatus.ts"
import type { LeadRow } from "./Lead.ts"
import type { LeadConsequences } from "./LeadConsequences.ts"
import { afterEvent, type LeadEvent } from "./LeadStatus.ts"
import { LeadsRepo } from "./LeadsRepo.ts"
import type { LeadMessageRow } from "./LeadTables.ts"

/** A message that was sent or received. `date` is when; `externalId` the provider's id, null when it gave none. */
export type NewMessage = Omit<LeadMessageRow, "id" | "organizationId">

/** Holds a lead until the transaction ends. Fails with NOT_FOUND. */
const holdLead = Effect.fnUntraced(function* (leadId: string): Effect.fn.Return<LeadRow, Failure, Actor | LeadsRepo> {
  const { organizationId } = yield* Actor
  const { leadId: liveId, leads } = yield* (yield* LeadsRepo).resolve(organizationId, { identities: [], leadId })
  const lead = leads.find(({ row }) => row.id === liveId)
  return lead === undefined ? yield* notFound("lead", leadId.slice(0, 64)) : lead.row
})

const store = Effect.fnUntraced(function* (
  before: LeadRow,
  changes: Partial<Pick<LeadRow, "status" | "lastInboundAt" | "lastOutboundAt">>
): Effect.fn.Return<void, Failure, LeadsRepo | LeadConsequences | Execution> {
  const row = { ...before, ...changes, updatedAt: changedAt(before.updatedAt, yield* now) }
  const { organizationId } = row
  yield* (yield* LeadsRepo).write({ organizationId, rows: [row], held: [], released: [], link: undefined })
  yield* announceStatus(before.status, row)
})

const latest = (known: string | null, date: string): string => (known !== null && known > date ? known : date)

/**
 * Stores a message of a lead and moves its status; answers the message's id. A message that is known by its external id
 * changes nothing. What was really sent is recorded of a lead in DoNotContact too. Fails with NOT_FOUND.
 */
export const recordMessage = Effect.fnUntraced(function* (
  message: NewMessage
): Effect.fn.Return<string, Failure, Actor | Execution | Ids | LeadsRepo | LeadConsequences> {
  const row = yield* holdLead(message.leadId)
  const id = yield* (yield* Ids).next("msg")
  const { organizationId } = row
  const known = yield* (yield* LeadsRepo).addMessage({ ...message, leadId: row.id, id, organizationId })
  if (known !== undefined) return known
  const isInbound = message.direction === "inbound"
  const status = Result.getOrElse(
    afterEvent(row.status, isInbound ? "inbound" : "outbound_confirmed"),
    () => row.status
  )
  yield* store(row, {
    status,
    ...(isInbound
      ? { lastInboundAt: latest(row.lastInboundAt, message.date) }
      : { lastOutboundAt: latest(row.lastOutboundAt, message.date) })
  })
  if (isInbound) {
    const data = { message_id: id, channel: message.channel }
    yield* emit({ type: "lead.replied", subject: { type: "lead", id: row.id }, data })
  }
  return id
})

/**
 * Lets an event move the status of a lead; states the change when there is one. Fails with NOT_FOUND, and with
 * LEAD_SUPPRESSED when the lead must not be contacted and the event says it was.
 */
export const applyStatusEvent = Effect.fnUntraced(function* (
  leadId: string,
  event: LeadEvent
): Effect.fn.Return<void, Failure, Actor | Execution | LeadsRepo | LeadConsequences> {
  const row = yield* holdLead(leadId)
  const status = yield* Effect.fromResult(afterEvent(row.status, event))
  if (status !== row.status) yield* store(row, { status })
})
