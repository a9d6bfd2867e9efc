/**
 * Suppressing a lead, an identifier or a domain, and lifting it: the only way out of DoNotContact.
 *
 * A permanently suppressed lead enters DoNotContact; with an expiry its status stays, and only unsent messages are taken
 * back.
 */

import * as Effect from "effect/Effect"
import { Actor, emit, warn } from "../../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import { type LeadId, now } from "../../kernel/schema/IdsAndTime.ts"
import { LeadSuppressed } from "../failures.ts"
import { identityKey } from "../identity/Identity.ts"
import { type ReferenceFields, readReference } from "../identity/IdentityInput.ts"
import type { LeadRow } from "../Lead.ts"
import { resolveOne } from "../LeadBatch.ts"
import { LeadConsequences, storeLead } from "../LeadConsequences.ts"
import type { LeadStatus } from "../LeadStatus.ts"
import type { StoredLead } from "../LeadsRepo.ts"
import { type AddedSuppressions, type LiftedSuppressions, PrivacyRepo } from "../privacy/PrivacyRepo.ts"
import { clearWaiting } from "../recordMessage.ts"
import {
  entriesOfLead,
  entriesOfStatus,
  erasedReason,
  isActive,
  leadSuppressed,
  type Suppressible,
  type Suppression,
  type SuppressionRow,
  suppressionOf
} from "./Suppression.ts"

/** Reason and expiry; null means permanent. */
interface Terms {
  readonly reason: string
  readonly until: string | null
}

const shown = Effect.fnUntraced(function* ({ rows }: AddedSuppressions, { until }: Terms) {
  const suppression = suppressionOf(rows)
  if (suppression === undefined) return yield* Effect.die("nothing was suppressed")
  if (suppression.until !== until) {
    yield* warn("Already suppressed for longer; it stays so, with the existing reason.")
  }
  return suppression
})

/** Announces that an identifier without a lead is suppressed. */
const identifierSuppressed = (kind: string, until: string | null) =>
  emit({ type: "lead.suppressed", subject: { type: "suppression", id: kind }, data: { until } })

/** Fails with INVALID_INPUT for an expiry in the past. */
const checkEnd = Effect.fnUntraced(function* (until: string | null, at: string) {
  if (until === null || until > at) return
  const message = "until: is in the past. Send a future time, or omit it for a permanent suppression."
  return yield* new InvalidInput({ message })
})

/** Announces the suppression of one lead and applies its consequences. */
const takeEffect = Effect.fnUntraced(function* (lead: StoredLead, { reason, until }: Terms) {
  const { id, organizationId, status } = lead.row
  if (until === null && status !== "DoNotContact") {
    yield* storeLead(lead, { status: "DoNotContact" }, reason)
    return
  }
  yield* emit(leadSuppressed(id, until))
  if (until === null) return
  const isIdle = yield* (yield* LeadConsequences).onStatus(organizationId, id, "Withdraw", "lead_suppressed")
  if (isIdle) yield* clearWaiting(id)
})

/** Whom a call names: a domain, or else a person by the fields of a lead. */
interface Target {
  readonly domain: string | undefined
  readonly fields: ReferenceFields
}

/** What a target says, and the leads that match; a domain means all email addresses of it and its subdomains. */
const findTarget = Effect.fnUntraced(function* ({ domain, fields }: Target) {
  const { organizationId } = yield* Actor
  if (domain !== undefined) {
    const given: ReadonlyArray<Suppressible> = [{ kind: "domain", value: domain }]
    return { organizationId, given, named: undefined, leadId: undefined, leads: [], suppressions: [] }
  }
  const reference = yield* readReference(fields)
  const found = yield* resolveOne(organizationId, reference)
  return { organizationId, given: reference.identities, named: reference.leadId, ...found }
})

/**
 * Suppresses the leads that match, with all their identifiers, and the given identifiers themselves, which may belong to
 * nobody yet. Longer suppressions stay. Fails with NOT_FOUND (lead id), LEAD_SUPPRESSED (erased) and like `readReference`.
 */
