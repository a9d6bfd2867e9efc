/** A workspace on a PostgreSQL with a real provider's adapter: what the crash campaign and its workers share. */

import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { idsLayer } from "#core/kernel/schema/IdsAndTime.ts"
import * as LinkedInPorts from "#core/outreach/LinkedInPorts.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import * as Database from "#postgres/Database.ts"
import { parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import * as Repositories from "#postgres/repositories.ts"
import * as Unipile from "#providers/unipile/index.ts"

import { simulatedMail } from "../World.ts"

/** Where everything is. */
export interface Places {
  readonly databaseUrl: string
  readonly fakeUrl: string
  readonly fakeKey: string
}

/** Short leases, no hold and no pace: the campaign is about crashes. */
export const campaignOptions = { ...defaultSendOptions, holdSeconds: 0, leaseSeconds: 2 }

/** Everything that commands and dispatcher need. */
export const sendingStores = ({ databaseUrl, fakeKey, fakeUrl }: Places) => {
  const parsed = Result.getOrThrow(parseDatabaseUrl(databaseUrl))
  if (parsed._tag !== "Postgres") throw new Error("The campaign needs a postgres:// URL.")
  const database: Layer.Layer<Database.DatabaseServices, Failure> = Database.layer(parsed, { maxConnections: 8 })
  return LinkedInPorts.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Repositories.layer, idsLayer, simulatedMail)),
    Layer.provideMerge(database),
    Layer.provideMerge(Unipile.layer({ dsn: fakeUrl, apiKey: Redacted.make(fakeKey) })),
    Layer.provideMerge(Layer.succeed(SendOptions, campaignOptions))
  )
}
