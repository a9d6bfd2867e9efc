/** Drafts, transmission, conversations and the provider port: the public names of the room. */

export { briefTexts, leadTexts } from "./check/checkMessage.ts"
export type { FactRecords } from "./check/references.ts"
export { InboundReceiver } from "./conversations/InboundReceiver.ts"
export type { PollNeeds } from "./conversations/pollInboxes.ts"
export {
  type CheckFacts,
  type CheckRequest,
  type ComparedText,
  comparedDrafts,
  type DraftFilter,
  DraftsRepo,
  type DraftView,
  newView,
  othersThan
} from "./DraftsRepo.ts"
export type { DispatchNeeds } from "./dispatchKind.ts"
export type { DraftStep, EvidenceItem } from "./Evidence.ts"
export * from "./failures.ts"
export { DraftQueueState, type DraftReview, DraftStatus, noReview, type ReviewNote } from "./LinkedInDraft.ts"
export * as LinkedInPorts from "./LinkedInPorts.ts"
export type { AccountHold, AccountPace, PaceFacts } from "./pacing/Pacing.ts"
export type { LimitOverrides, SendAttempt, UsageAction } from "./pacing/UsageLimits.ts"
export {
  type AccountHolder,
  AccountsRepo,
  type AccountUse,
  type AgentAccount,
  type InboxPoll
} from "./provider/AccountsRepo.ts"
export type { ProviderAnswer, ProviderBody } from "./provider/http/ProviderCall.ts"
export { AccountStatus, type LeadRelation, type LinkedInAccount, LinkedInTier } from "./provider/LinkedInAccount.ts"
export {
  type FoundPerson,
  type Gateway,
  LinkedInGateway,
  manualGatewayLayer,
  type PeoplePage,
  sendingOnly
} from "./provider/LinkedInGateway.ts"
export { alreadyLinked, linkedElsewhere, notAtProvider, usesAgentIds } from "./provider/linkAccount.ts"
export type * from "./provider/ProviderReads.ts"
export { type QueueReason, reasonTable } from "./reasons.ts"
export { type Hold, type HoldReason, SendingHold, type SendingState, SendOptions } from "./SendOptions.ts"
export {
  type DraftRow,
  type EmailRow,
  type Invitation,
  InvitationState,
  isOfKind,
  type Message,
  type Transmission,
  type TransmissionId,
  type TransmissionView
} from "./Transmission.ts"
export {
  type AccountFacts,
  type AccountUsage,
  type Due,
  type TakeRequest,
  type TransmissionFilter,
  TransmissionsRepo
} from "./TransmissionsRepo.ts"
