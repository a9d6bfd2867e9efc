/**
 * Clients of the authorization endpoint. Nothing is stored of those that register: their id holds what they registered, signed,
 * so that registering costs nothing and every process knows every client.
 */
import { constantTimeEqual, hmacBase64Url } from "@svc/core"
import * as Effect from "effect/Effect"
import { redirectProblem } from "./redirectUris.ts"

/** A client as people and endpoints need it. */
export interface Client {
  readonly id: string
  /** What it calls itself, on one line. */
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  /** The host that vouches for it; undefined if it only registered. */
  readonly host: string | undefined
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

/** The name and redirect URIs in the metadata of a client (RFC 7591, section 2). */
export const readMetadata = (metadata: unknown): Pick<Client, "name" | "redirectUris"> | ClientProblem => {
  const { client_name, grant_types, redirect_uris, response_types } = Object(metadata ?? {}) as Readonly<
    Record<string, unknown>
  >
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
  if (grant_types !== undefined && !(Array.isArray(grant_types) && grant_types.includes("authorization_code"))) {
    return { problem: "grant_types must include authorization_code." }
  }
  if (response_types !== undefined && !(Array.isArray(response_types) && response_types.includes("code"))) {
    return { problem: "response_types must include code." }
  }
  return { name: nameOf(client_name ?? "") || "Unnamed client", redirectUris: uris }
}

const prefix = "svc-client."

const signature = (secret: string, payload: string): string =>
  hmacBase64Url(secret, `oauth-client\n${payload}`).slice(0, 32)

/** The id of a client that registers. */
export const signedId = (secret: string, { name, redirectUris }: Pick<Client, "name" | "redirectUris">): string => {
  const payload = Buffer.from(JSON.stringify([name, ...redirectUris])).toString("base64url")
  return `${prefix}${payload}.${signature(secret, payload)}`
}

/** The client that an id was made for; undefined for any other text. */
const signedClient = (secret: string, id: string): Client | undefined => {
  const [payload = "", mark = "", ...rest] = id.startsWith(prefix) ? id.slice(prefix.length).split(".") : []
  if (rest.length > 0 || payload === "" || !constantTimeEqual(mark, signature(secret, payload))) return undefined
  // Signed here, so it is what `signedId` wrote.
  const [name = "", ...redirectUris] = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Array<string>
  return { id, name, redirectUris, host: undefined }
}

const unknown: ClientProblem = { problem: "This client is not registered here. Its client_id is unknown." }

/** Finds a client by its id. */
export const findClient = (secret: string, id: string): Effect.Effect<Client | ClientProblem> =>
  Effect.succeed(signedClient(secret, id) ?? unknown)
