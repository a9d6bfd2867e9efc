/** `--input-json`: a literal, `@file`, or `-` for stdin. Source: contract 2. */
import { readFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { type Failure, fail } from "@svc/core/Failure"
import { parseJson } from "@svc/http/RequestBody"
import * as Effect from "effect/Effect"

const read = (value: string): Effect.Effect<string, Failure> => {
  if (value === "-") return Effect.promise(() => text(process.stdin))
  if (!value.startsWith("@")) return Effect.succeed(value)
  return Effect.tryPromise({
    try: () => readFile(value.slice(1), "utf8"),
    catch: () => fail("INVALID_INPUT", "--input-json: the file after @ cannot be read. Check its path and rights.")
  })
}

/** Reads the value as one JSON object. Fails with INVALID_JSON or INVALID_INPUT. */
export const readInputJson = (value: string): Effect.Effect<unknown, Failure> =>
  Effect.flatMap(read(value), (json) =>
    Effect.mapError(Effect.fromResult(parseJson(json)), ({ code, message }) =>
      fail(code, `--input-json: ${message.replace("The body is", "it is")} It takes JSON, @FILE or - for stdin.`)
    )
  )
