/** Letting a host say who calls over HTTP. Source: contract 5 ("an actor per call"). */
import { fail } from "@svc/core/Failure"
import { Caller } from "@svc/http/Caller"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type HostActor, identityOf } from "./HostActor.ts"

/** What a host is shown of a request. Header names are in lower case. */
export interface CallerRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The actor of a request; undefined for one that is not let in (401). */
export type CallerOf = (request: CallerRequest) => HostActor | undefined | Promise<HostActor | undefined>

/** Callers as a host knows them. */
export const callerLayer = (callerOf: CallerOf, organizationId: () => string): Layer.Layer<Caller> =>
  Layer.succeed(Caller, {
    of: ({ headers, method, url }) =>
      Effect.flatMap(
        Effect.promise(async () => callerOf({ method, url, headers })),
        (actor) =>
          actor === undefined
            ? Effect.fail(fail("UNAUTHENTICATED"))
            : Effect.succeed(identityOf(actor, organizationId()))
      )
  })
