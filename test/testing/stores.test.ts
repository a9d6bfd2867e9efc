/** Our own stores hold the contract that is published for those of others. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createSvc } from "@svc/embed"
import { storeContract } from "@svc/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { clearUrl, freshPostgres, hasPostgres, selectedBackends } from "../support/backends.ts"

describe.skipIf(!selectedBackends().has("memory"))("the store in memory", () => {
  for (const { name, run } of storeContract({ open: (options) => createSvc({ ...options, databaseUrl: "memory:" }) }))
    it(name, run)
})

describe.skipIf(!selectedBackends().has("pglite"))("the store on PGlite", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-contract-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const cases = storeContract({
    open: (options) => createSvc({ ...options, databaseUrl: `pglite:${join(folder, "data")}` })
  })
  for (const { name, run } of cases) it(name, run)
})

describe.skipIf(!hasPostgres())("the store on PostgreSQL, with two services", () => {
  const scope = Scope.makeUnsafe()
  let url = ""
  beforeAll(async () => {
    const database = await Effect.runPromise(Scope.provide(freshPostgres(), scope))
    url = clearUrl(database.url)
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const open: Parameters<typeof storeContract>[0]["open"] = (options) => createSvc({ ...options, databaseUrl: url })
  for (const { name, run } of storeContract({ isShared: true, open })) it(name, run)
})

it("the contract has cases, each with a name of its own", () => {
  const names = storeContract({ open: () => Promise.reject(new Error("not opened")) }).map(({ name }) => name)
  assert.isAbove(names.length, 10)
  assert.lengthOf(new Set(names), names.length)
})
