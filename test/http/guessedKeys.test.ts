/** What guessing costs: beyond its limit, no forged credential reaches the database, on any path that looks one up. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Pool } from "pg"
import { generateKey } from "#core/workspace/organizations/ApiKey.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { type FakeUnipile, startFakeUnipile } from "../support/fakeUnipile/FakeUnipile.ts"
import { type Asked, openService, readReply, requestInit, type Service } from "../support/httpService.ts"
import { listening } from "../support/listening.ts"
import { mistyped } from "../support/mistyped.ts"
import { stopClock } from "../support/stoppedClock.ts"
import { adapter, secret } from "../unipile/unipileWorld.ts"

/** Statements about data: not what prepares a connection, nor what keeps the tables in shape, or notes a use, now and then. */
const isAboutData = (text: string) =>
  text.includes("svc.") && !/pg_stat_user_tables|svc_analyze|set last_used_at/.test(text)

/** A pool whose statements are counted. */
const countingPool = (url: string) => {
  const texts: Array<string> = []
  const pool = new Pool({ connectionString: url, max: 4 }).on("error", () => {})
  pool.on("connect", (client) => {
    const query = client.query.bind(client)
    Object.assign(client, {
      query: (...args: Parameters<typeof query>) => {
        const text = JSON.stringify(args[0])
        if (isAboutData(text)) texts.push(text.slice(0, 80))
        return query(...args)
      }
    })
  })
  return { pool, texts }
}

interface Opened extends Service {
  readonly provider: FakeUnipile
  /** Sends requests from one network address, and returns their statuses and how many statements each took. */
  readonly from: (address?: string) => {
    readonly address: string
    readonly send: (
      method: string,
      path: string,
      asked: Asked
    ) => Promise<{ readonly status: number; readonly statements: ReadonlyArray<string> }>
  }
}

/** A service over PostgreSQL and the fake provider, with as many requests per minute and key, on a port. */
const opened = (rateLimit: number, use: (service: Opened) => Promise<void>) =>
  Effect.gen(function* () {
    const url = clearUrl((yield* freshPostgres()).url)
    yield* Effect.promise(async () => {
      const { pool, texts } = countingPool(url)
      const provider = await startFakeUnipile({ apiKey: secret })
      provider.world.addAccount("ua-1")
      const service = await openService({
        database: { client: pool },
        gateway: Layer.orDie(adapter(provider.url)),
        rateLimit,
        // The test is a proxy: each door is tried from an address of its own.
        settings: { trustedProxies: "127.0.0.0/8, ::1" }
      })
      let addresses = 0
      await listening(service.svc, (base) =>
        use({
          ...service,
          provider,
          from: (address = `198.51.100.${++addresses}`) => ({
            address,
            send: async (method, path, asked) => {
              const before = texts.length
              const init = requestInit(method, { key: null, ...asked }, "")
              const headers = new Headers(init.headers)
              headers.set("x-forwarded-for", `203.0.113.9, ${address}`)
              const { status } = await readReply(await fetch(`${base}${path}`, { ...init, headers }))
              return { status, statements: texts.slice(before) }
            }
          })
        })
      ).finally(async () => {
        await service.svc.close()
        await provider.close()
        await pool.end()
      })
    })
  }).pipe(Effect.scoped)

/** A key of the same id with another secret. */
const otherSecret = (key: string, environment?: string): string => generateKey(key.split("_")[2], environment)

const token = () => generateKey().split("_")[3] ?? ""

const offers = ["GET", "/api/v1/offers"] as const
const session = ["POST", "/review/session"] as const
const fromPage = { "svc-session": "1", "sec-fetch-site": "same-origin" }

/** Every way to present something that is looked up. */
const doors: Readonly<Record<string, (key: string) => readonly [method: string, path: string, asked: Asked]>> = {
  "an unknown key": () => [...offers, { key: generateKey() }],
  "a wrong secret": (key) => [...offers, { key: otherSecret(key) }],
  "a mistyped key": () => [...offers, { key: mistyped(generateKey()) }],
  "an unknown key of MCP": () => ["POST", "/mcp", { key: generateKey(), json: {} }],
  "an access token": (key) => ["POST", "/mcp", { key: otherSecret(key, "token"), json: {} }],
  "a session": (key) => [...offers, { headers: { cookie: `svc_session=${otherSecret(key, "session")}` } }],
  "the session of a page": () => [
    "GET",
    "/review/session",
    { headers: { cookie: `svc_session=${generateKey(undefined, "session")}` } }
  ],
  "signing in with a key": () => [...session, { json: { api_key: generateKey() } }],
  "signing in with a link": (key) => [...session, { json: { link: otherSecret(key, "link") } }],
  "signing out": () => [
    "DELETE",
    "/review/session",
    { headers: { cookie: `svc_session=${generateKey(undefined, "session")}`, ...fromPage } }
  ],
  "the token of a webhook": () => ["POST", `/api/v1/gateways/unipile/webhook/${token()}`, { json: {} }]
}

describe.skipIf(!hasPostgres())("guesses beyond their limit", () => {
  stopClock()

  it.live("take no statement, whatever is guessed, and end nobody else's use", () =>
    opened(6000, async ({ from, key, makeKey }) => {
      const seen = from()
      assert.strictEqual((await seen.send(...offers, { key })).status, 200)
      for (const [name, forge] of Object.entries(doors)) {
        const { address, send } = from()
        let attempts = 0
        let looked = 0
        for (;;) {
          const { statements, status } = await send(...forge(key))
          if (status === 429) break
          looked += statements.length
          assert.isBelow(++attempts, 25, `${name}: no limit`)
        }
        for (let n = 0; n < 5; n++) {
          assert.deepStrictEqual(await send(...forge(key)), { status: 429, statements: [] }, name)
        }
        if (name === "a mistyped key") assert.strictEqual(looked, 0)
        const other = await from(address).send(...offers, { key })
        assert.strictEqual(other.status, 200, `${name}: a key that is known here`)
      }
      // Only the first use of a key waits where others guess.
      const { text } = await makeKey({})
      const { send } = from()
      for (let n = 0; n < 15; n++) await send(...offers, { key: mistyped(text) })
      assert.strictEqual((await send(...offers, { key: text })).status, 200)
    })
  )

  it.live("are only what failed: any number of good keys may come from one address", () =>
    opened(6000, async ({ from, makeKey }) => {
      const { send } = from()
      for (let n = 0; n < 20; n++) {
        assert.strictEqual((await send(...offers, { key: (await makeKey({})).text })).status, 200)
      }
    })
  )

  it.live("a webhook is counted by its token, before it is looked up", () =>
    opened(60, async ({ from, provider, svc }) => {
      await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
      await svc.linkedin.account.link({ agent_handle: "ada-martin", gateway_account_id: "ua-1" })
      const path = new URL(provider.webhooks.registrations[0]?.url ?? "").pathname
      const { send } = from()
      const statuses = new Map<number, number>()
      let last: Awaited<ReturnType<typeof send>> = { status: 0, statements: [] }
      for (let n = 0; n < 130; n++) {
        last = await send("POST", path, { json: {} })
        statuses.set(last.status, (statuses.get(last.status) ?? 0) + 1)
      }
      assert.deepStrictEqual(last, { status: 429, statements: [] })
      assert.strictEqual(statuses.get(429), 10)
    })
  )
})
