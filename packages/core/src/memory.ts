/** Every repository in one in-memory store: the executable specification of what the database does. */
import * as Layer from "effect/Layer"
import * as AgentsMemory from "./agents/AgentsMemory.ts"
import * as ApprovalsMemory from "./approvals/ApprovalsMemory.ts"
import * as AuditLogMemory from "./audit/AuditLogMemory.ts"
import * as EmailsMemory from "./email/EmailsMemory.ts"
import * as EventFeedMemory from "./events/EventFeedMemory.ts"
import * as ImportsMemory from "./imports/ImportsMemory.ts"
import * as JournalMemory from "./JournalMemory.ts"
import * as LeadsMemory from "./leads/LeadsMemory.ts"
import * as AccountsMemory from "./linkedin/AccountsMemory.ts"
import * as DraftsMemory from "./linkedin/DraftsMemory.ts"
import * as InboxMemory from "./linkedin/inbound/InboxMemory.ts"
import * as QueueMemory from "./linkedin/QueueMemory.ts"
import * as MemoryStore from "./MemoryStore.ts"
import * as MissionsMemory from "./missions/MissionsMemory.ts"
import * as OffersMemory from "./offers/OffersMemory.ts"
import { layerSecretRandom } from "./Page.ts"
import * as BacklogMemory from "./status/BacklogMemory.ts"
import * as WorkspaceStatusMemory from "./status/WorkspaceStatusMemory.ts"
import * as DeliveriesMemory from "./webhooks/delivery/DeliveriesMemory.ts"
import * as WebhooksMemory from "./webhooks/WebhooksMemory.ts"
import * as WorkspacesMemory from "./workspace/WorkspacesMemory.ts"

/** An empty store with its repositories, transactions and journal. */
export const layer = Layer.mergeAll(
  JournalMemory.layer,
  WorkspacesMemory.layer,
  OffersMemory.layer,
  AgentsMemory.layer,
  MissionsMemory.layer,
  LeadsMemory.layer,
  DraftsMemory.layer,
  QueueMemory.layer,
  AccountsMemory.layer,
  EmailsMemory.layer,
  InboxMemory.layer,
  ImportsMemory.layer,
  WorkspaceStatusMemory.layer,
  BacklogMemory.layer,
  EventFeedMemory.layer,
  AuditLogMemory.layer,
  ApprovalsMemory.layer,
  WebhooksMemory.layer,
  DeliveriesMemory.layer,
  layerSecretRandom
).pipe(Layer.provideMerge(MemoryStore.layer))

/** What the store provides, on whatever database. */
export type Repositories = Exclude<Layer.Success<typeof layer>, MemoryStore.MemoryStore>
