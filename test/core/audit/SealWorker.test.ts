/** When audit rows are sealed without anybody asking. */

import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { DueWork } from "#core/kernel/background/DueWork.ts"
import { Unavailable } from "#core/kernel/failure/failures.ts"
import { Ids } from "#core/kernel/schema/IdsAndTime.ts"
import { emptyChain } from "#core/workspace/audit/AuditRecord.ts"
import * as SealWorker from "#core/workspace/audit/SealWorker.ts"
import { type AuditLog, Workspaces } from "#core/workspace/Workspaces.ts"
import * as JournalMemory from "#memory/JournalMemory.ts"
import { events } from "#memory/JournalMemory.ts"
import { MemoryStore, layer as storeLayer } from "#memory/MemoryStore.ts"
import * as WorkspacesMemory from "#memory/workspace/WorkspacesMemory.ts"

it.effect("rows are sealed in bounded batches until none is left, and again every fifteen seconds", () =>
  Effect.gen(function* () {
    const waiting = new Map([
      ["org_a", 1_200],
      ["org_b", 3],
      ["org_busy", 7]
    ])
    const batches: Array<string> = []
    let isDown = false
    const sealed = new Map<string, number>()
    const log: AuditLog = {
      key: "key",
      list: () => Effect.succeed({ items: [], next: undefined }),
      seal: () => Effect.die("not used"),
      chain: () => Effect.succeed([]),
      start: () => Effect.die("not used"),
      deleteBefore: () => Effect.die("not used"),
      head: (id) => Effect.sync(() => ({ ...emptyChain, sequence: sealed.get(id) ?? 0 })),
      organizations: Effect.succeed([]),
      sealIfFree: (id, most) =>
        Effect.sync(() => {
          // Somebody else seals this one.
          const count = id === "org_busy" ? 0 : Math.min(most, waiting.get(id) ?? 0)
          waiting.set(id, (waiting.get(id) ?? 0) - count)
          sealed.set(id, (sealed.get(id) ?? 0) + count)
          batches.push(`${id} ${count}`)
          return count
        })
    }
    const due = Layer.succeed(DueWork, {
      find: () =>
        isDown
          ? Effect.fail(new Unavailable())
          : Effect.sync(() => [...waiting].flatMap(([id, rows]) => (rows > 0 ? [id] : []))),
      // Last in line again.
      settle: (id) =>
        Effect.sync(() => {
          const rows = waiting.get(id) ?? 0
          waiting.delete(id)
          waiting.set(id, rows)
        })
    })
    const store = yield* Layer.build(
      Layer.mergeAll(JournalMemory.layer, WorkspacesMemory.layer, Ids.layerSequential).pipe(
        Layer.provideMerge(storeLayer)
      )
    )
    const sealing = Layer.succeed(Workspaces, { ...Context.get(store, Workspaces), audit: log })
    yield* Layer.build(SealWorker.layer.pipe(Layer.provide([sealing, due]), Layer.provide(Layer.succeedContext(store))))
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(
      batches.filter((batch) => !batch.endsWith(" 0")),
      ["org_a 500", "org_b 3", "org_a 500", "org_a 200"]
    )
    const emitted = yield* Context.get(store, MemoryStore).read("org_a", (tables) => tables.all(events))
    assert.deepStrictEqual(
      emitted.map(({ data, type }) => `${type} ${data["sequence"]}`),
      ["audit.head 1000"]
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
