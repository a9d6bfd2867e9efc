import * as Effect from "effect/Effect"
import { Unavailable } from "./failures.ts"

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error &&
  "code" in cause &&
  (cause.code === "ERR_MODULE_NOT_FOUND" || cause.code === "MODULE_NOT_FOUND")

/**
 * Loads what needs a package that only some installations have. Fails with UNAVAILABLE, saying what needs the package and
 * which command installs it.
 */
export const optionalPackage = <A>(
  name: string,
  neededBy: string,
  load: () => Promise<A>
): Effect.Effect<A, Unavailable> =>
  Effect.catch(Effect.tryPromise({ try: load, catch: (cause) => cause }), (cause) =>
    isMissing(cause)
      ? Effect.fail(
          new Unavailable({
            message: `${neededBy} needs the package ${name}, which is not installed: npm install ${name}`
          })
        )
      : Effect.die(cause)
  )
