/** What the fake tells by webhook. */
import type { Premises } from "./Plan.ts"
import type { World } from "./World.ts"

/** Tells of a message by webhook, own or not, as the provider does. */
export const tellMessage = ({ world, webhooks }: Premises, message: World["messages"][number]): void => {
  const account = world.accounts.get(message.accountId)
  const chat = world.chats.find(({ id }) => id === message.chatId)
  const person = world.people.get(chat?.slug ?? "")
  webhooks.emit("messaging", {
    event: "message_received",
    account_id: message.accountId,
    account_type: "LINKEDIN",
    account_info: { type: "LINKEDIN", feature: "classic", user_id: account?.providerId },
    chat_id: message.chatId,
    message_id: message.id,
    message: message.text,
    timestamp: new Date(message.at).toISOString(),
    webhook_name: "fake",
    sender: {
      attendee_id: `att_${message.senderId.slice(-8)}`,
      attendee_name: message.own ? account?.name : `${person?.firstName} ${person?.lastName}`,
      attendee_provider_id: message.senderId,
      attendee_profile_url: `https://www.linkedin.com/in/${message.own ? message.accountId : person?.slug}`
    },
    attendees: [],
    attachments: []
  })
}

/** Tells of the invitations that were accepted since the last time. */
export const tellRelations = ({ world, webhooks }: Premises): void => {
  world.settle()
  for (const { accountId, slug } of world.accepted.splice(0)) {
    const person = world.people.get(slug)
    if (person === undefined) continue
    webhooks.emit("users", {
      event: "new_relation",
      account_id: accountId,
      account_type: "LINKEDIN",
      webhook_name: "fake",
      user_full_name: `${person.firstName} ${person.lastName}`,
      user_provider_id: person.profileToken,
      user_public_identifier: slug,
      user_profile_url: `https://www.linkedin.com/in/${slug}`,
      user_picture_url: null
    })
  }
}
