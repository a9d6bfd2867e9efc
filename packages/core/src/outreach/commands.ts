/** LinkedIn: what other parts of core may use. */

import { GetConversation } from "./conversations/commands/GetConversation.ts"
import { SyncConversation } from "./conversations/commands/SyncConversation.ts"
import { ApproveDraft } from "./drafts/commands/ApproveDraft.ts"
import { ApproveDrafts } from "./drafts/commands/ApproveDrafts.ts"
import { CancelDraft } from "./drafts/commands/CancelDraft.ts"
import { CheckDraft } from "./drafts/commands/CheckDraft.ts"
import { CreateDraft } from "./drafts/commands/CreateDraft.ts"
import { CreateDrafts } from "./drafts/commands/CreateDrafts.ts"
import { FlagDraft } from "./drafts/commands/FlagDraft.ts"
import { GetDraft } from "./drafts/commands/GetDraft.ts"
import { ListDrafts } from "./drafts/commands/ListDrafts.ts"
import { RejectDraft } from "./drafts/commands/RejectDraft.ts"
import { ReopenDraft } from "./drafts/commands/ReopenDraft.ts"
import { RequestRewrite } from "./drafts/commands/RequestRewrite.ts"
import { SnoozeDraft } from "./drafts/commands/SnoozeDraft.ts"
import { UpdateDraft } from "./drafts/commands/UpdateDraft.ts"
import { LinkAccount } from "./provider/commands/LinkAccount.ts"
import { ListAccounts } from "./provider/commands/ListAccounts.ts"
import { UnlinkAccount } from "./provider/commands/UnlinkAccount.ts"
import { CancelQueueItem } from "./transmission/commands/CancelQueueItem.ts"
import { GetUsage } from "./transmission/commands/GetUsage.ts"
import { ListQueue } from "./transmission/commands/ListQueue.ts"
import { ResolveQueueItem } from "./transmission/commands/ResolveQueueItem.ts"
import { SendInvitation } from "./transmission/commands/SendInvitation.ts"
import { SetUsageLimits } from "./transmission/commands/SetUsageLimits.ts"
import { WithdrawInvitation } from "./transmission/commands/WithdrawInvitation.ts"

/** The commands of this domain. */
export const commands = [
  CreateDraft,
  CreateDrafts,
  ApproveDraft,
  ApproveDrafts,
  CheckDraft,
  GetDraft,
  ListDrafts,
  UpdateDraft,
  RequestRewrite,
  SnoozeDraft,
  FlagDraft,
  CancelDraft,
  ReopenDraft,
  RejectDraft,
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
