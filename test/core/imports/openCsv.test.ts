import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { openCsv } from "#core/imports/csv/CsvRows.ts"

const open = (bytes: Uint8Array, size: number) => {
  const pieces: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  const content = Stream.rechunk(Stream.fromIterable(pieces), 1)
  return Effect.gen(function* () {
    const rows = yield* openCsv(content, { mapping: {}, own: [] })
    let count = 0
    for (let isLast = false; !isLast; ) {
      const batch = yield* rows.next(1_000)
      count += batch.sources.length
      isLast = batch.isLast
    }
    return { count, startHash: rows.startHash }
  }).pipe(Effect.scoped)
}

describe("openCsv", () => {
  it.effect("knows a file by its first bytes, however they arrive and are encoded", () =>
    Effect.gen(function* () {
      const rows = Array.from(
        { length: 4_000 },
        (_, index) => `a${index}@example.com,\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\n`
      )
      const bytes = Buffer.from(`email,name\n${rows.join("")}`, "latin1")
      const whole = yield* open(bytes, bytes.length)
      assert.strictEqual(whole.count, 4_000)
      for (const size of [5_000, 16_384, 60_000]) assert.deepStrictEqual(yield* open(bytes, size), whole)
    })
  )
})
