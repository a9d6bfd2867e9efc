import * as Effect from "effect/Effect"
import { NotFound } from "./failures.ts"

/** The result of a lookup. Fails with NOT_FOUND if it is undefined; `kind` is a noun such as "lead". */
export const orNotFound = <A, E, R>(
  kind: string,
  id: string,
  lookup: Effect.Effect<A | undefined, E, R>
): Effect.Effect<A, E | NotFound, R> =>
  Effect.flatMap(lookup, (found) =>
    found === undefined ? Effect.fail(new NotFound({ kind, id })) : Effect.succeed(found)
  )
