import * as Effect from "effect/Effect"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import type { InstantText } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"

/** Fails with INVALID_INPUT, naming the field, if a key would have expired already. */
export const requireFuture = Effect.fnUntraced(function* (
  field: string,
  expiry: InstantText | undefined
): Effect.fn.Return<void, InvalidInput> {
  if (expiry === undefined || expiry > (yield* now)) return
  yield* new InvalidInput({ message: `${field} is in the past. Send a future time, or leave it out.` })
})
