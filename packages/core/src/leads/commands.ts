/** Leads: what other parts of core may use. */

import { EraseLead, ExportLead, MergeLeads, RemoveLeadIdentifier } from "./commands/identity.ts"
import { ListLeadFields, SetLeadField } from "./commands/ownFields.ts"
import { ExplainScore, GetLead, ListDuplicates, ReadLeadTimeline } from "./commands/readLeads.ts"
import { SearchLeads } from "./commands/SearchLeads.ts"
import { ListLeadFilters, SaveLeadFilter } from "./commands/savedFilters.ts"
import { CheckSuppressions, LiftSuppression, SuppressLead } from "./commands/suppression.ts"
import { AddLeadNote, SetLeadStatus, UpsertLead } from "./commands/writeLeads.ts"
import { AddLeadsToMission, RemoveLeadsFromMission } from "./linkLeads.ts"
import { RecordLeadMessage } from "./recordMessage.ts"

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
  RemoveLeadIdentifier,
  MergeLeads,
  ExplainScore,
  SetLeadField,
  ListLeadFields,
  SaveLeadFilter,
  ListLeadFilters,
  SuppressLead,
  LiftSuppression,
  CheckSuppressions,
  ExportLead,
  EraseLead
] as const
