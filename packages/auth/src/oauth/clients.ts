/**
 * Clients of the authorization endpoint. Nothing is stored of those that register: their id holds what they registered, signed,
 * so that registering costs nothing and every process knows every client. The id of others is the URL of a document about them
 * (OAuth Client ID Metadata Document).
 */
import { type Failure, isLoopback, parseUrl } from "@svc/core"
import { readSigned, writeSigned } from "@svc/core/internal"
import type { ClientDocuments } from "@svc/core/workspace"
import { parseJson, type RateLimits } from "@svc/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"

/** Schemes that browsers handle themselves, so that no installed application can own them. */
const reserved = new Set(
  (
    "about blob chrome content data devtools edge file filesystem ftp ftps gopher http intent jar javascript mailto ms-appx " +
    "resource sms tel urn vbscript view-source ws wss"
  ).split(" ")
)

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/.*)?$/

/** A loopback URI without its port, in two parts; undefined for any other. */
const withoutPort = (uri: string): string | undefined => {
  const match = loopback.exec(uri)
  return match === null ? undefined : `${match[1]} ${match[2] ?? ""}`
}

/**
 * Why a redirect URI cannot be registered, or undefined if it can: https anywhere, http on this machine, or a scheme of an
 * application. It has no fragment, user, password or wildcard.
 */
