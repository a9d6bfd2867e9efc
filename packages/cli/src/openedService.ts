/** The service in this process, for one command line: no worker, no port, no rate limit. */
import { Composition } from "@svc/embed/composition"
import { HttpHandlers } from "@svc/http"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { compileQuickly } from "./compileQuickly.ts"
import { loadHostConfig } from "./hostConfig.ts"
import type { Open } from "./Target.ts"

/** Opens it, with the simulator only on embedded databases. Fails with UNAVAILABLE if the database cannot be opened. */
export const openedService: Open = (settings) =>
  Effect.gen(function* () {
    const own = yield* loadHostConfig(process.env)
    const gateway = settings.linkedinGateway ?? (settings.databaseUrl._tag === "Postgres" ? "manual" : "simulator")
    // Nobody signs in to a page that no port serves.
    const http = { review: false }
    const services = Composition.fromSettings(settings, { worker: false, rateLimit: 0, gateway, http, ...own })
    compileQuickly()
    return Context.get(yield* Layer.build(services), HttpHandlers).fetch
  })
