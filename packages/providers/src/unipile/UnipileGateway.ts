/** LinkedIn through Unipile: the provider port as one layer. */
import { type Failure, InvalidInput, NotFound } from "@svc/core"
import {
  type Gateway,
  type LinkedInAccount,
  LinkedInGateway,
  type ProviderAccounts,
  type ProviderFailure,
  providerHttp,
  type Recipient,
  type RelationResult,
  type ResolvedProfile
} from "@svc/core/outreach"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { parseDsn } from "./Dsn.ts"
import { asFailure, asRefusal } from "./FailedRead.ts"
import { makeAccounts, UnipileAccounts } from "./UnipileAccounts.ts"
import { makeClient, type UnipileClient, type UnipileOptions } from "./UnipileClient.ts"
import { listMessages, listRelations } from "./UnipileInbox.ts"
import { readChat, readProfile } from "./UnipileProfile.ts"
import { searchPeople } from "./UnipileSearch.ts"
import { sendInvitation, sendToChat, startChat, withdrawInvitation } from "./UnipileSending.ts"
import { parseWebhook } from "./UnipileWebhook.ts"

/** The relation of account and person: from the profile, and the conversation if they are connected. */
const relation = (
  client: UnipileClient,
  account: LinkedInAccount,
  { identities }: Recipient
): Effect.Effect<RelationResult> =>
  Effect.gen(function* (): Effect.fn.Return<RelationResult> {
    const found = yield* readProfile(client, account, identities)
    if (found._tag !== "Profile") return asRefusal(found)
    const { connected, invitation, providerId } = found.profile
    if (connected === undefined) {
      return { _tag: "Unavailable", detail: "The provider did not report whether the person is connected." }
    }
    if (!connected) {
      const pending = invitation === "pending" ? "pending" : "none"
      return { _tag: "Known", relation: { connected, chatId: null, invitation: pending } }
    }
    const chat = yield* readChat(client, account, providerId)
    if (chat._tag !== "Chat") return asRefusal(chat)
    return { _tag: "Known", relation: { connected, chatId: chat.chatId, invitation: "none" } }
  })

const providerAccounts = (accounts: UnipileAccounts["Service"]): ProviderAccounts => ({
  find: (id) => Effect.map(accounts.get(id), ({ features, status, tier }) => ({ status, tier, features })),
  connectLink: (request) => accounts.hostedLink({ ...request, successUrl: null, failureUrl: null }),
  subscribe: accounts.subscribe,
  readEvent: parseWebhook
})

const makeGateway = (client: UnipileClient, accounts: UnipileAccounts["Service"]): Gateway =>
  LinkedInGateway.of({
    name: "unipile",
    automaticAccount: () => undefined,
    relation: (account, recipient) => relation(client, account, recipient),
    sendToChat: (_account, delivery) => sendToChat(client, delivery),
    startChat: (account, delivery) => startChat(client, account, delivery),
    sendInvitation: (account, delivery) => sendInvitation(client, account, delivery),
    searchPeople: (account, search) => searchPeople(client, account, search),
    resolveProfile: (account, identities) =>
      Effect.flatMap(
        readProfile(client, account, identities),
        (found): Effect.Effect<ResolvedProfile, NotFound | ProviderFailure> => {
          if (found._tag === "Profile") return Effect.succeed(found.profile)
          if (found._tag === "Refused" && found.kind === "unreachable") {
            return Effect.fail(
              new NotFound({
                kind: "person",
                message: "Person not found at the provider. Check the profile on LinkedIn."
              })
            )
          }
          return Effect.fail(asFailure(found))
        }
      ),
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
    withdrawInvitation: (account, recipient) => withdrawInvitation(client, account, recipient),
    accounts: providerAccounts(accounts)
  })

const isHeaderText = (text: string): boolean => /^[\x21-\x7e]{1,1000}$/.test(text)

/** The provider's layer. Fails with INVALID_INPUT when the DSN or the key is malformed; makes no request. */
export const layer = (options: UnipileOptions): Layer.Layer<LinkedInGateway | UnipileAccounts, Failure> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const base = yield* Effect.fromResult(parseDsn(options.dsn))
      if (!isHeaderText(Redacted.value(options.apiKey))) {
        return yield* new InvalidInput({
          message:
            "SVC_UNIPILE_API_KEY is empty or contains invalid characters. Copy it again from the provider's dashboard."
        })
      }
      const client = makeClient(base, options, yield* HttpClient)
      const accounts = makeAccounts(client, new URL(base).origin)
      return Context.make(LinkedInGateway, makeGateway(client, accounts)).pipe(Context.add(UnipileAccounts, accounts))
    })
  ).pipe(Layer.provide(providerHttp))
