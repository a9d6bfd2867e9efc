/**
 * Keeping people from being contacted: a lead, whoever has an identifier, or everybody at a domain.
 *
 * For good, a lead enters DoNotContact; until an instant its status stays and only what waits to be sent is taken back.
 * Source: G11, G43.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../Actor.ts"
import { type Execution, emit, warn } from "../../Execution.ts"
import { type Failure, fail, notFound } from "../../Failure.ts"
import { changedAt, now } from "../../Time.ts"
import { announceStatus } from "../announceStatus.ts"
import { sortIdentities } from "../identity/Identity.ts"
import { LeadConsequences } from "../LeadConsequences.ts"
import { LeadsRepo, type StoredLead } from "../LeadsRepo.ts"
import { type ReferenceFields, readReference } from "../readReference.ts"
import { applyStatusEvent } from "../recordMessage.ts"
import { entriesOfLead, type Suppression, type SuppressionRow, suppressionOf } from "./Suppression.ts"
import { type AddedSuppressions, SuppressionsRepo } from "./SuppressionsRepo.ts"
import { identifierSuppressed, leadSuppressed } from "./suppressionEvents.ts"

type Needs = Actor | Execution | LeadsRepo | LeadConsequences | SuppressionsRepo

/** Why, and until when; null for good. */
export interface Terms {
  readonly reason: string
  readonly until: string | null
}

const shown = Effect.fnUntraced(function* (
  { rows }: AddedSuppressions,
  { until }: Terms
): Effect.fn.Return<Suppression, never, Execution> {
  const [first, ...rest] = rows
  if (first === undefined) return yield* Effect.die("nothing was suppressed")
  const suppression = suppressionOf([first, ...rest])
  if (suppression.until !== until) {
    yield* warn("It is suppressed for longer already, and stays so with the reason it has.")
  }
  return suppression
})

/** Fails with INVALID_INPUT for an end that has passed. */
export const checkEnd = (until: string | null, at: string): Effect.Effect<void, Failure> =>
  until !== null && until <= at
    ? Effect.fail(fail("INVALID_INPUT", "until: has passed. Send an instant to come, or leave it out for good."))
    : Effect.void

/** What follows for one lead whose entries were written. */
const takeEffect = Effect.fnUntraced(function* (
  { row: before }: StoredLead,
  { reason, until }: Terms,
  at: string
): Effect.fn.Return<void, Failure, Needs> {
  const { id, organizationId, status } = before
  yield* emit(leadSuppressed(id, until))
  if (until !== null) {
    const consequences = { cancelQueueItems: true, cancelDrafts: false, suppress: false }
    const isIdle = yield* (yield* LeadConsequences).onStatus(organizationId, id, consequences, "lead_suppressed")
    if (isIdle) yield* applyStatusEvent(id, "nothing_waiting")
    return
  }
  if (status === "DoNotContact") return
  const row = { ...before, status: "DoNotContact" as const, updatedAt: changedAt(before.updatedAt, at) }
  yield* (yield* LeadsRepo).write({ organizationId, rows: [row], held: [], released: [], link: undefined })
  yield* announceStatus(status, row, reason)
})

/**
 * Suppresses the leads that an identifier means, with everything they are known by, and the identifier itself, so that it
 * holds for people who are not known yet. Nothing changes what is suppressed for longer. Fails with NOT_FOUND (lead id)
 * and as `readReference` does.
 */
export const suppressPerson = Effect.fnUntraced(function* (
  fields: ReferenceFields,
  terms: Terms
): Effect.fn.Return<Suppression, Failure, Needs> {
  const { organizationId } = yield* Actor
  const at = yield* now
  yield* checkEnd(terms.until, at)
  const reference = yield* readReference(fields)
  const { leadId, leads } = yield* (yield* LeadsRepo).resolve(organizationId, reference)
  if (reference.leadId !== undefined && leadId === undefined) return yield* notFound("lead", reference.leadId)
  const entry = { ...terms, createdAt: at }
  const rows = new Map<string, SuppressionRow>()
  for (const { kind, value } of reference.identities) {
    rows.set(`${kind}:${value}`, { organizationId, kind, value, leadId: null, ...entry })
  }
  for (const { identities, row } of leads) {
    const all = sortIdentities([...identities, ...(leads.length === 1 ? reference.identities : [])])
    for (const one of entriesOfLead(row, all, entry)) rows.set(`${one.kind}:${one.value}`, one)
  }
  const added = yield* (yield* SuppressionsRepo).add(organizationId, [...rows.values()])
  for (const lead of leads) {
    const isNew = added.written > 0 || (terms.until === null && lead.row.status !== "DoNotContact")
    if (isNew) yield* takeEffect(lead, terms, at)
  }
  if (leads.length === 0 && added.written > 0) {
    const [strongest] = sortIdentities(reference.identities)
    yield* emit(identifierSuppressed(strongest?.kind ?? "unknown", terms.until))
  }
  return yield* shown(added, terms)
})

/** Suppresses everybody whose e-mail address is at a domain or below it. */
export const suppressDomain = Effect.fnUntraced(function* (
  domain: string,
  terms: Terms
): Effect.fn.Return<Suppression, Failure, Needs> {
  const { organizationId } = yield* Actor
  const at = yield* now
  yield* checkEnd(terms.until, at)
  const row: SuppressionRow = { organizationId, kind: "domain", value: domain, leadId: null, ...terms, createdAt: at }
  const added = yield* (yield* SuppressionsRepo).add(organizationId, [row])
  if (added.written > 0) yield* emit(identifierSuppressed("domain", terms.until))
  return yield* shown(added, terms)
})
