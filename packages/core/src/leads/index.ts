/** Leads: what other parts of core may use. */
import { AddLeadNote } from "./commands/AddLeadNote.ts"
import { AddLeadsToMission } from "./commands/AddLeadsToMission.ts"
import { CheckSuppressions } from "./commands/CheckSuppressions.ts"
import { EraseLead } from "./commands/EraseLead.ts"
import { ExplainScore } from "./commands/ExplainScore.ts"
import { ExportLead } from "./commands/ExportLead.ts"
import { GetLead } from "./commands/GetLead.ts"
import { LiftSuppression } from "./commands/LiftSuppression.ts"
import { ListDuplicates } from "./commands/ListDuplicates.ts"
import { ListNextActions } from "./commands/ListNextActions.ts"
import { MergeLeads } from "./commands/MergeLeads.ts"
import { ReadLeadTimeline } from "./commands/ReadLeadTimeline.ts"
import { RecordLeadMessage } from "./commands/RecordLeadMessage.ts"
import { RemoveLeadsFromMission } from "./commands/RemoveLeadsFromMission.ts"
import { SearchLeads } from "./commands/SearchLeads.ts"
import { SetLeadStatus } from "./commands/SetLeadStatus.ts"
import { SuppressLead } from "./commands/SuppressLead.ts"
import { UpsertLead } from "./commands/UpsertLead.ts"
import type { LeadConsequences } from "./LeadConsequences.ts"
import type { LeadsRepo } from "./LeadsRepo.ts"
import { restCommands as leadRestCommands } from "./rest.ts"
import { RestListMissionLeads } from "./restMissionLeads.ts"

export { findLead, readLead } from "./findLead.ts"
export { LeadHistoryRepo } from "./history/LeadHistoryRepo.ts"
export { holdLead } from "./holdLead.ts"
export { IdentityOptions } from "./IdentityOptions.ts"
export { Lead, type LeadRow } from "./Lead.ts"
export { LeadConsequences } from "./LeadConsequences.ts"
export { LeadUpsertInput, leadIdentifierFields, leadIdField } from "./LeadInput.ts"
export { type LeadEvent, LeadStatus } from "./LeadStatus.ts"
export { LeadsRepo, type LeadView, type StoredLead } from "./LeadsRepo.ts"
export { compactLead, leadOf } from "./leadOf.ts"
export { contextOf, ProspectContext } from "./ProspectContext.ts"
export type { MeantLead } from "./planUpsert.ts"
export { readLeadItem } from "./readLeadItem.ts"
export { applyOptOut, applyStatusEvent, type NewMessage, recordMessage, recordOnce } from "./recordMessage.ts"
export { type SuppressionEntry, strongest } from "./suppression/Suppression.ts"
export { SuppressionsRepo } from "./suppression/SuppressionsRepo.ts"
export { type Upserted, type UpsertOptions, upsertLead } from "./upsertLead.ts"
export { type MeantLeadReader, meantLeadReader, type UpsertedRow, upsertLeads } from "./upsertLeads.ts"

/** What writing leads needs beside actor, execution and ids. */
export type LeadNeeds = LeadsRepo | LeadConsequences

/** The commands of this domain. */
export const commands = [
  UpsertLead,
  GetLead,
  SearchLeads,
  SetLeadStatus,
  AddLeadNote,
  ReadLeadTimeline,
  RecordLeadMessage,
  AddLeadsToMission,
  RemoveLeadsFromMission,
  ListDuplicates,
  MergeLeads,
  ExplainScore,
  SuppressLead,
  LiftSuppression,
  CheckSuppressions,
  ExportLead,
  EraseLead,
  ListNextActions
] as const

/** The REST operations of this domain. */
export const restCommands = [...leadRestCommands, RestListMissionLeads] as const
