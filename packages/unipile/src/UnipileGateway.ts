/**
 * LinkedIn through Unipile: the port, its additions and the account functions, as one layer.
 *
 * Source: mission research 5.1 and 5.2; contract 3 and 7 "Sending".
 */
import { type Failure, fail } from "@svc/core/Failure"
import { GatewayAdditions } from "@svc/core/linkedin/bridge/GatewayAdditions"
import { providerHttp } from "@svc/core/linkedin/bridge/ProviderCall"
import type { LinkedInAccount } from "@svc/core/linkedin/LinkedInAccount"
import { LinkedInGateway, type Recipient, type RelationResult } from "@svc/core/linkedin/LinkedInGateway"
import { ProviderAccounts } from "@svc/core/linkedin/ProviderAccounts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { parseDsn } from "./Dsn.ts"
import { asFailure, asPortAnswer } from "./readFailure.ts"
import { makeAccounts, UnipileAccounts } from "./UnipileAccounts.ts"
import { makeClient, type UnipileClient } from "./UnipileClient.ts"
import { listMessages, listRelations } from "./UnipileInbox.ts"
import type { UnipileOptions } from "./UnipileOptions.ts"
import { readChat, readProfile } from "./UnipileProfile.ts"
import { searchPeople } from "./UnipileSearch.ts"
import { sendInvitation, sendToChat, startChat, withdrawInvitation } from "./UnipileSending.ts"
import { parseWebhook } from "./UnipileWebhook.ts"

/** How account and person stand: the profile, and the conversation of those who are connected. */
const relation = (
  client: UnipileClient,
  account: LinkedInAccount,
  { identities }: Recipient
): Effect.Effect<RelationResult> =>
  Effect.gen(function* (): Effect.fn.Return<RelationResult> {
    const found = yield* readProfile(client, account, identities)
    if (found._tag !== "Profile") return asPortAnswer(found)
    const { connected, invitation, providerId } = found.profile
    if (connected === undefined) {
      return { _tag: "Unavailable", detail: "The provider did not say whether the person is connected." }
    }
    if (!connected) {
      const pending = invitation === "pending" ? "pending" : "none"
      return { _tag: "Known", relation: { connected, chatId: null, invitation: pending } }
    }
    const chat = yield* readChat(client, account, providerId)
    if (chat._tag !== "Chat") return asPortAnswer(chat)
    return { _tag: "Known", relation: { connected, chatId: chat.chatId, invitation: "none" } }
  })

const makeGateway = (client: UnipileClient): LinkedInGateway["Service"] =>
  LinkedInGateway.of({
    name: "unipile",
    automaticAccount: () => undefined,
    relation: (account, recipient) => relation(client, account, recipient),
    sendToChat: (_account, delivery) => sendToChat(client, delivery),
    startChat: (account, delivery) => startChat(client, account, delivery),
    sendInvitation: (account, delivery) => sendInvitation(client, account, delivery),
    searchPeople: (account, search) => searchPeople(client, account, search)
  })

const makeAdditions = (client: UnipileClient): GatewayAdditions["Service"] =>
  GatewayAdditions.of({
    resolveProfile: (account, identities) =>
      Effect.flatMap(readProfile(client, account, identities), (found) => {
        if (found._tag === "Profile") return Effect.succeed(found.profile)
        if (found._tag === "Refused" && found.kind === "unreachable") {
          return Effect.fail(
            fail("NOT_FOUND", "The provider knows nobody by these identities. Check them on LinkedIn.")
          )
        }
        return Effect.fail(asFailure(found))
      }),
    findChat: (account, { identities }) =>
      Effect.gen(function* () {
        const token = identities.find(({ kind }) => kind === "profile_token")?.value
        const found = token === undefined ? yield* readProfile(client, account, identities) : undefined
        if (found !== undefined && found._tag !== "Profile") return yield* asFailure(found)
        const chat = yield* readChat(client, account, token ?? found?.profile.providerId ?? "")
        return chat._tag === "Chat" ? chat.chatId : yield* asFailure(chat)
      }),
    listMessages: (account, query) => listMessages(client, account, query),
    listRelations: (account, query) => listRelations(client, account, query),
    withdrawInvitation: (account, recipient) => withdrawInvitation(client, account, recipient)
  })

/** What the core asks of a provider beyond messages. */
const providerAccounts = (accounts: UnipileAccounts["Service"]): ProviderAccounts => ({
  find: (id) => Effect.map(accounts.get(id), ({ features, status, tier }) => ({ status, tier, features })),
  connectLink: (request) => accounts.hostedLink({ ...request, successUrl: null, failureUrl: null }),
  subscribe: accounts.subscribe,
  readTold: parseWebhook
})

const isHeaderText = (text: string): boolean => /^[\x21-\x7e]{1,1000}$/.test(text)

/**
 * The provider's layer. Fails with INVALID_INPUT, naming the variable, when the DSN or the key cannot be one; does not
 * ask the provider anything.
 */
export const layer = (
  options: UnipileOptions
): Layer.Layer<LinkedInGateway | GatewayAdditions | UnipileAccounts, Failure> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const base = yield* Effect.fromResult(parseDsn(options.dsn))
      if (!isHeaderText(Redacted.value(options.apiKey))) {
        return yield* fail(
          "INVALID_INPUT",
          "SVC_UNIPILE_API_KEY: It is empty or has characters that no key has. Copy it again."
        )
      }
      const client = makeClient(base, options, yield* HttpClient)
      const accounts = makeAccounts(client, new URL(base).origin)
      return Context.make(LinkedInGateway, makeGateway(client)).pipe(
        Context.add(GatewayAdditions, makeAdditions(client)),
        Context.add(UnipileAccounts, accounts),
        Context.add(ProviderAccounts, providerAccounts(accounts))
      )
    })
  ).pipe(Layer.provide(providerHttp))
