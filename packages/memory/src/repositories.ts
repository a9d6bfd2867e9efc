/** Every repository in one in-memory store: the executable specification of what the database does. */

import { layerSecretRandom } from "@svc/core/internal"
import * as Layer from "effect/Layer"
import * as AgentsMemory from "./agents/AgentsMemory.ts"
import * as DueWorkMemory from "./background/DueWorkMemory.ts"
import * as ImportsMemory from "./imports/ImportsMemory.ts"
import * as JournalMemory from "./JournalMemory.ts"
import * as LeadFieldsMemory from "./leads/LeadFieldsMemory.ts"
import * as LeadsMemory from "./leads/LeadsMemory.ts"
import * as MemoryStore from "./MemoryStore.ts"
import * as MissionsMemory from "./missions/MissionsMemory.ts"
import * as OffersMemory from "./offers/OffersMemory.ts"
import * as AccountsMemory from "./outreach/AccountsMemory.ts"
import * as DraftsMemory from "./outreach/DraftsMemory.ts"
import * as MailboxesMemory from "./outreach/MailboxesMemory.ts"
import * as TransmissionsMemory from "./outreach/TransmissionsMemory.ts"
import * as ReportsMemory from "./reports/ReportsMemory.ts"
import * as ReviewMemory from "./review/ReviewMemory.ts"
import * as RunsMemory from "./runs/RunsMemory.ts"
import * as WebhooksMemory from "./webhooks/WebhooksMemory.ts"
import * as WorkspacesMemory from "./workspace/WorkspacesMemory.ts"

/** An empty store with its repositories, transactions and journal. */
export const layer = Layer.mergeAll(
  JournalMemory.layer,
  DueWorkMemory.layer,
  WorkspacesMemory.layer,
  OffersMemory.layer,
  AgentsMemory.layer,
  MissionsMemory.layer,
  LeadsMemory.layer,
  LeadFieldsMemory.layer,
  DraftsMemory.layer,
  TransmissionsMemory.layer,
  AccountsMemory.layer,
  MailboxesMemory.layer,
  ImportsMemory.layer,
  ReportsMemory.layer,
  ReviewMemory.layer,
  RunsMemory.layer,
  WebhooksMemory.layer,
  layerSecretRandom
).pipe(Layer.provideMerge(MemoryStore.layer))

/** What the store provides, on whatever database. */
export type Repositories = Exclude<Layer.Success<typeof layer>, MemoryStore.MemoryStore>
