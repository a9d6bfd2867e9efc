/**
 * Letting people be contacted again. The only way out of DoNotContact. Source: G11, G43.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../Actor.ts"
import { type Execution, emit, warn } from "../../Execution.ts"
import { type Failure, fail } from "../../Failure.ts"
import { changedAt, now } from "../../Time.ts"
import { announceStatus } from "../announceStatus.ts"
import type { LeadRow } from "../Lead.ts"
import type { LeadConsequences } from "../LeadConsequences.ts"
import type { LeadStatus } from "../LeadStatus.ts"
import { LeadsRepo, type StoredLead } from "../LeadsRepo.ts"
import { type ReferenceFields, readReference } from "../readReference.ts"
import {
  erasedReason,
  isActive,
  type Suppressible,
  type Suppression,
  type SuppressionRow,
  statusReason,
  suppressionOf
} from "./Suppression.ts"
import { type LiftedSuppressions, SuppressionsRepo } from "./SuppressionsRepo.ts"
import { unsuppressed } from "./suppressionEvents.ts"

type Needs = Actor | Execution | LeadsRepo | LeadConsequences | SuppressionsRepo

/** Where a lead stands that comes back from DoNotContact: what its messages tell. */
export const statusFromMessages = ({ lastInboundAt, lastOutboundAt }: LeadRow): LeadStatus =>
  lastInboundAt !== null ? "Replied" : lastOutboundAt !== null ? "Contacted" : "New"

const nothing = (): Failure =>
  fail(
    "NOT_FOUND",
    "Nothing is suppressed by this. Look it up with lead.suppression.check, or list svc://suppressions."
  )

/** What was lifted, as one. Of an erasure only the identifiers that the caller named can be shown. */
const shown = (
  { rows, tombstones }: LiftedSuppressions,
  given: ReadonlyArray<Suppressible>,
  at: string
): Suppression | undefined => {
  const [first, ...rest] = rows
  if (first !== undefined) return suppressionOf([first, ...rest])
  if (tombstones === 0) return undefined
  const identifiers = given.map(({ kind, value }) => ({ kind, value }))
  return { lead_id: null, identifiers, reason: erasedReason, until: null, created_at: at }
}

const release = Effect.fnUntraced(function* (
  { row: before }: StoredLead,
  reason: string,
  at: string
): Effect.fn.Return<void, Failure, Needs> {
  if (before.status !== "DoNotContact") return
  const { organizationId } = before
  const row = { ...before, status: statusFromMessages(before), updatedAt: changedAt(before.updatedAt, at) }
  yield* (yield* LeadsRepo).write({ organizationId, rows: [row], held: [], released: [], link: undefined })
  yield* announceStatus("DoNotContact", row, reason)
})

/** Says what blocks a lead still, such as the domain of its e-mail address. */
const warnOfRest = Effect.fnUntraced(function* (
  { row }: StoredLead,
  at: string
): Effect.fn.Return<void, Failure, Needs> {
  const rest = yield* (yield* SuppressionsRepo).ofLead(row.organizationId, row.id)
  for (const kind of new Set(rest.filter((entry) => isActive(entry, at)).map((entry) => entry.kind))) {
    yield* warn(`Lead ${row.id} is still suppressed by an entry of kind ${kind}; lift that too if it may be contacted.`)
  }
})

/**
 * Lifts what suppresses a person: the lead with everything it is known by, or an identifier that no lead has, tombstones
 * included. Fails with NOT_FOUND when nothing is suppressed, and as `readReference` does.
 */
export const liftPerson = Effect.fnUntraced(function* (
  fields: ReferenceFields,
  reason: string
): Effect.fn.Return<Suppression, Failure, Needs> {
  const { organizationId } = yield* Actor
  const at = yield* now
  const reference = yield* readReference(fields)
  const { leads } = yield* (yield* LeadsRepo).resolve(organizationId, reference)
  const named = [...reference.identities, ...leads.flatMap(({ identities }) => identities)]
  const own = leads.map(({ row }): Suppressible => ({ kind: "lead", value: row.id }))
  const repo = yield* SuppressionsRepo
  const ids = leads.length === 0 ? [reference.leadId] : leads.map(({ row }) => row.id)
  let lifted: LiftedSuppressions = { rows: [], tombstones: 0 }
  for (const leadId of ids) {
    const more = yield* repo.lift(organizationId, [...named, ...own], leadId)
    lifted = { rows: [...lifted.rows, ...more.rows], tombstones: lifted.tombstones + more.tombstones }
  }
  const blocked = leads.filter(({ row }) => row.status === "DoNotContact")
  const [first] = blocked
  const suppression =
    shown(lifted, reference.identities, at) ??
    (first === undefined ? yield* nothing() : suppressionOf([ofStatus(first)]))
  for (const lead of blocked) yield* release(lead, reason, at)
  const kinds = [...new Set(suppression.identifiers.map(({ kind }) => kind))]
  if (leads.length === 0) yield* emit(unsuppressed(undefined, kinds))
  for (const lead of leads) {
    yield* emit(unsuppressed(lead.row.id, kinds))
    yield* warnOfRest(lead, at)
  }
  return suppression
})

/** What a lead in DoNotContact says of which no entry was kept. */
const ofStatus = ({ row: { id, organizationId, updatedAt } }: StoredLead): SuppressionRow => ({
  organizationId,
  kind: "lead",
  value: id,
  leadId: id,
  reason: statusReason,
  until: null,
  createdAt: updatedAt
})

/** Lifts the entry of a domain. Fails with NOT_FOUND when there is none. */
export const liftDomain = Effect.fnUntraced(function* (domain: string): Effect.fn.Return<Suppression, Failure, Needs> {
  const { organizationId } = yield* Actor
  const given: Suppressible = { kind: "domain", value: domain }
  const lifted = yield* (yield* SuppressionsRepo).lift(organizationId, [given], undefined)
  const suppression = shown(lifted, [given], yield* now) ?? (yield* nothing())
  yield* emit(unsuppressed(undefined, ["domain"]))
  return suppression
})
