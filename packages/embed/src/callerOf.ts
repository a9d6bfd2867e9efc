/** Authentication over HTTP by the host. */
import { Unauthenticated } from "@svc/core"
import { Caller } from "@svc/http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type HostActor, identityOf } from "./HostActor.ts"

/** A request. Header names are in lower case. */
export interface CallerRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The actor of a request; undefined for 401. */
export type CallerOf = (request: CallerRequest) => HostActor | undefined | Promise<HostActor | undefined>

/** Authentication by a function of the host. */
export const callerLayer = (callerOf: CallerOf, organizationId: () => string): Layer.Layer<Caller> =>
  Layer.succeed(Caller, {
    of: ({ headers, method, url }) =>
      Effect.flatMap(
        Effect.promise(async () => callerOf({ method, url, headers })),
        (actor) =>
          actor === undefined ? Effect.fail(new Unauthenticated()) : Effect.succeed(identityOf(actor, organizationId()))
      )
  })
