/**
 * Finds the service for a client command, in this order: `--base-url`, `SVC_BASE_URL`, the profile, the process that owns
 * the embedded database's folder, and the database itself, opened in this process.
 */
import type { Environment } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import { findProfile, keyOfEnvironment, makeKey } from "./profiles.ts"
import { type Open, parseBaseUrl, remoteTarget } from "./Target.ts"

/**
 * Finds the service. `open` opens a database without an owner. Fails with INVALID_INPUT for invalid settings, and with
 * UNAVAILABLE if the database cannot be opened.
 */
export const findTarget = (environment: Environment, baseUrl: string | undefined, open?: Open) =>
  Effect.gen(function* () {
    const given = yield* keyOfEnvironment(environment)
    const profile = yield* findProfile(environment)
    const chosen = baseUrl ?? environment["SVC_BASE_URL"]
    const base = chosen === undefined || chosen === "" ? profile?.baseUrl : yield* parseBaseUrl(chosen)
    // The key of a profile is only sent to the service of that profile.
    const fits = profile !== undefined && profile.baseUrl === base
    const key = given ?? (fits ? yield* makeKey(profile.key, `profile ${profile.name}`) : undefined)
    if (base !== undefined) return remoteTarget("server", base, key)
    // Loaded on use: a client of a server does not need the code of the service.
    const { localTarget } = yield* Effect.promise(() => import("./localTarget.ts"))
    return yield* localTarget(environment, key, open)
  })
