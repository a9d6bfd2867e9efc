/** A dump of the database holds no secret that works: they are encrypted with a key that lives outside of it. */

import { randomBytes } from "node:crypto"
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Pool } from "pg"
import { vi } from "vitest"
import { CursorSecret } from "#core/kernel/schema/Page.ts"
import { WebhooksRepo } from "#core/webhooks/WebhooksRepo.ts"
import { verifyAudit } from "#core/workspace/audit/verifyAudit.ts"
import { createSvc } from "#embed/createSvc.ts"
import { clearUrl, freshPostgres, hasPostgres, selectedBackends } from "../support/backends.ts"
import { hasTools, tool } from "../support/backups.ts"

const newKey = () => randomBytes(32).toString("base64")

/** Opens a service with these keys or with none, on a machine whose home is the folder. */
const open = async (databaseUrl: string, keys: ReadonlyArray<string>, home = "/nonexistent") => {
  for (const name of ["HOME", "XDG_CONFIG_HOME"]) vi.stubEnv(name, home)
  const env = { SVC_LOG_FORMAT: "json", ...(keys.length > 0 ? { SVC_DEPLOYMENT_KEY: keys.join() } : {}) }
  try {
    return await createSvc({ databaseUrl, env, worker: false, rateLimit: 0 })
  } finally {
    vi.unstubAllEnvs()
  }
}

type Opened = Awaited<ReturnType<typeof open>>

const cursorSecretOf = (svc: Opened) => svc.effect.runtime.runPromise(Effect.service(CursorSecret))

const secretsOf = (svc: Opened, id: string) =>
  svc.effect.runtime.runPromise(
    Effect.flatMap(WebhooksRepo, (repo) => repo.secrets(svc.organization.id, id)).pipe(
      Effect.map((found) => found.map(({ secret }) => secret))
    )
  )

/** Whether every chain of the organization's audit rows is whole, for this service. */
const isAuditWhole = async (svc: Opened) =>
  (await svc.effect.runtime.runPromise(verifyAudit(svc.organization.id, []))).ok

const refusalOf = (opening: Promise<Opened>): Promise<string> =>
  opening.then(
    () => assert.fail("it was opened"),
    (error: unknown) => `${Object(error).code}: ${error instanceof Error ? error.message : ""}`
  )

