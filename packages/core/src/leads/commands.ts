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
import { MergeLeads } from "./commands/MergeLeads.ts"
import { ReadLeadTimeline } from "./commands/ReadLeadTimeline.ts"
import { RecordLeadMessage } from "./commands/RecordLeadMessage.ts"
import { RemoveLeadIdentifier } from "./commands/RemoveLeadIdentifier.ts"
import { RemoveLeadsFromMission } from "./commands/RemoveLeadsFromMission.ts"
import { SearchLeads } from "./commands/SearchLeads.ts"
import { SetLeadStatus } from "./commands/SetLeadStatus.ts"
import { SuppressLead } from "./commands/SuppressLead.ts"
import { UpsertLead } from "./commands/UpsertLead.ts"

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
  SuppressLead,
  LiftSuppression,
  CheckSuppressions,
  ExportLead,
  EraseLead
] as const
