/** The service in this process, for one command line: no worker, no port, no rate limit. */
import type { Failure } from "@svc/core/Failure"
import * as Composition from "@svc/embed/Composition"
import type { GatewayName, Settings } from "@svc/embed/Settings"
import { Hosts } from "@svc/http/Hosts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** Opens it. Fails with UNAVAILABLE when the database cannot be opened. */
export const openedService = (
  settings: Settings,
  gateway: GatewayName
): Effect.Effect<Hosts["Service"]["fetch"], Failure, Scope.Scope> =>
  Effect.map(
    Layer.build(Composition.fromSettings(settings, { worker: false, rateLimit: 0, gateway })),
    (context) => Context.get(context, Hosts).fetch
  )
