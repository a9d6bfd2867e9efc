/**
 * Writes: messages, invitations and withdrawing an invitation. Each is one request that is never retried.
 *
 * Only the documented response of a route confirms a write. A confirmed write without an id has a null id.
 */

import { ProviderId, rowsOf, soft } from "@svc/core/internal"
import type { Confirmed, Delivery, LinkedInAccount, Recipient, SendResult } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asRefusal } from "../ProviderRead.ts"
import { readPages, type UnipileCall, type UnipileClient } from "./UnipileClient.ts"
import { isSamePerson, readProfile, slugOf } from "./UnipileProfile.ts"

const confirming = <Name extends string>(object: Name) => {
  const Response = Schema.Struct({
    object: Schema.Literal(object),
    message_id: soft(ProviderId),
    invitation_id: soft(ProviderId)
  })
  const decode = Schema.decodeUnknownOption(Response)
  return (body: unknown): Confirmed | undefined => {
    const response = Option.getOrUndefined(decode(body))
    if (response === undefined) return undefined
    return { _tag: "Confirmed", messageId: response.message_id ?? response.invitation_id ?? null, externalId: null }
  }
}

const messageSent = confirming("MessageSent")
const chatStarted = confirming("ChatStarted")
const invitationSent = confirming("UserInvitationSent")
const confirmed: Confirmed = { _tag: "Confirmed", messageId: null, externalId: null }

/** "Already performed" leaves the outcome unknown: it may have been this message or an earlier one. */
const writeMessage = (
  client: UnipileClient,
  call: UnipileCall,
  confirm: (body: unknown) => Confirmed | undefined
): Effect.Effect<SendResult> =>
  Effect.map(client.write(call, confirm), (result) =>
    result._tag === "Refused" && result.providerCode === "errors/action_already_performed"
      ? { _tag: "Unknown", detail: `The provider reports that this was already sent (${result.providerCode}).` }
      : result
  )

/** Sends a message to an existing conversation. */
export const sendToChat = (
  client: UnipileClient,
  { chatId, text }: { readonly chatId: string; readonly text: string }
): Effect.Effect<SendResult> =>
  writeMessage(
    client,
    { method: "POST", path: ["chats", chatId, "messages"], body: { _tag: "Form", fields: [["text", text]] } },
    messageSent
  )

/** Writes to the provider's id of a person: the known profile token, or the result of a lookup. */
const withProviderId = (
  client: UnipileClient,
  account: LinkedInAccount,
  { identities }: Recipient,
  write: (providerId: string) => Effect.Effect<SendResult>
): Effect.Effect<SendResult> => {
  const token = identities.find(({ kind }) => kind === "profile_token")
  if (token !== undefined) return write(token.value)
  return Effect.matchEffect(readProfile(client, account, identities), {
    onFailure: (failed) => Effect.succeed(asRefusal(failed)),
    onSuccess: ({ providerId }) => write(providerId)
  })
}

/** Starts a conversation with a relation. */
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

/** Sends an invitation to connect. */
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

/** Withdraws a pending invitation; also confirmed when none is pending. */
export const withdrawInvitation = (
  client: UnipileClient,
  account: LinkedInAccount,
  { identities }: Recipient
): Effect.Effect<SendResult> =>
  Effect.gen(function* () {
    const account_id = account.gatewayAccountId
    const isTo = ({ invited_user_id: id, invited_user_public_id: slug }: typeof SentInvitation.Type): boolean =>
      identities.some(({ kind, value }) =>
        kind === "slug" ? slugOf(slug) === value : id !== undefined && isSamePerson(value, id)
      )
    const path = ["users", "invite", "sent"]
    const found: Array<string> = []
    yield* readPages(client, path, { account_id, limit: 100 }, (items) => {
      const invitation = rowsOf(SentInvitation, items).find(isTo)
      if (invitation !== undefined) found.push(invitation.id)
      return invitation !== undefined
    })
    const [id] = found
    if (id === undefined) return confirmed
    return yield* client.write({ method: "DELETE", path: [...path, id], query: { account_id } }, () => confirmed)
  }).pipe(Effect.catch((failed) => Effect.succeed(asRefusal(failed))))
