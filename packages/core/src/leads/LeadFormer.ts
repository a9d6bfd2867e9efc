/** What undoing a change of a lead takes: the values before, and the identifiers that came and went. */
import type { Identity } from "./identity/Identity.ts"
import { contentFields, type LeadContent, type LeadRow } from "./Lead.ts"

/** The part of a lead before a change. */
export interface LeadFormer {
  /** Only those that changed. */
  readonly fields: Partial<LeadContent>
  readonly provenance: LeadRow["provenance"]
  readonly added: ReadonlyArray<Identity>
  readonly removed: ReadonlyArray<Identity>
}

const plain = ({ derived, kind, value }: Identity): Identity => ({ derived, kind, value })

/** What `lead.updated` stores. */
export const leadFormer = (
  before: LeadRow,
  after: LeadContent,
  added: ReadonlyArray<Identity>,
  removed: ReadonlyArray<Identity>
): LeadFormer => ({
  fields: Object.fromEntries(
    contentFields.flatMap((field) => (before[field] === after[field] ? [] : [[field, before[field]]]))
  ),
  provenance: before.provenance,
  added: added.map(plain),
  removed: removed.map(plain)
})
