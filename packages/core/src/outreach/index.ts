/** Drafts, transmission, conversations and the provider port: the public names of the room. */

export { InboundReceiver, layer as inboundReceiverLayer } from "./conversations/InboundReceiver.ts"
export { type PollNeeds, pollInboxes } from "./conversations/pollInboxes.ts"
export { briefTexts, leadTexts } from "./drafts/check/checkMessage.ts"
export type { FactRecords } from "./drafts/check/references.ts"
export * from "./drafts/DraftsRepo.ts"
export type { DraftStep, EvidenceItem } from "./drafts/Evidence.ts"
export {
  contentHashOf,
  DraftQueueState,
  type DraftReview,
  DraftStatus,
  isDeferred,
  noReview,
  type ReviewNote
} from "./drafts/LinkedInDraft.ts"
export * from "./failures.ts"
export * as LinkedInPorts from "./LinkedInPorts.ts"
export { dispatchRound, outreachWorkerLayer, settleUnknown } from "./OutreachWorker.ts"
export {
  type AccountHolder,
  AccountsRepo,
  type AccountUse,
  type AgentAccount,
  type InboxPoll
} from "./provider/AccountsRepo.ts"
export { callProvider, type ProviderAnswer, type ProviderBody, providerHttp } from "./provider/http/ProviderCall.ts"
export * from "./provider/http/ProviderText.ts"
export {
  AccountStatus,
  type LeadRelation,
  type LinkedInAccount,
  LinkedInTier,
  WebhookSecret
} from "./provider/LinkedInAccount.ts"
export * from "./provider/LinkedInGateway.ts"
export { alreadyLinked, hasSameFacts, linkedElsewhere, notAtProvider, usesAgentIds } from "./provider/linkAccount.ts"
export {
  type Confirmed,
  type ConversationMessage,
  type Delivery,
  type InboundEvent,
  type MessagePage,
  type MessageQuery,
  type NamedPerson,
  type NewRelation,
  noAccounts,
  type ProviderAccounts,
  type ProviderReads,
  type Recipient,
  type RefusalKind,
  type Refused,
  type Relation,
  type RelationPage,
  type RelationQuery,
  type RelationResult,
  type ResolvedProfile,
  refusalKinds,
  type SendResult,
  type Unavailable
} from "./provider/ProviderReads.ts"
export type { DispatchNeeds } from "./transmission/dispatchKind.ts"
export { type AccountHold, type AccountPace, freshPace, type PaceFacts } from "./transmission/pacing/Pacing.ts"
export {
  countedAs,
  type LimitOverrides,
  type SendAttempt,
  type UsageAction
} from "./transmission/pacing/UsageLimits.ts"
export { type QueueReason, reasonTable } from "./transmission/reasons.ts"
export {
  defaultSendOptions,
  type Hold,
  type HoldReason,
  SendingHold,
  type SendingState,
  SendOptions,
  secondsAfter
} from "./transmission/SendOptions.ts"
export {
  actionOf,
  type DraftRow,
  type EmailRow,
  type Invitation,
  InvitationState,
  isLive,
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
