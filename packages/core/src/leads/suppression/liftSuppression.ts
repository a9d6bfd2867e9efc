/** Lifting suppressions: the only way out of DoNotContact. */

import * as Effect from "effect/Effect"
import { Actor, type Execution, emit, warn } from "../../kernel/command/Execution.ts"
import { NotFound, type StoreFailure } from "../../kernel/failure/failures.ts"
import { changedAt, now } from "../../kernel/schema/IdsAndTime.ts"
import type { ReferenceRefusal } from "../failures.ts"
import type { LeadRow } from "../Lead.ts"
import { resolveOne } from "../LeadBatch.ts"
import type { LeadConsequences } from "../LeadConsequences.ts"
import type { LeadStatus } from "../LeadStatus.ts"
import { LeadsRepo, type StoredLead } from "../LeadsRepo.ts"
import { type LiftedSuppressions, PrivacyRepo } from "../privacy/PrivacyRepo.ts"
import { type ReferenceFields, readReference } from "../readReference.ts"
import { announceStatus } from "../storeLead.ts"
import {
  erasedReason,
  isActive,
  type Suppressible,
  type Suppression,
  type SuppressionRow,
  statusReason,
  suppressionOf
} from "./Suppression.ts"
import { unsuppressed } from "./suppressionEvents.ts"

type Needs = Actor | Execution | LeadsRepo | LeadConsequences | PrivacyRepo

/** The status after DoNotContact, derived from the messages. */
const statusFromMessages = ({ lastInboundAt, lastOutboundAt }: LeadRow): LeadStatus =>
  lastInboundAt !== null ? "Replied" : lastOutboundAt !== null ? "Contacted" : "New"

const nothing = (): NotFound =>
  new NotFound({
    kind: "suppression",
    message: "No suppression matches. Look it up with lead.suppression.check, or list svc://suppressions."
  })

/** What was lifted, as one suppression. For an erasure, only the identifiers that the caller sent are known. */
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

const release = Effect.fnUntraced(function* ({ row: before }: StoredLead, reason: string, at: string) {
  if (before.status !== "DoNotContact") return
  const { organizationId } = before
  const row = { ...before, status: statusFromMessages(before), updatedAt: changedAt(before.updatedAt, at) }
  yield* (yield* LeadsRepo).write({ organizationId, rows: [row] })
  yield* announceStatus("DoNotContact", row, reason)
})

/** Warns of what still suppresses a lead, such as the domain of its email address. */
const warnOfRest = Effect.fnUntraced(function* ({ row }: StoredLead, at: string) {
  const rest = yield* (yield* PrivacyRepo).suppressionsOfLead(row.organizationId, row.id)
  for (const kind of new Set(rest.filter((entry) => isActive(entry, at)).map((entry) => entry.kind))) {
    yield* warn(
      `Lead ${row.id} is still suppressed by an entry of kind ${kind}; lift that too if the lead may be contacted.`
    )
  }
})

/**
 * Lifts the suppression of a lead with all its identifiers, or of an identifier without a lead, including tombstones. Fails
 * with NOT_FOUND when nothing is suppressed, and like `readReference`.
 */
export const liftPerson = Effect.fnUntraced(function* (
  fields: ReferenceFields,
  reason: string
): Effect.fn.Return<Suppression, ReferenceRefusal | StoreFailure | NotFound, Needs> {
  const { organizationId } = yield* Actor
  const at = yield* now
  const reference = yield* readReference(fields)
  const { leads } = yield* resolveOne(organizationId, reference)
  const named = [...reference.identities, ...leads.flatMap(({ identities }) => identities)]
  const own = leads.map(({ row }): Suppressible => ({ kind: "lead", value: row.id }))
  const repo = yield* PrivacyRepo
  const ids = leads.length === 0 ? [reference.leadId] : leads.map(({ row }) => row.id)
  let lifted: LiftedSuppressions = { rows: [], tombstones: 0 }
  for (const leadId of ids) {
    const more = yield* repo.liftSuppressions(organizationId, [...named, ...own], leadId)
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

/** Stands in for the missing entry of a lead in DoNotContact. */
const ofStatus = ({ row: { id, organizationId, updatedAt } }: StoredLead): SuppressionRow => ({
  organizationId,
  kind: "lead",
  value: id,
  leadId: id,
  reason: statusReason,
  until: null,
  createdAt: updatedAt
})

/** Lifts the suppression of a domain. Fails with NOT_FOUND. */
export const liftDomain = Effect.fnUntraced(function* (
  domain: string
): Effect.fn.Return<Suppression, StoreFailure | NotFound, Needs> {
  const { organizationId } = yield* Actor
  const given: Suppressible = { kind: "domain", value: domain }
  const lifted = yield* (yield* PrivacyRepo).liftSuppressions(organizationId, [given], undefined)
  const suppression = shown(lifted, [given], yield* now) ?? (yield* nothing())
  yield* emit(unsuppressed(undefined, ["domain"]))
  return suppression
})
