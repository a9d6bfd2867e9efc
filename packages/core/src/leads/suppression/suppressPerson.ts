/**
 * Suppressing a lead, an identifier or a domain.
 *
 * A permanently suppressed lead enters DoNotContact; with an expiry its status stays, and only unsent messages are taken
 * back.
 */

import * as Effect from "effect/Effect"
import { Actor, type Execution, emit, warn } from "../../kernel/command/Execution.ts"
import { InvalidInput, NotFound, type StoreFailure } from "../../kernel/failure/failures.ts"
import { changedAt, now } from "../../kernel/schema/IdsAndTime.ts"
import type { LeadSuppressed, ReferenceRefusal } from "../failures.ts"
import { identityKey, sortIdentities } from "../identity/Identity.ts"
import { resolveOne } from "../LeadBatch.ts"
import { LeadConsequences } from "../LeadConsequences.ts"
import { LeadsRepo, type StoredLead } from "../LeadsRepo.ts"
import { type AddedSuppressions, PrivacyRepo } from "../privacy/PrivacyRepo.ts"
import { type ReferenceFields, readReference } from "../readReference.ts"
import { clearWaiting } from "../recordMessage.ts"
import { announceStatus } from "../storeLead.ts"
import { entriesOfLead, type Suppression, type SuppressionRow, suppressionOf } from "./Suppression.ts"
import { identifierSuppressed, leadSuppressed } from "./suppressionEvents.ts"

type Needs = Actor | Execution | LeadsRepo | LeadConsequences | PrivacyRepo

/** Reason and expiry; null means permanent. */
interface Terms {
  readonly reason: string
  readonly until: string | null
}

const shown = Effect.fnUntraced(function* ({ rows }: AddedSuppressions, { until }: Terms) {
  const [first, ...rest] = rows
  if (first === undefined) return yield* Effect.die("nothing was suppressed")
  const suppression = suppressionOf([first, ...rest])
  if (suppression.until !== until) {
    yield* warn("Already suppressed for longer; it stays so, with the existing reason.")
  }
  return suppression
})

/** Fails with INVALID_INPUT for an expiry in the past. */
const checkEnd = (until: string | null, at: string): Effect.Effect<void, InvalidInput> =>
  until !== null && until <= at
    ? Effect.fail(
        new InvalidInput({
          message: "until: is in the past. Send a future time, or omit it for a permanent suppression."
        })
      )
    : Effect.void

/** Announces the suppression of one lead and applies its consequences. */
const takeEffect = Effect.fnUntraced(function* ({ row: before }: StoredLead, { reason, until }: Terms, at: string) {
  const { id, organizationId, status } = before
  yield* emit(leadSuppressed(id, until))
  if (until !== null) {
    const consequences = { cancelQueueItems: true, cancelDrafts: false, suppress: false }
    const isIdle = yield* (yield* LeadConsequences).onStatus(organizationId, id, consequences, "lead_suppressed")
    if (isIdle) yield* clearWaiting(id)
    return
  }
  if (status === "DoNotContact") return
  const row = { ...before, status: "DoNotContact" as const, updatedAt: changedAt(before.updatedAt, at) }
  yield* (yield* LeadsRepo).write({ organizationId, rows: [row] })
  yield* announceStatus(status, row, reason)
})

/**
 * Suppresses the leads that match, with all their identifiers, and the given identifiers themselves, which may belong to
 * nobody yet. Longer suppressions stay. Fails with NOT_FOUND (lead id) and like `readReference`.
 */
export const suppressPerson = Effect.fnUntraced(function* (
  fields: ReferenceFields,
  terms: Terms
): Effect.fn.Return<Suppression, ReferenceRefusal | StoreFailure | LeadSuppressed | NotFound, Needs> {
  const { organizationId } = yield* Actor
  const at = yield* now
  yield* checkEnd(terms.until, at)
  const reference = yield* readReference(fields)
  const { leadId, leads } = yield* resolveOne(organizationId, reference)
  if (reference.leadId !== undefined && leadId === undefined)
    return yield* new NotFound({ kind: "lead", id: reference.leadId })
  const entry = { ...terms, createdAt: at }
  const rows = new Map<string, SuppressionRow>()
  for (const one of reference.identities) {
    rows.set(identityKey(one), { organizationId, kind: one.kind, value: one.value, leadId: null, ...entry })
  }
  for (const { identities, row } of leads) {
    const all = sortIdentities([...identities, ...(leads.length === 1 ? reference.identities : [])])
    for (const one of entriesOfLead(row, all, entry)) rows.set(identityKey(one), one)
  }
  const added = yield* (yield* PrivacyRepo).addSuppressions(organizationId, [...rows.values()])
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

/** Suppresses all email addresses of a domain and its subdomains. */
export const suppressDomain = Effect.fnUntraced(function* (
  domain: string,
  terms: Terms
): Effect.fn.Return<Suppression, StoreFailure | InvalidInput, Needs> {
  const { organizationId } = yield* Actor
  const at = yield* now
  yield* checkEnd(terms.until, at)
  const row: SuppressionRow = { organizationId, kind: "domain", value: domain, leadId: null, ...terms, createdAt: at }
  const added = yield* (yield* PrivacyRepo).addSuppressions(organizationId, [row])
  if (added.written > 0) yield* emit(identifierSuppressed("domain", terms.until))
  return yield* shown(added, terms)
})
