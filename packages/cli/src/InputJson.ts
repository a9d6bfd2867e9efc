/** `--input-json`: a literal, `@file`, or `-` for stdin. */
import { readFile } from "node:fs/promises"
import { type Failure, InvalidInput, InvalidJson } from "@svc/core"
import { parseJson } from "@svc/http"
import * as Effect from "effect/Effect"

const bytes = (value: string): Effect.Effect<Uint8Array, Failure> =>
  Effect.tryPromise({
    try: async () =>
      value === "-" ? (await import("node:stream/consumers")).buffer(process.stdin) : readFile(value.slice(1)),
    catch: () =>
      new InvalidInput({ message: "--input-json: can't read the file after @. Check its path and permissions." })
  })

const read = (value: string): Effect.Effect<string, Failure> =>
  value === "-" || value.startsWith("@")
    ? Effect.flatMap(bytes(value), (read) =>
        Effect.try({
          // Invalid UTF-8 is rejected, never replaced.
          try: () => new TextDecoder("utf-8", { fatal: true }).decode(read),
          catch: () => new InvalidJson({ message: "--input-json: not UTF-8. Save the file as UTF-8." })
        })
      )
    : Effect.succeed(value)

/** The value as JSON text, unchanged. Fails with INVALID_JSON or INVALID_INPUT. */
export const readInputJson = (value: string): Effect.Effect<string, Failure> =>
  Effect.flatMap(read(value), (json) =>
    Effect.mapBoth(Effect.fromResult(parseJson(json)), {
      onFailure: (failure) =>
        failure.withMessage(
          `--input-json: ${failure.message.replace(/^The body is (.*) Send .*$/, "$1 Use a JSON object, @FILE or - for stdin.")}`
        ),
      onSuccess: () => json
    })
  )
