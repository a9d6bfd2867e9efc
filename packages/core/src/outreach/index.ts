/** Drafts, transmission, conversations and the provider port: the public names of the room. */

export { InboundReceiver } from "./conversations/InboundReceiver.ts"
export type { PollNeeds } from "./conversations/pollInboxes.ts"
export { briefTexts, leadTexts } from "./drafts/check/checkMessage.ts"
export type { FactRecords } from "./drafts/check/references.ts"
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
} from "./drafts/DraftsRepo.ts"
export type { DraftStep, EvidenceItem } from "./drafts/Evidence.ts"
export { DraftQueueState, type DraftReview, DraftStatus, noReview, type ReviewNote } from "./drafts/LinkedInDraft.ts"
export * from "./failures.ts"
export * as LinkedInPorts from "./LinkedInPorts.ts"

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
export type {
  Confirmed,
  ConversationMessage,
  Delivery,
  InboundEvent,
  MessagePage,
  MessageQuery,
  NamedPerson,
  NewRelation,
  ProviderAccounts,
  ProviderReads,
  Recipient,
  RefusalKind,
  Refused,
  Relation,
  RelationPage,
  RelationQuery,
  RelationResult,
  ResolvedProfile,
  SendResult,
  Unavailable
} from "./provider/ProviderReads.ts"
export type { DispatchNeeds } from "./transmission/dispatchKind.ts"
export type { AccountHold, AccountPace, PaceFacts } from "./transmission/pacing/Pacing.ts"
export type { LimitOverrides, SendAttempt, UsageAction } from "./transmission/pacing/UsageLimits.ts"
export { type QueueReason, reasonTable } from "./transmission/reasons.ts"
export { type Hold, type HoldReason, SendingHold, type SendingState, SendOptions } from "./transmission/SendOptions.ts"
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
} from "./transmission/Transmission.ts"
export {
  type AccountFacts,
  type AccountUsage,
  type Due,
  type TakeRequest,
  type TransmissionFilter,
  TransmissionsRepo
} from "./transmission/TransmissionsRepo.ts"
