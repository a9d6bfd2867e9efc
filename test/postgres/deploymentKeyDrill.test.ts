/** Rotation, loss and recovery of the deployment key, on several machines, a restored dump and copies of an embedded folder. */
import { randomBytes } from "node:crypto"
import { cp, mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Pool } from "pg"
import { CursorSecret } from "#core/kernel/schema/Page.ts"
import { WebhooksRepo } from "#core/webhooks/WebhooksRepo.ts"
import { verifyAudit } from "#core/workspace/audit/verifyAudit.ts"
import { createSvc } from "#embed/createSvc.ts"
import { clearUrl, freshPostgres, hasPostgres, selectedBackends } from "../support/backends.ts"
import { hasTools, tool } from "../support/backups.ts"
import { effort } from "../support/effort.ts"
import { randomOf } from "../support/random.ts"

const newKey = () => randomBytes(32).toString("base64")

/** Starts a service on a machine that has these keys or none. */
const start = (database: string, keys: ReadonlyArray<string>) =>
  createSvc({
    database,
    env: { SVC_LOG_LEVEL: "none", ...(keys.length > 0 ? { SVC_DEPLOYMENT_KEY: keys.join() } : {}) },
    worker: false,
    rateLimit: 0
  })

type Started = Awaited<ReturnType<typeof start>>

const within = async <A>(
  database: string,
  keys: ReadonlyArray<string>,
  use: (svc: Started) => Promise<A>
): Promise<A> => {
  const svc = await start(database, keys)
  return use(svc).finally(() => svc.close())
}

/** Whether it starts; a refusal must name the key that is needed, as it is named in the database, and what to do. */
const starts = (database: string, keys: ReadonlyArray<string>): Promise<boolean> =>
  within(database, keys, async () => true).catch((error: unknown) => {
    assert.strictEqual(Object(error).code, "WRONG_STATE")
    assert.match(String(Object(error).message), /deployment key [0-9a-f]{8}.*Set SVC_DEPLOYMENT_KEY/)
    return false
  })

const hook = { url: "https://hooks.example/svc", event_types: ["lead.created"] } as const

/** What depends on the key: cursors and URLs of webhooks, secrets of webhooks, the audit chain. */
const secretsOf = async (svc: Started, webhookId: string) => {
  const run = svc.effect.runtime.runPromise
  const webhook = Effect.flatMap(WebhooksRepo, (repo) => repo.secrets(svc.organization.id, webhookId))
  return {
    cursor: await run(Effect.service(CursorSecret)),
    webhook: (await run(webhook)).map(({ secret }) => secret),
    isAuditWhole: (await run(verifyAudit(svc.organization.id, []))).ok
  }
}

/** Everything else that is asked of a workspace. */
const readAll = async (svc: Started) => {
  const lists = ["lead.search", "offer.list", "agent.list", "mission.list", "event.list", "key.list", "import.list"]
  const reads = [
    ...lists.map((command) => [command, {}] as const),
    ["lead.suppression.check", { identifiers: ["ada@example.com"] }] as const,
    ["lead.get", { email: "grace@example.com" }] as const
  ]
  return Promise.all(
    reads.map(async ([command, input]) => {
      const reply = await svc.commands.run(command as "lead.get", input as object)
      return reply.ok ? [command, reply.data] : assert.fail(`${command}: ${reply.error.message}`)
    })
  )
}

const fill = async (svc: Started): Promise<string> => {
  await svc.leads.upsert({ email: "grace@example.com" })
  await svc.leads.upsert({ email: "ada@example.com" })
  await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
  await svc.missions.create({ name: "Spring" })
  await svc.leads.suppress({ email: "ada@example.com", reason: "Asked" })
  return (await svc.webhooks.create(hook)).webhook.webhook_id
}

const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "svc-key-drill-"))
  await use(folder).finally(() => rm(folder, { recursive: true, force: true }))
}

