/** Every repository on PostgreSQL or PGlite. */
import * as Layer from "effect/Layer"
import * as AgentsPg from "./agents/AgentsPg.ts"
import * as ApprovalsPg from "./approvals/ApprovalsPg.ts"
import * as AuditLogPg from "./audit/AuditLogPg.ts"
import * as EmailsPg from "./email/EmailsPg.ts"
import * as EventFeedPg from "./events/EventFeedPg.ts"
import * as ImportsPg from "./imports/ImportsPg.ts"
import * as JournalPg from "./JournalPg.ts"
import * as LeadsPg from "./leads/LeadsPg.ts"
import * as AccountsPg from "./linkedin/AccountsPg.ts"
import * as DraftsPg from "./linkedin/DraftsPg.ts"
import * as InboxPg from "./linkedin/InboxPg.ts"
import * as QueuePg from "./linkedin/QueuePg.ts"
import * as MissionsPg from "./missions/MissionsPg.ts"
import * as OffersPg from "./offers/OffersPg.ts"
import * as BacklogPg from "./status/BacklogPg.ts"
import * as WorkspaceStatusPg from "./status/WorkspaceStatusPg.ts"
import * as TransactionPg from "./TransactionPg.ts"
import * as DeliveriesPg from "./webhooks/DeliveriesPg.ts"
import * as WebhooksPg from "./webhooks/WebhooksPg.ts"
import * as CursorSecretPg from "./workspace/CursorSecretPg.ts"
import * as WorkspacesPg from "./workspace/WorkspacesPg.ts"

/** The repositories, transactions and journal over an open database. */
export const layer = Layer.mergeAll(
  TransactionPg.layer,
  JournalPg.layer,
  WorkspacesPg.layer,
  OffersPg.layer,
  AgentsPg.layer,
  MissionsPg.layer,
  LeadsPg.layer,
  DraftsPg.layer,
  QueuePg.layer,
  AccountsPg.layer,
  EmailsPg.layer,
  InboxPg.layer,
  ImportsPg.layer,
  WorkspaceStatusPg.layer,
  BacklogPg.layer,
  EventFeedPg.layer,
  AuditLogPg.layer,
  ApprovalsPg.layer,
  WebhooksPg.layer,
  DeliveriesPg.layer,
  CursorSecretPg.layer
)
