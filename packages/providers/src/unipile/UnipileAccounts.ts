/** Our LinkedIn accounts at the provider: listing, linking through a hosted page, subscribing, removing. */
import { type InstantText, NotFound } from "@svc/core"
import {
  type AccountStatus,
  GatewayError,
  httpUrlOrNull,
  type LinkedInTier,
  type ProviderFailure,
  ProviderId,
  rowsOf,
  soft,
  storable
} from "@svc/core/outreach"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asFailure, type UnipileClient } from "./UnipileClient.ts"
import { readPages } from "./UnipileList.ts"
import { slugOf } from "./UnipileProfile.ts"

const statuses: ReadonlyMap<string, AccountStatus> = new Map([
  ["OK", "OK"],
  ["CREATION_SUCCESS", "OK"],
  ["RECONNECTED", "OK"],
  ["SYNC_SUCCESS", "OK"],
  ["CONNECTING", "CONNECTING"],
  ["CREDENTIALS", "CREDENTIALS"],
  ["PERMISSIONS", "CREDENTIALS"],
  ["STOPPED", "STOPPED"],
  ["ERROR", "ERROR"],
  ["RESTRICTED", "RESTRICTED"]
])

/** Our status for one of the provider's; undefined for an unknown one. */
export const accountStatusOf = (word: string): AccountStatus | undefined =>
  statuses.get(word.slice(0, 40).toUpperCase())

/** A LinkedIn account at the provider. `providerId` is the owner's id, which messages name as their sender. */
export interface UnipileAccount {
  readonly gatewayAccountId: string
  readonly name: string
  readonly status: AccountStatus
  readonly tier: LinkedInTier
  readonly features: ReadonlyArray<string>
  readonly providerId: string | null
  readonly publicSlug: string | null
}

/** A page on which a person links an account. The notification that follows is unsigned, so `state` must be signed. */
export interface HostedLinkRequest {
  /** Our own signed text, which the notification returns. */
  readonly state: string
  /** When the page expires. */
  readonly expiresAt: InstantText
  readonly notifyUrl: string
  readonly successUrl: string | null
  readonly failureUrl: string | null
  /** The provider's id of the account to reconnect; null for a new one. */
  readonly reconnect: string | null
}

/** The account functions. They fail as reads do; removing an account that is already gone succeeds. */
export class UnipileAccounts extends Context.Service<
  UnipileAccounts,
  {
    readonly list: Effect.Effect<ReadonlyArray<UnipileAccount>, NotFound | ProviderFailure>
    /** One account. Fails with NOT_FOUND when the provider has no LinkedIn account with this id. */
    readonly get: (gatewayAccountId: string) => Effect.Effect<UnipileAccount, NotFound | ProviderFailure>
    /** The URL of the page. */
    readonly hostedLink: (request: HostedLinkRequest) => Effect.Effect<string, ProviderFailure>
    /** Subscribes our URL to an account's messages, relations and health. Existing webhooks are not created again. */
    readonly subscribe: (gatewayAccountId: string, url: string) => Effect.Effect<void, NotFound | ProviderFailure>
    /** Fails with GATEWAY_ERROR when the outcome is unknown; a retry is safe. */
    readonly remove: (gatewayAccountId: string) => Effect.Effect<void, NotFound | ProviderFailure>
  }
>()("@svc/providers/unipile/UnipileAccounts") {}

const Account = Schema.Struct({
  id: ProviderId,
  type: Schema.String,
  name: soft(Schema.String),
  connection_params: soft(
    Schema.Struct({
      im: soft(
        Schema.Struct({
          id: soft(ProviderId),
          publicIdentifier: soft(Schema.String),
          premiumFeatures: soft(Schema.Array(Schema.Unknown))
        })
      )
    })
  ),
  sources: soft(Schema.Array(Schema.Unknown))
})

const Source = Schema.Struct({ status: Schema.String })

const decodeAccount = Schema.decodeUnknownOption(Account)

const decodeLink = Schema.decodeUnknownOption(Schema.Struct({ url: Schema.String }))

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

const accountOf = (row: typeof Account.Type): UnipileAccount | undefined => {
  if (row.type !== "LINKEDIN") return undefined
  const im = row.connection_params?.im
  const features = [...new Set((im?.premiumFeatures ?? []).filter(isFeature))]
  return {
    gatewayAccountId: row.id,
    name: storable(row.name ?? "", 200),
    status: statusOf(row.sources ?? []),
    tier: tierOf(features),
    features,
    providerId: im?.id ?? null,
    publicSlug: slugOf(im?.publicIdentifier) ?? null
  }
}

