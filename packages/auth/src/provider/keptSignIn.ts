/**
 * What a browser keeps while its person signs in with the identity provider: a cookie of its own, signed and for ten minutes, so
 * that any process can finish what another one began.
 */
import type { Identity, Membership } from "@svc/core/workspace"
import { cookieOf, cookiePath, isSecure } from "@svc/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { signedValue, valueOfSigned } from "../signedValue.ts"
import type { Proof } from "./oidcClient.ts"

const name = "svc_sign_in"

/** How long signing in may take, in seconds. */
const maxAge = 600

/** An organization that a person may act in, with its name. */
type NamedMembership = Membership & { readonly name: string }

/** First the proof of the request; then, if the person has several organizations, who they are and where they may act. */
export type Kept =
  | { readonly kind: "proof"; readonly proof: Proof; readonly to: string }
  | {
      readonly kind: "person"
      readonly identity: Identity
      readonly memberships: ReadonlyArray<NamedMembership>
      readonly to: string
      /** The session that the person chose first; only who still has it may choose another organization. */
      readonly sessionKeyId?: string | undefined
    }

const isKept = (value: unknown): value is Kept => ["proof", "person"].includes(String(Object(value).kind))

/** What the browser of a request keeps, if it is signed and still holds. */
export const keptIn = (secret: string, request: HttpServerRequest): Effect.Effect<Kept | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const found = valueOfSigned(secret, name, cookieOf(request, name) ?? "", now)
    return isKept(found) ? found : undefined
  })

/** The response that makes a browser keep a value, or forget what it keeps. */
export const withKept = (
  response: HttpServerResponse.HttpServerResponse,
  secret: string,
  issuer: string,
  request: HttpServerRequest,
  kept: Kept | undefined
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    HttpServerResponse.setCookieUnsafe(
      response,
      name,
      kept === undefined ? "" : signedValue(secret, name, kept, now + maxAge * 1000),
      {
        path: cookiePath(issuer),
        maxAge: kept === undefined ? 0 : `${maxAge} seconds`,
        httpOnly: true,
        secure: isSecure(issuer, request),
        // The provider sends the browser back here.
        sameSite: "lax"
      }
    )
  )
