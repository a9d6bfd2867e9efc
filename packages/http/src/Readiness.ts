/** Whether this process can serve: what `/readyz` asks. */

import type { Failure } from "@svc/core/Failure"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Fails with UNAVAILABLE, naming what is missing, while requests would fail. */
export class Readiness extends Context.Service<Readiness, { readonly check: Effect.Effect<void, Failure> }>()(
  "@svc/http/Readiness"
) {}
