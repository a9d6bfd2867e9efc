/** `svc db distribute` on a server without Citus: `npm run campaign -- citus` runs it on a cluster. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson } from "../support/svcProcess.ts"

describe.skipIf(!hasPostgres())("svc db distribute", () => {
  it.effect("says what is missing, and changes nothing", () =>
    Effect.gen(function* () {
      const { url } = yield* freshPostgres()
      const run = (...args: ReadonlyArray<string>) =>
        Effect.promise(() => svcInProcess([...args, "--json"], { env: { SVC_DATABASE_URL: clearUrl(url) } }))
      const refused = yield* run("db", "distribute")
      assert.notStrictEqual(refused.code, 0)
      const { code, message } = Object(oneJson(refused)["error"])
      assert.strictEqual(code, "WRONG_STATE")
      assert.include(message, "The database has no Citus extension.")
      assert.strictEqual(oneJson(yield* run("db", "status"))["current"], true)
    })
  )

  it.effect("refuses an outdated schema", () =>
    Effect.gen(function* () {
      const { url } = yield* freshPostgres("empty")
      const refused = yield* Effect.promise(() =>
        svcInProcess(["db", "distribute", "--json"], { env: { SVC_DATABASE_URL: clearUrl(url) } })
      )
      assert.include(String(Object(oneJson(refused)["error"]).message), "Run svc db migrate.")
    })
  )
})
