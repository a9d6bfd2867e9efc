/** The fake's conversations and messages. */
import {
  type FakeError,
  type FakeRequest,
  type Plan,
  type Premises,
  page,
  refuse,
  refused,
  text,
  withAccount,
  withPerson
} from "./Plan.ts"
import { tellMessage } from "./tellings.ts"
import type { FakeAccount, FakePerson, World } from "./World.ts"

const messageView = (world: World, message: World["messages"][number]) => ({
  object: "Message",
  id: message.id,
  provider_id: `urn:${message.id}`,
  chat_id: message.chatId,
  account_id: message.accountId,
  sender_id: message.senderId,
  text: message.text,
  timestamp: new Date(message.at).toISOString(),
  is_sender: message.own ? 1 : 0,
  seen: 0,
  edited: 0,
  deleted: 0,
  is_event: 0,
  attachments: [],
  reactions: [],
  // A member that no documentation names.
  folder_hint: world.chats.length
})

/** A conversation as the provider shows it. */
export const chatView = (world: World, chat: World["chats"][number]) => ({
  object: "Chat",
  id: chat.id,
  account_id: chat.accountId,
  account_type: "LINKEDIN",
  type: 0,
  attendee_provider_id: world.people.get(chat.slug)?.profileToken ?? null,
  timestamp: new Date(chat.timestamp).toISOString(),
  unread_count: 0,
  archived: 0,
  read_only: 0,
  content_type: null,
  folder: ["INBOX"]
})

/** A page of messages, newest first. */
export const messagePage = (premises: Premises, messages: World["messages"], query: URLSearchParams): Plan => {
  const after = Date.parse(query.get("after") ?? "1970-01-01T00:00:00Z")
  const recent = messages.filter((one) => one.at > after).toReversed()
  return {
    action: "messages",
    perform: () =>
      page(
        recent.map((one) => messageView(premises.world, one)),
        query,
        "MessageList"
      )
  }
}

const writeMessage = (
  { world }: Premises,
  account: FakeAccount,
  person: FakePerson,
  words: string
): FakeError | undefined => {
  if (words === "") return refuse(400, "missing_parameters")
  if (words.length > 8_000) return refuse(400, "too_many_characters")
  if (!world.isConnected(account.id, person)) return refuse(422, "no_connection_with_recipient")
  return world.isOverLimit(account.id, "message") ? refuse(422, "limit_exceeded") : undefined
}

/** `/chats` and below. */
export const chats = (premises: Premises, { method, path, query, body }: FakeRequest): Plan => {
  const { world } = premises
  const [, chatId, third] = path
  if (chatId === undefined && method === "POST") {
    return withAccount(world, text(body["account_id"]), (account) =>
      withPerson(world, text(body["attendees_ids"]), "invalid_recipient", (person) => ({
        action: "message",
        slug: person.slug,
        refusal: writeMessage(premises, account, person, text(body["text"])),
        status: 201,
        perform: () => {
          const message = world.write(world.openChat(account.id, person.slug), text(body["text"]), true)
          tellMessage(premises, message)
          return { object: "ChatStarted", chat_id: message.chatId, message_id: message.id }
        }
      }))
    )
  }
  if (chatId === undefined) {
    const own = world.chats.filter((chat) => chat.accountId === query.get("account_id"))
    return {
      perform: () =>
        page(
          own.map((chat) => chatView(world, chat)),
          query,
          "ChatList"
        )
    }
  }
  const chat = world.chats.find(({ id }) => id === chatId)
  if (chat === undefined) return refused(refuse(404, "resource_not_found"))
  if (third === undefined) return { perform: () => chatView(world, chat) }
  return withAccount(world, chat.accountId, (account) => {
    if (method === "GET")
      return messagePage(
        premises,
        world.messages.filter((one) => one.chatId === chatId),
        query
      )
    return withPerson(world, chat.slug, "invalid_recipient", (person) => ({
      action: "message",
      slug: chat.slug,
      refusal: writeMessage(premises, account, person, text(body["text"])),
      status: 201,
      perform: () => {
        const message = world.write(chat, text(body["text"]), true)
        tellMessage(premises, message)
        return { object: "MessageSent", message_id: message.id }
      }
    }))
  })
}
