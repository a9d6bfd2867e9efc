/**
 * Opening an embedded folder for as long as an agent is connected, so that others can use it all the while.
 *
 * A folder has one process at a time, and an agent's may run for days: it listens on this machine and says where, as a
 * server does, and sends what is due. Other chats, and commands in a terminal, then go through it.
 * Source: contract 2 and 4; ecosystem 7.1.
 */
import * as Composition from "@svc/embed/Composition"
import { Hosts } from "@svc/http/Hosts"
import { serve } from "@svc/http/NodeServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { openedService } from "../openedService.ts"
import { newToken, operatorDoors, publish } from "../Server.ts"
import type { Open } from "../Target.ts"

/** Opens a database; an embedded folder is shared. */
export const openShared: Open = (settings) => {
  if (settings.databaseUrl._tag !== "Pglite") {
    return openedService(
      settings,
      settings.linkedinGateway ?? (settings.databaseUrl._tag === "Postgres" ? "manual" : "simulator")
    )
  }
  return Effect.gen(function* () {
    const token = newToken()
    let url = ""
    const context = yield* Layer.build(
      Composition.fromSettings(settings, {
        worker: true,
        publicUrl: () => settings.publicUrl ?? url,
        gateway: settings.linkedinGateway ?? "simulator",
        routes: operatorDoors(settings, token),
        mcpHosts: () => []
      })
    )
    yield* Effect.gen(function* () {
      url = `http://127.0.0.1:${yield* serve({ host: "127.0.0.1", port: 0 })}`
      yield* publish(url, token)
    }).pipe(Effect.provideContext(context))
    return Context.get(context, Hosts).fetch
  })
}
