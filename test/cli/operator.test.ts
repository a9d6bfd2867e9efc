/** `svc orgs`, `svc keys` and `svc db`, on a folder with and without an owner, and on memory. */
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { acquire } from "#postgres/FolderLock.ts"
import { migrations } from "#postgres/migrations/index.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, type Ran, type RunningSvc, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"
import { operatorChecks, statusWith } from "./operatorChecks.ts"

const errorOf = (ran: Ran): Readonly<Record<string, unknown>> => Object(oneJson(ran)["error"])

describe("operator commands", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder.remove())

  const place = async (name: string): Promise<string> => {
    const path = join(folder.path, name)
    await mkdir(path)
    return path
  }

  it("work on a folder that nobody has, one process each", async () => {
    const cwd = await place("alone")
    const json = async (...args: ReadonlyArray<string>) => oneJson(await svc([...args, "--json"], { cwd }))
    const org = String((await json("orgs", "create", "Acme"))["organization_id"])
    const { key_id } = await json("keys", "create", "--org", org, "--name", "Second")
    assert.isString((await json("keys", "revoke", String(key_id)))["revoked_at"])
    const { keys } = Object(await json("keys", "list", "--org", org))
    assert.strictEqual(keys.length, 2)
    assert.isString(keys[1].revoked_at)
  })

  it("doctor shows the sizes of a folder and its tables: idle, through its owner, and without one that responds", async () => {
    const cwd = await place("sizes")
    const path = join(cwd, "data")
    const env = { SVC_DATABASE_URL: `pglite:${path}` }
    const doctor = async () => {
      // With a service to ask that is not there, it does not look for one that has the folder.
      const args = ["doctor", "--json", "--base-url", "http://127.0.0.1:1"]
      const { checks, folder, storage } = oneJson(await svcInProcess(args, { cwd, env }))
      const detail: unknown = Object(checks).find(({ name }: { name: string }) => name === "storage")?.detail
      const tables: ReadonlyArray<{ readonly table: string; readonly bytes: number }> = Object(storage)
      return { detail: String(detail), folder: Object(folder), tables }
    }
    assert.deepInclude(await doctor(), { detail: "undefined", tables: [] })
    assert.isFalse(existsSync(path), "it creates no folder")
    oneJson(await svcInProcess(["orgs", "create", "Acme", "--json"], { cwd, env }))
    const idle = await doctor()
    const sum = (tables: typeof idle.tables) => tables.reduce((all, { bytes }) => all + bytes, 0)
    assert.strictEqual(idle.folder.path, path)
    assert.isAbove(idle.tables.length, 20)
    assert.isAbove(sum(idle.tables), 0)
    assert.isAbove(idle.folder.bytes, sum(idle.tables))
    assert.match(idle.detail, /^[\d.]+ MB in the folder; [\d.]+ [kM]B in \d+ tables: \w+ [\d.]+ kB/)

    const owner = await startSvc(["serve"], { cwd, env })
    const owned = await doctor()
    await owner.stop()
    assert.sameMembers(
      owned.tables.map(({ table }) => table),
      idle.tables.map(({ table }) => table)
    )
    assert.isAbove(owned.folder.bytes, sum(owned.tables))
    assert.match(owned.detail, /^[\d.]+ MB in the folder; [\d.]+ [kM]B in \d+ tables: /)

    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          yield* acquire(path)
          const silent = yield* Effect.promise(doctor)
          assert.deepStrictEqual(silent.tables, [])
          assert.isAbove(silent.folder.bytes, 0)
          assert.match(silent.detail, /^[\d.]+ MB in the folder; the tables could not be read/)
        })
      )
    )
  })

  it("are refused on memory, with the reason", async () => {
    for (const args of [
      ["orgs", "create", "Acme"],
      ["keys", "list", "--org", "org_1"],
      ["db", "status"]
    ]) {
      const ran = await svcInProcess([...args, "--json"], { env: { SVC_DATABASE_URL: "memory:" } })
      assert.strictEqual(ran.code, 5)
      assert.strictEqual(errorOf(ran)["code"], "WRONG_STATE")
      assert.include(String(errorOf(ran)["message"]), "memory:")
    }
  })

  it("say what the schema is, and what migrate would run", async () => {
    const cwd = await place("schema")
    const before = oneJson(await svcInProcess(["db", "status", "--json"], { cwd }))
    assert.strictEqual(before["database"], "pglite:./.svc/data")
    await svcInProcess(["db", "migrate", "--json"], { cwd })
    const after = oneJson(await svcInProcess(["db", "status", "--json"], { cwd }))
    assert.isTrue(after["current"])
    assert.deepStrictEqual(after["pending"], [])
    assert.strictEqual(after["head"], migrations.at(-1)?.id)
  })

  describe("through the owner of a folder", () => {
    let cwd: string
    let owner: RunningSvc
    beforeAll(async () => {
      cwd = await place("owned")
      owner = await startSvc(["serve"], { cwd, env: { SVC_RATE_LIMIT: "0" } })
    })
    afterAll(() => owner.stop())

    it("work, and it refuses a revoked key within a second", () =>
      operatorChecks((args) => svcInProcess(args, { cwd }), owner.url))

    it("make keys as strong as asked: draft-only, read-only, of an agent, expiring", async () => {
      const { organization_id } = oneJson(await svcInProcess(["orgs", "create", "Acme", "--json"], { cwd }))
      const org = String(organization_id)
      const make = async (...more: ReadonlyArray<string>) =>
        String(oneJson(await svcInProcess(["keys", "create", "--org", org, "--json", ...more], { cwd }))["api_key"])
      const draftOnly = await make("--mode", "draft_only", "--name", "Drafts")
      const readOnly = await make("--scopes", "read_only")
      const agent = await make("--actor-kind", "AI_AGENT")
      const expired = await make("--expires-at", "2020-01-01T00:00:00Z")
      const me = async (key: string) => {
        const response = await fetch(`${owner.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
        return Object(await response.json())
      }
      assert.strictEqual((await me(draftOnly)).data.mode, "draft_only")
      assert.notInclude((await me(readOnly)).data.scopes, "offers:write")
      const { actor_kind, scopes } = (await me(agent)).data
      assert.strictEqual(actor_kind, "AI_AGENT")
      assert.notInclude(scopes, "linkedin:approve")
      assert.strictEqual((await me(expired)).error.code, "KEY_EXPIRED")
      assert.strictEqual(await statusWith(owner.url, readOnly), 200)
      for (const bad of [
        ["--scopes", "everything"],
        ["--mode", "half"],
        ["--actor-kind", "ROBOT"],
        ["--expires-at", "tomorrow"],
        ["--name", ""]
      ]) {
        const ran = await svcInProcess(["keys", "create", "--org", org, "--json", ...bad], { cwd })
        assert.strictEqual(ran.code, 2, bad.join(" "))
        assert.strictEqual(errorOf(ran)["code"], "INVALID_INPUT")
      }
    })
  })
})
