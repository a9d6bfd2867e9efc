/** Our LinkedIn accounts at the provider: their facts, linking through a hosted page, subscribing. */

import { NotFound } from "@svc/core"
import { httpUrlOrNull, ProviderId, rowsOf, soft } from "@svc/core/internal"
import { type AccountStatus, GatewayError, type LinkedInTier, type ProviderAccounts } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type FailedRead, failed } from "../ProviderRead.ts"
import { failureOf, json, readPages, type UnipileClient } from "./UnipileClient.ts"
import { isUnreachable } from "./UnipileProfile.ts"
import { confirmed } from "./UnipileSending.ts"
import { accountStatusOf, parseWebhook } from "./UnipileWebhook.ts"

const Account = Schema.Struct({
  id: ProviderId,
  type: Schema.String,
  connection_params: soft(
    Schema.Struct({ im: soft(Schema.Struct({ premiumFeatures: soft(Schema.Array(Schema.Unknown)) })) })
  ),
  sources: soft(Schema.Array(Schema.Unknown))
})

const Source = Schema.Struct({ status: Schema.String })

const isFeature = Schema.is(Schema.Literals(["recruiter", "sales_navigator", "premium"]))

/** The worst status of its sources; an account without sources is still connecting. */
const statusOf = (sources: ReadonlyArray<unknown>): AccountStatus => {
  const statuses = rowsOf(Source, sources).map(({ status }) => accountStatusOf(status) ?? "ERROR")
  if (statuses.length < sources.length) return "ERROR"
  const worst: ReadonlyArray<AccountStatus> = ["RESTRICTED", "CREDENTIALS", "ERROR", "STOPPED", "CONNECTING"]
  return worst.find((status) => statuses.includes(status)) ?? (statuses.length === 0 ? "CONNECTING" : "OK")
}

const tierOf = (features: ReadonlyArray<string>): LinkedInTier =>
  features.includes("sales_navigator") ? "SALES_NAVIGATOR" : features.length > 0 ? "PREMIUM" : "FREE"

const notFound = new NotFound({
  kind: "LinkedIn account",
  message: "LinkedIn account not found at the provider. List its accounts to get an id."
})

const isMissing = (failed: FailedRead): boolean =>
  isUnreachable(failed) || (failed._tag === "Refused" && failed.providerCode === "errors/resource_not_found")

const find = Effect.fnUntraced(function* (client: UnipileClient, id: string) {
  const account = client.read({ method: "GET", path: ["accounts", id] }, Account)
  const {
    connection_params,
    sources = [],
    type
  } = yield* Effect.mapError(account, (failed) => (isMissing(failed) ? notFound : failureOf(failed)))
  if (type !== "LINKEDIN") return yield* notFound
  const features = [...new Set((connection_params?.im?.premiumFeatures ?? []).filter(isFeature))]
  return { status: statusOf(sources), tier: tierOf(features), features }
})

/** The notification that follows is unsigned, so `state` must be signed. */
const connectLink = Effect.fnUntraced(function* (
  client: UnipileClient,
  apiUrl: string,
  { expiresAt, notifyUrl, reconnect, state }: Parameters<NonNullable<ProviderAccounts["connectLink"]>>[0]
) {
  const body = {
    type: reconnect === null ? "create" : "reconnect",
    providers: ["LINKEDIN"],
    api_url: apiUrl,
    expiresOn: expiresAt,
    name: state,
    notify_url: notifyUrl,
    ...(reconnect === null ? {} : { reconnect_account: reconnect })
  }
  // A page does nothing until someone opens it, so creating one may be retried like a read.
  const { url } = yield* client.read(
    { method: "POST", path: ["hosted", "accounts", "link"], body: json(body) },
    Schema.Struct({ url: Schema.String })
  )
  return httpUrlOrNull(url) ?? (yield* failed("Broken", "The provider sent an unexpected response."))
})

const sources = ["messaging", "users", "account_status"] as const

const Webhook = Schema.Struct({
  request_url: Schema.String,
  source: Schema.String,
  account_ids: soft(Schema.Array(Schema.String))
})

/** The sources that already have a webhook for the account at the URL. */
const subscribedSources = Effect.fnUntraced(function* (client: UnipileClient, id: string, url: string) {
  const found = new Set<string>()
  yield* readPages(client, ["webhooks"], { limit: 100 }, (items) => {
    for (const { account_ids = [], request_url, source } of rowsOf(Webhook, items)) {
      if (request_url === url && (account_ids.length === 0 || account_ids.includes(id))) found.add(source)
    }
    return false
  })
  return found
})

/** Subscribes a URL of ours to an account's messages, relations and health. Existing webhooks are not created again. */
const subscribe = Effect.fnUntraced(function* (client: UnipileClient, id: string, url: string) {
  const existing = yield* Effect.mapError(subscribedSources(client, id, url), failureOf)
  for (const source of sources.filter((one) => !existing.has(one))) {
    const body = {
      request_url: url,
      source,
      name: "svc",
      format: "json",
      account_ids: [id],
      // Without this the provider sends no content type.
      headers: [{ key: "Content-Type", value: "application/json" }]
    }
    const result = yield* client.write({ method: "POST", path: ["webhooks"], body: json(body) }, () => confirmed)
    if (result._tag === "Unknown") return yield* new GatewayError({ message: `${result.detail} A retry is safe.` })
    if (result._tag !== "Confirmed") return yield* failureOf(result)
  }
})

/** What the provider can do with accounts. `apiUrl` is its origin. */
export const accountsOf = (client: UnipileClient, apiUrl: string): ProviderAccounts => ({
  find: (id) => find(client, id),
  connectLink: (request) => Effect.mapError(connectLink(client, apiUrl, request), failureOf),
  subscribe: (id, url) => subscribe(client, id, url),
  readEvent: parseWebhook
})
