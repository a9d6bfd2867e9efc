/**
 * The fake's own routes, for when it is another process: `POST /__fake/NAME` with a JSON object.
 *
 * | name | body | answer |
 * |---|---|---|
 * | `ledger` | – | `{ledger: […]}`, what was really accepted |
 * | `seen` | – | `{seen: […]}`, the requests |
 * | `sending` | – | `{sending}`, how many messages are being sent |
 * | `account` | `{id, features?, status?}` | the account |
 * | `people` | `{slugs: […], accept_after?}` | the people |
 * | `script` | a script, see `Script.ts` | `{}` |
 * | `clock` | `{advance}` milliseconds | `{now}` |
 * | `receive` | `{account_id, slug, text}` | the message that somebody wrote to the account |
 * | `limits`, `search`, `unreliability` | what to change | `{}` |
 * | `flush` | – | `{delivered}`, after all webhooks went out |
 */
import type { ServerResponse } from "node:http"
import type { FakeUnipile } from "./FakeUnipile.ts"
import type { Script } from "./Script.ts"
import { tellMessage } from "./tellings.ts"
import type { FakeAccount, FakeLimits } from "./World.ts"

type Body = Readonly<Record<string, unknown>>

const text = (value: unknown): string => (typeof value === "string" ? value : "")

// Only tests call these routes, with the shapes of the table above.
const shaped = <A>(value: unknown): A => value as A

const run = async (fake: FakeUnipile, name: string, body: Body): Promise<unknown> => {
  const { world, webhooks } = fake
  switch (name) {
    case "ledger":
      return { ledger: world.ledger }
    case "seen":
      return { seen: fake.seen }
    case "sending":
      return { sending: fake.sending }
    case "account": {
      const id = text(body["id"])
      const known = world.accounts.get(id)
      const account = known ?? world.addAccount(id, shaped<FakeAccount["features"] | undefined>(body["features"]))
      if (body["status"] !== undefined) account.status = shaped<FakeAccount["status"]>(body["status"])
      return account
    }
    case "people": {
      const after = body["accept_after"]
      const slugs = shaped<ReadonlyArray<string>>(body["slugs"])
      return { people: slugs.map((slug) => world.addPerson(slug, shaped<number | null | undefined>(after))) }
    }
    case "script":
      fake.scripts.add(shaped<Script>(body))
      return {}
    case "clock":
      fake.advance(Number(body["advance"] ?? 0))
      return { now: world.now() }
    case "receive": {
      const chat = world.openChat(text(body["account_id"]), text(body["slug"]))
      const message = world.write(chat, text(body["text"]), false)
      tellMessage(fake, message)
      return message
    }
    case "limits":
      world.limits = shaped<FakeLimits>(body)
      return {}
    case "search":
      Object.assign(fake.search, body)
      return {}
    case "unreliability":
      webhooks.unreliability = body
      return {}
    case "flush":
      await webhooks.flush()
      return { delivered: webhooks.delivered.length }
    default:
      return undefined
  }
}

/** Answers a control request. */
export const control = async (fake: FakeUnipile, name: string, body: Body, response: ServerResponse): Promise<void> => {
  const answer = await run(fake, name, body)
  response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" })
  response.end(JSON.stringify(answer ?? { error: "no such control" }))
}
