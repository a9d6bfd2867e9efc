/** A workspace on a PostgreSQL with a real provider's adapter: what the crash campaign and its workers share. */
import type { Failure } from "@svc/core/Failure"
import * as Ids from "@svc/core/Ids"
import * as LinkedInPorts from "@svc/core/linkedin/LinkedInPorts"
import { defaultSendOptions, SendOptions } from "@svc/core/linkedin/SendOptions"
import { layerSecretRandom } from "@svc/core/Page"
import * as AgentsPg from "@svc/postgres/agents/AgentsPg"
import * as Database from "@svc/postgres/Database"
import { parseDatabaseUrl } from "@svc/postgres/DatabaseUrl"
import * as JournalPg from "@svc/postgres/JournalPg"
import * as LeadsPg from "@svc/postgres/leads/LeadsPg"
import * as AccountsPg from "@svc/postgres/linkedin/AccountsPg"
import * as DraftsPg from "@svc/postgres/linkedin/DraftsPg"
import * as InboxPg from "@svc/postgres/linkedin/InboxPg"
import * as QueuePg from "@svc/postgres/linkedin/QueuePg"
import * as MissionsPg from "@svc/postgres/missions/MissionsPg"
import * as OffersPg from "@svc/postgres/offers/OffersPg"
import * as TransactionPg from "@svc/postgres/TransactionPg"
import * as WorkspacesPg from "@svc/postgres/workspace/WorkspacesPg"
import * as Unipile from "@svc/unipile/index"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** Where everything is. */
export interface Places {
  readonly databaseUrl: string
  readonly fakeUrl: string
  readonly fakeKey: string
}

/** Short leases, no hold and no pace: the campaign is about crashes. */
export const campaignOptions = { ...defaultSendOptions, holdSeconds: 0, leaseSeconds: 2 }

const repositories = Layer.mergeAll(
  AccountsPg.layer,
  AgentsPg.layer,
  DraftsPg.layer,
  InboxPg.layer,
  JournalPg.layer,
  LeadsPg.layer,
  MissionsPg.layer,
  OffersPg.layer,
  QueuePg.layer,
  TransactionPg.layer,
  WorkspacesPg.layer,
  Ids.layer,
  layerSecretRandom
)

/** Everything that commands and dispatcher need. */
export const sendingStores = ({ databaseUrl, fakeKey, fakeUrl }: Places) => {
  const parsed = Result.getOrThrow(parseDatabaseUrl(databaseUrl))
  if (parsed._tag !== "Postgres") throw new Error("The campaign needs a postgres:// URL.")
  const database: Layer.Layer<Database.DatabaseServices, Failure> = Database.layer(parsed, { maxConnections: 8 })
  return LinkedInPorts.layer.pipe(
    Layer.provideMerge(repositories),
    Layer.provideMerge(database),
    Layer.provideMerge(Unipile.layer({ dsn: fakeUrl, apiKey: Redacted.make(fakeKey) })),
    Layer.provideMerge(Layer.succeed(SendOptions, campaignOptions))
  )
}