const redirectProblem = (uri: string): string | undefined => {
  const url = parseUrl(uri)
  if (url === undefined || !/^[\x21-\x7e]{1,1000}$/.test(uri) || /[\\"<>^`{|}*]/.test(uri))
    return "must be an absolute URL"
  if (uri.includes("#")) return "must not have a fragment"
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password"
  const scheme = url.protocol.slice(0, -1)
  if (scheme === "https" || withoutPort(uri) !== undefined) return undefined
  if (scheme === "http") return "must be https, or http on 127.0.0.1, [::1] or localhost"
  return reserved.has(scheme) ? "must not use this scheme" : undefined
}

/** Whether a client registered a redirect URI: the same text, but for the port of one on this machine (RFC 8252, section 7.3). */
export const isRegistered = (registered: ReadonlyArray<string>, uri: string): boolean => {
  const local = withoutPort(uri)
  return registered.some((known) => known === uri || (local !== undefined && withoutPort(known) === local))
}

/** Whether any program of this machine could receive what is sent to a URI. */
export const isLocalUri = (uri: string): boolean => withoutPort(uri) !== undefined

/** Where a redirect URI leads, for people: its host, or the application's scheme. */
export const destinationOf = (uri: string): string => {
  const url = new URL(uri)
  return url.protocol === "https:" || url.protocol === "http:"
    ? url.host
    : `an application on this device (${url.protocol})`
}

/** What a page may send its form to, so that the browser follows the redirect that answers it. */
export const formTarget = (uri: string): string => {
  const url = new URL(uri)
  // A policy cannot name an IPv6 address.
  return url.origin === "null" || url.hostname.startsWith("[") ? url.protocol : url.origin
}

/** A client as people and endpoints need it. */
export interface Client {
  readonly id: string
  /** What it calls itself, on one line. */
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  /** The host that vouches for it; undefined if it only registered. */
  readonly host: string | undefined
}

/** Who sends a person here, and where the person is sent back to. */
export interface Referral {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
}

/** Why a client is not accepted; `isRedirect` if because of its redirect URIs. */
export interface ClientProblem {
  readonly problem: string
  readonly isRedirect?: boolean
}

const maxName = 80

const maxUris = 10

/** A name on one line, without what changes how the text around it reads. */
const nameOf = (text: string): string => {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim()
  return [...line].slice(0, maxName).join("")
}

const fieldsOf = (metadata: unknown): Readonly<Record<string, unknown>> => Object(metadata ?? {})

/** The name and redirect URIs in the metadata of a client (RFC 7591, section 2). */
export const readMetadata = (metadata: unknown): Pick<Client, "name" | "redirectUris"> | ClientProblem => {
  const { client_name, grant_types, redirect_uris, response_types } = fieldsOf(metadata)
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > maxUris) {
    return { problem: `redirect_uris must be a list of 1 to ${maxUris} URLs.`, isRedirect: true }
  }
  const uris: Array<string> = []
  for (const [index, uri] of redirect_uris.entries()) {
    const problem = typeof uri === "string" ? redirectProblem(uri) : "must be an absolute URL"
    if (problem !== undefined) return { problem: `redirect_uris[${index}] ${problem}.`, isRedirect: true }
    uris.push(String(uri))
  }
  if (client_name !== undefined && typeof client_name !== "string") return { problem: "client_name must be a text." }
  const lacks = (list: unknown, wanted: string) => list !== undefined && !(Array.isArray(list) && list.includes(wanted))
  if (lacks(grant_types, "authorization_code")) return { problem: "grant_types must include authorization_code." }
  if (lacks(response_types, "code")) return { problem: "response_types must include code." }
  return { name: nameOf(client_name ?? "") || "Unnamed client", redirectUris: uris }
}

const prefix = "svc-client."

const purpose = "oauth-client"

/** Characters of an id's signature. */
const signatureLength = 32

/** The id of a client that registers. */
export const signedId = (secret: string, { name, redirectUris }: Pick<Client, "name" | "redirectUris">): string =>
  `${prefix}${writeSigned(secret, purpose, [name, ...redirectUris], signatureLength)}`

/** The client that an id was made for; undefined for any other text. */
const signedClient = (secret: string, id: string): Client | undefined => {
  const text = id.startsWith(prefix) ? id.slice(prefix.length) : ""
  const found = readSigned<ReadonlyArray<string>>(secret, purpose, text, signatureLength)
  if (found === undefined) return undefined
  const [name = "", ...redirectUris] = found
  return { id, name, redirectUris, host: undefined }
}

const unknown: ClientProblem = { problem: "This client is not registered here. Its client_id is unknown." }

/** The URL of an id that is one: https, or http on this machine, with a path and nothing that has two spellings. */
const documentUrl = (id: string): URL | undefined => {
  const url = id.length <= 500 ? parseUrl(id) : undefined
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
  const isPlain = url?.href === id && url.username === "" && url.password === "" && url.hash === ""
  return isSafe && isPlain && url.pathname !== "/" ? url : undefined
}

/** The client that a document at the URL of its id describes. */
const describedClient = (url: URL, body: string): Client | ClientProblem => {
  const parsed = Result.getOrUndefined(parseJson(body))
  const { client_id, client_name, token_endpoint_auth_method: method } = fieldsOf(parsed)
  if (client_id !== url.href) return { problem: "The client's metadata must be JSON with this very client_id." }
  if (client_name === undefined) return { problem: "The client's metadata must have a client_name." }
  if (method !== undefined && method !== "none") {
    return { problem: "The client's metadata must have the token_endpoint_auth_method none." }
  }
  const read = readMetadata(parsed)
  return "problem" in read
    ? { problem: `The client's metadata is not valid: ${read.problem}` }
    : { ...read, id: url.href, host: url.host }
}

/** Most documents that are kept; then they are forgotten. */
const capacity = 1_000

/** How long a document is kept, in seconds: if its server does not say, and at most. */
const [usualAge, longestAge] = [300, 86_400]

/** Finds a client by its id. Fails with RATE_LIMITED where too many unknown documents are asked for. */
export type FindClient = (id: string, request: HttpServerRequest) => Effect.Effect<Client | ClientProblem, Failure>

/** Finds clients that registered here, and those whose id is the URL of a document about them, which is kept for a while. */
export const clientFinder = (secret: string, documents: ClientDocuments["Service"], rates: RateLimits): FindClient => {
  const kept = new Map<string, { readonly client: Client; readonly until: number }>()
  const read = Effect.fnUntraced(function* (url: URL, request: HttpServerRequest) {
    const now = yield* Clock.currentTimeMillis
    const known = kept.get(url.href)
    if (known !== undefined && now < known.until) return known.client
    yield* rates.takeAddress("document", request)
    const found = yield* documents.read(url.href)
    if (found._tag === "Missing") return { problem: `The client's metadata could not be read. ${found.reason}` }
    const client = describedClient(url, found.body)
    if ("problem" in client) return client
    if (kept.size >= capacity) kept.clear()
    kept.set(url.href, { client, until: now + Math.min(found.maxAge ?? usualAge, longestAge) * 1000 })
    return client
  })
  return (id, request) => {
    const url = documentUrl(id)
    return url === undefined ? Effect.succeed(signedClient(secret, id) ?? unknown) : read(url, request)
  }
}
