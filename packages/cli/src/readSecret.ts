/** Secrets: from a hidden prompt, or from standard input. An argument would be visible to every process of the machine. */
import { text as textOfStream } from "node:stream/consumers"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { PlainField } from "./generated/flagsOf.ts"
import { invalid, isInteractive } from "./Output.ts"
import { labelOf } from "./view/columns.ts"

/** Asks a person, without showing what is typed. */
export const askSecret = (message: string) => Effect.map(Prompt.run(Prompt.Hidden({ message })), Redacted.value)

/** All of standard input. */
export const readStdin: Effect.Effect<string> = Effect.promise(() => textOfStream(process.stdin))

/** The secret of a command: one line of standard input, or what a person types; empty for none. Fails with INVALID_INPUT. */
export const readSecret = Effect.fnUntraced(function* (
  { flag, name }: PlainField,
  fromStdin: boolean,
  asJson: boolean
) {
  if (!fromStdin) return isInteractive(asJson) ? yield* askSecret(`${labelOf(name)} (Enter for none)`) : ""
  const secret = (yield* readStdin).replace(/\r?\n$/, "")
  if (secret !== "" && !/[\r\n]/.test(secret)) return secret
  return yield* invalid(`--${flag}-stdin: standard input must be one line with the ${name}.`)
})
