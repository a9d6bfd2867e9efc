/**
 * What a request says of its client: the protocol revision, capabilities and extensions, and the program.
 *
 * Up to 2025-11-25 a client starts with `initialize`; since 2026-07-28 each request names its revision. The server keeps no
 * state between requests in either.
 */
import { type ClientInfo, clientInfo } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { errorCodes, invalidParams, metaOf, objectOf, type Params, type RpcError } from "./JsonRpc.ts"

/** Revisions that start with `initialize`, latest first. */
const handshakeRevisions = ["2025-11-25", "2025-06-18"] as const

/** The revision without a handshake. */
export const stateless = "2026-07-28"

/** Every revision, latest first. */
export const revisions: ReadonlyArray<string> = [stateless, ...handshakeRevisions]

/** Key of the revision in `_meta`. */
export const versionKey = "io.modelcontextprotocol/protocolVersion"

const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

const clientKey = "io.modelcontextprotocol/clientInfo"

/** Long calls that a client polls. */
export const tasksExtension = "io.modelcontextprotocol/tasks"

/** Instructions for the use of tools, as files. */
export const skillsExtension = "io.modelcontextprotocol/skills"

/** The revision for `initialize`: the requested one if supported, otherwise the latest with a handshake. */
export const negotiateRevision = (asked: unknown): string =>
  handshakeRevisions.find((revision) => revision === asked) ?? handshakeRevisions[0]

/** The error for an unsupported revision. */
export const unsupportedVersion = (asked: unknown): RpcError => ({
  code: errorCodes.unsupportedVersion,
  message: `Unsupported protocol version. Use one of ${revisions.join(", ")}.`,
  data: { supported: revisions, requested: typeof asked === "string" ? asked.slice(0, 40) : null }
})

/** The revision that a request claims. */
interface VersionClaim {
  readonly isStateless: boolean
  readonly error?: RpcError
}

/** Reads the claim of a request. Without one, the revision is one with a handshake. */
export const versionClaim = (method: string, params: Params): VersionClaim => {
  const claimed = metaOf(params)[versionKey]
  // A client may send server/discover before it knows any revision.
  if (claimed === undefined) return { isStateless: method === "server/discover" }
  if (claimed !== stateless) return { isStateless: true, error: unsupportedVersion(claimed) }
  if (Predicate.isReadonlyObject(capabilitiesOf(params))) return { isStateless: true }
  const message = `params._meta["${capabilitiesKey}"] is missing. Send an object, at least {}.`
  return { isStateless: true, error: invalidParams(message) }
}

/** Whether a request is of the revision without a handshake. */
export const isStatelessRequest = (params: Params): boolean => metaOf(params)[versionKey] === stateless

/** What the client of a request can do; undefined if it does not say. */
export const capabilitiesOf = (params: Params): unknown => metaOf(params)[capabilitiesKey]

/** Whether the client of a request declares an extension. */
export const declares = (params: Params, extension: string): boolean =>
  Predicate.isReadonlyObject(objectOf(objectOf(capabilitiesOf(params))["extensions"])[extension])

/** Fails unless the client of a request declares an extension. */
export const requires = (params: Params, extension: string): Effect.Effect<void, RpcError> =>
  declares(params, extension)
    ? Effect.void
    : Effect.fail({
        code: errorCodes.missingCapability,
        message: `The client must declare the extension ${extension}.`,
        data: { requiredCapabilities: { extensions: { [extension]: {} } } }
      })

/** The client program that a request names: in `_meta`, or in the parameters of `initialize`. */
export const clientOf = (params: Params): ClientInfo | undefined => {
  const { name, version } = Object(metaOf(params)[clientKey] ?? params["clientInfo"])
  return clientInfo(name, version)
}
