/**
 * Opens an embedded folder for an agent, and shares it with other processes.
 *
 * Only one process at a time can use a folder, and an agent may run for days. So it listens on this machine like a server,
 * and runs the worker; other agents and commands use it as their service.
 */
import { Composition } from "@svc/embed/composition"
import { HttpHandlers } from "@svc/http"
import { serve } from "@svc/http/node"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { compileQuickly } from "../compileQuickly.ts"
import { loadHostConfig } from "../hostConfig.ts"
import { openedService } from "../openedService.ts"
import { newToken, operatorRoutes, publishUrl } from "../Server.ts"
import type { Open } from "../Target.ts"

/** Opens a database; an embedded folder is shared. */
export const openShared: Open = (settings) => {
  if (settings.databaseUrl._tag !== "Pglite") return openedService(settings)
  return Effect.gen(function* () {
    const token = newToken()
    const own = yield* loadHostConfig(process.env)
    let url = ""
    compileQuickly()
    const context = yield* Layer.build(
      Composition.fromSettings(settings, {
        worker: true,
        publicUrl: () => settings.publicUrl ?? url,
        gateway: settings.linkedinGateway ?? "simulator",
        routes: operatorRoutes(settings, token),
        mcpHosts: () => [],
        ...own
      })
    )
    yield* Effect.gen(function* () {
      url = `http://127.0.0.1:${yield* serve({ host: "127.0.0.1", port: 0 })}`
      yield* publishUrl(url, token)
    }).pipe(Effect.provideContext(context))
    return Context.get(context, HttpHandlers).fetch
  })
}
