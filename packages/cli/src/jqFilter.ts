/** `--jq`: the language of jq, by jq itself compiled to WebAssembly. */
import { type Failure, InvalidInput, Unavailable } from "@svc/core"
import * as Effect from "effect/Effect"

/** What a filter makes of a value, one result per line; texts without quotes. Fails with INVALID_INPUT. */
export const runJq = (value: unknown, filter: string): Effect.Effect<string, Failure> =>
  Effect.tryPromise({
    // Loaded on use: it is a megabyte.
    try: async () => (await (await import("jq-wasm")).loadJq()).raw(JSON.stringify(value), filter, ["-r", "-c"]),
    catch: () => new Unavailable({ message: "--jq needs the package jq-wasm. Install it next to svc, or use --json." })
  }).pipe(
    Effect.flatMap(({ exitCode, stderr, stdout }) =>
      exitCode === 0
        ? Effect.succeed(stdout)
        : Effect.fail(
            new InvalidInput({
              message: `--jq: ${stderr
                .replaceAll(/jq: (error: )?|error \(at [^)]*\): /g, "")
                .split("\n")[0]
                ?.slice(0, 200)}`
            })
          )
    )
  )
