/**
 * The LinkedIn accounts that the provider holds for us: listing, linking through a page of the provider, removing.
 *
 * Source: mission research 5.2, accounts and hosted connection; issue 4, commands `linkedin.account.link` and `unlink`.
 */
import { type Failure, fail } from "@svc/core/Failure"
import { ProviderId, rowsOf, soft, storable, webAddress } from "@svc/core/linkedin/bridge/ProviderText"
import type { AccountStatus, LinkedInTier } from "@svc/core/linkedin/LinkedInAccount"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { accountStatusOf } from "./accountStatusOf.ts"
import { asFailure } from "./readFailure.ts"
import type { UnipileClient } from "./UnipileClient.ts"
import { slugOf } from "./UnipilePerson.ts"

/** A LinkedIn account at the provider. `providerId` is its owner's own id, which messages name as sender. */
export interface UnipileAccount {
  readonly gatewayAccountId: string
  readonly name: string
  readonly status: AccountStatus
  readonly tier: LinkedInTier
  readonly features: ReadonlyArray<string>
  readonly providerId: string | null
  readonly publicSlug: string | null
}

/** A page on which a person connects an account. The notification that follows is not signed: `state` must be. */
export interface HostedLinkRequest {
  /** Comes back in the notification: our own signed text. */
  readonly state: string
  /** Instant after which the page no longer works. */
  readonly expiresAt: string
  readonly notifyUrl: string
  readonly successUrl: string | null
  readonly failureUrl: string | null
  /** The provider's id of an account to connect again; null for a new one. */
  readonly reconnect: string | null
}

/** The account functions. Failures are those of a read; removing what is gone already succeeds. */
export class UnipileAccounts extends Context.Service<
  UnipileAccounts,
  {
    readonly list: Effect.Effect<ReadonlyArray<UnipileAccount>, Failure>
    /** One account; NOT_FOUND when the provider does not have it or it is no LinkedIn account. */
    readonly get: (gatewayAccountId: string) => Effect.Effect<UnipileAccount, Failure>
    /** The address of the page. */
    readonly hostedLink: (request: HostedLinkRequest) => Effect.Effect<string, Failure>
    /**
     * Has what happens to an account told at an address of ours: messages, relations and its health. Webhooks that are
     * there already are not made again.
     */
    readonly subscribe: (gatewayAccountId: string, url: string) => Effect.Effect<void, Failure>
    /** Fails with GATEWAY_ERROR when it is not known whether the account was removed; asking again is safe. */
    readonly remove: (gatewayAccountId: string) => Effect.Effect<void, Failure>
  }
