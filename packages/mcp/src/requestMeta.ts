/**
 * What a request says of its client: the protocol revision, capabilities and extensions, and the program.
 *
 * Up to 2025-11-25 a client starts with `initialize`; since 2026-07-28 each request names its revision. The server keeps no
 * state between requests in either.
 */
import { type ClientInfo, clientInfo } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { errorCodes, invalidParams, metaOf, objectOf, type Params, parseJson, type RpcError } from "./JsonRpc.ts"

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

/** The revision that a request claims. Without a claim, it is one with a handshake. */
export const versionClaim = (method: string, params: Params) => {
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

// What a client said of itself at `initialize` is in the session id that it sends with every later request: nothing is stored,
// so any process understands it. It is not signed, since a client may say of itself what it likes.

/** How a client can ask its user: with a form, or by opening a URL. */
export type Mode = "form" | "url"

/** A client. */
interface ClientSession {
  readonly client: ClientInfo | undefined
  readonly modes: ReadonlyArray<Mode>
}

/** The first revision with URLs. */
const urlRevision = "2025-11-25"

/** The modes that capabilities declare. An empty capability means forms. */
export const modesOf = (capabilities: unknown, revision: string): ReadonlyArray<Mode> => {
  const declared = objectOf(capabilities)["elicitation"]
  if (!Predicate.isReadonlyObject(declared)) return []
  const hasUrl = declared["url"] !== undefined
  return [
    ...(declared["form"] !== undefined || !hasUrl ? (["form"] as const) : []),
    ...(hasUrl && revision >= urlRevision ? (["url"] as const) : [])
  ]
}

/** The client behind the parameters of `initialize`. */
export const sessionOf = (params: Params): ClientSession => ({
  client: clientOf(params),
  modes: modesOf(params["capabilities"], negotiateRevision(params["protocolVersion"]))
})

/** The session id of a client; undefined if there is nothing to remember of it. */
export const writeSession = ({ client, modes }: ClientSession): string | undefined =>
  client === undefined && modes.length === 0
    ? undefined
    : Buffer.from(JSON.stringify([client?.name ?? "", client?.version ?? "", ...modes])).toString("base64url")

/** Longest session id. */
const maxLength = 1_000

/** The client in a session id. One that this service did not give out tells nothing, and is ignored. */
export const readSession = (id: string | undefined): ClientSession => {
  const values =
    id === undefined || id.length > maxLength ? [] : parseJson(Buffer.from(id, "base64url").toString("utf8"))
  const [name, version, ...modes] = Array.isArray(values) ? values : []
  return {
    client: clientInfo(name, version),
    modes: (["form", "url"] as const).filter((mode) => modes.includes(mode))
  }
}

/** Whether a session id was given out by this service, or at least looks like it. */
export const isSession = (id: string | undefined): boolean => writeSession(readSession(id)) !== undefined
