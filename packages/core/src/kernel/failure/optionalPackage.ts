import * as Effect from "effect/Effect"
import { Unavailable } from "./failures.ts"

/** Whether a package is not installed: an error of Node, or what a bundler put in its place. */
const isMissing = (cause: unknown): boolean =>
  cause instanceof Error &&
  (("code" in cause && (cause.code === "ERR_MODULE_NOT_FOUND" || cause.code === "MODULE_NOT_FOUND")) ||
    /^Could not resolve "/.test(cause.message))

/**
 * Loads a package that only some installations have, and that nothing may import statically. Fails with UNAVAILABLE, saying
 * what needs the package and which command installs it.
 *
 * `load` awaits its `import()` in a `try` block: bundlers then leave out what is not installed, instead of failing.
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
