/** What a client asks for when it sends a person here (RFC 6749, section 4.1.1, with RFC 7636 and RFC 8707). */
import { type Failure, InvalidInput, parseUrl, type Scope } from "@svc/core"
import { type Fields, formOf } from "@svc/http"
import * as Effect from "effect/Effect"
import { type Client, type ClientProblem, isRegistered, type Referral } from "./clients.ts"
import { grantable } from "./metadataRoutes.ts"

/** A request that a person can decide. */
export interface AuthorizationRequest extends Referral {
  readonly challenge: string
  /** Those that exist; empty if the client did not say. */
  readonly scopes: ReadonlyArray<Scope>
}

/** A request of a known client, which the client must be told is wrong. */
export interface RefusedRequest extends Referral {
  readonly error: "invalid_request" | "unsupported_response_type" | "invalid_target" | "access_denied"
  readonly description: string
}

/** Whether two URLs name the same resource: scheme and host in any case, with or without a slash at the end. */
export const isSameResource = (left: string, right: string): boolean => {
  const [a, b] = [left, right].map((text) => (text.includes("#") ? undefined : parseUrl(text)?.href.replace(/\/$/, "")))
  return a !== undefined && a === b
}

/**
 * Reads the query of a request. Fails with INVALID_INPUT where the browser must not be sent back, because the client or its
 * redirect URI is unknown.
 */
export const readAuthorization = Effect.fnUntraced(function* (
  fields: Fields,
  resource: string,
  findClient: (id: string) => Effect.Effect<Client | ClientProblem, Failure>
): Effect.fn.Return<AuthorizationRequest | RefusedRequest, Failure> {
  const query = yield* formOf(fields)
  const id = query.get("client_id") ?? ""
  if (id === "") return yield* new InvalidInput({ message: "client_id is missing." })
  const client = yield* findClient(id)
  if ("problem" in client) return yield* new InvalidInput({ message: client.problem })
  const redirectUri = query.get("redirect_uri") ?? ""
  if (!isRegistered(client.redirectUris, redirectUri)) {
    return yield* new InvalidInput({
      message: "redirect_uri is not one that this client registered. Nothing was sent to it."
    })
  }
  const asked = { client, redirectUri, state: query.get("state") }
  const refused = (error: RefusedRequest["error"], description: string): RefusedRequest => ({
    ...asked,
    error,
    description
  })
  if (query.get("response_type") !== "code") return refused("unsupported_response_type", "response_type must be code.")
  if (query.get("code_challenge_method") !== "S256") {
    return refused("invalid_request", "code_challenge_method must be S256.")
  }
  const challenge = query.get("code_challenge") ?? ""
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return refused("invalid_request", "code_challenge must be a SHA-256 in base64url, 43 characters.")
  }
  const target = query.get("resource")
  if (target !== undefined && !isSameResource(target, resource)) {
    return refused("invalid_target", "resource must be the URL of this service's MCP endpoint.")
  }
  const words = (query.get("scope") ?? "").split(" ")
  return { ...asked, challenge, scopes: grantable.filter((scope) => words.includes(scope)) }
})

/** The URL that sends a browser back to its client, with `iss` against mix-ups (RFC 9207). */
export const returnUrl = (
  { redirectUri, state }: Referral,
  issuer: string,
  outcome: Readonly<Record<string, string>>
): string => {
  const parameters = new URLSearchParams({ ...outcome, ...(state === undefined ? {} : { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parameters}`
}
