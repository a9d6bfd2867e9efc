/**
 * `svc worker`: the worker of `svc serve`, without the server. Any number of workers and servers share one PostgreSQL.
 */
import { type Failure, Unavailable, version, WrongState } from "@svc/core"
import { Composition, type Settings } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { loadHostConfig } from "./hostConfig.ts"
import { out, outJson } from "./Output.ts"
import { ownerOrOpen } from "./ownerOrOpen.ts"
import { backends, metricsRoutes, sendingLine, serveAdmin } from "./Server.ts"
import { untilStopped } from "./serviceLogs.ts"

/**
 * Works until interrupted. Fails with WRONG_STATE for `memory:`, and with UNAVAILABLE if the database cannot be opened or
 * another process uses its folder.
 */
export const runWorker = (settings: Settings, json: boolean): Effect.Effect<never, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const { databaseUrl } = settings
    if (databaseUrl._tag === "Memory") {
      return yield* new WrongState({
        message: "svc worker needs a persistent database. Set SVC_DATABASE_URL, or use svc dev."
      })
    }
    const own = yield* loadHostConfig(process.env)
    const named = settings.linkedinGateway ?? "manual"
    const gateway = own.gatewayName ?? named
    const services = Composition.fromSettings(settings, {
      worker: true,
      isService: true,
      gateway: named,
      routes: metricsRoutes(settings),
      ...own
    })
    const opened = yield* ownerOrOpen(databaseUrl, Layer.build(services))
    if (opened._tag === "Owner") {
      const { sentence } = opened.owner
      return yield* new Unavailable({
        message: `${sentence} It already runs the worker; a separate worker needs PostgreSQL.`
      })
    }
    const database = backends[databaseUrl._tag]
    const admin_url = yield* Effect.provideContext(serveAdmin(settings), opened.value)
    const admin = admin_url === undefined ? "" : `  Admin    ${admin_url}\n`
    yield* json
      ? outJson({ event: "ready", role: "worker", database, gateway, version, admin_url }, true)
      : out(
          `svc ${version} worker is running.\n\n  Data     ${databaseUrl.label}\n${admin}  Sending  ${sendingLine(named, own.gatewayName)}\n`
        )
    return yield* untilStopped("worker", { adminUrl: admin_url, database: databaseUrl.label, gateway, version })
  })
