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
import { InvalidInput, NotFound, UnknownResource } from "../failure/failures.ts"
import { now } from "../schema/IdsAndTime.ts"
import { didYouMean } from "../schema/nearestName.ts"
import { decodePercent } from "../schema/TextRules.ts"
import { type AnyResource, type ResourceEntry, scheme } from "./Resource.ts"

/** A resource and the values of its template's names. */
interface ResourceMatch<A extends AnyResource> {
  readonly resource: A
  readonly params: Readonly<Record<string, string>>
}

const maxLength = 2_000

const invalid = (reason: string): Result.Result<never, InvalidInput> =>
  Result.fail(new InvalidInput({ message: `uri: ${reason} Example: svc://status.` }))

const unknown = (uri: string, resources: ReadonlyArray<AnyResource>): UnknownResource => {
  const guess = didYouMean(
    uri,
    resources.map(({ entry }) => entry.uri)
  )
  const bare = uri.includes("?") || uri.includes("#") ? " A resource URI has no query or fragment." : ""
  const slash = uri.endsWith("/") ? " A resource URI does not end with a slash." : ""
  return new UnknownResource({
    message: `Resource not found.${bare}${slash}${guess} List the resources with GET /api/v1/resources.`
  })
}

/** The values in `segments`, decoded, if they match the template, otherwise undefined. A name matches one non-empty segment. */
const matchTemplate = (template: ReadonlyArray<string>, segments: ReadonlyArray<string>) => {
  const isName = (part: string): boolean => part.startsWith("{")
  const fits = (part: string, index: number) => (isName(part) ? segments[index] !== "" : part === segments[index])
  if (template.length !== segments.length || !template.every(fits)) return undefined
  const values = template.map((part, index) => [part.slice(1, -1), decodePercent(segments[index] ?? "") ?? ""])
  return Object.fromEntries(values.filter((_, index) => isName(template[index] ?? "")))
}

/**
 * Finds the resource of a URI, and the values in the URI. A resource without names takes precedence over a template.
 *
 * | URI | result |
 * |---|---|
 * | not `svc://…`, over 2,000 characters, or not percent-encoded UTF-8 | INVALID_INPUT |
 * | matches no resource; has a query, a fragment, an empty segment or a trailing slash | UNKNOWN_RESOURCE |
 * | matches a template | its resource, which fails with NOT_FOUND if the object does not exist |
 *
 * Values are percent-encoded exactly once.
 */
export const matchResource = <A extends AnyResource>(
  resources: ReadonlyArray<A>,
  uri: string
): Result.Result<ResourceMatch<A>, InvalidInput | NotFound | UnknownResource> => {
  if (uri.length > maxLength) return invalid(`must be at most ${maxLength} characters.`)
  if (!uri.startsWith(scheme)) return invalid(`must start with ${scheme}.`)
  const segments = uri.slice(scheme.length).split("/")
  if (segments.some((segment) => decodePercent(segment) === undefined)) return invalid("must be percent-encoded UTF-8.")
  if (uri.includes("?") || uri.includes("#")) return Result.fail(unknown(uri, resources))
  const matches = resources.flatMap((resource): ReadonlyArray<ResourceMatch<A>> => {
    const params = matchTemplate(resource.template, segments)
    return params === undefined ? [] : [{ resource, params }]
  })
  const [best] = matches.toSorted((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)
  if (best === undefined) return Result.fail(unknown(uri, resources))
  // No id contains a NUL, and stores do not accept one.
  const hasNul = Object.values(best.params).some((value) => value.includes("\u0000"))
  if (hasNul) return Result.fail(new NotFound({ kind: best.resource.entry.name, id: "with a NUL character" }))
  return Result.succeed(best)
}

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