const unreadable = new GatewayError({ message: "The provider sent an unexpected response. Try again later." })

const list = Effect.fnUntraced(function* (client: UnipileClient) {
  const accounts: Array<UnipileAccount> = []
  const result = yield* readPages(client, ["accounts"], { limit: 250 }, (items) => {
    accounts.push(...rowsOf(Account, items).flatMap((row) => accountOf(row) ?? []))
    return false
  })
  return result._tag === "Read" ? accounts : yield* asFailure(result)
})

const notFound = new NotFound({
  kind: "LinkedIn account",
  message: "LinkedIn account not found at the provider. List its accounts to get an id."
})

const get = Effect.fnUntraced(function* (client: UnipileClient, id: string) {
  const result = yield* client.read({ method: "GET", path: ["accounts", id] })
  if (
    result._tag === "Refused" &&
    (result.kind === "unreachable" || result.providerCode === "errors/resource_not_found")
  ) {
    return yield* notFound
  }
  if (result._tag !== "Found") return yield* asFailure(result)
  const row = Option.getOrUndefined(decodeAccount(result.body))
  if (row === undefined) return yield* unreadable
  return accountOf(row) ?? (yield* notFound)
})

const hostedLink = Effect.fnUntraced(function* (client: UnipileClient, apiUrl: string, request: HostedLinkRequest) {
  const body = {
    type: request.reconnect === null ? "create" : "reconnect",
    providers: ["LINKEDIN"],
    api_url: apiUrl,
    expiresOn: request.expiresAt,
    name: request.state,
    notify_url: request.notifyUrl,
    ...(request.successUrl === null ? {} : { success_redirect_url: request.successUrl }),
    ...(request.failureUrl === null ? {} : { failure_redirect_url: request.failureUrl }),
    ...(request.reconnect === null ? {} : { reconnect_account: request.reconnect })
  }
  // A page does nothing until someone opens it, so creating one may be retried like a read.
  const result = yield* client.read({
    method: "POST",
    path: ["hosted", "accounts", "link"],
    body: { _tag: "Json", text: JSON.stringify(body) }
  })
  if (result._tag !== "Found") return yield* asFailure(result)
  const url = httpUrlOrNull(Option.getOrUndefined(decodeLink(result.body))?.url)
  return url ?? (yield* unreadable)
})

const remove = Effect.fnUntraced(function* (client: UnipileClient, id: string) {
  const result = yield* client.write({ method: "DELETE", path: ["accounts", id] }, () => ({
    _tag: "Confirmed",
    messageId: null,
    externalId: null
  }))
  if (result._tag === "Confirmed") return
  if (result._tag === "Unknown") return yield* new GatewayError({ message: `${result.detail} A retry is safe.` })
  if (result._tag === "Refused" && result.providerCode === "errors/resource_not_found") return
  return yield* asFailure(result)
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
  const result = yield* readPages(client, ["webhooks"], { limit: 100 }, (items) => {
    for (const { account_ids = [], request_url, source } of rowsOf(Webhook, items)) {
      if (request_url === url && (account_ids.length === 0 || account_ids.includes(id))) found.add(source)
    }
    return false
  })
  return result._tag === "Read" ? found : yield* asFailure(result)
})

const subscribe = Effect.fnUntraced(function* (client: UnipileClient, id: string, url: string) {
  const existing = yield* subscribedSources(client, id, url)
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
    const result = yield* client.write(
      { method: "POST", path: ["webhooks"], body: { _tag: "Json", text: JSON.stringify(body) } },
      () => ({ _tag: "Confirmed", messageId: null, externalId: null })
    )
    if (result._tag === "Unknown") return yield* new GatewayError({ message: `${result.detail} A retry is safe.` })
    if (result._tag !== "Confirmed") return yield* asFailure(result)
  }
})

/** Makes the account functions. `apiUrl` is the provider's origin. */
export const makeAccounts = (client: UnipileClient, apiUrl: string): UnipileAccounts["Service"] =>
  UnipileAccounts.of({
    list: list(client),
    get: (id) => get(client, id),
    hostedLink: (request) => hostedLink(client, apiUrl, request),
    subscribe: (id, url) => subscribe(client, id, url),
    remove: (id) => remove(client, id)
  })