export const suppress = Effect.fnUntraced(function* (target: Target, terms: Terms) {
  const at = yield* now
  yield* checkEnd(terms.until, at)
  const { given, leadId, leads, named, organizationId, suppressions } = yield* findTarget(target)
  if (named !== undefined && leadId === undefined) return yield* new NotFound({ kind: "lead", id: named })
  // Nothing of an erased person is stored again.
  if (leads.length === 0 && suppressions.some(({ entry }) => entry.kind === "erased")) {
    const message = "The person was erased and is blocked already. Check it with lead.suppression.check."
    return yield* new LeadSuppressed({ message })
  }
  const entry = { ...terms, createdAt: at }
  const rows = new Map<string, SuppressionRow>()
  for (const one of given) {
    rows.set(identityKey(one), { organizationId, kind: one.kind, value: one.value, leadId: null, ...entry })
  }
  for (const { identities, row } of leads) {
    const all = [...identities, ...(leads.length === 1 ? given : [])]
    for (const one of entriesOfLead(row, all, entry)) rows.set(identityKey(one), one)
  }
  const added = yield* (yield* PrivacyRepo).addSuppressions(organizationId, [...rows.values()])
  for (const lead of leads) {
    const isNew = added.written > 0 || (terms.until === null && lead.row.status !== "DoNotContact")
    if (isNew) yield* takeEffect(lead, terms)
  }
  if (leads.length === 0 && added.written > 0) yield* identifierSuppressed(given[0]?.kind ?? "unknown", terms.until)
  return yield* shown(added, terms)
})

/** The status after DoNotContact, derived from the messages. */
const statusFromMessages = ({ lastInboundAt, lastOutboundAt }: LeadRow): LeadStatus =>
  lastInboundAt !== null ? "Replied" : lastOutboundAt !== null ? "Contacted" : "New"

const nothing = (): NotFound =>
  new NotFound({
    kind: "suppression",
    message: "No suppression matches. Look it up with lead.suppression.check, or list svc://suppressions."
  })

/** What was lifted, as one suppression. For an erasure, only the identifiers that the caller sent are known. */
const liftedOf = (
  { rows, tombstones }: LiftedSuppressions,
  given: ReadonlyArray<Suppressible>,
  at: string
): Suppression | undefined => {
  if (tombstones === 0) return suppressionOf(rows)
  const identifiers = given.map(({ kind, value }) => ({ kind, value }))
  return suppressionOf(rows) ?? { lead_id: null, identifiers, reason: erasedReason, until: null, created_at: at }
}

/** Announces that a suppression was lifted; without a lead, that of an identifier. */
const unsuppressed = (leadId: LeadId | undefined, kinds: ReadonlyArray<string>) => {
  const subject = leadId === undefined ? { type: "suppression", id: kinds[0] ?? "" } : { type: "lead", id: leadId }
  return emit({ type: "lead.unsuppressed", subject, data: { kinds } })
}

/** Warns of what still suppresses a lead, such as the domain of its email address. */
const warnOfRest = Effect.fnUntraced(function* ({ row }: StoredLead, at: string) {
  const rest = yield* (yield* PrivacyRepo).findSuppressions(row.organizationId, [{ kind: "lead", value: row.id }])
  for (const kind of new Set(rest.filter(({ entry }) => isActive(entry, at)).map(({ entry }) => entry.kind))) {
    yield* warn(
      `Lead ${row.id} is still suppressed by an entry of kind ${kind}; lift that too if the lead may be contacted.`
    )
  }
})

/**
 * Lifts the suppression of a lead with all its identifiers, or of an identifier without a lead, including tombstones, or of a domain. Fails
 * with NOT_FOUND when nothing is suppressed, and like `readReference`.
 */
export const lift = Effect.fnUntraced(function* (target: Target, reason: string) {
  const at = yield* now
  const { given, leads, named, organizationId } = yield* findTarget(target)
  const held = [...given, ...leads.flatMap((lead) => lead.identities)]
  const identities = held.flatMap(
    (one): ReadonlyArray<Suppressible> => (one.kind === "email" ? [one, { kind: "bounced", value: one.value }] : [one])
  )
  const own = leads.map(({ row }): Suppressible => ({ kind: "lead", value: row.id }))
  const repo = yield* PrivacyRepo
  const ids = leads.length === 0 ? [named] : leads.map(({ row }) => row.id)
  let lifted: LiftedSuppressions = { rows: [], tombstones: 0 }
  for (const leadId of ids) {
    const more = yield* repo.liftSuppressions(organizationId, [...identities, ...own], leadId)
    lifted = { rows: [...lifted.rows, ...more.rows], tombstones: lifted.tombstones + more.tombstones }
  }
  const blocked = leads.filter(({ row }) => row.status === "DoNotContact")
  const suppression =
    liftedOf(lifted, given, at) ??
    suppressionOf(blocked.slice(0, 1).flatMap(({ row }) => entriesOfStatus(row, []))) ??
    (yield* nothing())
  for (const lead of blocked) yield* storeLead(lead, { status: statusFromMessages(lead.row) }, reason)
  const kinds = [...new Set(suppression.identifiers.map(({ kind }) => kind))]
  if (leads.length === 0) yield* unsuppressed(undefined, kinds)
  for (const lead of leads) {
    yield* unsuppressed(lead.row.id, kinds)
    yield* warnOfRest(lead, at)
  }
  return suppression
})
