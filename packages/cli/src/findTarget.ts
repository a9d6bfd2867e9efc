/**
 * Finding the service that a client command talks to, in this order: `--base-url`, `SVC_BASE_URL`, the profile, the
 * process that owns the embedded database's folder, and at last the database itself, opened in this process.
 *
 * Source: contract 2.
 */
import type { Failure } from "@svc/core/Failure"
import type { Environment } from "@svc/embed/Settings"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { keyOfEnvironment, makeKey } from "./ApiKey.ts"
import { findProfile } from "./profiles.ts"
import { address, type Open, remote, type Target } from "./Target.ts"

/**
 * Finds the service; `open` says how a database is opened that nobody has. Fails with INVALID_INPUT for bad settings,
 * UNAVAILABLE when the database cannot be opened.
 */
export const findTarget = (
  environment: Environment,
  baseUrl: string | undefined,
  open?: Open
): Effect.Effect<Target, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const given = yield* keyOfEnvironment(environment)
    const profile = yield* findProfile(environment)
    const chosen = baseUrl ?? environment["SVC_BASE_URL"]
    const base = chosen === undefined || chosen === "" ? profile?.baseUrl : yield* address(chosen)
    // The key of a profile goes to the service of that profile and to no other.
    const fits = profile !== undefined && profile.baseUrl === base
    const key = given ?? (fits ? yield* makeKey(profile.key, `profile ${profile.name}`) : undefined)
    if (base !== undefined) return remote("server", base, key)
    // Loaded here, since whoever asks a server needs none of the service's own code.
    const { localTarget } = yield* Effect.promise(() => import("./localTarget.ts"))
    return yield* localTarget(environment, key, open)
  })
