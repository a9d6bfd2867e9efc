/** The service on the database of the environment: through the process that owns its folder, or opened in this one. */
import { Readable } from "node:stream"
import type { Failure } from "@svc/core"
import { type Environment, readSettings } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FoundKey } from "./ApiKey.ts"
import { ownerOrOpen } from "./ownerOrOpen.ts"
import { makeTarget, type Open, remoteTarget, type Target } from "./Target.ts"

const opened: Open = (settings) =>
  Effect.gen(function* () {
    // Loaded on use: a client of the folder's owner does not need the code of the service.
    const { openedService } = yield* Effect.promise(() => import("./openedService.ts"))
    return yield* openedService(settings)
  })

/** Finds it. Fails with INVALID_INPUT for invalid settings, and with UNAVAILABLE if the database cannot be opened. */
export const localTarget = (
  environment: Environment,
  key: FoundKey | undefined,
  open: Open = opened
): Effect.Effect<Target, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const settings = yield* Effect.fromResult(readSettings(environment))
    const found = yield* ownerOrOpen(settings.databaseUrl, open(settings))
    if (found._tag === "Owner") return remoteTarget("owner", found.owner.url, key)
    const fetch = found.value
    return makeTarget({ kind: "embedded", label: settings.databaseUrl.label }, key, async (request, signal) => {
      const { body, json } = request
      const response = await fetch(
        new Request(`http://embedded.invalid${request.path}`, {
          method: request.method,
          headers: { ...(json === undefined ? {} : { "content-type": "application/json" }), ...request.headers },
          ...(json === undefined ? {} : { body: json }),
          ...(body === undefined ? {} : { body: Readable.toWeb(body), duplex: "half", signal })
        })
      )
      return {
        status: response.status,
        retryAfter: response.headers.get("retry-after"),
        text: () => response.text()
      }
    })
  })
