/**
 * LinkedIn through a bridge: any provider behind a small HTTP service that speaks the contract of `README.md`.
 *
 * Source: mission research 5.1 ("HTTP bridge"); issue 4, item 1.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Failure, fail } from "../../Failure.ts"
import type { Identity } from "../../leads/identity/Identity.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import { LinkedInGateway, type Recipient, type RelationResult } from "../LinkedInGateway.ts"
import {
  ListAnswer,
  MessageRow,
  PersonRow,
  ProfileAnswer,
  RelationAnswer,
  RelationRow,
  SearchAnswer
} from "./BridgeAnswers.ts"
import { type BridgeCall, type BridgeClient, bridgeFailure, makeBridgeClient } from "./BridgeClient.ts"
import { signingKey } from "./BridgeSignature.ts"
import { foundBy, messageBy, namedBy, relationBy } from "./bridgeReads.ts"
import { GatewayAdditions } from "./GatewayAdditions.ts"
import { providerHttp } from "./ProviderCall.ts"
import { rowsOf, storable } from "./ProviderText.ts"

/** Where the bridge is, the secret that both sides hold, and how long to wait for an answer (milliseconds). */
export interface BridgeOptions {
  readonly url: string
  readonly secret: Redacted.Redacted
  readonly timeouts?: { readonly read?: number; readonly write?: number }
}

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$/.test(hostname)

/** The bridge's address without a slash at its end. Fails with INVALID_INPUT. */
export const bridgeAddress = (text: string): Result.Result<string, Failure> => {
  const url = text.length <= 500 && URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
  if (
    url === undefined ||
    !isSafe ||
    url.username !== "" ||
    url.password !== "" ||
    url.search !== "" ||
    url.hash !== ""
  ) {
    return Result.fail(
      fail(
        "INVALID_INPUT",
        "The bridge's address must be a URL with https (http on loopback only), without user, query and fragment."
      )
    )
  }
  return Result.succeed(`${url.origin}${url.pathname}`.replace(/\/$/, ""))
}

const accountOf = ({ id, gatewayAccountId, tier }: LinkedInAccount) => ({
  id,
  gateway_account_id: gatewayAccountId,
  tier
})

const identitiesOf = (identities: ReadonlyArray<Identity>) => identities.map(({ kind, value }) => ({ kind, value }))

const recipientOf = ({ leadId, identities, invitedAt }: Recipient) => ({
  lead_id: leadId,
  identities: identitiesOf(identities),
  invited_at: invitedAt
})

const unreadable = fail("GATEWAY_ERROR", "The bridge's answer cannot be understood. Try again later.")

/** A read whose answer must fit a schema. */
const ask = <S extends Schema.ConstraintDecoder<unknown>>(client: BridgeClient, call: BridgeCall, schema: S) => {
  const decode = Schema.decodeUnknownOption(schema)
  return Effect.gen(function* (): Effect.fn.Return<S["Type"], Failure> {
    const end = yield* client.read(call)
    if (end._tag !== "Found") return yield* bridgeFailure(end)
    const answer = decode(end.body)
    return Option.isSome(answer) ? answer.value : yield* unreadable
  })
}

const decodeRelation = Schema.decodeUnknownOption(RelationAnswer)

const relation = (client: BridgeClient, account: LinkedInAccount, recipient: Recipient) =>
  Effect.map(
    client.read({ path: "relation", body: { account: accountOf(account), recipient: recipientOf(recipient) } }),
    (end): RelationResult => {
      if (end._tag === "Broken") return { _tag: "Unavailable", detail: end.detail }
      if (end._tag !== "Found") return end
      const answer = Option.getOrUndefined(decodeRelation(end.body))
      if (answer === undefined) return { _tag: "Unavailable", detail: "The bridge's answer cannot be understood." }
      const { connected, invitation, chat_id: chatId } = answer
      return { _tag: "Known", relation: { connected, chatId, invitation } }
    }
  )

