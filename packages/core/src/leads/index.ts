/** Leads, their identities, statuses and suppressions: the public names of the room. */

export { looseKeyOf } from "../kernel/schema/Email.ts"
export {
  type DuplicateGroup,
  DuplicateReason,
  type Duplicates,
  groupPosition,
  minPhoneDigits,
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
export { compareText, type Identity, type IdentityKind, identityKey, sortIdentities } from "./identity/Identity.ts"
export { normalizeSlug, profileUrl } from "./identity/LinkedInProfile.ts"
export { memberIdentity, memberIdOf, normalizeMemberId, readToken, tokenKindOf } from "./identity/MemberToken.ts"
export {
  type ColumnField,
  columnFields,
  contentOf,
  emptyContent,
  type FieldSource,
  Lead,
  type LeadContent,
  type LeadRow,
  searchedFields,
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
export { contactedStatuses, LeadStatus, repliedStatuses } from "./LeadStatus.ts"
export {
  type LeadChange,
  type LeadMessage,
  type LeadReference,
  type LeadReferences,
  type LeadResolution,
  LeadsRepo,
  type LeadView,
  type MissionOfLead,
  maxMessagesRead,
  oldestFirst,
  type Resolution,
  type StoredLead
} from "./LeadsRepo.ts"
export { compactLead } from "./leadOf.ts"
export { ActionKind, nextAction, openDraftAt, staleSince } from "./NextAction.ts"
export { type Erasure, keptEventData, type LeadFile, LeadRecords } from "./privacy/LeadFile.ts"
export { mentions } from "./privacy/mentions.ts"
export { PrivacyRepo } from "./privacy/PrivacyRepo.ts"
export {
  activeSuppression,
  domainsOf,
  erasedReason,
  longestFirst,
  type Suppressible,
  type SuppressionEntry,
  type SuppressionKind,
  type SuppressionMatch,
  type SuppressionRow,
  statusReason,
  suppressionEntry,
  tombstoneHash
} from "./suppression/Suppression.ts"
