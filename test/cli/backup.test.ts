/** `svc backup` and `svc restore`, of and into both kinds of database. */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { appendFile, cp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

type Env = Readonly<Record<string, string>>

let scope: Scope.Closeable
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  scope = Effect.runSync(Scope.make())
  folder = await temporaryFolder()
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await folder.remove()
})

const at = (name: string): string => join(folder.path, name)
const run = (args: ReadonlyArray<string>, env: Env = {}) => svcInProcess(args, { cwd: folder.path, env })
const passed = async (args: ReadonlyArray<string>, env: Env = {}) => {
  const ran = await run([...args, "--json"], env)
  assert.strictEqual(ran.code, 0, `${args.join(" ")}: ${ran.stdout}${ran.stderr}`)
  return oneJson(ran)
}
const refused = async (args: ReadonlyArray<string>, code: number, words: string, env: Env = {}) => {
  const ran = await run(args, env)
  assert.strictEqual(ran.code, code, `${args.join(" ")}: ${ran.stdout}${ran.stderr}`)
  assert.include(ran.stderr, words)
}
const emptyPostgres = async (): Promise<string> =>
  clearUrl((await Effect.runPromise(Scope.provide(freshPostgres("empty"), scope))).url)
const leadsOf = async (env: Env) => Object((await passed(["lead", "search"], env))["data"]).leads

/** Sending is held in every place that tells, until the operator releases it. */
const checkHold = async (env: Env) => {
  assert.deepInclude(await passed(["sending", "status"], env), { held: true, reason: "database_restored" })
  const needs: ReadonlyArray<{ readonly text: string }> = Object(await passed(["status"], env))["needs"]
  assert.strictEqual(needs[0]?.text, "Sending is held")
  assert.include((await run(["doctor"], env)).stdout, "sending is held (database_restored)")
  assert.deepInclude(await passed(["sending", "release"], env), { held: false })
  assert.isFalse((await passed(["status"], env))["sending_held"])
}

const key: Env = { SVC_API_KEY_FILE: ".svc/dev-key" }

describe("a backup of an embedded database", () => {
  let before: unknown

  it("is made while its server runs, privately, and into an empty folder only", async () => {
    const dev = await startSvc(["dev", "--sample"], { cwd: folder.path })
    before = await leadsOf(key)
    const made = await passed(["backup", "backup"])
    assert.isTrue(made["verified"])
    assert.isAbove(Number(made["rows"]), 50)
    for (const name of await readdir(at("backup"))) {
      assert.strictEqual((await stat(at(`backup/${name}`))).mode & 0o777, 0o600, name)
    }
    assert.strictEqual((await stat(at("backup"))).mode & 0o777, 0o700)
    await refused(["backup", "backup"], 5, "is not empty")
    await refused(["restore", "backup", "--replace"], 6, "Stop it first")
    await dev.stop()
    const words = (await run(["backup", "words"])).stderr
    assert.include(words, "Inside: all data and the deployment key (svc.key).")
    const nowhere: Env = { SVC_DATABASE_URL: "pglite:./nowhere" }
    await refused(["backup", "none"], 5, "There is no database in ./nowhere", nowhere)
    assert.isFalse(existsSync(at("none")) || existsSync(at("nowhere")))
  })

  it("is refused when anything in it changed, and nothing is written", async () => {
    const damages: Readonly<Record<string, (copy: string) => Promise<void>>> = {
      "a row": async (copy) => {
        const file = join(copy, "leads.jsonl")
        await writeFile(file, (await readFile(file, "utf8")).replace("Turing", "Tiring"))
      },
      "a row more": (copy) => appendFile(join(copy, "leads.jsonl"), "{}\n"),
      "a file less": (copy) => rm(join(copy, "events.jsonl")),
      "the manifest": async (copy) => {
        const file = join(copy, "manifest.json")
        await writeFile(file, (await readFile(file, "utf8")).replace(/"rows":\d+/, '"rows":0'))
      },
      "the key": (copy) => writeFile(join(copy, "svc.key"), randomBytes(32).toString("base64url")),
      "no manifest": (copy) => rm(join(copy, "manifest.json"))
    }
    for (const [name, damage] of Object.entries(damages)) {
      const copy = at(`damaged ${name}`)
      await cp(at("backup"), copy, { recursive: true })
      await damage(copy)
      const target: Env = { SVC_DATABASE_URL: "pglite:./untouched" }
      await refused(["restore", copy], 5, name === "no manifest" ? "is not a backup" : "is damaged", target)
      assert.isFalse(existsSync(at("untouched")), name)
      await refused(["restore", copy, "--replace"], 5, "[WRONG_STATE]")
    }
    assert.deepStrictEqual(await leadsOf(key), before)
  })

  it("is restored into a new folder without the old one's key, and holds sending", async () => {
    const target: Env = { ...key, SVC_DATABASE_URL: "pglite:./restored" }
    const restored = await passed(["restore", "backup"], target)
    assert.deepInclude(restored, { verified: true, sending_held: true })
    assert.deepStrictEqual(await leadsOf(target), before)
    assert.strictEqual((await run(["audit", "verify"], target)).code, 0)
    await checkHold(target)
  })

  it("replaces data only with a flag", async () => {
    await passed(["lead", "upsert", "--email", "later@example.com", "--name", "Later"], key)
    await refused(["restore", "backup"], 5, "add --replace")
    assert.strictEqual((await run(["lead", "get", "later@example.com"], key)).code, 0)
    await passed(["restore", "backup", "--replace"])
    assert.strictEqual((await run(["lead", "get", "later@example.com"], key)).code, 4)
    assert.deepStrictEqual(await leadsOf(key), before)
    await checkHold(key)
  })
})

