/**
 * MCP over HTTP: checks of host and headers, and the status of a reply.
 *
 * One POST gives one JSON reply, or events if the caller wants progress or can ask its user. Nothing is kept between two, so
 * GET and DELETE are not supported; a session id is what a client said at `initialize`. It knows no server: a host passes
 * headers and body.
 */
import { type Failure, ForbiddenHost, isLoopback, parseUrl } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as Rpc from "./JsonRpc.ts"
import type { Parts } from "./methods.ts"
import { type Notify, progressToken, withProgress } from "./progress.ts"
import * as Meta from "./requestMeta.ts"
import { replyTo } from "./Server.ts"
import { type Context, through } from "./Workspace.ts"

/** Headers by name in lower case. */
type Headers = Readonly<Record<string, string | undefined>>

/** Host names of a server. */
export interface AllowedHosts {
  /** Names without port, in lower case. Those of this machine are always allowed. */
  readonly names: ReadonlyArray<string>
  /** Whether any name is allowed without Origin, for servers that do not know all their names. */
  readonly open: boolean
}

/**
 * Checks Origin and Host before the key, so that a web page cannot reach a server on its reader's machine. Returns a
 * FORBIDDEN_HOST failure.
 */
export const checkHost = (headers: Headers, { names, open }: AllowedHosts): Failure | undefined => {
  const { host, origin } = headers
  const isKnown = (url: string) => {
    const name = parseUrl(url)?.hostname.toLowerCase()
    return name !== undefined && (isLoopback(name) || names.includes(name))
  }
  if (origin !== undefined && !isKnown(origin)) {
    return new ForbiddenHost({
      message: "Origin not allowed. Use a client that is not a web page."
    })
  }
  if ((open && origin === undefined) || isKnown(`http://${host ?? ""}`)) return undefined
  return new ForbiddenHost({
    message: "Host not allowed. Use the server's URL, or set SVC_PUBLIC_URL."
  })
}

/** The response to a POST: a reply, an empty body for notifications, or events of which the last is the reply. */
interface HttpReply {
  readonly status: number
  readonly body: Rpc.Reply | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly events?: Stream.Stream<Uint8Array>
}

const mismatch = (message: string): Rpc.RpcError => ({ code: Rpc.errorCodes.headerMismatch, message })

/** A header value, decoded if it is wrapped in base64. */
const unwrapped = (value: string): string => {
  const wrapped = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value)?.[1]
  return wrapped === undefined ? value : Buffer.from(wrapped, "base64").toString("utf8")
}

/** The parameter that Mcp-Name must repeat, by method. */
const namedParameters: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId"
}

/** Whether a revision is served. In a session it was agreed on at the start, so a header of an earlier one is no reason to refuse. */
const isServed = (version: string, headers: Headers): boolean =>
  Meta.revisions.includes(version) ||
  (Meta.isSession(headers["mcp-session-id"]) && /^\d{4}-\d\d-\d\d$/.test(version) && version < Meta.stateless)

/** The error in the headers of a message. */
const headerError = (headers: Headers, message: Rpc.Message): Rpc.RpcError | undefined => {
  const version = headers["mcp-protocol-version"]
  if (message._tag !== "Request") {
    return version === undefined || isServed(version, headers) ? undefined : Meta.unsupportedVersion(version)
  }
  const { method, params } = message
  const meta = Rpc.metaOf(params)
  const claimed = meta[Meta.versionKey]
  if (claimed === undefined && version !== Meta.stateless) {
    const isKnown = version === undefined || isServed(version, headers) || method === "initialize"
    return isKnown ? undefined : Meta.unsupportedVersion(version)
  }
  if (version === undefined) return mismatch("The header MCP-Protocol-Version is missing. Send the request's revision.")
  if (claimed === undefined) {
    if (method === "initialize") return undefined
    return Rpc.invalidParams(`params._meta["${Meta.versionKey}"] is missing. Send ${Meta.stateless}.`)
  }
  if (claimed !== version) return mismatch("MCP-Protocol-Version does not match the revision in the request.")
  const claim = Meta.versionClaim(method, params)
  if (claim.error !== undefined) return claim.error
  if (headers["mcp-method"] !== method) return mismatch("The header Mcp-Method must match the request's method.")
  const key = namedParameters[method]
  if (key === undefined) return undefined
  const name = headers["mcp-name"]
  return name !== undefined && unwrapped(name) === params[key]
    ? undefined
    : mismatch(`The header Mcp-Name must match params.${key}.`)
}

