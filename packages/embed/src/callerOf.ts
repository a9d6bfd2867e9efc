/** Authentication over HTTP inside a host: by keys, by the host's own users, or by what the host already knows. */
import { SvcError } from "@svc/client"
import { type ActorIdentity, type Failure, InvalidInput, Relayed, type Scope, Unauthenticated } from "@svc/core"
import type { Authentication } from "@svc/core/workspace"
import { Caller, callerLayerBearer, type HttpSettings } from "@svc/http"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { type HostActor, identityOf, isActor } from "./HostActor.ts"

/** A request. Header names are in lower case. `CallerRequest<express.Request>` says what the host's framework passes as `source`. */
export interface CallerRequest<Source extends object = object> {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The host's own request: what its framework passed to `svc.node`, with `user` and the like, or the `Request` of `svc.fetch`. */
  readonly source: Source
}

/** What is not an actor, so that `user && { userId: user.id }` may be returned. */
type Nobody = undefined | null | false | "" | 0

/** The actor of a request; undefined, null, false, "" or 0 if the host does not know the caller. */
export type CallerOf = {
  // A method, so that a host may name the type of its own `source`.
  of(request: CallerRequest): HostActor | Nobody | Promise<HostActor | Nobody>
}["of"]

/** Actors that a host named together with a request. */
const known = new WeakMap<object, HostActor>()

/** Lets an actor make a request, whatever its headers say. */
export const actAs = (request: Request, actor: HostActor): void => void known.set(request, actor)

/** Requests of frameworks by those of `node:http` that they are around. */
const around = new WeakMap<object, object>()

/** Lets `callerOf` see the request of a framework. */
export const seenAs = (raw: object, request: object): void => void around.set(raw, request)

type Way = (
  request: HttpServerRequest,
  resource: string | undefined
) => Effect.Effect<ActorIdentity | undefined, Failure>

/** Authentication in these ways, one after the other, until one knows the caller; otherwise 401. */
export const callerLayer = (
  ways: ReadonlyArray<"keys" | CallerOf>,
  organizationId: () => string,
  defaultScopes: ReadonlyArray<Scope>
): Layer.Layer<Caller, never, Authentication | HttpSettings> => {
  const identified = (actor: HostActor | Nobody) => {
    if (!actor) return undefined
    const problem = isActor(actor, "callerOf")
    if (problem !== undefined) throw new InvalidInput({ message: problem })
    return identityOf(actor, organizationId(), defaultScopes)
  }
  return Layer.effect(
    Caller,
    Effect.map(Caller, (bearer) => {
      const tried = ways.map((way): Way => {
        if (way !== "keys")
          return ({ headers, method, source, url }) =>
            Effect.catch(
              Effect.tryPromise({
                try: async () => identified(await way({ method, url, headers, source: around.get(source) ?? source })),
                catch: (error) => error
              }),
              (error): Effect.Effect<never, Failure> => {
                if (error instanceof InvalidInput)
                  return Effect.andThen(Effect.logError(error.message), Effect.fail(error))
                // A host that looks its organization up cannot know the caller while the store is away.
                return error instanceof SvcError && (error.code === "UNAVAILABLE" || error.code === "STATEMENT_TIMEOUT")
                  ? Effect.fail(new Relayed(error.code, { message: error.message }))
                  : Effect.die(error)
              }
            )
        // A token that is none of our keys may be one of the host's; an expired or revoked key is refused.
        return (request, resource) =>
          Effect.catch(bearer.of(request, resource), (failure) =>
            failure.code === "UNAUTHENTICATED" ? Effect.undefined : Effect.fail(failure)
          )
      })
      return Caller.of({
        acceptsKeys: ways.includes("keys"),
        of: Effect.fnUntraced(function* (request, resource) {
          const actor = identified(known.get(request.source))
          if (actor !== undefined) return actor
          for (const way of tried) {
            const found = yield* way(request, resource)
            if (found !== undefined) return found
          }
          return yield* new Unauthenticated()
        })
      })
    })
  ).pipe(Layer.provide(callerLayerBearer))
}
