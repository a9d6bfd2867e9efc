/** Leads, their identities, statuses and suppressions: the public names of the room. */

export { looseKeyOf } from "../kernel/schema/Email.ts"
export * from "./failures.ts"
export * from "./history/LeadHistory.ts"
export {
  compareText,
  type Identity,
  type IdentityKind,
  identityKey,
  memberIdOf,
  normalizeMemberId,
  sortIdentities,
  tokenKindOf
} from "./identity/Identity.ts"
export { normalizeSlug, profileUrl } from "./identity/LinkedInProfile.ts"
export {
  type ColumnField,
  columnFields,
  contentOf,
  emptyContent,
  type FieldSource,
  KeptReason,
  Lead,
  type LeadContent,
  type LeadIdentityRow,
  type LeadMessageRow,
  type LeadMissionRow,
  type LeadRow,
  leadBriefOf,
  searchedFields,
  searchedText
} from "./Lead.ts"
export { contactedStatuses, LeadStatus, repliedStatuses } from "./LeadStatus.ts"
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
  maxMessagesRead,
  oldestFirst,
  type Resolution,
  type StoredLead,
  summarizeVerdicts
} from "./LeadsRepo.ts"
export { compactLead } from "./leadOf.ts"
export { ActionKind, nextAction, openDraftAt, staleSince } from "./NextAction.ts"
export { mentions } from "./privacy/mentions.ts"
export { type Erasure, keptEventData, type LeadFile, LeadRecords, PrivacyRepo } from "./privacy/PrivacyRepo.ts"
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
