/** Leads, their identities, statuses and suppressions: the public names of the room. */

export {
  type DuplicateGroup,
  DuplicateReason,
  type Duplicates,
  groupPosition,
  shownDuplicates
} from "./duplicates/Duplicates.ts"
export * from "./failures.ts"
export {
  type ConversationEntry,
  conversationPosition,
  type LeadHistory,
  type LeadNote,
  type TimelineEntry,
  timelineOmittedTypes,
  timelinePosition,
  type UnansweredLead,
  unansweredPosition
} from "./history/LeadHistory.ts"
export { type Identity, type IdentityKind, identityKey, sortIdentities } from "./identity/Identity.ts"

export { memberIdentity, readToken } from "./identity/MemberToken.ts"
export {
  type ColumnField,
  columnFields,
  type FieldSource,
  type LeadContent,
  type LeadRow,
  searchedText
} from "./Lead.ts"
export { type LeadLinks, type LinkVerdict, summarizeVerdicts } from "./LeadLinks.ts"
export {
  KeptReason,
  type LeadIdentityRow,
  type LeadMessageRow,
  type LeadMissionRow,
  leadBriefOf
} from "./LeadRecords.ts"
export {
  type LeadFilter,
  type LeadPage,
  type LeadSort,
  type ListedLead,
  maxTotal,
  positionOf,
  type RelationFilter
} from "./LeadSearch.ts"
export { LeadStatus } from "./LeadStatus.ts"
export {
  type LeadChange,
  type LeadMessage,
  type LeadReference,
  type LeadReferences,
  type LeadResolution,
  LeadsRepo,
  type LeadView,
  type MissionOfLead,
  type Resolution,
  type StoredLead
} from "./LeadsRepo.ts"

export { type Erasure, keptEventData, type LeadFile, LeadRecords } from "./privacy/LeadFile.ts"
export { mentions } from "./privacy/mentions.ts"
export { PrivacyRepo } from "./privacy/PrivacyRepo.ts"
export {
  type Suppressible,
  type SuppressionEntry,
  type SuppressionKind,
  type SuppressionMatch,
  type SuppressionRow,
  statusReason,
  tombstoneHash
} from "./suppression/Suppression.ts"
