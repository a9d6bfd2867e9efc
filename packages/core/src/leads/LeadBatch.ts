/**
 * The leads of a list of items, kept in memory between one lookup and one write, so that each item sees the changes of the
 * items before it as if those were already stored. The decisions are made in `planUpsert`.
 */

import * as Effect from "effect/Effect"
import type { OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { compareText, type Identity, identityKey, without } from "./identity/Identity.ts"
import type { LeadIdentityRow } from "./Lead.ts"
import {
  type LeadChange,
  type LeadReference,
  type LeadReferences,
  type LeadResolution,
  LeadsRepo,
  type Resolution,
  type StoredLead
} from "./LeadsRepo.ts"
import type { UpsertPlan } from "./planUpsert.ts"
import { type SuppressionMatch, type SuppressionRow, suppressionEntry } from "./suppression/Suppression.ts"

/** What several references name. */
export const referencesOf = (references: ReadonlyArray<LeadReference>): LeadReferences => {
  const identities = new Map<string, Identity>()
  const leadIds = new Set<string>()
  const missions = new Set<string>()
  for (const reference of references) {
    for (const identity of reference.identities) identities.set(identityKey(identity), identity)
    if (reference.leadId !== undefined) leadIds.add(reference.leadId)
    if (reference.mission !== undefined) missions.add(reference.mission)
  }
  return { identities: [...identities.values()], leadIds: [...leadIds], missions: [...missions] }
}

/** Resolves one reference and locks what it names; see `LeadsRepo`. */
export const resolveOne = (organizationId: OrganizationId, reference: LeadReference) =>
  Effect.flatMap(LeadsRepo, (repo) =>
    Effect.map(repo.resolve(organizationId, referencesOf([reference])), (found) => new LeadBatch(found).find(reference))
  )

/** What nothing resolves to. */
export const emptyResolution: LeadResolution = {
  leads: [],
  leadIds: new Map(),
  missions: new Map(),
  suppressions: [],
  busy: new Set()
}

/** The leads of one list. */
export class LeadBatch {
  readonly #found: LeadResolution
  readonly #leads = new Map<string, StoredLead>()
  readonly #holders = new Map<string, LeadIdentityRow>()
  /** The stored holder of every identifier that was moved; undefined where nobody held it. */
  readonly #before = new Map<string, LeadIdentityRow | undefined>()
  readonly #created = new Set<string>()
  readonly #changed = new Set<string>()
  readonly #suppressions = new Map<string, Array<SuppressionMatch>>()
  #links: Array<NonNullable<UpsertPlan["link"]>> = []
  #suppressed: Array<SuppressionRow> = []

  constructor(found: LeadResolution) {
    this.#found = found
    for (const match of found.suppressions) this.#addSuppression(match)
    for (const lead of found.leads) {
      this.#leads.set(lead.row.id, lead)
      for (const identity of lead.identities) {
        this.#holders.set(identityKey(identity), { ...identity, leadId: lead.row.id })
      }
    }
  }

  /** Whether another transaction holds what the reference names. */
  isBusy({ identities, leadId }: LeadReference): boolean {
    const { busy, leadIds } = this.#found
    if (busy.size === 0) return false
    return identities.some((one) => busy.has(identityKey(one))) || busy.has(leadIds.get(leadId ?? "") ?? "")
  }

  /** Resolves a reference, taking the items so far into account. */
  find({ identities, leadId: given, mission }: LeadReference): Resolution {
    const leadId = given === undefined ? undefined : this.#found.leadIds.get(given)
    const ids: Array<string> = leadId === undefined ? [] : [leadId]
    for (const identity of identities) {
      const id = this.#holders.get(identityKey(identity))?.leadId
      if (id !== undefined && !ids.includes(id)) ids.push(id)
    }
    return {
      leadId,
      leads: ids.sort(compareText).flatMap((id) => this.#leads.get(id) ?? []),
      mission: mission === undefined ? undefined : this.#found.missions.get(mission),
      suppressions: identities.flatMap((identity) => this.#suppressions.get(identityKey(identity)) ?? [])
    }
  }

  /** Applies the changes of one item. */
  apply({ before, held, link, released, result, rows, suppressed }: UpsertPlan): void {
    for (const identity of released) this.#transfer(identityKey(identity), undefined)
    for (const identity of held) this.#transfer(identityKey(identity), identity)
    if (before === undefined) this.#created.add(result.row.id)
    for (const row of rows) {
      if (!this.#created.has(row.id)) this.#changed.add(row.id)
      const known = this.#leads.get(row.id)
      if (known !== undefined) this.#leads.set(row.id, { ...known, row })
    }
    this.#leads.set(result.row.id, suppressed.length === 0 ? result : this.#suppress(result, suppressed))
    if (link !== undefined) this.#links.push(link)
  }

  /** Makes new suppressions visible to the items that follow. */
  #suppress(lead: StoredLead, rows: ReadonlyArray<SuppressionRow>): StoredLead {
    this.#suppressed.push(...rows)
    const matches = rows.map((row) => ({ kind: row.kind, value: row.value, entry: suppressionEntry(row) }))
    for (const match of matches) this.#addSuppression(match)
    return { ...lead, suppressions: [...lead.suppressions, ...matches.map(({ entry }) => entry)] }
  }

  #addSuppression(match: SuppressionMatch): void {
    const key = identityKey(match)
    this.#suppressions.set(key, [...(this.#suppressions.get(key) ?? []), match])
  }

  #transfer(key: string, to: LeadIdentityRow | undefined): void {
    const from = this.#holders.get(key)
    if (!this.#before.has(key)) this.#before.set(key, from)
    const giver = from && this.#leads.get(from.leadId)
    if (from !== undefined && giver !== undefined) {
      this.#leads.set(from.leadId, { ...giver, identities: without(giver.identities, [from]) })
    }
    if (to === undefined) this.#holders.delete(key)
    else this.#holders.set(key, to)
  }

  /** The changes since the last call, for one write; undefined when nothing changed. */
  takeChange(organizationId: OrganizationId): LeadChange | undefined {
    const held: Array<LeadIdentityRow> = []
    const released: Array<LeadIdentityRow> = []
    // Sorted, so that two transactions with the same people take identifiers in the same order and never deadlock.
    for (const key of [...this.#before.keys()].sort()) {
      const before = this.#before.get(key)
      const now = this.#holders.get(key)
      if (before?.leadId === now?.leadId && before?.derived === now?.derived) continue
      if (before !== undefined) released.push(before)
      if (now !== undefined) held.push(now)
    }
    const rowsOf = (ids: Iterable<string>) => [...ids].flatMap((id) => this.#leads.get(id)?.row ?? [])
    const created = rowsOf(this.#created)
    const rows = rowsOf(this.#changed)
    const links = this.#links
    const suppressed = this.#suppressed
    this.#before.clear()
    this.#created.clear()
    this.#changed.clear()
    this.#links = []
    this.#suppressed = []
    const isEmpty = [created, rows, released, held, links, suppressed].every(({ length }) => length === 0)
    return isEmpty ? undefined : { organizationId, created, rows, released, held, links, suppressed }
  }
}
