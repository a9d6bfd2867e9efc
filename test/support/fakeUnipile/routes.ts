/** The routes of the fake: what each request would do, and why it would be refused. */
import { chats, chatView, messagePage } from "./chatPlans.ts"
import {
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
import { searchPlan } from "./searchPlan.ts"
import { users } from "./userPlans.ts"
import type { FakeAccount } from "./World.ts"

const accountView = (account: FakeAccount) => ({
  object: "Account",
  id: account.id,
  name: account.name,
  type: "LINKEDIN",
  created_at: "2026-01-01T00:00:00.000Z",
  connection_params: {
    im: {
      id: account.providerId,
      username: account.name,
      publicIdentifier: account.id,
      premiumFeatures: account.features
    }
  },
  sources: [{ id: `${account.id}_MESSAGING`, status: account.status }],
  groups: []
})

const accounts = ({ world }: Premises, { method, path, query }: FakeRequest): Plan => {
  const [, id] = path
  if (id === undefined)
    return { perform: () => page([...world.accounts.values()].map(accountView), query, "AccountList") }
  const account = world.accounts.get(id)
  if (account === undefined) return refused(refuse(404, "resource_not_found", "Account not found"))
  if (method !== "DELETE") return { perform: () => accountView(account) }
  return { perform: () => ({ object: "AccountDeleted", deleted: world.accounts.delete(id) }) }
}

const webhookPlan = ({ webhooks, world }: Premises, { method, path, body }: FakeRequest): Plan => {
  if (method === "DELETE") {
    const place = webhooks.registrations.findIndex(({ id }) => id === path[1])
    if (place < 0) return refused(refuse(404, "resource_not_found"))
    return { perform: () => ({ object: "WebhookDeleted", removed: webhooks.registrations.splice(place, 1).length }) }
  }
  if (method === "GET") {
    const items = webhooks.registrations.map(({ url, ...rest }) => ({ object: "Webhook", ...rest, request_url: url }))
    return { perform: () => ({ object: "WebhookList", items, cursor: null }) }
  }
  const headers = Array.isArray(body["headers"])
    ? body["headers"].map((one) => ({ key: text(Reflect.get(one, "key")), value: text(Reflect.get(one, "value")) }))
    : []
  return {
    status: 201,
    perform: () => {
      const id = world.nextId("wh")
      webhooks.registrations.push({ id, url: text(body["request_url"]), source: text(body["source"]), headers })
      return { object: "WebhookCreated", webhook_id: id }
    }
  }
}

/** What a request would do; undefined for a route that the provider does not have. */
export const planFor = (premises: Premises, request: FakeRequest): Plan | undefined => {
  const { world } = premises
  const { path, query, body } = request
  switch (path[0]) {
    case "accounts":
      return accounts(premises, request)
    case "hosted": {
      const name = encodeURIComponent(text(body["name"]))
      return {
        status: 201,
        perform: () => ({ object: "HostedAuthURL", url: `${premises.origin()}/hosted?name=${name}` })
      }
    }
    case "chats":
      return chats(premises, request)
    case "chat_attendees":
      return withAccount(world, query.get("account_id") ?? "", (account) =>
        withPerson(world, path[1] ?? "", "resource_not_found", (person) => ({
          action: "chats",
          slug: person.slug,
          perform: () => {
            const own = world.chats.filter((chat) => chat.accountId === account.id && chat.slug === person.slug)
            return page(
              own.map((chat) => chatView(world, chat)),
              query,
              "ChatList"
            )
          }
        }))
      )
    case "messages":
      return withAccount(world, query.get("account_id") ?? "", (account) =>
        messagePage(
          premises,
          world.messages.filter((one) => one.accountId === account.id),
          query
        )
      )
    case "users":
      return users(premises, request)
    case "linkedin":
      return path[1] === "search"
        ? withAccount(world, query.get("account_id") ?? "", (account) => searchPlan(premises, account, request))
        : undefined
    case "webhooks":
      return webhookPlan(premises, request)
    default:
      return undefined
  }
}
