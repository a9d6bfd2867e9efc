/** Every repository on PostgreSQL or PGlite. */
import * as Layer from "effect/Layer"
import * as AgentsPg from "./agents/AgentsPg.ts"
import * as DueWorkPg from "./background/DueWorkPg.ts"
import * as ImportsPg from "./imports/ImportsPg.ts"
import * as JournalPg from "./JournalPg.ts"
import * as LeadFieldsPg from "./leads/LeadFieldsPg.ts"
import * as LeadsPg from "./leads/LeadsPg.ts"
import * as MissionsPg from "./missions/MissionsPg.ts"
import * as OffersPg from "./offers/OffersPg.ts"
import * as AccountsPg from "./outreach/AccountsPg.ts"
import * as DraftsPg from "./outreach/DraftsPg.ts"
import * as MailboxesPg from "./outreach/MailboxesPg.ts"
import * as TransmissionsPg from "./outreach/TransmissionsPg.ts"
import * as ReportsPg from "./reports/ReportsPg.ts"
import * as ReviewPg from "./review/ReviewPg.ts"
import * as RunsPg from "./runs/RunsPg.ts"
import * as TransactionPg from "./TransactionPg.ts"
import * as WebhooksPg from "./webhooks/WebhooksPg.ts"
import * as WorkspacesPg from "./workspace/WorkspacesPg.ts"

/** The repositories, transactions and journal on an open database. */
export const layer = Layer.mergeAll(
  TransactionPg.layer,
  JournalPg.layer,
  DueWorkPg.layer,
  WorkspacesPg.layer,
  OffersPg.layer,
  AgentsPg.layer,
  MissionsPg.layer,
  LeadsPg.layer,
  LeadFieldsPg.layer,
  DraftsPg.layer,
  TransmissionsPg.layer,
  AccountsPg.layer,
  MailboxesPg.layer,
  ImportsPg.layer,
  ReportsPg.layer,
  ReviewPg.layer,
  RunsPg.layer,
  WebhooksPg.layer
)
