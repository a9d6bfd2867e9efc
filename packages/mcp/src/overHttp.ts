/**
 * The protocol over HTTP: which requests are let in, what their headers must say, and the status of a reply.
 *
 * One POST, one JSON answer, or events where a caller wants to hear of progress; no stream to open and no session to end, so
 * GET and DELETE are not methods of the path. It knows no server: a host hands over headers and body. Source: Streamable HTTP of revisions 2025-06-18, 2025-11-25, 2026-07-28.
 */
import { type Failure, fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { errorCodes, isObject, type Message, type Reply, type RpcError, readMessage, refused } from "./JsonRpc.ts"
import { type Notify, progressToken, withProgress } from "./progress.ts"
import { revisions, stateless, unsupportedVersion, versionKey } from "./Revision.ts"
import { type Context, type Parts, replyTo } from "./Server.ts"

/** Headers by name in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>

/** Which hosts a server answers for. */
export interface AllowedHosts {
  /** Names without port, in lower case, beside those of this machine. */
  readonly names: ReadonlyArray<string>
  /** Whether a program, which sends no Origin, may use any name: where the server cannot know all of its own. */
  readonly open: boolean
}

/** Names of this machine. */
export const loopback: ReadonlyArray<string> = ["localhost", "127.0.0.1", "[::1]"]

const nameOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined

/**
 * Why a request is not let in, before its key is looked at: an Origin or a Host that is not the server's own, by which a
 * web page could reach a server on its reader's machine. FORBIDDEN_HOST, 403.
 */
export const refuseHost = (headers: Headers, { names, open }: AllowedHosts): Failure | undefined => {
  const known = new Set([...loopback, ...names])
  const { host, origin } = headers
  const isKnown = (name: string | undefined) => name !== undefined && known.has(name)
  if (origin !== undefined && !isKnown(nameOf(origin))) {
    return fail("FORBIDDEN_HOST", "Web pages of this Origin are not let in here. Use a client that is no web page.")
  }
  if ((open && origin === undefined) || isKnown(nameOf(`http://${host ?? ""}`))) return undefined
  return fail("FORBIDDEN_HOST", "This server does not answer for this Host. Use its address, or set SVC_PUBLIC_URL.")
}

/** What a POST is answered with: one reply, none for what needs none, or events of which the last is the reply. */
export interface HttpReply {
  readonly status: number
  readonly body: Reply | undefined
  readonly events?: Stream.Stream<Uint8Array>
}

const mismatch = (message: string): RpcError => ({ code: errorCodes.headerMismatch, message })

/** A header value that may be wrapped as base64 where it is no plain ASCII. */
const unwrapped = (value: string): string => {
  const wrapped = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value)?.[1]
  return wrapped === undefined ? value : Buffer.from(wrapped, "base64").toString("utf8")
}

/** The parameter that Mcp-Name repeats. */
const routed: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri"
}

/** What is wrong with the headers of a message. */
const headerError = (headers: Headers, message: Message): RpcError | undefined => {
  const version = headers["mcp-protocol-version"]
  if (message._tag !== "Request") {
    return version === undefined || revisions.includes(version) ? undefined : unsupportedVersion(version)
  }
  const { method, params } = message
  const meta = isObject(params["_meta"]) ? params["_meta"] : {}
  const claimed = meta[versionKey]
  if (claimed === undefined && version !== stateless) {
    const isKnown = version === undefined || revisions.includes(version) || method === "initialize"
    return isKnown ? undefined : unsupportedVersion(version)
  }
  if (version === undefined) return mismatch("The header MCP-Protocol-Version is missing. Send the request's revision.")
  if (claimed === undefined) {
    if (method === "initialize") return undefined
    return { code: errorCodes.invalidParams, message: `params._meta["${versionKey}"] is missing. Send ${stateless}.` }
  }
  if (claimed !== version) return mismatch("MCP-Protocol-Version is not the revision that the request names.")
  if (claimed !== stateless) return unsupportedVersion(claimed)
  if (headers["mcp-method"] !== method) return mismatch("The header Mcp-Method must be the request's method.")
  const key = routed[method]
  if (key === undefined) return undefined
  const name = headers["mcp-name"]
  return name !== undefined && unwrapped(name) === params[key]
    ? undefined
    : mismatch(`The header Mcp-Name must be params.${key}.`)
}

/** The status of a reply. Only the stateless revision tells refusals of the message itself by status. */
const statusOf = (reply: Reply, headers: Headers): number => {
  if (!("error" in reply)) return 200
  const { code } = reply.error
  if (code === errorCodes.invalidRequest) return 400
  if (headers["mcp-protocol-version"] !== stateless) return 200
  return code === errorCodes.methodNotFound ? 404 : 200
}

/** The refusal of a body that is no JSON. */
export const unreadable = ({ entry, message }: Failure): HttpReply => ({
  status: entry.status,
  body: refused(null, { code: errorCodes.parse, message })
})

const encoder = new TextEncoder()

const eventOf = (value: unknown): Uint8Array => encoder.encode(`event: message\ndata: ${JSON.stringify(value)}\n\n`)

/** Whether a call is answered with events: a caller who wants to hear of its progress, and takes events. */
const wantsEvents = ({ fixtures }: Parts, { accept }: Headers, message: Message): boolean =>
  message._tag === "Request" &&
  message.method === "tools/call" &&
  (accept ?? "").includes("text/event-stream") &&
  (progressToken(message) !== undefined || fixtures?.streams(message) === true)

const eventsOf = (parts: Parts, context: Context, message: Message): Stream.Stream<Uint8Array> =>
  Stream.callback<Uint8Array>((queue) =>
    Effect.gen(function* () {
      const notify: Notify = (value) => Effect.asVoid(Queue.offer(queue, eventOf(value)))
      const reply = yield* withProgress(message, notify, replyTo(parts, { ...context, notify }, message))
      if (reply !== undefined) yield* notify({ ...reply })
      yield* Queue.end(queue)
    })
  )

/** Answers the body of a POST. */
export const answerPost = (
  parts: Parts,
  context: Context,
  headers: Headers,
  body: unknown
): Effect.Effect<HttpReply> => {
  const message = readMessage(body)
  const error = headerError(headers, message)
  if (error !== undefined) {
    return Effect.succeed({ status: 400, body: refused(message._tag === "Request" ? message.id : null, error) })
  }
  if (wantsEvents(parts, headers, message)) {
    return Effect.succeed({ status: 200, body: undefined, events: eventsOf(parts, context, message) })
  }
  return Effect.map(replyTo(parts, context, message), (reply) =>
    reply === undefined ? { status: 202, body: undefined } : { status: statusOf(reply, headers), body: reply }
  )
}
