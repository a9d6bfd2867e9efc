/** The caller's key: environment, then file, then profile; never the command line. Source: contract 2; G38. */
import { readFile } from "node:fs/promises"
import { type Failure, fail } from "@svc/core/Failure"
import type { Environment } from "@svc/embed/Settings"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** A key and where it came from: a variable, or `profile NAME`. */
export interface FoundKey {
  readonly key: Redacted.Redacted<string>
  readonly source: string
}

const sendable = /^[\x21-\x7e]{1,200}$/

/** The text as a key. Fails with UNAUTHENTICATED for what cannot be one, naming where it came from. */
export const makeKey = (text: string, source: string): Effect.Effect<FoundKey, Failure> =>
  sendable.test(text.trim())
    ? Effect.succeed({ key: Redacted.make(text.trim(), { label: source }), source })
    : Effect.fail(
        fail("UNAUTHENTICATED", `${source} holds no API key: it is empty, or has spaces or line breaks. Set it anew.`)
      )

/**
 * The key of an environment; undefined when none is set. Fails with UNAUTHENTICATED for what cannot be one, and
 * with INVALID_INPUT when its file cannot be read.
 */
export const keyOfEnvironment = (environment: Environment): Effect.Effect<FoundKey | undefined, Failure> => {
  const { SVC_API_KEY: text, SVC_API_KEY_FILE: file } = environment
  if (text !== undefined && text !== "") return makeKey(text, "SVC_API_KEY")
  if (file === undefined || file === "") return Effect.succeed(undefined)
  return Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: () => fail("INVALID_INPUT", "The file named by SVC_API_KEY_FILE cannot be read. Check its path and rights.")
  }).pipe(Effect.flatMap((read) => makeKey(read, "SVC_API_KEY_FILE")))
}
