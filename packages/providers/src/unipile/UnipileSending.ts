/**
 * Writes: messages, invitations and withdrawing an invitation. Each is one request that is never retried.
 *
 * Only the documented response of a route confirms a write. A confirmed write without an id has a null id.
 */

import { ProviderId, rowsOf, soft, softTexts } from "@svc/core/internal"
import type { Confirmed, Gateway, LinkedInAccount, Recipient, SendResult } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { asRefusal, readAs } from "../ProviderRead.ts"
import { json, readPages, type UnipileCall, type UnipileClient } from "./UnipileClient.ts"
import { isSamePerson, providerIdOf, slugOf } from "./UnipileProfile.ts"

const confirming = <Name extends string>(object: Name) => {
  const Response = Schema.Struct({
    object: Schema.Literal(object),
    message_id: soft(ProviderId),
    invitation_id: soft(ProviderId)
  })
  return (body: unknown): Confirmed | undefined => {
    const response = readAs(Response, body)
    if (response === undefined) return undefined
    return { _tag: "Confirmed", messageId: response.message_id ?? response.invitation_id ?? null, externalId: null }
  }
}

const messageSent = confirming("MessageSent")
const chatStarted = confirming("ChatStarted")
const invitationSent = confirming("UserInvitationSent")

/** A confirmed write without an id. */
export const confirmed: Confirmed = { _tag: "Confirmed", messageId: null, externalId: null }

const SentInvitation = Schema.Struct({ id: ProviderId, ...softTexts("invited_user_id", "invited_user_public_id") })

/** The writes of the gateway. */
export const sendingOf = (
  client: UnipileClient
): Pick<Gateway, "sendInvitation" | "sendToChat" | "startChat" | "withdrawInvitation"> => {
  /** "Already performed" leaves the outcome unknown: it may have been this message or an earlier one. */
  const writeMessage = (
    call: UnipileCall,
    confirm: (body: unknown) => Confirmed | undefined
  ): Effect.Effect<SendResult> =>
    Effect.map(client.write(call, confirm), (result) =>
      result._tag === "Refused" && result.providerCode === "errors/action_already_performed"
        ? { _tag: "Unknown", detail: `The provider reports that this was already sent (${result.providerCode}).` }
        : result
    )

  const withProviderId = (
    account: LinkedInAccount,
    { identities }: Recipient,
    write: (providerId: string) => Effect.Effect<SendResult>
  ): Effect.Effect<SendResult> =>
    Effect.matchEffect(providerIdOf(client, account, identities), {
      onFailure: (failed) => Effect.succeed(asRefusal(failed)),
      onSuccess: write
    })

  return {
    sendToChat: (_account, { chatId, text }) =>
      writeMessage(
        { method: "POST", path: ["chats", chatId, "messages"], body: { _tag: "Form", fields: [["text", text]] } },
        messageSent
      ),
    startChat: (account, { recipient, text }) =>
      withProviderId(account, recipient, (providerId) => {
        const fields = [
          ["account_id", account.gatewayAccountId],
          ["text", text],
          ["attendees_ids", providerId],
          ["linkedin[api]", "classic"]
        ] as const
        return writeMessage({ method: "POST", path: ["chats"], body: { _tag: "Form", fields } }, chatStarted)
      }),
    sendInvitation: (account, { note, recipient }) =>
      withProviderId(account, recipient, (providerId) => {
        const message = note === null || note === "" ? {} : { message: note }
        const body = json({ account_id: account.gatewayAccountId, provider_id: providerId, ...message })
        return client.write({ method: "POST", path: ["users", "invite"], body }, invitationSent)
      }),
    // Also confirmed when none is pending.
    withdrawInvitation: (account, { identities }) =>
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
  }
}