describe.skipIf(!hasPostgres())("a backup of PostgreSQL", () => {
  it("is of one moment while a server writes, and is restored into either kind of database", async () => {
    const url = await emptyPostgres()
    const deployment: Env = { SVC_DEPLOYMENT_KEY: randomBytes(32).toString("base64") }
    const source: Env = { SVC_DATABASE_URL: url, ...deployment }
    const made = await passed(["orgs", "create", "Acme"], source)
    const own: Env = { SVC_API_KEY: String(made["api_key"]) }
    const server = await startSvc(["serve"], { env: { ...source, SVC_RATE_LIMIT: "0" } })
    let isOver = false
    const upsert = async (number: number) => {
      const reply = await fetch(`${server.url}/api/v1/commands/lead.upsert`, {
        method: "POST",
        headers: { authorization: `Bearer ${own["SVC_API_KEY"]}`, "content-type": "application/json" },
        body: JSON.stringify({
          email: `lead${number}@example.com`,
          name: `Lead ${number}`,
          description: "One\nTwo\u2028Three"
        })
      })
      assert.strictEqual(reply.status, 200)
    }
    for (let number = 0; number < 20; number++) await upsert(number)
    const writing = (async () => {
      for (let number = 20; !isOver; number++) await upsert(number)
    })()
    const backup = await svc(["backup", at("server")], { env: source })
    isOver = true
    await writing
    assert.strictEqual(backup.code, 0, backup.stderr)
    assert.include(backup.stderr, "Not inside: SVC_DEPLOYMENT_KEY, if you set one.")
    assert.notInclude(`${backup.stdout}${backup.stderr}`, new URL(url).password || "no password")
    await refused(["restore", at("server"), "--replace"], 5, "Other svc processes are connected", source)
    assert.strictEqual(await server.stop(), 0)

    const target = await emptyPostgres()
    await refused(["restore", at("server")], 5, "deployment key", { SVC_DATABASE_URL: target })
    await refused(["lead", "search"], 3, "", { ...own, SVC_DATABASE_URL: target })
    for (const there of [target, "pglite:./from-server"]) {
      const env: Env = { ...own, ...deployment, SVC_DATABASE_URL: there }
      await passed(["restore", at("server")], env)
      assert.isAtLeast((await leadsOf(env)).length, 20)
      assert.strictEqual((await run(["audit", "verify"], env)).code, 0, there)
      await checkHold(env)
    }

    await passed(["backup", "of-folder"], { ...deployment, SVC_DATABASE_URL: "pglite:./from-server" })
    const last: Env = { ...own, ...deployment, SVC_DATABASE_URL: await emptyPostgres() }
    await passed(["restore", "of-folder"], last)
    assert.strictEqual((await run(["audit", "verify"], last)).code, 0)
    await checkHold(last)
  })
})
