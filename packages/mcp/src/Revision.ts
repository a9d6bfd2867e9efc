/**
 * The supported protocol revisions, and the revision of a message.
 *
 * Up to 2025-11-25 a client starts with `initialize`; since 2026-07-28 each request names its revision. The server keeps no
 * state between requests in either.
 */
import * as Predicate from "effect/Predicate"
import { errorCodes, metaOf, type Params, type RpcError } from "./JsonRpc.ts"

/** Revisions that start with `initialize`, latest first. */
const handshakeRevisions = ["2025-11-25", "2025-06-18"] as const

/** The revision without a handshake. */
export const stateless = "2026-07-28"

/** Every revision, latest first. */
export const revisions: ReadonlyArray<string> = [stateless, ...handshakeRevisions]

/** Key of the revision in `_meta`. */
export const versionKey = "io.modelcontextprotocol/protocolVersion"

/** Key of the client's capabilities in `_meta`. */
export const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

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
  const meta = metaOf(params)
  const claimed = meta[versionKey]
  // A client may send server/discover before it knows any revision.
  if (claimed === undefined) return { isStateless: method === "server/discover" }
  if (claimed !== stateless) return { isStateless: true, error: unsupportedVersion(claimed) }
  if (Predicate.isReadonlyObject(meta[capabilitiesKey])) return { isStateless: true }
  const message = `params._meta["${capabilitiesKey}"] is missing. Send an object, at least {}.`
  return { isStateless: true, error: { code: errorCodes.invalidParams, message } }
}

/** Whether a request is of the revision without a handshake. */
export const isStatelessRequest = (params: Params): boolean => metaOf(params)[versionKey] === stateless
