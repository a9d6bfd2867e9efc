/** A transaction copies no services of the process, and its effect has all of them. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { inTransaction } from "#postgres/inTransaction.ts"
import { hasPostgres, postgresLayer } from "../support/backends.ts"

class Service extends Context.Service<Service, { readonly name: string }>()("test/Service") {}

/** Services that tell when all of them are read. */
class Services extends Map<string, unknown> {
  copies = 0
  override [Symbol.iterator]() {
    this.copies++
    return super[Symbol.iterator]()
  }
  override forEach(...args: Parameters<Map<string, unknown>["forEach"]>) {
    this.copies++
    super.forEach(...args)
  }
}

describe.skipIf(!hasPostgres())("a transaction", () => {
  it.layer(postgresLayer, { timeout: "60 seconds" })((it) => {
    it.effect("copies no services, and gives its effect all of them and the connection", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`create table kept (n int)`
        const services = new Services([...(yield* Effect.context<never>()).mapUnsafe, [Service.key, { name: "ours" }]])
        const run = (n: number, end: Effect.Effect<void, string>) =>
          inTransaction(
            sql,
            Effect.gen(function* () {
              assert.strictEqual((yield* Service).name, "ours")
              assert.isTrue(Option.isSome(yield* Effect.serviceOption(sql.transactionService)))
              yield* sql`insert into kept values (${n})`
              // A transaction of its own would not see the row.
              assert.strictEqual((yield* sql`select 1 from kept where n = ${n}`).length, 1)
              yield* end
            })
          ).pipe(Effect.updateContext((_: Context.Context<never>) => Context.makeUnsafe<Service>(services)))
        yield* run(1, Effect.void)
        assert.strictEqual(yield* Effect.flip(run(2, Effect.fail("enough"))), "enough")
        assert.strictEqual(services.copies, 0)
        assert.isTrue(Option.isNone(yield* Effect.serviceOption(sql.transactionService)))
        assert.deepStrictEqual(yield* sql`select n from kept`, [{ n: 1 }])
      })
    )
  })
})
