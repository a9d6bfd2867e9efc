/**
 * Writes: messages, invitations, and taking an invitation back. Each is one request that is never repeated.
 *
 * Only the answer that a route is documented to give confirms anything. Its ids may be null: then the write is confirmed
 * and has no id yet. Source: mission research 5.2; contract 1.9.
 */
import { ProviderId, rowsOf, soft } from "@svc/core/linkedin/bridge/ProviderText"
import type { LinkedInAccount } from "@svc/core/linkedin/LinkedInAccount"
import type { Confirmed, Delivery, Recipient, SendResult } from "@svc/core/linkedin/LinkedInGateway"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asPortAnswer } from "./readFailure.ts"
import type { UnipileCall, UnipileClient } from "./UnipileClient.ts"
import { isSamePerson, slugOf } from "./UnipilePerson.ts"
import { readProfile } from "./UnipileProfile.ts"

const answers = <Name extends string>(object: Name) => {
  const Answer = Schema.Struct({
    object: Schema.Literal(object),
    message_id: soft(ProviderId),
    invitation_id: soft(ProviderId)
  })
  const decode = Schema.decodeUnknownOption(Answer)
  return (body: unknown): Confirmed | undefined => {
    const answer = Option.getOrUndefined(decode(body))
    if (answer === undefined) return undefined
    return { _tag: "Confirmed", messageId: answer.message_id ?? answer.invitation_id ?? null, externalId: null }
  }
}

const messageSent = answers("MessageSent")
const chatStarted = answers("ChatStarted")
const invitationSent = answers("UserInvitationSent")
const done: Confirmed = { _tag: "Confirmed", messageId: null, externalId: null }

/** A message that the provider says was sent before is not refused: whether it was this one, nobody can tell. */
const writeMessage = (
  client: UnipileClient,
  call: UnipileCall,
  confirm: (body: unknown) => Confirmed | undefined
): Effect.Effect<SendResult> =>
  Effect.map(client.write(call, confirm), (result) =>
    result._tag === "Refused" && result.providerCode === "errors/action_already_performed"
      ? { _tag: "Unknown", detail: `The provider says that it was done before (${result.providerCode}).` }
      : result
  )

/** Writes into a conversation. */
export const sendToChat = (
  client: UnipileClient,
  { chatId, text }: { readonly chatId: string; readonly text: string }
): Effect.Effect<SendResult> =>
  writeMessage(
    client,
    { method: "POST", path: ["chats", chatId, "messages"], body: { _tag: "Form", fields: [["text", text]] } },
    messageSent
  )

/** The provider's id of a person: a profile token that is known already, or what a look-up answers. */
const withProviderId = (
  client: UnipileClient,
  account: LinkedInAccount,
  { identities }: Recipient,
  write: (providerId: string) => Effect.Effect<SendResult>
): Effect.Effect<SendResult> => {
  const token = identities.find(({ kind }) => kind === "profile_token")
  if (token !== undefined) return write(token.value)
  return Effect.flatMap(readProfile(client, account, identities), (found) =>
    found._tag === "Profile" ? write(found.profile.providerId) : Effect.succeed(asPortAnswer(found))
  )
}

/** Begins a conversation with a relation. */
export const startChat = (
  client: UnipileClient,
  account: LinkedInAccount,
  { recipient, text }: Delivery & { readonly text: string }
): Effect.Effect<SendResult> =>
  withProviderId(client, account, recipient, (providerId) =>
    writeMessage(
      client,
      {
        method: "POST",
        path: ["chats"],
        body: {
          _tag: "Form",
          fields: [
            ["account_id", account.gatewayAccountId],
            ["text", text],
            ["attendees_ids", providerId],
            ["linkedin[api]", "classic"]
          ]
        }
      },
      chatStarted
    )
  )

/** Asks a person to connect. */
export const sendInvitation = (
  client: UnipileClient,
  account: LinkedInAccount,
  { recipient, note }: Delivery & { readonly note: string | null }
): Effect.Effect<SendResult> =>
  withProviderId(client, account, recipient, (providerId) =>
    client.write(
      {
        method: "POST",
        path: ["users", "invite"],
        body: {
          _tag: "Json",
          text: JSON.stringify({
            account_id: account.gatewayAccountId,
            provider_id: providerId,
            ...(note === null || note === "" ? {} : { message: note })
          })
        }
      },
      invitationSent
    )
  )

const SentInvitation = Schema.Struct({
  id: ProviderId,
  invited_user_id: soft(Schema.String),
  invited_user_public_id: soft(Schema.String)
})
const SentInvitations = Schema.Struct({ items: Schema.Array(Schema.Unknown), cursor: soft(Schema.String) })
const decodeSent = Schema.decodeUnknownOption(SentInvitations)

const mostPages = 30

/** Takes a pending invitation back; confirmed as well when none is pending. */
export const withdrawInvitation = (
  client: UnipileClient,
  account: LinkedInAccount,
  { identities }: Recipient
): Effect.Effect<SendResult> =>
  Effect.gen(function* (): Effect.fn.Return<SendResult> {
    const account_id = account.gatewayAccountId
    const isTo = ({ invited_user_id: id, invited_user_public_id: slug }: typeof SentInvitation.Type): boolean =>
      identities.some(({ kind, value }) =>
        kind === "slug" ? slugOf(slug) === value : id !== undefined && isSamePerson(value, id)
      )
    let cursor: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const end = yield* client.read({
        method: "GET",
        path: ["users", "invite", "sent"],
        query: { account_id, limit: 100, cursor }
      })
      if (end._tag !== "Found") return asPortAnswer(end)
      const list = Option.getOrUndefined(decodeSent(end.body))
      if (list === undefined) return { _tag: "Unavailable", detail: "The provider did not answer its invitations." }
      const invitation = rowsOf(SentInvitation, list.items).find(isTo)
      if (invitation !== undefined) {
        const path = ["users", "invite", "sent", invitation.id]
        return yield* client.write({ method: "DELETE", path, query: { account_id } }, () => done)
      }
      if (list.cursor === undefined || list.items.length === 0) return done
      cursor = list.cursor
    }
    return { _tag: "Unavailable", detail: "The provider's list of invitations does not end." }
  })
