/** Leads: what other parts of core may use. */
import { GetLead } from "./commands/GetLead.ts"
import { SearchLeads } from "./commands/SearchLeads.ts"
import { UpsertLead } from "./commands/UpsertLead.ts"
import type { LeadConsequences } from "./LeadConsequences.ts"
import type { LeadsRepo } from "./LeadsRepo.ts"

export { findLead, readLead } from "./findLead.ts"
export { IdentityOptions } from "./IdentityOptions.ts"
export { Lead, type LeadRow } from "./Lead.ts"
export { LeadConsequences } from "./LeadConsequences.ts"
export { LeadUpsertInput, leadIdentifierFields } from "./LeadInput.ts"
export { type LeadEvent, LeadStatus } from "./LeadStatus.ts"
export { LeadsRepo, type LeadView, type StoredLead } from "./LeadsRepo.ts"
export { compactLead, leadOf } from "./leadOf.ts"
export { contextOf, ProspectContext } from "./ProspectContext.ts"
export { readLeadItem } from "./readLeadItem.ts"
export { applyStatusEvent, type NewMessage, recordMessage } from "./recordMessage.ts"
export { type Upserted, type UpsertOptions, upsertLead } from "./upsertLead.ts"

/** What writing leads needs beside actor, execution and ids. */
export type LeadNeeds = LeadsRepo | LeadConsequences

/** The commands of this domain. */
export const commands = [UpsertLead, GetLead, SearchLeads] as const

/** Leads have no REST endpoints of their own; `POST /missions/{handle}/leads` belongs to imports. */
export const restCommands = [] as const
