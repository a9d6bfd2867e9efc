/**
 * The resources of the service: listing them, and reading one by its URI.
 *
 * Reading runs the resource's own command through Dispatch; every answer is an envelope whose data is
 * `{resource: {uri, payload}}`, and every payload says when it was made. Source: spec "Resources family"; G44.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { ActorIdentity } from "./Actor.ts"
import { type Answer, Dispatch } from "./Dispatch.ts"
import { commandHash, failureEnvelope } from "./Envelope.ts"
import { defaultOptions, type ResponseProfile } from "./ExecutionOptions.ts"
import type { AnyResource, ResourceEntry } from "./Resource.ts"
import { matchResource } from "./ResourceUri.ts"
import { now } from "./Time.ts"

/** A reading asked for. */
export interface ReadCall {
  readonly uri: string
  readonly actor: ActorIdentity
  readonly responseProfile?: ResponseProfile
  readonly requestId?: string
}

/** What a reading answers as data. */
export interface ReadResource {
  readonly resource: { readonly uri: string; readonly payload: Readonly<Record<string, unknown>> }
}

/** Knows the resources. Never fails: every refusal is an envelope. */
export class ResourceReader extends Context.Service<
  ResourceReader,
  {
    readonly resources: ReadonlyArray<AnyResource>
    /** The catalogue, in the order of declaration. */
    readonly entries: ReadonlyArray<ResourceEntry>
    readonly read: (call: ReadCall) => Effect.Effect<Answer<ReadResource>>
  }
>()("@svc/core/ResourceReader") {}

/** A reader of these resources. The catalogue of Dispatch must hold their commands. */
export const layer = (resources: ReadonlyArray<AnyResource>): Layer.Layer<ResourceReader, never, Dispatch> =>
  Layer.effect(
    ResourceReader,
    Effect.map(Dispatch, (dispatch) =>
      ResourceReader.of({
        resources,
        entries: resources.map(({ entry }) => entry),
        read: Effect.fnUntraced(function* ({ actor, requestId, responseProfile = "full", uri }) {
          const match = matchResource(resources, uri)
          if (Result.isFailure(match)) {
            const hash = uri.isWellFormed() ? commandHash(actor.organizationId, "resource", { uri }) : ""
            return {
              envelope: failureEnvelope(match.failure, hash),
              replayed: false,
              retryAfterSeconds: match.failure.retryAfterSeconds
            }
          }
          const { params, resource } = match.success
          const answer = yield* dispatch.run({
            command: resource.command.id,
            input: params,
            actor,
            options: { ...defaultOptions, responseProfile },
            ...(requestId === undefined ? {} : { requestId })
          })
          const { envelope, ...facts } = answer
          if (!envelope.ok) return { ...facts, envelope }
          const payload = { generated_at: yield* now, ...Object(envelope.data) }
          return { ...facts, envelope: { ...envelope, data: { resource: { uri, payload } } } }
        })
      })
    )
  )