/** Every row of a database. */
const rowsOf = async (url: string, folder: string): Promise<string> => {
  const file = join(folder, "rows.sql")
  await tool(["pg_dump", "--inserts", "--data-only", `--file=${file}`, url])
  return (await readFile(file, "utf8")).replaceAll(/^\\(un)?restrict .*$/gm, "")
}

const query = async (url: string, text: string): Promise<void> => {
  const pool = new Pool({ connectionString: url })
  await pool.query(text).finally(() => pool.end())
}

describe.skipIf(!hasPostgres())("the deployment key of PostgreSQL", () => {
  const onPostgres = (use: (url: string) => Promise<void>) =>
    Effect.flatMap(freshPostgres(), ({ url }) => Effect.promise(() => use(clearUrl(url))))

  it.live.skipIf(!hasTools())(
    "opens a restored dump with everything in it; without it nothing starts, and nothing is written",
    () =>
      Effect.gen(function* () {
        const [url, restored] = [clearUrl((yield* freshPostgres()).url), clearUrl((yield* freshPostgres("empty")).url)]
        yield* Effect.promise(() =>
          inFolder(async (folder) => {
            const key = newKey()
            const [webhookId, secrets] = await within(url, [key], async (svc) => {
              const id = await fill(svc)
              return [id, await secretsOf(svc, id)] as const
            })
            assert.isTrue(secrets.isAuditWhole)
            await tool(["pg_dump", "--format=custom", `--file=${join(folder, "dump")}`, url])
            await tool(["pg_restore", "--no-owner", `--dbname=${restored}`, join(folder, "dump")])
            const before = await rowsOf(restored, folder)
            for (let round = 0; round < 5; round++) {
              for (const keys of [[newKey()], [], [newKey(), newKey()]]) assert.isFalse(await starts(restored, keys))
            }
            assert.strictEqual(await rowsOf(restored, folder), before)
            await within(restored, [key], async (svc) => {
              assert.deepStrictEqual(await secretsOf(svc, webhookId), secrets)
              assert.lengthOf((await svc.leads.search({})).leads, 2)
            })
          })
        )
      })
  )

  it.live("is replaced while machines with the old one and with the new one run and start", () =>
    onPostgres(async (url) => {
      const [old, fresh] = [newKey(), newKey()]
      const second = await start(url, [old])
      const webhookId = await fill(second)
      const secrets = await secretsOf(second, webhookId)
      const first = await start(url, [fresh, old])
      for (const [one, other] of [[first, second] as const, [second, first] as const]) {
        const { secret, webhook } = await one.webhooks.create({ ...hook, url: `${hook.url}/${one === first}` })
        const seen = await secretsOf(other, webhook.webhook_id)
        assert.deepStrictEqual(seen, { ...secrets, webhook: [secret] })
        await other.leads.upsert({ email: "grace@example.com", name: `Grace ${one === first}` })
        const { next_cursor: cursor } = await one.leads.search({ limit: 1 })
        assert.lengthOf((await other.leads.search({ limit: 1, cursor: String(cursor) })).leads, 1)
      }
      for (const svc of [first, second]) await svc.close()
      assert.deepStrictEqual(await within(url, [old], (svc) => secretsOf(svc, webhookId)), secrets)
      assert.deepStrictEqual(await within(url, [fresh], (svc) => secretsOf(svc, webhookId)), secrets)
      assert.isFalse(await starts(url, [old]), "the new key alone ends the old one")
    })
  )

  it.live("in any order of starts opens with a key that holds, and only with these", () =>
    onPostgres(async (url) => {
      const { next, pick } = randomOf(17)
      const keys = [newKey(), newKey(), newKey()]
      let held: ReadonlyArray<string> = []
      let secrets: Awaited<ReturnType<typeof secretsOf>> | undefined
      let webhookId = ""
      const tried = { started: 0, refused: 0 }
      for (let round = 0; round < effort(40); round++) {
        const own = [...new Set(Array.from({ length: next(4) }, () => pick(keys)))]
        const isExpected = held.length === 0 || own.some((key) => held.includes(key))
        assert.strictEqual(await starts(url, own), isExpected, `round ${round}`)
        tried[isExpected ? "started" : "refused"]++
        if (!isExpected) continue
        // One that is behind a rotation leaves it to the others.
        if (held.indexOf(own[0] ?? "") <= 0) held = own
        await within(url, own, async (svc) => {
          if (webhookId === "") webhookId = await fill(svc)
          const now = await secretsOf(svc, webhookId)
          secrets ??= now
          assert.deepStrictEqual(now, secrets, `round ${round}`)
        })
      }
      assert.isAbove(Math.min(tried.started, tried.refused), 3)
    })
  )

  it.live("of another machine does not make a secret that is missing", () =>
    onPostgres(async (url) => {
      const key = newKey()
      await within(url, [key], fill)
      await query(url, "delete from svc.deployment_secrets where name = 'cursor'")
      assert.isFalse(await starts(url, [newKey()]))
      assert.isTrue(await starts(url, [key]))
    })
  )

  it.live("that is lost invalidates what depends on it, and nothing else", () =>
    onPostgres(async (url) => {
      const [webhookId, secrets, all, apiKey] = await within(url, [newKey()], async (svc) => {
        const id = await fill(svc)
        const { api_key } = await svc.keys.create({ name: "Program" })
        return [id, await secretsOf(svc, id), await readAll(svc), api_key] as const
      })
      await query(url, "delete from svc.deployment_secrets")
      await within(url, [newKey()], async (svc) => {
        assert.deepStrictEqual(await readAll(svc), all)
        const reply = await svc.fetch(
          new Request("http://host/api/v1/me", { headers: { authorization: `Bearer ${apiKey}` } })
        )
        assert.strictEqual(reply.status, 200)
        const lost = await secretsOf(svc, webhookId)
        assert.notStrictEqual(lost.cursor, secrets.cursor)
        assert.notDeepEqual(lost.webhook, secrets.webhook)
        assert.isFalse(lost.isAuditWhole)
        const { secret } = await svc.webhooks.rotateSecret({ webhook_id: webhookId })
        assert.deepStrictEqual((await secretsOf(svc, webhookId)).webhook, [secret])
      })
    })
  )
})

