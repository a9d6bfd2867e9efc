/** Leads, their identities, statuses and suppressions: the public names of the room. */

export { missionBriefOf as leadBriefOf } from "../missions/Mission.ts"

export * as ActionsWorker from "./ActionsWorker.ts"
export * as FollowUpsWorker from "./FollowUpsWorker.ts"
export * from "./failures.ts"
export type {
  FollowUp,
  FollowUpContext,
  FollowUpFacts,
  MissionOfFollowUps,
  NextFollowUp,
  PlannedFollowUp
} from "./followUp.ts"
export * from "./history/LeadHistory.ts"
export { type Identity, type IdentityKind, identityKey, sortIdentities } from "./identity/Identity.ts"

export {
  type ColumnField,
  columnFields,
  contentOf,
  type DraftRequest,
  type FieldSource,
  KeptReason,
  type LeadContent,
  type LeadIdentityRow,
  type LeadMessageRow,
  type LeadMissionRow,
  type LeadRow,
  searchedText
} from "./Lead.ts"
export { LeadFieldsRepo, type LeadSetup } from "./LeadFieldsRepo.ts"
export { LeadStatus } from "./LeadStatus.ts"
export {
  type LeadChange,
  type LeadLinks,
  type LeadMessage,
  type LeadReference,
  type LeadReferences,
  type LeadResolution,
  LeadsRepo,
  type LeadView,
  type LinkVerdict,
  type MissionOfLead,
  type Resolution,
  type StoredLead,
  summarizeVerdicts
} from "./LeadsRepo.ts"
export { type LeadLabel, labelsOf } from "./ownFields.ts"
export { type Documents, documentsNaming, withDocuments } from "./privacy/documents.ts"
export { eraseExpired } from "./privacy/LeadRetention.ts"
export { mentions } from "./privacy/mentions.ts"
export { type Erasure, keptEventData, type LeadFile, LeadRecords, PrivacyRepo } from "./privacy/PrivacyRepo.ts"
export {
  type Suppressible,
  type SuppressionEntry,
  type SuppressionKind,
  type SuppressionMatch,
  type SuppressionRow,
  statusReason,
  tombstoneHash
} from "./suppression/Suppression.ts"
