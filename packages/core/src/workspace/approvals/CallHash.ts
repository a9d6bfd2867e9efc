/** Input field `call`. */
import * as Schema from "effect/Schema"
import { formatted } from "../../kernel/schema/TextFields.ts"

/** Binds a question to the call that it belongs to. */
export const CallHash = Schema.optionalKey(
  formatted(/^[0-9a-f]{64}$/u, 64, "a SHA-256 in lower-case hexadecimal").annotate({
    description: "SHA-256 of the call that the question belongs to; the answer must repeat it"
  })
)
