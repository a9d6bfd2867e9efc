/** `svc db move`: from the embedded folder to PostgreSQL and back, with nothing lost or changed. */
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { inDatabase } from "../support/PostgresServer.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

describe.skipIf(!hasPostgres())("svc db move", () => {
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

  const emptyPostgres = async () => {
    const { name, server } = await Effect.runPromise(Scope.provide(freshPostgres("empty"), scope))
    return clearUrl(inDatabase(server, name, "other"))
  }
  const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}, input = "") =>
    svcInProcess(args, { cwd: folder.path, env, input })
  const codeOf = (json: Readonly<Record<string, unknown>>) => Object(json["error"]).code

  it("takes everything there and back, and says when it cannot", async () => {
    const dev = await startSvc(["dev", "--sample"], { cwd: folder.path })
    const postgres = await emptyPostgres()
    const busy = await run(["db", "move", "--to", "-", "--json"], {}, postgres)
    assert.deepStrictEqual([busy.code, codeOf(oneJson(busy))], [6, "UNAVAILABLE"])
    const before = oneJson(await run(["lead", "search", "--json"], { SVC_API_KEY_FILE: ".svc/dev-key" }))
    await dev.stop()

    const there = await svc(["db", "move", "--to", "-", "--json"], { cwd: folder.path, input: `${postgres}\n` })
    assert.strictEqual(there.code, 0, there.stdout)
    const moved = oneJson(there)
    assert.isTrue(moved["verified"])
    const rowsOf = (name: string) =>
      Object(moved)["tables"].find((table: { table: string }) => table.table === name)?.rows
    for (const name of ["organizations", "leads", "lead_identities", "events", "audit_entries", "linkedin_drafts"]) {
      assert.isAbove(rowsOf(name), 0, name)
    }
    assert.notInclude(`${there.stdout}${there.stderr}`, new URL(postgres).password || "no password")

    // The source is fenced: it is neither served nor moved a second time.
    for (const args of [["serve"], ["db", "move", "--to", "pglite:./second", "--json"]]) {
      const fenced = await svc(args, { cwd: folder.path })
      assert.strictEqual(fenced.code, 5, `${args.join(" ")}: ${fenced.stdout}${fenced.stderr}`)
      assert.include(`${fenced.stdout}${fenced.stderr}`, "moved")
    }

    // The same key reads the same workspace, whose chain still holds, and which goes on being written.
    const onPostgres = { SVC_DATABASE_URL: postgres, SVC_API_KEY_FILE: ".svc/dev-key" }
    const after = oneJson(await run(["lead", "search", "--json"], onPostgres))
    assert.deepStrictEqual(Object(after["data"]).leads, Object(before["data"]).leads)
    assert.strictEqual((await run(["audit", "verify"], { SVC_DATABASE_URL: postgres })).code, 0)
    const written = await run(
      ["lead", "upsert", "--email", "moved@example.com", "--name", "Moved", "--json"],
      onPostgres
    )
    assert.strictEqual(written.code, 0, written.stdout)
    assert.strictEqual((await run(["audit", "verify"], { SVC_DATABASE_URL: postgres })).code, 0)

    const full = await run(["db", "move", "--to", "-", "--json"], {}, postgres)
    assert.deepStrictEqual([full.code, codeOf(oneJson(full))], [5, "WRONG_STATE"])

    const back = `pglite:${join(folder.path, "back")}`
    const returned = await run(["db", "move", "--to", back, "--json"], { SVC_DATABASE_URL: postgres })
    assert.strictEqual(returned.code, 0, returned.stdout)
    const again = await run(["lead", "get", "--email", "moved@example.com", "--fields", "lead.name"], {
      SVC_DATABASE_URL: back,
      SVC_API_KEY_FILE: ".svc/dev-key"
    })
    assert.strictEqual(again.stdout, "lead.name\tMoved\n")
  })

  it("refuses while a server has the source or the target open, and what is no database", async () => {
    const source = await emptyPostgres()
    const server = await startSvc(["serve"], { env: { SVC_DATABASE_URL: source } })
    const target = `pglite:${join(folder.path, "other")}`
    const busy = await run(["db", "move", "--to", target, "--json"], { SVC_DATABASE_URL: source })
    assert.deepStrictEqual([busy.code, codeOf(oneJson(busy))], [5, "WRONG_STATE"])
    const onto = await run(["db", "move", "--to", "-", "--json"], { SVC_DATABASE_URL: "pglite:./unused" }, source)
    assert.deepStrictEqual([onto.code, codeOf(oneJson(onto))], [5, "WRONG_STATE"])
    assert.include(onto.stdout, "connected to the target database")
    await server.stop()
    for (const [to, code] of [
      ["memory:", 2],
      ["mysql://x", 2],
      ["pglite:./.svc/data", 2]
    ] as const) {
      assert.strictEqual((await run(["db", "move", "--to", to, "--json"])).code, code, to)
    }
  })
})