describe.skipIf(!hasPostgres())("the deployment key", () => {
  const onPostgres = (use: (url: string) => Promise<void>) =>
    Effect.gen(function* () {
      const url = clearUrl((yield* freshPostgres()).url)
      yield* Effect.promise(() => use(url))
    })

  it.live.skipIf(!hasTools())("keeps every secret out of a dump, and is replaced without losing any", () =>
    onPostgres(async (url) => {
      const [first, second] = [newKey(), newKey()]
      let svc = await open(url, [first])
      const created = await svc.webhooks.create({ url: "https://hooks.example/svc", event_types: ["lead.created"] })
      const id = created.webhook.webhook_id
      await svc.webhooks.rotateSecret({ webhook_id: id })
      const secrets = await secretsOf(svc, id)
      const cursorSecret = await cursorSecretOf(svc)
      assert.lengthOf(secrets, 2)
      assert.include(secrets, created.secret)
      await svc.close()

      const folder = await mkdtemp(join(tmpdir(), "svc-dump-"))
      const file = join(folder, "dump.sql")
      await tool(["pg_dump", "--inserts", `--file=${file}`, url])
      const dump = await readFile(file, "utf8")
      await rm(folder, { recursive: true })
      for (const secret of [...secrets, cursorSecret, first]) {
        assert.notInclude(dump, secret)
        assert.notInclude(dump, secret.replace(/^whsec_/, "").slice(0, 20))
      }

      assert.match(
        await refusalOf(open(url, [second])),
        /WRONG_STATE: .*deployment key [0-9a-f]{8}.*SVC_DEPLOYMENT_KEY/
      )
      for (const keys of [[first], [second, first], [second]]) {
        svc = await open(url, keys)
        assert.deepStrictEqual(await secretsOf(svc, id), secrets)
        assert.strictEqual(await cursorSecretOf(svc), cursorSecret)
        await svc.close()
      }
      assert.match(await refusalOf(open(url, [first])), /WRONG_STATE/)
    })
  )

  const withHomes = async (use: (homes: readonly [string, string]) => Promise<void>) => {
    const homes = [await mkdtemp(join(tmpdir(), "svc-home-")), await mkdtemp(join(tmpdir(), "svc-home-"))] as const
    await use(homes)
    for (const home of homes) {
      assert.deepStrictEqual(await readdir(home), [], "nothing is written to a home folder")
      await rm(home, { recursive: true })
    }
  }

  it.live("without one, two machines share a database, and a key that both get later takes over the same secrets", () =>
    onPostgres((url) =>
      withHomes(async (homes) => {
        const machines = async (...keys: ReadonlyArray<string>) => {
          const one = await open(url, keys, homes[0])
          return [one, await open(url, keys, homes[1])] as const
        }
        const [first, second] = await machines()
        const cursorSecret = await cursorSecretOf(first)
        assert.strictEqual(await cursorSecretOf(second), cursorSecret)
        const { secret, webhook } = await first.webhooks.create({
          url: "https://hooks.example/svc",
          event_types: ["lead.created"]
        })
        assert.deepStrictEqual(await secretsOf(second, webhook.webhook_id), [secret])
        await first.leads.upsert({ email: "a@example.com" })
        await second.leads.upsert({ email: "b@example.com" })
        const { next_cursor: cursor } = await first.leads.search({ limit: 1 })
        assert.lengthOf((await second.leads.search({ limit: 1, cursor: String(cursor) })).leads, 1)
        assert.isTrue(await isAuditWhole(first))
        assert.isTrue(await isAuditWhole(second))
        for (const svc of [first, second]) await svc.close()

        const key = newKey()
        for (const svc of await machines(key)) {
          assert.strictEqual(await cursorSecretOf(svc), cursorSecret)
          assert.deepStrictEqual(await secretsOf(svc, webhook.webhook_id), [secret])
          await svc.leads.upsert({ email: "a@example.com", name: "Ada" })
          assert.isTrue(await isAuditWhole(svc))
          await svc.close()
        }
        assert.match(
          await refusalOf(open(url, [], homes[1])),
          /^WRONG_STATE: The secrets of this database are encrypted with the deployment key [0-9a-f]{8}.* Set SVC_DEPLOYMENT_KEY/
        )
      })
    )
  )

  it.live("without one, two machines that start at once have the same secrets", () =>
    onPostgres(async (url) => {
      const machines = await Promise.all([open(url, []), open(url, [])])
      const [secret, other] = await Promise.all(machines.map(cursorSecretOf))
      assert.strictEqual(other, secret)
      for (const svc of machines) await svc.close()
    })
  )

  it.live("is asked for by one warning in the log of each process without one", () =>
    onPostgres(async (url) => {
      const err = vi.spyOn(console, "error").mockImplementation(() => undefined)
      const warnings = async (keys: ReadonlyArray<string>) => {
        err.mockClear()
        await (await open(url, keys)).close()
        return err.mock.calls.flat().filter((line) => /WARN.*SVC_DEPLOYMENT_KEY is not set/.test(String(line)))
      }
      try {
        assert.lengthOf(await warnings([]), 1)
        assert.lengthOf(await warnings([newKey()]), 0)
      } finally {
        err.mockRestore()
      }
    })
  )

  it.live("that is lost takes only the secrets along: the documented statement opens the database again", () =>
    onPostgres(async (url) => {
      let svc = await open(url, [newKey()])
      const { lead_id } = await svc.leads.upsert({ email: "grace@example.com" })
      const hook = { url: "https://hooks.example/svc", event_types: ["lead.created"] } as const
      const { webhook_id } = (await svc.webhooks.create(hook)).webhook
      await svc.close()
      const pool = new Pool({ connectionString: url })
      await pool.query("delete from svc.deployment_secrets")
      await pool.end()

      svc = await open(url, [newKey()])
      assert.strictEqual((await svc.leads.get({ lead_id })).lead.email, "grace@example.com")
      await svc.webhooks.test({ webhook_id })
      await svc.work()
      const [delivery] = (await svc.webhooks.deliveries({ webhook_id })).deliveries
      assert.match(String(delivery?.last_error), /signing secret.*Rotate/)
      const { secret } = await svc.webhooks.rotateSecret({ webhook_id })
      assert.deepStrictEqual(await secretsOf(svc, webhook_id), [secret])
      await svc.close()
    })
  )
})

it.live.skipIf(!selectedBackends().has("pglite"))("an embedded database has its key in its folder", () =>
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-key-"))
    const url = `pglite:${join(folder, "data")}`
    const svc = await open(url, [])
    await svc.close()
    assert.strictEqual((await stat(join(folder, "data", "svc.key"))).mode & 0o777, 0o600)
    await rm(join(folder, "data", "svc.key"))
    assert.match(await refusalOf(open(url, [])), /WRONG_STATE: .*deployment key/)
    await rm(folder, { recursive: true })
  })
)
