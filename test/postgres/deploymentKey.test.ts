/** A dump of the database holds no secret that works: they are encrypted with a key that lives outside of it. */
import { randomBytes } from "node:crypto"
import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { CursorSecret } from "#core/kernel/schema/Page.ts"
import { WebhooksRepo } from "#core/webhooks/WebhooksRepo.ts"
import { createSvc } from "#embed/createSvc.ts"
import { clearUrl, freshPostgres, hasPostgres, selectedBackends } from "../support/backends.ts"
import { hasTools, tool } from "../support/backups.ts"

const newKey = () => randomBytes(32).toString("base64")

// Read once: services that are opened at the same time would take each other's for the one to go back to.
const configured = process.env.XDG_CONFIG_HOME

/** Opens a service with these keys, or with none but those of a file below the folder. */
const open = async (databaseUrl: string, keys: ReadonlyArray<string>, folder = "/nonexistent") => {
  process.env.XDG_CONFIG_HOME = folder
  if (keys.length > 0) process.env.SVC_DEPLOYMENT_KEY = keys.join()
  try {
    return await createSvc({ databaseUrl, worker: false, rateLimit: 0 })
  } finally {
    delete process.env.SVC_DEPLOYMENT_KEY
    if (configured === undefined) delete process.env.XDG_CONFIG_HOME
    else process.env.XDG_CONFIG_HOME = configured
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

const refusalOf = (opening: Promise<Opened>): Promise<string> =>
  opening.then(
    () => assert.fail("it was opened"),
    (error: unknown) => `${Object(error).code}: ${error instanceof Error ? error.message : ""}`
  )

describe.skipIf(!hasPostgres())("the deployment key", { timeout: 60_000 }, () => {
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

  it.live("is created on the first start, for its owner only, and found again", () =>
    onPostgres(async (url) => {
      const folder = await mkdtemp(join(tmpdir(), "svc-key-"))
      const file = join(folder, "svc", "deployment.key")
      const both = await Promise.all([open(url, [], folder), open(url, [], folder)])
      const secret = await Promise.all(both.map(cursorSecretOf))
      assert.strictEqual(secret[0], secret[1])
      for (const svc of both) await svc.close()
      assert.strictEqual((await stat(file)).mode & 0o777, 0o600)
      const key = (await readFile(file, "utf8")).trim()
      const svc = await open(url, [key])
      assert.strictEqual(await cursorSecretOf(svc), secret[0])
      await svc.close()
      await rm(folder, { recursive: true })
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
