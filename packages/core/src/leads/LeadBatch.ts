/**
 * The leads of a batch of rows, kept in memory between one lookup and one write, so that each row sees the changes of the
 * rows before it as if those were already stored. The decisions are made in `planUpsert`.
 */
import type { OrganizationId } from "../kernel/schema/RecordIds.ts"
import { compareText, type Identity, identityKey } from "./identity/Identity.ts"
import type { LeadRow } from "./Lead.ts"
import type { LeadIdentityRow } from "./LeadRecords.ts"
import type { BatchResolution, LeadBatchChange, LeadReferences, Resolution, StoredLead } from "./LeadsRepo.ts"
import type { UpsertPlan } from "./planUpsert.ts"
import type { Reference } from "./readReference.ts"
import type { SuppressionMatch, SuppressionRow } from "./suppression/Suppression.ts"

/** The references of many rows, each identifier once. */
export const referencesOf = (references: ReadonlyArray<Reference>, mission?: string | undefined): LeadReferences => {
  const identities = new Map<string, Identity>()
  const leadIds = new Set<string>()
  for (const reference of references) {
    for (const identity of reference.identities) identities.set(identityKey(identity), identity)
    if (reference.leadId !== undefined) leadIds.add(reference.leadId)
  }
  return { identities: [...identities.values()], leadIds: [...leadIds], mission }
}

/** The leads of one batch. */
export class LeadBatch {
  readonly #mission: BatchResolution["mission"]
  readonly #leadIds: ReadonlyMap<string, string>
  readonly #leads = new Map<string, StoredLead>()
  readonly #holders = new Map<string, LeadIdentityRow>()
  /** The stored holder of every identifier that was moved; undefined where nobody held it. */
  readonly #before = new Map<string, LeadIdentityRow | undefined>()
  readonly #created = new Set<string>()
  readonly #changed = new Set<string>()
  #linked: Array<string> = []
  readonly #suppressions = new Map<string, Array<SuppressionMatch>>()
  #suppressed: Array<SuppressionRow> = []
  #linkedAt = ""

  constructor({ leadIds, leads, mission, suppressions }: BatchResolution) {
    for (const match of suppressions) this.#addSuppression(match)
    this.#mission = mission
    this.#leadIds = leadIds
    for (const lead of leads) {
      this.#leads.set(lead.row.id, lead)
      for (const identity of lead.identities) {
        this.#holders.set(identityKey(identity), { ...identity, leadId: lead.row.id })
      }
    }
  }

  /** Resolves a reference, taking the rows so far into account. */
  find({ identities, leadId: given }: Reference): Resolution {
    const leadId = given === undefined ? undefined : this.#leadIds.get(given)
    const ids: Array<string> = leadId === undefined ? [] : [leadId]
    for (const identity of identities) {
      const id = this.#holders.get(identityKey(identity))?.leadId
      if (id !== undefined && !ids.includes(id)) ids.push(id)
    }
    const leads = ids.sort(compareText).flatMap((id) => this.#leads.get(id) ?? [])
    const suppressions =
      this.#suppressions.size === 0
        ? []
        : identities.flatMap((identity) => this.#suppressions.get(identityKey(identity)) ?? [])
    return { leadId, leads, mission: this.#mission, suppressions }
  }

  /** Applies the changes of one row. */
  apply({ change, held, link, released, result, rows, suppressed }: UpsertPlan): void {
    const { id } = result.row
    this.#leads.set(id, suppressed.length === 0 ? result : this.#suppress(result, suppressed))
    if (change === "created") this.#created.add(id)
    else if (rows.length > 0) this.#changed.add(id)
    for (const identity of released) this.#transfer(identityKey(identity), undefined)
    for (const identity of held) this.#transfer(identityKey(identity), identity)
    if (link !== undefined) {
      this.#linked.push(id)
      this.#linkedAt = link.at
    }
  }

  /** Makes new suppressions visible to the rows that follow. */
  #suppress(lead: StoredLead, rows: ReadonlyArray<SuppressionRow>): StoredLead {
    this.#suppressed.push(...rows)
    const matches = rows.map(
      ({ createdAt, kind, leadId, reason, until, value }): SuppressionMatch => ({
        kind,
        value,
        entry: { kind, reason, until, leadId, createdAt }
      })
    )
    for (const match of matches) this.#addSuppression(match)
    return { ...lead, suppressions: [...lead.suppressions, ...matches.map(({ entry }) => entry)] }
  }

  #addSuppression(match: SuppressionMatch): void {
    const key = `${match.kind}:${match.value}`
    const known = this.#suppressions.get(key)
    if (known === undefined) this.#suppressions.set(key, [match])
    else known.push(match)
  }

  #transfer(key: string, to: LeadIdentityRow | undefined): void {
    const from = this.#holders.get(key)
    if (!this.#before.has(key)) this.#before.set(key, from)
    if (to === undefined) this.#holders.delete(key)
    else this.#holders.set(key, to)
  }

  /** The changes since the last call, for one write; undefined when nothing changed. */
  takeChange(organizationId: OrganizationId): LeadBatchChange | undefined {
    const added: Array<LeadIdentityRow> = []
    const moved: Array<LeadIdentityRow> = []
    const released: Array<LeadIdentityRow> = []
    // Sorted, so that two imports of the same people lock identifiers in the same order and never deadlock.
    for (const key of [...this.#before.keys()].sort()) {
      const before = this.#before.get(key)
      const now = this.#holders.get(key)
      if (now === undefined) {
        if (before !== undefined) released.push(before)
      } else if (before === undefined) added.push(now)
      else if (before.leadId !== now.leadId || before.derived !== now.derived) moved.push(now)
    }
    const rowsOf = (ids: ReadonlyArray<string>): ReadonlyArray<LeadRow> =>
      ids.flatMap((id) => this.#leads.get(id)?.row ?? [])
    const created = rowsOf([...this.#created])
    const changed = rowsOf([...this.#changed].filter((id) => !this.#created.has(id)))
    const missionId = this.#mission?.id
    const linked =
      missionId === undefined || this.#linked.length === 0
        ? undefined
        : { missionId, leadIds: this.#linked, at: this.#linkedAt }
    const suppressed = this.#suppressed
    this.#before.clear()
    this.#created.clear()
    this.#changed.clear()
    this.#linked = []
    this.#suppressed = []
    const isEmpty = [created, changed, added, moved, released, suppressed].every(({ length }) => length === 0)
    if (isEmpty && linked === undefined) return undefined
    return { organizationId, created, changed, added, moved, released, linked, suppressed }
  }
}