describe.skipIf(!selectedBackends().has("pglite"))("the deployment key of an embedded folder", () => {
  it("stays its own: with a key that is configured later and without it again, in a copy, and never without both", () =>
    inFolder(async (folder) => {
      const [data, copy] = [join(folder, "data"), join(folder, "copy")]
      const [url, copied] = [`pglite:${data}`, `pglite:${copy}`]
      const webhookId = await within(url, [], fill)
      const secrets = await within(url, [], (svc) => secretsOf(svc, webhookId))
      assert.strictEqual((await stat(join(data, "svc.key"))).mode & 0o777, 0o600)
      const own = await readFile(join(data, "svc.key"), "utf8")
      const key = newKey()
      for (const keys of [[key], [], [key, newKey()], []]) {
        assert.deepStrictEqual(await within(url, keys, (svc) => secretsOf(svc, webhookId)), secrets)
        assert.strictEqual(await readFile(join(data, "svc.key"), "utf8"), own)
      }
      await cp(data, copy, { recursive: true })
      assert.deepStrictEqual(await within(copied, [], (svc) => secretsOf(svc, webhookId)), secrets)
      await rm(join(copy, "svc.key"))
      assert.isFalse(await starts(copied, [newKey()]))
      await rm(join(copy, "svc.key"), { force: true })
      assert.isFalse(await starts(copied, []))
      await cp(join(data, "svc.key"), join(copy, "svc.key"))
      assert.isTrue(await starts(copied, []))
    }))
})
