/** Drafts, transmission, conversations and the provider port: the public names of the room. */

export { InboundReceiver, layer as inboundReceiverLayer } from "./conversations/InboundReceiver.ts"
export { type PollNeeds, pollInboxes } from "./conversations/pollInboxes.ts"
export { briefTexts, leadTexts } from "./drafts/check/checkMessage.ts"
export type { FactRecords } from "./drafts/check/references.ts"
export type { DraftRow } from "./drafts/DraftRow.ts"
export {
  DraftQueueState,
  type DraftReview,
  DraftStatus,
  isDeferred,
  noReview,
  type ReviewNote
} from "./drafts/DraftStatus.ts"
export {
  type CheckedDraft,
  type CheckFacts,
  type CheckRequest,
  type ComparedText,
  comparedDrafts,
  type DraftFilter,
  DraftsRepo,
  othersThan
} from "./drafts/DraftsRepo.ts"
export { type DraftView, newView } from "./drafts/DraftView.ts"
export type { DraftStep, EvidenceItem } from "./drafts/Evidence.ts"
export { contentHashOf } from "./drafts/LinkedInDraft.ts"
export * from "./failures.ts"
export * as LinkedInPorts from "./LinkedInPorts.ts"
export * as OutreachWorker from "./OutreachWorker.ts"
export {
  type AccountHolder,
  AccountsRepo,
  type AccountUse,
  type AgentAccount,
  type InboxPoll
} from "./provider/AccountsRepo.ts"
export { callProvider, type ProviderAnswer, type ProviderBody, providerHttp } from "./provider/http/ProviderCall.ts"
export {
  httpUrlOrNull,
  jsonOrUndefined,
  namedPerson,
  ProviderId,
  providerInstant,
  rowsOf,
  soft,
  storable
} from "./provider/http/ProviderText.ts"
export type { InboundEvent } from "./provider/InboundEvent.ts"
export { AccountStatus, type LeadRelation, type LinkedInAccount, LinkedInTier } from "./provider/LinkedInAccount.ts"
export {
  type FoundPerson,
  type Gateway,
  LinkedInGateway,
  type PeoplePage,
  sendingOnly
} from "./provider/LinkedInGateway.ts"
export { alreadyLinked, hasSameFacts, linkedElsewhere, notAtProvider, usesAgentIds } from "./provider/linkAccount.ts"
export * as ManualGateway from "./provider/ManualGateway.ts"
export { noAccounts, type ProviderAccounts } from "./provider/ProviderAccounts.ts"
export type {
  ConversationMessage,
  MessagePage,
  MessageQuery,
  NamedPerson,
  NewRelation,
  ProviderReads,
  RelationPage,
  RelationQuery,
  ResolvedProfile
} from "./provider/ProviderReads.ts"
export {
  type Confirmed,
  type Delivery,
  type Recipient,
  type RefusalKind,
  type Refused,
  type Relation,
  type RelationResult,
  refusalKinds,
  type SendResult,
  type Unavailable
} from "./provider/SendResult.ts"
export { WebhookSecret } from "./provider/WebhookToken.ts"
export { dispatchRound, settleUnknown } from "./transmission/dispatchDue.ts"
export type { DispatchNeeds } from "./transmission/dispatchKind.ts"
export { type AccountHold, type AccountPace, freshPace, type PaceFacts } from "./transmission/pacing/Pacing.ts"
export { countedAs, type LimitOverrides, type UsageAction } from "./transmission/pacing/UsageLimits.ts"
export { type QueueReason, reasonTable } from "./transmission/reasons.ts"
export type { SendAttempt } from "./transmission/SendAttempt.ts"
export { type Hold, type HoldReason, SendingHold, type SendingState } from "./transmission/SendingHold.ts"
export { defaultSendOptions, SendOptions, secondsAfter } from "./transmission/SendOptions.ts"
export {
  actionOf,
  type EmailRow,
  type Invitation,
  InvitationState,
  isLive,
  type Message,
  type Transmission,
  type TransmissionId
} from "./transmission/Transmission.ts"
export {
  type AccountFacts,
  type AccountUsage,
  type Due,
  type TakeRequest,
  type TransmissionFilter,
  TransmissionsRepo
} from "./transmission/TransmissionsRepo.ts"
export { isOfKind, type TransmissionView } from "./transmission/TransmissionView.ts"
