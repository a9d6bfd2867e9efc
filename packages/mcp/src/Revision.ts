/**
 * The revisions of the protocol that are served, and which one a message is of.
 *
 * Two kinds: up to 2025-11-25 a client begins with `initialize`; since 2026-07-28 each request says its revision itself.
 * Nothing is remembered between requests in either. Source: contract 1.7; issue "revisions … together".
 */
import { errorCodes, isObject, type Params, type RpcError } from "./JsonRpc.ts"

/** Revisions that begin with `initialize`, latest first. */
export const initialized = ["2025-11-25", "2025-06-18"] as const

/** The revision whose requests stand alone. */
export const stateless = "2026-07-28"

/** Every revision, latest first. */
export const revisions: ReadonlyArray<string> = [stateless, ...initialized]

/** Where a request of {@link stateless} says so. */
export const versionKey = "io.modelcontextprotocol/protocolVersion"

/** Where it says what its client can do. */
export const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

/** The revision that answers an `initialize`: the one asked for, else the latest that begins so. */
export const negotiated = (asked: unknown): string =>
  initialized.find((revision) => revision === asked) ?? initialized[0]

/** The refusal of a revision. */
export const unsupportedVersion = (asked: unknown): RpcError => ({
  code: errorCodes.unsupportedVersion,
  message: `Unsupported protocol version. Use one of ${revisions.join(", ")}.`,
  data: { supported: revisions, requested: typeof asked === "string" ? asked.slice(0, 40) : null }
})

/** What a request says of its revision. */
export interface VersionClaim {
  readonly isStateless: boolean
  readonly error?: RpcError
}

/** Reads the claim of a request. Without one it is of a revision that began with `initialize`. */
export const versionClaim = (method: string, params: Params): VersionClaim => {
  const meta = isObject(params["_meta"]) ? params["_meta"] : {}
  const claimed = meta[versionKey]
  // To ask what is served, a client need not know it.
  if (claimed === undefined) return { isStateless: method === "server/discover" }
  if (claimed !== stateless) return { isStateless: true, error: unsupportedVersion(claimed) }
  if (isObject(meta[capabilitiesKey])) return { isStateless: true }
  const message = `params._meta["${capabilitiesKey}"] is missing. Send an object, {} at least.`
  return { isStateless: true, error: { code: errorCodes.invalidParams, message } }
}
