/** What every command of the client does first: find the service. Source: contract 2. */
import type { Failure } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { findTarget } from "../findTarget.ts"
import { type CliExit, refuse } from "../Output.ts"
import type { Target } from "../Target.ts"

/** The flags of every command that asks the service. */
export interface Common {
  readonly baseUrl: Option.Option<string>
  readonly json: boolean
}

/** Finds the service, does something with it, and prints a failure of either. */
export const withTarget = (
  { baseUrl: url, json: asJson }: Common,
  use: (target: Target) => Effect.Effect<void, CliExit | Failure>
): Effect.Effect<void, CliExit> =>
  Effect.flatMap(findTarget(process.env, Option.getOrUndefined(url)), use).pipe(
    Effect.scoped,
    Effect.catchTag("Failure", (failure) => refuse(failure, asJson))
  )
