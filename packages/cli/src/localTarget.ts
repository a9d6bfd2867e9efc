/** The service on the database of the environment: through the process that owns its folder, or opened in this one. */
import { Readable } from "node:stream"
import type { Failure } from "@svc/core/Failure"
import { type Environment, readSettings } from "@svc/embed/Settings"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FoundKey } from "./ApiKey.ts"
import { ownerOrOpen } from "./ownerOrOpen.ts"
import { type Open, remote, type Target, targetOf } from "./Target.ts"

/** A PostgreSQL is somebody's real workspace, where nothing is simulated unasked. */
const opened: Open = (settings) =>
  Effect.gen(function* () {
    // Loaded here, since whoever asks the folder's owner needs none of the service's own code.
    const { openedService } = yield* Effect.promise(() => import("./openedService.ts"))
    const gateway = settings.linkedinGateway ?? (settings.databaseUrl._tag === "Postgres" ? "manual" : "simulator")
    return yield* openedService(settings, gateway)
  })

/** Finds it. Fails with INVALID_INPUT for bad settings, UNAVAILABLE when the database cannot be opened. */
export const localTarget = (
  environment: Environment,
  key: FoundKey | undefined,
  open: Open = opened
): Effect.Effect<Target, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const settings = yield* Effect.fromResult(readSettings(environment))
    const found = yield* ownerOrOpen(settings.databaseUrl, open(settings))
    if (found._tag === "Owner") return remote("owner", found.owner.url, key)
    const fetch = found.value
    return targetOf({ kind: "embedded", label: settings.databaseUrl.label }, key, async (ask, signal) => {
      const { body, json } = ask
      const response = await fetch(
        new Request(`http://embedded.invalid${ask.path}`, {
          method: ask.method,
          headers: { ...(json === undefined ? {} : { "content-type": "application/json" }), ...ask.headers },
          ...(json === undefined ? {} : { body: json }),
          ...(body === undefined ? {} : { body: Readable.toWeb(body), duplex: "half", signal })
        })
      )
      return { status: response.status, text: () => response.text() }
    })
  })
