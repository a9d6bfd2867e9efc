/**
 * A process that wants the lock of the folder in its first argument. It waits for a line on stdin, prints what came of
 * it as one line of JSON, and keeps the lock until stdin ends.
 */
import { once } from "node:events"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as FolderLock from "#postgres/FolderLock.ts"

const [directory = "", url] = process.argv.slice(2)

await Effect.runPromise(
  Effect.gen(function* () {
    console.log(JSON.stringify({ ready: process.pid }))
    yield* Effect.promise(() => once(process.stdin, "data"))
    const lock = yield* Effect.result(FolderLock.acquire(directory, url === undefined ? {} : { url }))
    console.log(JSON.stringify(Result.isSuccess(lock) ? { held: process.pid } : { refused: lock.failure.message }))
    yield* Effect.promise(() => once(process.stdin, "end"))
  }).pipe(Effect.scoped)
)
