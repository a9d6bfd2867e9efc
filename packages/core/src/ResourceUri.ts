/**
 * From a URI to the resource it names and the values in it.
 *
 * | URI | answer |
 * |---|---|
 * | not `svc://…`, over 2,000 characters, or not percent-encoded UTF-8 | INVALID_INPUT |
 * | fits no resource; has a query, a fragment, an empty segment or a trailing slash | UNKNOWN_RESOURCE |
 * | fits a template | its resource; whether the thing exists is for the resource to say, with NOT_FOUND |
 *
 * Values are percent-encoded exactly once. Source: G44; contract 7 "Not found and refused".
 */
import * as Result from "effect/Result"
import { nearestName } from "./Decode.ts"
import { type Failure, fail, notFound } from "./Failure.ts"
import { type AnyResource, scheme } from "./Resource.ts"

/** A resource and the values of its template's names. */
export interface ResourceMatch<A extends AnyResource> {
  readonly resource: A
  readonly params: Readonly<Record<string, string>>
}

const longest = 2_000

const invalid = (reason: string): Result.Result<never, Failure> =>
  Result.fail(fail("INVALID_INPUT", `uri: ${reason} Send one such as svc://status.`))

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const unknown = (uri: string, resources: ReadonlyArray<AnyResource>): Failure => {
  const nearest = nearestName(
    uri,
    resources.map(({ entry }) => entry.uri)
  )
  const bare = uri.includes("?") || uri.includes("#") ? " A resource URI has no query and no fragment." : ""
  const slash = uri.endsWith("/") ? " A resource URI does not end in a slash." : ""
  const guess = nearest === undefined ? "" : ` Did you mean ${nearest}?`
  return fail(
    "UNKNOWN_RESOURCE",
    `No resource has this URI.${bare}${slash}${guess} List the resources with GET /api/v1/resources.`
  )
}

/** The values by which `segments` fit a template, undefined when they do not. Names stand for one segment that has text. */
const fit = (
  template: ReadonlyArray<string>,
  segments: ReadonlyArray<string>
): Readonly<Record<string, string>> | undefined => {
  if (template.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? ""
    if (part.startsWith("{") && segment !== "") params[part.slice(1, -1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}

/** Finds what a URI names. A resource without names goes before a template. */
export const matchResource = <A extends AnyResource>(
  resources: ReadonlyArray<A>,
  uri: string
): Result.Result<ResourceMatch<A>, Failure> => {
  if (uri.length > longest) return invalid(`expected at most ${longest} characters.`)
  if (!uri.startsWith(scheme)) return invalid(`expected a URI that starts with ${scheme}.`)
  const segments = uri.slice(scheme.length).split("/")
  if (segments.some((segment) => decoded(segment) === undefined)) return invalid("expected percent-encoded UTF-8.")
  if (uri.includes("?") || uri.includes("#")) return Result.fail(unknown(uri, resources))
  let best: { readonly match: ResourceMatch<A>; readonly names: number } | undefined
  for (const resource of resources) {
    const raw = fit(resource.entry.uri.slice(scheme.length).split("/"), segments)
    const names = raw === undefined ? 0 : Object.keys(raw).length
    if (raw === undefined || (best !== undefined && best.names <= names)) continue
    const params = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, decoded(value) ?? ""]))
    best = { match: { resource, params }, names }
  }
  if (best === undefined) return Result.fail(unknown(uri, resources))
  // No id holds a NUL, and no store could be asked for one.
  const hollow = Object.values(best.match.params).some((value) => value.includes("\u0000"))
  if (hollow) return Result.fail(notFound(best.match.resource.entry.name, "with a NUL character"))
  return Result.succeed(best.match)
}
