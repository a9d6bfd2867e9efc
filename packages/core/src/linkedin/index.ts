/** LinkedIn: what other parts of core may use. */
import { ApproveDraft } from "./commands/ApproveDraft.ts"
import { ApproveDrafts } from "./commands/ApproveDrafts.ts"
import { CancelDraft } from "./commands/CancelDraft.ts"
import { CancelQueueItem } from "./commands/CancelQueueItem.ts"
import { CheckDraft } from "./commands/CheckDraft.ts"
import { CreateDraft } from "./commands/CreateDraft.ts"
import { GetConversation } from "./commands/GetConversation.ts"
import { GetDraft } from "./commands/GetDraft.ts"
import { GetUsage } from "./commands/GetUsage.ts"
import { LinkAccount } from "./commands/LinkAccount.ts"
import { ListAccounts } from "./commands/ListAccounts.ts"
import { ListDrafts } from "./commands/ListDrafts.ts"
import { ListQueue } from "./commands/ListQueue.ts"
import { ResolveQueueItem } from "./commands/ResolveQueueItem.ts"
import { SendInvitation } from "./commands/SendInvitation.ts"
import { SetUsageLimits } from "./commands/SetUsageLimits.ts"
import { SyncConversation } from "./commands/SyncConversation.ts"
import { UnlinkAccount } from "./commands/UnlinkAccount.ts"
import { UpdateDraft } from "./commands/UpdateDraft.ts"
import { WithdrawInvitation } from "./commands/WithdrawInvitation.ts"

export { AccountsRepo } from "./AccountsRepo.ts"
export { GatewayAdditions } from "./bridge/GatewayAdditions.ts"
export { DraftsRepo } from "./DraftsRepo.ts"
export { contentHashOfView, type DraftView, draftOf } from "./DraftView.ts"
export { InboundReceiver } from "./inbound/InboundReceiver.ts"
export { InboxRepo } from "./inbound/InboxRepo.ts"
export type { LinkedInAccount } from "./LinkedInAccount.ts"
export { LinkedInDraft } from "./LinkedInDraft.ts"
export { LinkedInGateway } from "./LinkedInGateway.ts"
export { counted } from "./pacing/countUse.ts"
export { QueueRepo } from "./QueueRepo.ts"
export { accountOfAgent, findAccount, listAccounts } from "./resolveAccount.ts"
export { defaultSendOptions, SendOptions } from "./SendOptions.ts"
export { type DispatchNeeds, type DispatchRound, dispatchDue } from "./sending/dispatchDue.ts"

/** The commands of this domain. */
export const commands = [
  CreateDraft,
  ApproveDraft,
  ApproveDrafts,
  CheckDraft,
  GetDraft,
  ListDrafts,
  UpdateDraft,
  CancelDraft,
  ListAccounts,
  ListQueue,
  CancelQueueItem,
  ResolveQueueItem,
  SendInvitation,
  WithdrawInvitation,
  GetUsage,
  SetUsageLimits,
  LinkAccount,
  UnlinkAccount,
  SyncConversation,
  GetConversation
] as const

/** LinkedIn has no REST endpoints of its own. */
export const restCommands = [] as const
