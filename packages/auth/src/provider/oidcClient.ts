/** The code flow of OpenID Connect with PKCE, state, nonce and iss: this service as the client of the operator's provider. */

import { type Failure, isLoopback, Unauthenticated, Unavailable } from "@svc/core"
import type { Right } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Oauth from "oauth4webapi"

/** Persons with this value of a claim have a right. */
export interface ClaimRule extends Right {
  readonly claim: string
  /** `*` for any. */
  readonly value: string
}

/** What the operator set. */
export interface ProviderSettings {
  readonly issuer: URL
  readonly clientId: string
  /** Absent for a public client. */
  readonly clientSecret: Redacted.Redacted | undefined
  /** The scopes to ask for, such as `openid profile email`. */
  readonly scope: string
  readonly rules: ReadonlyArray<ClaimRule>
}

/** The rights that claims give. A claim may be a list. */
export const rightsOf = (rules: ReadonlyArray<ClaimRule>, claims: Readonly<Record<string, unknown>>) =>
  rules.filter(({ claim, value }) => {
    const found = Object.hasOwn(claims, claim) ? claims[claim] : undefined
    const values = [found].flat().filter((one) => one !== undefined && one !== null && one !== "")
    return value === "*" ? values.length > 0 : values.some((one) => String(one) === value)
  })

/** What proves that a response belongs to a request of the same browser. */
export interface Proof {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The claims of a person. */
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

/** Milliseconds that a request to the provider may take. */
const timeout = 10_000

/** How long the provider's metadata is kept, in milliseconds. */
const keptMillis = 3_600_000

const failed = (oauth: typeof Oauth, error: unknown): Failure =>
  error instanceof oauth.OperationProcessingError ||
  error instanceof oauth.AuthorizationResponseError ||
  error instanceof oauth.ResponseBodyError ||
  error instanceof oauth.WWWAuthenticateChallengeError
    ? new Unauthenticated({ message: "The identity provider did not sign you in. Try again." })
    : new Unavailable({ message: "The identity provider is unreachable. Try again." })

/** The provider, by a library that nothing else needs. Both methods fail with UNAVAILABLE when it cannot be reached. */
export const oidcClient = Effect.fnUntraced(function* ({ clientId, clientSecret, issuer, scope }: ProviderSettings) {
  const oauth = yield* Effect.promise(() => import("oauth4webapi"))
  const client: Oauth.Client = { client_id: clientId }
  const authentication =
    clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(Redacted.value(clientSecret))
  const options = () => ({
    signal: AbortSignal.timeout(timeout),
    // Only a provider on this machine may do without TLS.
    [oauth.allowInsecureRequests]: issuer.protocol === "http:" && isLoopback(issuer.hostname)
  })
  let known: { readonly server: Oauth.AuthorizationServer; readonly until: number } | undefined
  const serverNow = async (): Promise<Oauth.AuthorizationServer> => {
    const now = performance.now()
    if (known === undefined || known.until < now) {
      const found = await oauth.discoveryRequest(issuer, { algorithm: "oidc", ...options() })
      known = { server: await oauth.processDiscoveryResponse(issuer, found), until: now + keptMillis }
    }
    return known.server
  }
  const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, Failure> =>
    Effect.tryPromise({ try: run, catch: (error) => error }).pipe(
      Effect.tapError((error) => {
        const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown"
        return Effect.logWarning("Signing in with the identity provider failed", { reason })
      }),
      Effect.mapError((error) => failed(oauth, error))
    )
  return {
    /** Where to send a browser, and what to keep in it. */
    begin: (redirectUri: string) =>
      attempt(async () => {
        const server = await serverNow()
        const proof: Proof = {
          state: oauth.generateRandomState(),
          nonce: oauth.generateRandomNonce(),
          verifier: oauth.generateRandomCodeVerifier()
        }
        const url = new URL(server.authorization_endpoint ?? "")
        for (const [name, value] of Object.entries({
          client_id: clientId,
          redirect_uri: redirectUri,
          response_type: "code",
          scope,
          state: proof.state,
          nonce: proof.nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(proof.verifier),
          code_challenge_method: "S256"
        })) {
          url.searchParams.set(name, value)
        }
        return { url: url.href, proof }
      }),
    /** The claims of who came back to a URL. Fails with UNAUTHENTICATED. */
    finish: (returned: URL, redirectUri: string, { nonce, state, verifier }: Proof) =>
      attempt(async (): Promise<Claims> => {
        const server = await serverNow()
        const callback = oauth.validateAuthResponse(server, client, returned, state)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          callback,
          redirectUri,
          verifier,
          options()
        )
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: nonce,
          requireIdToken: true
        })
        await oauth.validateApplicationLevelSignature(server, response, options())
        const claims = oauth.getValidatedIdTokenClaims(tokens)
        if (claims === undefined) throw new oauth.OperationProcessingError("no ID token")
        return claims
      })
  }
})