/** The status of a reply. Only the stateless revision has one for unknown methods and for missing client capabilities. */
const statusOf = (message: Rpc.Message, reply: Rpc.Reply, headers: Headers): number => {
  if (message._tag === "Response") return 400
  if (!("error" in reply)) return 200
  const { code } = reply.error
  if (code === Rpc.errorCodes.invalidRequest) return 400
  if (headers["mcp-protocol-version"] !== Meta.stateless) return 200
  if (code === Rpc.errorCodes.missingCapability) return 400
  return code === Rpc.errorCodes.methodNotFound ? 404 : 200
}

/** The reply to a body that is not JSON. */
export const parseErrorReply = ({ entry, message }: Failure): HttpReply => ({
  status: entry.status,
  body: Rpc.refused(null, { code: Rpc.errorCodes.parse, message })
})

const encoder = new TextEncoder()

const eventOf = (value: unknown): Uint8Array => encoder.encode(`event: message\ndata: ${JSON.stringify(value)}\n\n`)

/** Whether the reply is a stream of events: the caller accepts events, and wants progress or can ask its user. */
const wantsEvents = ({ accept }: Headers, message: Rpc.Message, { modes = [] }: Context): boolean =>
  message._tag === "Request" &&
  message.method === "tools/call" &&
  (accept ?? "").includes("text/event-stream") &&
  (progressToken(message) !== undefined || (modes.length > 0 && !Meta.isStatelessRequest(message.params)))

const eventsOf = (parts: Parts, context: Context, message: Rpc.Message): Stream.Stream<Uint8Array> =>
  Stream.callback<Uint8Array>((queue) =>
    Effect.gen(function* () {
      const notify: Notify = (value) => Effect.asVoid(Queue.offer(queue, eventOf(value)))
      const reply = yield* withProgress(message, notify, replyTo(parts, { ...context, notify }, message))
      if (reply !== undefined) yield* notify({ ...reply })
      yield* Queue.end(queue)
    })
  )

/** The caller with what its session id says. */
const inSession = (given: Context, headers: Headers): Context => {
  const { client, modes } = Meta.readSession(headers["mcp-session-id"])
  return through({ ...given, modes }, client)
}

/** The headers of a reply: the session id, which `initialize` gives out. */
const headersOf = (message: Rpc.Message, reply: Rpc.Reply): Readonly<Record<string, string>> => {
  const isStart = message._tag === "Request" && message.method === "initialize" && "result" in reply
  const id = isStart ? Meta.writeSession(Meta.sessionOf(message.params)) : undefined
  return id === undefined ? {} : { "mcp-session-id": id }
}

/** Handles the body of a POST. */
export const handlePost = (parts: Parts, given: Context, headers: Headers, body: unknown): Effect.Effect<HttpReply> => {
  const message = Rpc.readMessage(body)
  const error = headerError(headers, message)
  if (error !== undefined) {
    return Effect.succeed({ status: 400, body: Rpc.refused(message._tag === "Request" ? message.id : null, error) })
  }
  const context = inSession(given, headers)
  if (wantsEvents(headers, message, context)) {
    return Effect.succeed({ status: 200, body: undefined, events: eventsOf(parts, context, message) })
  }
  return Effect.map(replyTo(parts, context, message), (reply) =>
    reply === undefined
      ? { status: 202, body: undefined }
      : { status: statusOf(message, reply, headers), body: reply, headers: headersOf(message, reply) }
  )
}
