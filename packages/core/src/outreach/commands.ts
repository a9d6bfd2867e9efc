/** LinkedIn: what other parts of core may use. */

import { LinkAccount, ListAccounts, UnlinkAccount } from "./commands/accounts.ts"
import { ApproveDraft, ApproveDrafts } from "./commands/approveDrafts.ts"
import * as Conversations from "./commands/conversations.ts"
import { CancelQueueItem, GetUsage, ListQueue, ResolveQueueItem, SetUsageLimits } from "./commands/queue.ts"
import { CheckDraft, GetDraft, ListDrafts } from "./commands/readDrafts.ts"
import * as Review from "./commands/reviewDrafts.ts"
import { CreateDraft, CreateDrafts, UpdateDraft } from "./commands/writeDrafts.ts"

/** The commands of this domain. */
export const commands = [
  Conversations.RequestDraft,
  CreateDraft,
  CreateDrafts,
  ApproveDraft,
  ApproveDrafts,
  CheckDraft,
  GetDraft,
  ListDrafts,
  UpdateDraft,
  Review.RequestRewrite,
  Review.SnoozeDraft,
  Review.FlagDraft,
  Review.CancelDraft,
  Review.ReopenDraft,
  Review.RejectDraft,
  ListAccounts,
  ListQueue,
  CancelQueueItem,
  ResolveQueueItem,
  Conversations.SendInvitation,
  Conversations.WithdrawInvitation,
  GetUsage,
  SetUsageLimits,
  LinkAccount,
  UnlinkAccount,
  Conversations.SyncConversation,
  Conversations.GetConversation,
  Conversations.SnoozeConversation
] as const
