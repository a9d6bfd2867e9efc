/** The caller's key, from the environment or a file, never from the command line. */
import { readFile } from "node:fs/promises"
import { type Failure, InvalidInput, Unauthenticated } from "@svc/core"
import type { Environment } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** A key and its source: a variable, or `profile NAME`. */
export interface FoundKey {
  readonly key: Redacted.Redacted<string>
  readonly source: string
}

const validKey = /^[\x21-\x7e]{1,200}$/

/** The text as a key. Fails with UNAUTHENTICATED, naming the source, if it cannot be one. */
export const makeKey = (text: string, source: string): Effect.Effect<FoundKey, Failure> =>
  validKey.test(text.trim())
    ? Effect.succeed({ key: Redacted.make(text.trim(), { label: source }), source })
    : Effect.fail(
        new Unauthenticated({
          message: `The API key from ${source} is not valid: it is empty, or contains spaces or line breaks.`
        })
      )

/**
 * The key of an environment; undefined if none is set. Fails with UNAUTHENTICATED if it cannot be a key, and with
 * INVALID_INPUT if its file cannot be read.
 */
export const keyOfEnvironment = (environment: Environment): Effect.Effect<FoundKey | undefined, Failure> => {
  const { SVC_API_KEY: text, SVC_API_KEY_FILE: file } = environment
  if (text !== undefined && text !== "") return makeKey(text, "SVC_API_KEY")
  if (file === undefined || file === "") return Effect.succeed(undefined)
  return Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: () =>
      new InvalidInput({ message: "Can't read the file named by SVC_API_KEY_FILE. Check its path and permissions." })
  }).pipe(Effect.flatMap((read) => makeKey(read, "SVC_API_KEY_FILE")))
}