const makeGateway = (client: BridgeClient): LinkedInGateway["Service"] => {
  const send = (account: LinkedInAccount, recipient: Recipient, key: string, chatId: string | null, text: string) =>
    client.write({
      path: "send",
      idempotencyKey: key,
      body: {
        account: accountOf(account),
        recipient: recipientOf(recipient),
        idempotency_key: key,
        chat_id: chatId,
        text
      }
    })
  return LinkedInGateway.of({
    name: "http",
    automaticAccount: () => undefined,
    relation: (account, recipient) => relation(client, account, recipient),
    sendToChat: (account, { recipient, idempotencyKey, chatId, text }) =>
      send(account, recipient, idempotencyKey, chatId, text),
    startChat: (account, { recipient, idempotencyKey, text }) => send(account, recipient, idempotencyKey, null, text),
    sendInvitation: (account, { recipient, idempotencyKey, note }) =>
      client.write({
        path: "invite",
        idempotencyKey,
        body: {
          account: accountOf(account),
          recipient: recipientOf(recipient),
          idempotency_key: idempotencyKey,
          note
        }
      }),
    searchPeople: (account, { url, cursor, limit }) =>
      Effect.map(
        ask(client, { path: "search", body: { account: accountOf(account), url, cursor, limit } }, SearchAnswer),
        ({ people, next, total }) => ({
          people: rowsOf(PersonRow, people).flatMap((row) => foundBy(row) ?? []),
          next,
          total: Math.max(0, total)
        })
      )
  })
}

const makeAdditions = (client: BridgeClient): GatewayAdditions["Service"] =>
  GatewayAdditions.of({
    resolveProfile: (account, identities) =>
      Effect.map(
        ask(
          client,
          { path: "profile", body: { account: accountOf(account), identities: identitiesOf(identities) } },
          ProfileAnswer
        ),
        ({ person, headline, degree, connected, invitation }) => ({
          ...namedBy(person),
          headline: storable(headline ?? "", 500),
          degree: degree ?? null,
          connected,
          invitation
        })
      ),
    findChat: (account, recipient) =>
      Effect.map(
        ask(
          client,
          { path: "relation", body: { account: accountOf(account), recipient: recipientOf(recipient) } },
          RelationAnswer
        ),
        ({ chat_id }) => chat_id
      ),
    listMessages: (account, { chatId, since, cursor }) =>
      Effect.map(
        ask(
          client,
          { path: "messages", body: { account: accountOf(account), chat_id: chatId, since, cursor } },
          ListAnswer
        ),
        ({ items, next }) => ({
          messages: rowsOf(MessageRow, items)
            .flatMap((row) => messageBy(row) ?? [])
            .filter(({ at }) => at >= since),
          next
        })
      ),
    listRelations: (account, { since, cursor }) =>
      Effect.map(
        ask(client, { path: "relations", body: { account: accountOf(account), since, cursor } }, ListAnswer),
        ({ items, next }) => ({
          relations: rowsOf(RelationRow, items)
            .map(relationBy)
            .filter(({ connectedAt }) => connectedAt === null || connectedAt >= since),
          next
        })
      ),
    withdrawInvitation: (account, recipient) =>
      client.write({ path: "withdraw", body: { account: accountOf(account), recipient: recipientOf(recipient) } })
  })

/** The bridge's layer. Fails with INVALID_INPUT when address or secret cannot be one; asks the bridge nothing. */
export const layer = (options: BridgeOptions): Layer.Layer<LinkedInGateway | GatewayAdditions, Failure> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const url = yield* Effect.fromResult(bridgeAddress(options.url))
      const key = yield* Effect.fromResult(signingKey(options.secret))
      const patience = { read: options.timeouts?.read ?? 7_000, write: options.timeouts?.write ?? 14_000 }
      const client = makeBridgeClient(url, key, patience, yield* HttpClient)
      return Context.make(LinkedInGateway, makeGateway(client)).pipe(
        Context.add(GatewayAdditions, makeAdditions(client))
      )
    })
  ).pipe(Layer.provide(providerHttp))
