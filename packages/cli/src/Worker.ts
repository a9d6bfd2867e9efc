/**
 * `svc worker`: what `svc serve` does beside answering requests, without a port. Any number of workers and servers share the
 * work of one PostgreSQL.
 *
 * Source: contract 2; issue 4, item 3.
 */
import { type Failure, fail } from "@svc/core/Failure"
import { version } from "@svc/core/Version"
import * as Composition from "@svc/embed/Composition"
import type { Settings } from "@svc/embed/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { out, outJson } from "./Output.ts"
import { ownerOrOpen } from "./ownerOrOpen.ts"
import { backends, sendingLine } from "./Server.ts"

/**
 * Works until interrupted. Fails with WRONG_STATE on a database that no other process can see, and when the database cannot
 * be had; an embedded folder has one process at a time.
 */
export const runWorker = (settings: Settings, json: boolean): Effect.Effect<never, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const { databaseUrl } = settings
    if (databaseUrl._tag === "Memory") {
      return yield* fail(
        "WRONG_STATE",
        "svc worker has nothing to work on with memory:. Set SVC_DATABASE_URL, or use svc dev."
      )
    }
    const gateway = settings.linkedinGateway ?? "manual"
    const services = Composition.fromSettings(settings, { worker: true, gateway })
    const opened = yield* ownerOrOpen(databaseUrl, Layer.build(services))
    if (opened._tag === "Owner") {
      const { sentence } = opened.owner
      return yield* fail(
        "UNAVAILABLE",
        `${sentence} It does the work itself; a worker beside a server needs PostgreSQL.`
      )
    }
    const database = backends[databaseUrl._tag]
    yield* json
      ? outJson({ event: "ready", role: "worker", database, gateway, version }, true)
      : out(`svc ${version} works.\n\n  Data     ${databaseUrl.label}\n  Sending  ${sendingLine(gateway)}\n`)
    return yield* Effect.never
  })
