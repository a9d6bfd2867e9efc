/** When audit rows are sealed without anybody asking. */
import { assert, it } from "@effect/vitest"
import { AuditLog } from "@svc/core/audit/AuditLog"
import { emptyChain } from "@svc/core/audit/AuditRecord"
import * as SealWorker from "@svc/core/audit/SealWorker"
import { fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

it.effect("rows are sealed in bounded batches until none is left, and again every fifteen seconds", () =>
  Effect.gen(function* () {
    const waiting = new Map([
      ["org_a", 1_200],
      ["org_b", 3],
      ["org_busy", 7]
    ])
    const batches: Array<string> = []
    let isDown = false
    const log = AuditLog.of({
      list: () => Effect.succeed({ items: [], next: undefined }),
      seal: () => Effect.die("not used"),
      chain: () => Effect.succeed([]),
      head: () => Effect.succeed(emptyChain),
      organizations: Effect.succeed([]),
      unsealed: () =>
        isDown
          ? Effect.fail(fail("UNAVAILABLE"))
          : Effect.sync(() => [...waiting].flatMap(([id, rows]) => (rows > 0 ? [id] : []))),
      sealIfFree: (id, most) =>
        Effect.sync(() => {
          // Somebody else seals this one.
          const sealed = id === "org_busy" ? 0 : Math.min(most, waiting.get(id) ?? 0)
          waiting.set(id, (waiting.get(id) ?? 0) - sealed)
          batches.push(`${id} ${sealed}`)
          return sealed
        })
    })
    yield* Layer.build(SealWorker.layer.pipe(Layer.provide(Layer.succeed(AuditLog, log))))
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(
      batches.filter((batch) => !batch.endsWith(" 0")),
      ["org_a 500", "org_b 3", "org_a 500", "org_a 200"]
    )
    batches.length = 0
    waiting.set("org_b", 2)
    yield* TestClock.adjust("14 seconds")
    assert.deepStrictEqual(batches, [])
    isDown = true
    yield* TestClock.adjust("1 seconds")
    isDown = false
    assert.deepStrictEqual(batches, [])
    yield* TestClock.adjust("15 seconds")
    assert.deepStrictEqual(batches, ["org_b 2", "org_busy 0"])
  }).pipe(Effect.scoped)
)
