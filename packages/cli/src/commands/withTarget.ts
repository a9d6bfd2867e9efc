/** Every client command first finds the service. */
import type { Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { targetInCliTerms } from "../cliTerms.ts"
import { findTarget } from "../findTarget.ts"
import { type CliExit, orRefuse } from "../Output.ts"
import type { Target } from "../Target.ts"

/** The flags of every client command. */
export interface Common {
  readonly baseUrl: Option.Option<string>
  readonly json: boolean
}

/**
 * Finds the service, runs `use` with it, and prints a failure of either. Messages of the service are put in terms of the
 * command line, unless its bodies are to be printed `verbatim`.
 */
export const withTarget = <R = never>(
  { baseUrl: url, json: asJson }: Common,
  use: (target: Target) => Effect.Effect<void, CliExit | Failure, R>,
  verbatim = false
): Effect.Effect<void, CliExit, Exclude<R, Scope.Scope>> =>
  orRefuse(
    asJson,
    Effect.scoped(
      Effect.flatMap(findTarget(process.env, Option.getOrUndefined(url)), (target) =>
        use(verbatim ? target : targetInCliTerms(target))
      )
    )
  )
