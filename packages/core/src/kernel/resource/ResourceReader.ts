/**
 * Lists the resources of the service, and reads one by its URI.
 *
 * Reading runs the resource's command through Dispatch; the data of the envelope is `{resource: {uri, payload}}`, and
 * every payload has `generated_at`.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Call, CommandResult } from "../command/Delegation.ts"
import { Dispatch } from "../command/Dispatch.ts"
import { commandHash, failureEnvelope } from "../command/Envelope.ts"
import { type ActorIdentity, defaultOptions, type ResponseProfile } from "../command/Execution.ts"
import type { Scope } from "../command/Permission.ts"
import { now } from "../schema/IdsAndTime.ts"
import type { AnyResource, ResourceEntry } from "./Resource.ts"
import { matchResource } from "./ResourceUri.ts"

/** A request to read a resource. */
export interface ReadCall {
  readonly uri: string
  readonly actor: ActorIdentity
  readonly responseProfile?: ResponseProfile
  readonly requestId?: string
}

/** The data of the envelope. */
export interface ReadResource {
  readonly resource: { readonly uri: string; readonly payload: Readonly<Record<string, unknown>> }
}

/** Reads resources. Never fails: every failure is an envelope. */
export class ResourceReader extends Context.Service<
  ResourceReader,
  {
    readonly resources: ReadonlyArray<AnyResource>
    /** All entries, in the order of declaration. */
    readonly entries: ReadonlyArray<ResourceEntry>
    /** The scope that reading a URI takes; undefined for none, and for a URI that is no resource's. */
    readonly scopeOf: (uri: string) => Scope | undefined
    readonly read: (call: ReadCall) => Effect.Effect<CommandResult<ReadResource>>
  }
>()("@svc/core/ResourceReader") {}

/** Reads one of the resources, by running its command. */
export const readResource = Effect.fnUntraced(function* (
  resources: ReadonlyArray<AnyResource>,
  { actor, requestId, responseProfile = "full", uri }: ReadCall,
  run: (call: Call) => Effect.Effect<CommandResult>
) {
  const match = matchResource(resources, uri)
  if (Result.isFailure(match)) {
    const hash = uri.isWellFormed() ? commandHash(actor.organizationId, "resource", { uri }) : ""
    return { envelope: failureEnvelope(match.failure, hash), replayed: false, retryAfterSeconds: undefined }
  }
  const { params, resource } = match.success
  const { envelope, ...facts } = yield* run({
    command: resource.command.id,
    input: params,
    actor,
    options: { ...defaultOptions, responseProfile },
    ...(requestId === undefined ? {} : { requestId })
  })
  if (!envelope.ok) return { envelope, ...facts }
  const payload = { generated_at: yield* now, ...Object(envelope.data) }
  return { envelope: { ...envelope, data: { resource: { uri, payload } } }, ...facts }
})

/** A reader of these resources. The catalogue of Dispatch must hold their commands. */
export const layer = (resources: ReadonlyArray<AnyResource>): Layer.Layer<ResourceReader, never, Dispatch> =>
  Layer.effect(
    ResourceReader,
    Effect.map(Dispatch, ({ run }) =>
      ResourceReader.of({
        resources,
        entries: resources.map(({ entry }) => entry),
        scopeOf: (uri) => Result.getOrUndefined(matchResource(resources, uri))?.resource.command.scope,
        read: (call) => readResource(resources, call, run)
      })
    )
  )
