/** LinkedIn through a bridge: any provider behind a small HTTP service that follows the contract in `README.md`. */
import type { Failure } from "@svc/core"
import * as Internal from "@svc/core/internal"
import type { Identity } from "@svc/core/leads"
import * as Outreach from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import { asFailure, asRefusal, line } from "../ProviderRead.ts"
import { type BridgeClient, makeBridgeClient, parseBridgeUrl } from "./BridgeClient.ts"
import * as Responses from "./BridgeResponses.ts"
import { signingKey } from "./BridgeSignature.ts"

const slugOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Internal.normalizeSlug(text)

const memberIdOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Internal.normalizeMemberId(text)

/** A person of a bridge. */
const personOf = (row: typeof Responses.NamedRow.Type): Outreach.NamedPerson =>
  Internal.namedPerson({
    providerId: row.id,
    profileToken: row.profile_token,
    slug: slugOf(row.public_slug),
    memberId: memberIdOf(row.member_id),
    fullName: row.full_name,
    profileUrl: row.profile_url,
    pictureUrl: row.picture_url
  })

/** A person found by a search; undefined without a token. */
const foundPerson = (row: typeof Responses.PersonRow.Type): Outreach.FoundPerson | undefined => {
  if (row.sales_nav_token === undefined && row.profile_token === undefined) return undefined
  const memberId = memberIdOf(row.member_id)
  const publicSlug = slugOf(row.public_slug) ?? null
  return {
    ...(row.profile_token === undefined ? {} : { profileToken: row.profile_token }),
    ...(row.sales_nav_token === undefined ? {} : { salesNavToken: row.sales_nav_token }),
    ...(memberId === undefined ? {} : { memberId }),
    publicSlug,
    firstName: line(row.first_name),
    lastName: line(row.last_name),
    headline: line(row.headline),
    jobTitle: line(row.job_title),
    company: line(row.company),
    location: line(row.location),
    profileUrl: Internal.httpUrlOrNull(row.profile_url) ?? (publicSlug === null ? "" : Internal.profileUrl(publicSlug)),
    pictureUrl: Internal.httpUrlOrNull(row.picture_url),
    degree: row.degree ?? null
  }
}

/** A message; undefined without a readable instant. */
const messageOf = (row: typeof Responses.MessageRow.Type): Outreach.ConversationMessage | undefined => {
  const at = Internal.providerInstant(row.at)
  if (at === undefined) return undefined
  return {
    messageId: row.message_id,
    externalId: row.external_id ?? null,
    chatId: row.chat_id,
    direction: row.direction,
    sender: row.sender === undefined ? null : personOf(row.sender),
    text: row.text === undefined ? null : Internal.storable(row.text, 50_000),
    at
  }
}

/** A relation. */
const relationOf = (row: typeof Responses.RelationRow.Type): Outreach.NewRelation => ({
  person: personOf(row.person),
  connectedAt: Internal.providerInstant(row.connected_at) ?? null
})

/** The bridge's URL, the shared secret, and timeouts in milliseconds. */
export interface BridgeOptions {
  readonly url: string
  readonly secret: Redacted.Redacted
  readonly timeouts?: { readonly read?: number; readonly write?: number }
}

const accountOf = ({ id, gatewayAccountId, tier }: Outreach.LinkedInAccount) => ({
  id,
  gateway_account_id: gatewayAccountId,
  tier
})

const identitiesOf = (identities: ReadonlyArray<Identity>) => identities.map(({ kind, value }) => ({ kind, value }))

const recipientOf = ({ leadId, identities, invitedAt }: Outreach.Recipient) => ({
  lead_id: leadId,
  identities: identitiesOf(identities),
  invited_at: invitedAt
})

