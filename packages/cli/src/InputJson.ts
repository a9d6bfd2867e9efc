/** `--input-json`: a literal, `@file`, or `-` for stdin. Source: contract 2. */
import { readFile } from "node:fs/promises"
import { type Failure, fail } from "@svc/core/Failure"
import { parseJson } from "@svc/http/JsonText"
import * as Effect from "effect/Effect"

const bytes = (value: string): Effect.Effect<Uint8Array, Failure> =>
  Effect.tryPromise({
    try: async () =>
      value === "-" ? (await import("node:stream/consumers")).buffer(process.stdin) : readFile(value.slice(1)),
    catch: () => fail("INVALID_INPUT", "--input-json: the file after @ cannot be read. Check its path and rights.")
  })

const read = (value: string): Effect.Effect<string, Failure> =>
  value === "-" || value.startsWith("@")
    ? Effect.flatMap(bytes(value), (read) =>
        Effect.try({
          // Bytes that are no text are refused, never replaced.
          try: () => new TextDecoder("utf-8", { fatal: true }).decode(read),
          catch: () => fail("INVALID_JSON", "--input-json: it is not UTF-8. Save it as UTF-8.")
        })
      )
    : Effect.succeed(value)

/** The value as JSON text, to be sent as it is written. Fails with INVALID_JSON or INVALID_INPUT. */
export const readInputJson = (value: string): Effect.Effect<string, Failure> =>
  Effect.flatMap(read(value), (json) =>
    Effect.mapBoth(Effect.fromResult(parseJson(json)), {
      onFailure: ({ code, message }) =>
        fail(code, `--input-json: ${message.replace("The body is", "it is")} It takes JSON, @FILE or - for stdin.`),
      onSuccess: () => json
    })
  )