>()("@svc/unipile/UnipileAccounts") {}

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
const AccountList = Schema.Struct({
  items: Schema.Array(Schema.Unknown),
  cursor: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const decodeAccount = Schema.decodeUnknownOption(Account)
const decodeList = Schema.decodeUnknownOption(AccountList)
const decodeLink = Schema.decodeUnknownOption(Schema.Struct({ url: Schema.String }))
const isFeature = Schema.is(Schema.Literals(["recruiter", "sales_navigator", "premium"]))

/** The worst of its sources; an account without any is not ready. */
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

const unreadable = fail("GATEWAY_ERROR", "The provider's answer cannot be understood. Try again later.")
const mostPages = 40

const list = (client: UnipileClient) =>
  Effect.gen(function* () {
    const accounts: Array<UnipileAccount> = []
    let cursor: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const end = yield* client.read({ method: "GET", path: ["accounts"], query: { limit: 250, cursor } })
      if (end._tag !== "Found") return yield* asFailure(end)
      const answer = Option.getOrUndefined(decodeList(end.body))
      if (answer === undefined) return yield* unreadable
      accounts.push(...rowsOf(Account, answer.items).flatMap((row) => accountOf(row) ?? []))
      if (answer.cursor === undefined || answer.cursor === null || answer.items.length === 0) return accounts
      cursor = answer.cursor
    }
    return yield* unreadable
  })

const notThere = fail("NOT_FOUND", "The provider has no LinkedIn account with this id. List its accounts first.")

const get = (client: UnipileClient, id: string) =>
  Effect.gen(function* () {
    const end = yield* client.read({ method: "GET", path: ["accounts", id] })
    if (end._tag === "Refused" && (end.kind === "unreachable" || end.providerCode === "errors/resource_not_found")) {
      return yield* notThere
    }
    if (end._tag !== "Found") return yield* asFailure(end)
    const row = Option.getOrUndefined(decodeAccount(end.body))
    if (row === undefined) return yield* unreadable
    return accountOf(row) ?? (yield* notThere)
  })

const hostedLink = (client: UnipileClient, apiUrl: string, request: HostedLinkRequest) =>
  Effect.gen(function* () {
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
    // Made anew it is another page and does nothing by itself, so it may be repeated like a read.
    const end = yield* client.read({
      method: "POST",
      path: ["hosted", "accounts", "link"],
      body: { _tag: "Json", text: JSON.stringify(body) }
    })
    if (end._tag !== "Found") return yield* asFailure(end)
    const url = webAddress(Option.getOrUndefined(decodeLink(end.body))?.url)
    return url ?? (yield* unreadable)
  })

const remove = (client: UnipileClient, id: string) =>
  Effect.gen(function* () {
    const end = yield* client.write({ method: "DELETE", path: ["accounts", id] }, () => ({
      _tag: "Confirmed",
      messageId: null,
      externalId: null
    }))
    if (end._tag === "Confirmed") return
    if (end._tag === "Unknown") return yield* fail("GATEWAY_ERROR", `${end.detail} Ask again; that is safe.`)
    if (end._tag === "Refused" && end.providerCode === "errors/resource_not_found") return
    return yield* asFailure(end)
  })

const sources = ["messaging", "users", "account_status"] as const
const Webhook = Schema.Struct({
  request_url: Schema.String,
  source: Schema.String,
  account_ids: soft(Schema.Array(Schema.String))
})

/** The sources that are told at an address for an account already. */
const subscribedTo = (client: UnipileClient, id: string, url: string) =>
  Effect.gen(function* () {
    const found = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const end = yield* client.read({ method: "GET", path: ["webhooks"], query: { limit: 100, cursor } })
      if (end._tag !== "Found") return yield* asFailure(end)
      const answer = Option.getOrUndefined(decodeList(end.body))
      if (answer === undefined) return yield* unreadable
      for (const { account_ids, request_url, source } of rowsOf(Webhook, answer.items)) {
        const isAll = account_ids === undefined || account_ids.length === 0
        if (request_url === url && (isAll || account_ids.includes(id))) found.add(source)
      }
      if (answer.cursor === undefined || answer.cursor === null || answer.items.length === 0) return found
      cursor = answer.cursor
    }
    return yield* unreadable
  })

const subscribe = (client: UnipileClient, id: string, url: string) =>
  Effect.gen(function* () {
    const known = yield* subscribedTo(client, id, url)
    for (const source of sources.filter((one) => !known.has(one))) {
      const body = {
        request_url: url,
        source,
        name: "svc",
        format: "json",
        account_ids: [id],
        // The provider does not say by itself what it sends.
        headers: [{ key: "Content-Type", value: "application/json" }]
      }
      const end = yield* client.write(
        { method: "POST", path: ["webhooks"], body: { _tag: "Json", text: JSON.stringify(body) } },
        () => ({ _tag: "Confirmed", messageId: null, externalId: null })
      )
      if (end._tag === "Unknown") return yield* fail("GATEWAY_ERROR", `${end.detail} Ask again; that is safe.`)
      if (end._tag !== "Confirmed") return yield* asFailure(end)
    }
  })

/** Makes the account functions. `apiUrl` is the provider's address without its path. */
export const makeAccounts = (client: UnipileClient, apiUrl: string): UnipileAccounts["Service"] =>
  UnipileAccounts.of({
    list: list(client),
    get: (id) => get(client, id),
    hostedLink: (request) => hostedLink(client, apiUrl, request),
    subscribe: (id, url) => subscribe(client, id, url),
    remove: (id) => remove(client, id)
  })