const makeGateway = ({ read, write }: BridgeClient): Outreach.LinkedInGateway["Service"] => {
  const about = (account: Outreach.LinkedInAccount, recipient: Outreach.Recipient) => ({
    account: accountOf(account),
    recipient: recipientOf(recipient)
  })
  const deliver = (
    path: string,
    account: Outreach.LinkedInAccount,
    { idempotencyKey, recipient }: Outreach.Delivery,
    more: object
  ) =>
    write({
      path,
      idempotencyKey,
      body: { ...about(account, recipient), idempotency_key: idempotencyKey, ...more }
    })
  const relation = (account: Outreach.LinkedInAccount, recipient: Outreach.Recipient) =>
    read({ path: "relation", body: about(account, recipient) }, Responses.RelationResponse)
  const orFail = Effect.mapError(asFailure("The bridge"))
  const ask = <S extends Schema.ConstraintDecoder<unknown>>(
    path: string,
    account: Outreach.LinkedInAccount,
    more: object,
    schema: S
  ) => orFail(read({ path, body: { account: accountOf(account), ...more } }, schema))
  return Outreach.LinkedInGateway.of({
    name: "http",
    automaticAccount: () => undefined,
    relation: (account, recipient) =>
      Effect.match(relation(account, recipient), {
        onFailure: asRefusal,
        onSuccess: ({ chat_id: chatId, connected, invitation }): Outreach.RelationResult => ({
          _tag: "Known",
          relation: { connected, chatId, invitation }
        })
      }),
    sendToChat: (account, delivery) =>
      deliver("send", account, delivery, { chat_id: delivery.chatId, text: delivery.text }),
    startChat: (account, delivery) => deliver("send", account, delivery, { chat_id: null, text: delivery.text }),
    sendInvitation: (account, delivery) => deliver("invite", account, delivery, { note: delivery.note }),
    searchPeople: (account, { url, cursor, limit }) =>
      Effect.map(
        ask("search", account, { url, cursor, limit }, Responses.SearchResponse),
        ({ people, next, total }) => ({
          people: Internal.rowsOf(Responses.PersonRow, people).flatMap((row) => foundPerson(row) ?? []),
          next,
          total: Math.max(0, total)
        })
      ),
    resolveProfile: (account, identities) =>
      Effect.map(
        ask("profile", account, { identities: identitiesOf(identities) }, Responses.ProfileResponse),
        ({ person, headline, degree, connected, invitation }) => ({
          ...personOf(person),
          headline: Internal.storable(headline ?? "", 500),
          degree: degree ?? null,
          connected,
          invitation
        })
      ),
    findChat: (account, recipient) => orFail(Effect.map(relation(account, recipient), ({ chat_id }) => chat_id)),
    listMessages: (account, { chatId, since, cursor }) =>
      Effect.map(
        ask("messages", account, { chat_id: chatId, since, cursor }, Responses.ListResponse),
        ({ items, next }) => ({
          messages: Internal.rowsOf(Responses.MessageRow, items)
            .flatMap((row) => messageOf(row) ?? [])
            .filter(({ at }) => at >= since),
          next
        })
      ),
    listRelations: (account, { since, cursor }) =>
      Effect.map(ask("relations", account, { since, cursor }, Responses.ListResponse), ({ items, next }) => ({
        relations: Internal.rowsOf(Responses.RelationRow, items)
          .map(relationOf)
          .filter(({ connectedAt }) => connectedAt === null || connectedAt >= since),
        next
      })),
    withdrawInvitation: (account, recipient) => write({ path: "withdraw", body: about(account, recipient) }),
    accounts: {}
  })
}

/** The bridge's layer. Fails with INVALID_INPUT when URL or secret is malformed; makes no request. */
export const layer = (options: BridgeOptions): Layer.Layer<Outreach.LinkedInGateway, Failure> =>
  Layer.effect(
    Outreach.LinkedInGateway,
    Effect.gen(function* () {
      const url = yield* Effect.fromResult(parseBridgeUrl(options.url))
      const key = yield* Effect.fromResult(signingKey(options.secret))
      const timeouts = { read: 7_000, write: 14_000, ...options.timeouts }
      return makeGateway(makeBridgeClient(url, key, timeouts, yield* HttpClient))
    })
  ).pipe(Layer.provide(Internal.providerHttp))
