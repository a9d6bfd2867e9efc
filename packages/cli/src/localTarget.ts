/** The service on the database of the environment: through the process that owns its folder, or opened in this one. */

import { existsSync } from "node:fs"
import { Readable } from "node:stream"
import { Unavailable } from "@svc/core"
import { type Environment, readSettings } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import { notLoggedIn } from "./cliTerms.ts"
import { ownerOrOpen } from "./ownerOrOpen.ts"
import type { FoundKey } from "./profiles.ts"
import { headersOf, makeTarget, type Open, remoteTarget, type Target } from "./Target.ts"

const opened: Open = (settings) =>
  Effect.gen(function* () {
    // Loaded on use: a client of the folder's owner does not need the code of the service.
    const { openedService } = yield* Effect.promise(() => import("./openedService.ts"))
    return yield* openedService(settings)
  })

/**
 * What stands for a database that does not exist. It could have no key that anybody knows, so it is not created for a
 * request that would be refused.
 */
const nothingHere = (label: string, key: FoundKey | undefined): Target => ({
  place: { kind: "embedded", label },
  key,
  send: () =>
    key === undefined
      ? Effect.succeed({ status: 401, body: { error: { code: "UNAUTHENTICATED", message: notLoggedIn } } })
      : Effect.fail(
          new Unavailable({
            message:
              "There is no service here: none is running, and there is no database. Start one with svc dev, or name one " +
              "with svc login --base-url URL."
          })
        )
})

/** Finds it. Fails with INVALID_INPUT for invalid settings, and with UNAVAILABLE if the database cannot be opened. */
export const localTarget = (environment: Environment, key: FoundKey | undefined, open: Open = opened) =>
  Effect.gen(function* () {
    const settings = yield* Effect.fromResult(readSettings(environment))
    const { databaseUrl } = settings
    if (databaseUrl._tag === "Pglite" && settings.bootstrapKey === undefined && !existsSync(databaseUrl.directory)) {
      return nothingHere(databaseUrl.label, key)
    }
    const found = yield* ownerOrOpen(settings.databaseUrl, open(settings))
    if (found._tag === "Owner") return remoteTarget("owner", found.owner.url, key)
    const fetch = found.value
    return makeTarget({ kind: "embedded", label: settings.databaseUrl.label }, key, async (request, signal) => {
      const { body, json, method, path } = request
      const response = await fetch(
        new Request(`http://embedded.invalid${path}`, {
          method,
          headers: headersOf(request),
          body: json ?? (body === undefined ? null : Readable.toWeb(body)),
          duplex: "half",
          signal
        })
      )
      return {
        status: response.status,
        retryAfter: response.headers.get("retry-after"),
        text: () => response.text()
      }
    })
  })
