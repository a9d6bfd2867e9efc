/** Leads, their identities, statuses and suppressions: the public names of the room. */

export { looseKeyOf } from "../kernel/schema/Email.ts"
export {
  type DuplicateGroup,
  DuplicateReason,
  DuplicatesRepo,
  groupPosition,
  minPhoneDigits,
  shownDuplicates
} from "./duplicates/DuplicatesRepo.ts"
export * from "./failures.ts"
export {
  type ConversationEntry,
  conversationPosition,
  LeadHistoryRepo,
  type LeadNote,
  type TimelineEntry,
  timelineOmittedTypes,
  timelinePosition,
  type UnansweredLead,
  unansweredPosition
} from "./history/LeadHistoryRepo.ts"
export { compareText, type Identity, type IdentityKind, identityKey, sortIdentities } from "./identity/Identity.ts"
export { memberIdentity, memberIdOf, normalizeMemberId, readToken, tokenKindOf } from "./identity/MemberToken.ts"
export { normalizeSlug, profileUrl } from "./identity/profileSlug.ts"
export { contentFields, emptyContent, Lead, type LeadContent, type LeadRow } from "./Lead.ts"
export { leadBriefOf } from "./LeadBrief.ts"
export { LeadLinksRepo, type LinkVerdict, summarizeVerdicts } from "./LeadLinksRepo.ts"
export type { LeadIdentityRow, LeadMessageRow, LeadMissionRow } from "./LeadRecords.ts"
export {
  anyLead,
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
  type BatchResolution,
  type LeadBatchChange,
  type LeadChange,
  type LeadMessage,
  type LeadReference,
  type LeadReferences,
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
export { keptEventData, type LeadFile, LeadRecords } from "./privacy/LeadFile.ts"
export { mentions } from "./privacy/mentions.ts"
export { type Erasure, PrivacyRepo } from "./privacy/PrivacyRepo.ts"
export { contactedStatuses, repliedStatuses } from "./statusGroups.ts"
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
  statusReason
} from "./suppression/Suppression.ts"
export { SuppressionsRepo } from "./suppression/SuppressionsRepo.ts"
export { tombstoneHash } from "./suppression/tombstoneHash.ts"
export { KeptReason, UnusedLeads } from "./undo/UnusedLeads.ts"
