/** Schema of leads: people, their identifiers, and suppressions. */
import type { SchemaPart } from "../SchemaPart.ts"
import { actionRank } from "./action_rank.function.ts"
import { addRecency } from "./add_recency.function.ts"
import { domainsAbove } from "./domains_above.function.ts"
import { eraseLead } from "./erase_lead.function.ts"
import { findLeads } from "./find_leads.function.ts"
import { keepRecency } from "./keep_recency.function.ts"
import { keptData } from "./kept_data.function.ts"
import { leadDocuments } from "./lead_documents.function.ts"
import { leadIdentitiesIndexes } from "./lead_identities.indexes.ts"
import { leadIdentitiesTable } from "./lead_identities.table.ts"
import { leadIds } from "./lead_ids.function.ts"
import { leadMessagesIndexes } from "./lead_messages.indexes.ts"
import { leadMessagesTable } from "./lead_messages.table.ts"
import { leadMissionsIndexes } from "./lead_missions.indexes.ts"
import { leadMissionsTable } from "./lead_missions.table.ts"
import { leadNotesIndexes } from "./lead_notes.indexes.ts"
import { leadNotesTable } from "./lead_notes.table.ts"
import { leadRecencyTable } from "./lead_recency.table.ts"
import { leadRecords } from "./lead_records.function.ts"
import { leadsIndexes } from "./leads.indexes.ts"
import { leadsTable } from "./leads.table.ts"
import { leadsMeant } from "./leads_meant.function.ts"
import { literal } from "./literal.function.ts"
import { mayName } from "./may_name.function.ts"
import { resolveLeads } from "./resolve_leads.function.ts"
import { suppressionEntry } from "./suppression_entry.function.ts"
import { suppressionsIndexes } from "./suppressions.indexes.ts"
import { suppressionsTable } from "./suppressions.table.ts"
import { suppressionsOf } from "./suppressions_of.function.ts"
import { suppressionsOfLead } from "./suppressions_of_lead.function.ts"
import { tombstonesIndexes } from "./tombstones.indexes.ts"
import { tombstonesTable } from "./tombstones.table.ts"
import { writeLeads } from "./write_leads.function.ts"

/** Leads, identifiers, messages, notes, suppressions, tombstones. */
export const leadsSchema: SchemaPart = {
  tables: [
    leadsTable,
    leadRecencyTable,
    leadIdentitiesTable,
    leadMissionsTable,
    leadMessagesTable,
    leadNotesTable,
    suppressionsTable,
    tombstonesTable
  ],
  indexes: [
    leadsIndexes,
    leadIdentitiesIndexes,
    leadMissionsIndexes,
    leadMessagesIndexes,
    leadNotesIndexes,
    suppressionsIndexes,
    tombstonesIndexes
  ],
  functions: [
    addRecency,
    keepRecency,
    domainsAbove,
    suppressionEntry,
    suppressionsOfLead,
    suppressionsOf,
    leadDocuments,
    leadsMeant,
    resolveLeads,
    writeLeads,
    findLeads,
    leadIds,
    leadRecords,
    keptData,
    literal,
    mayName,
    eraseLead,
    actionRank
  ]
}
