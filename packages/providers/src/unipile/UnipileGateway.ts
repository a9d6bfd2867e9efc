/** LinkedIn through Unipile: the provider port as one layer. */
import { type Failure, InvalidInput, NotFound } from "@svc/core"
import * as Internal from "@svc/core/internal"
import * as Outreach from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { asRefusal, type FailedRead, line } from "../ProviderRead.ts"
import { accountsOf } from "./UnipileAccounts.ts"
import { failureOf, json, makeClient, parseDsn, type UnipileClient, type UnipileOptions } from "./UnipileClient.ts"
import { inboxOf } from "./UnipileInbox.ts"
import * as Profile from "./UnipileProfile.ts"
import { sendingOf } from "./UnipileSending.ts"

const Position = Schema.Struct(Internal.softTexts("role", "company"))

const Person = Schema.Struct({
  id: Internal.ProviderId,
  ...Internal.softTexts("name", "first_name", "last_name", "headline", "location", "member_urn", "network_distance"),
  ...Internal.softTexts("public_identifier", "public_profile_url", "profile_url", "profile_picture_url"),
  current_positions: Internal.soft(Schema.Array(Schema.Unknown))
})

const SearchResponse = Schema.Struct({
  items: Schema.Array(Schema.Unknown),
  cursor: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(8_000)))),
  paging: Internal.soft(Schema.Struct({ total_count: Schema.Number }))
})

/** The Sales Navigator token in a URL such as `https://www.linkedin.com/sales/lead/ACwAA…,NAME_SEARCH,x`. */
const salesTokenIn = (url: string | undefined): string | undefined => {
  const tail = url?.slice(0, 2_000).split("/sales/lead/").at(1) ?? ""
  const token = tail.slice(0, 39)
  return Internal.tokenKindOf(token) === "sales_nav_token" ? token : undefined
}

/** First and last name; split at the last space of the full name when they are missing. */
const namesOf = ({ first_name, last_name, name }: typeof Person.Type): readonly [first: string, last: string] => {
  if (first_name !== undefined || last_name !== undefined) return [line(first_name), line(last_name)]
  const whole = line(name)
  const cut = whole.lastIndexOf(" ")
  return cut < 0 ? [whole, ""] : [whole.slice(0, cut).trim(), whole.slice(cut + 1)]
}

/** The person of a row; undefined without a Sales Navigator token or a profile token. */
const foundPerson = (row: typeof Person.Type): Outreach.FoundPerson | undefined => {
  const salesNavToken = Internal.tokenKindOf(row.id) === "sales_nav_token" ? row.id : salesTokenIn(row.profile_url)
  const profileToken = Internal.tokenKindOf(row.id) === "profile_token" ? row.id : undefined
  if (salesNavToken === undefined && profileToken === undefined) return undefined
  const memberId = Profile.memberIdOfUrn(row.member_urn)
  const publicSlug = Profile.slugOf(row.public_identifier) ?? null
  const position = Internal.rowsOf(Position, row.current_positions ?? [])[0]
  const [firstName, lastName] = namesOf(row)
  return {
    ...(profileToken === undefined ? {} : { profileToken }),
    ...(salesNavToken === undefined ? {} : { salesNavToken }),
    ...(memberId === undefined ? {} : { memberId }),
    publicSlug,
    firstName,
    lastName,
    headline: line(row.headline),
    jobTitle: line(position?.role),
    company: line(position?.company),
    location: line(row.location),
    profileUrl:
      Internal.httpUrlOrNull(row.public_profile_url) ??
      (publicSlug === null ? (Internal.httpUrlOrNull(row.profile_url) ?? "") : Internal.profileUrl(publicSlug)),
    pictureUrl: Internal.httpUrlOrNull(row.profile_picture_url),
    degree: Profile.degreeOf(row.network_distance) ?? null
  }
}

const maxPageSize = 100

const makeGateway = (client: UnipileClient, accounts: Outreach.ProviderAccounts): Outreach.Gateway =>
  Outreach.LinkedInGateway.of({
    ...inboxOf(client),
    ...sendingOf(client),
    name: "unipile",
    automaticAccount: () => undefined,
    // From the profile, and the conversation if they are connected.
    relation: (account, { identities }) =>
      Effect.gen(function* (): Effect.fn.Return<Outreach.RelationResult, FailedRead> {
        const { connected, invitation, providerId } = yield* Profile.readProfile(client, account, identities)
        if (connected === undefined) {
          return { _tag: "Unavailable", detail: "The provider did not report whether the person is connected." }
        }
        if (!connected) {
          const pending = invitation === "pending" ? "pending" : "none"
          return { _tag: "Known", relation: { connected, chatId: null, invitation: pending } }
        }
        const chatId = yield* Profile.readChat(client, account, providerId)
        return { _tag: "Known", relation: { connected, chatId, invitation: "none" } }
      }).pipe(Effect.catch((failed) => Effect.succeed(asRefusal(failed)))),
    // Rows without a token are left out, and their number is logged.
    searchPeople: (account, { cursor, limit, url }) =>
      Effect.gen(function* () {
        const size = Math.max(1, Math.min(limit, maxPageSize))
        const query = { account_id: account.gatewayAccountId, limit: size, cursor }
        const call = { method: "POST", path: ["linkedin", "search"], query, body: json({ url }) } as const
        const page = yield* client.read(call, SearchResponse, "search")
        const people = Internal.rowsOf(Person, page.items).flatMap((row) => foundPerson(row) ?? [])
        const skipped = page.items.length - people.length
        if (skipped > 0) yield* Effect.logWarning(`Skipped ${skipped} search results without a person's token.`)
        const total = page.paging?.total_count ?? 0
        return { people, next: page.cursor || null, total: Number.isSafeInteger(total) && total >= 0 ? total : 0 }
      }).pipe(Effect.mapError(failureOf)),
    resolveProfile: (account, identities) =>
      Effect.mapError(Profile.readProfile(client, account, identities), (failed) =>
        Profile.isUnreachable(failed)
          ? new NotFound({
              kind: "person",
              message: "Person not found at the provider. Check the profile on LinkedIn."
            })
          : failureOf(failed)
      ),
    findChat: (account, { identities }) =>
      Profile.providerIdOf(client, account, identities).pipe(
        Effect.flatMap((providerId) => Profile.readChat(client, account, providerId)),
        Effect.mapError(failureOf)
      ),
    accounts
  })

const isHeaderText = (text: string): boolean => /^[\x21-\x7e]{1,1000}$/.test(text)

/** The provider's layer. Fails with INVALID_INPUT when the DSN or the key is malformed; makes no request. */
export const layer = (options: UnipileOptions): Layer.Layer<Outreach.LinkedInGateway, Failure> =>
  Layer.effect(
    Outreach.LinkedInGateway,
    Effect.gen(function* () {
      const base = yield* Effect.fromResult(parseDsn(options.dsn))
      if (!isHeaderText(Redacted.value(options.apiKey))) {
        return yield* new InvalidInput({
          message:
            "SVC_UNIPILE_API_KEY is empty or contains invalid characters. Copy it again from the provider's dashboard."
        })
      }
      const client = makeClient(base, options, yield* HttpClient)
      return makeGateway(client, accountsOf(client, new URL(base).origin))
    })
  ).pipe(Layer.provide(Internal.providerHttp))
