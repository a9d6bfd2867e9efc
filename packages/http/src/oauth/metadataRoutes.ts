/** What clients read first: what protects `/mcp` (RFC 9728), and how to get tokens (RFC 8414, OpenID Connect Discovery). */
import { NotFound, scopes } from "@svc/core"
import * as Effect from "effect/Effect"
import type { HttpSettings } from "../HttpSettings.ts"
import type { Route } from "../Route.ts"
import { json } from "../responses.ts"
import { issuerOf, resourceAt, resourcePath, usualScopes } from "./issuer.ts"

/** Paths of the endpoints, below the issuer. */
export const endpoints = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke"
} as const

/** What a person may grant: everything but `admin`, which would include all that is ever added. */
export const grantable = scopes.filter((scope) => scope !== "admin")

const resourceMetadata = (issuer: string) => ({
  resource: resourceAt(issuer),
  authorization_servers: [issuer],
  scopes_supported: usualScopes,
  bearer_methods_supported: ["header"],
  resource_name: "svc",
  resource_documentation: `${issuer}/llms.txt`
})

const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: issuer + endpoints.authorize,
  token_endpoint: issuer + endpoints.token,
  registration_endpoint: issuer + endpoints.register,
  revocation_endpoint: issuer + endpoints.revoke,
  scopes_supported: grantable,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true
})

/** The failure where nobody can sign in. */
export const noSignIn = () =>
  new NotFound({
    kind: "path",
    message:
      "Signing in requires https, or this machine's own name. Set SVC_PUBLIC_URL to the https URL of the service."
  })

/** The routes, at the root and with the path of the resource. */
export const metadataRoutes = (settings: HttpSettings["Service"]): ReadonlyArray<Route> => {
  const document = (path: string, make: (issuer: string) => object): Route => ({
    method: "GET",
    path: `/.well-known/${path}`,
    access: "open",
    pages: "any",
    handle: ({ request }) => {
      const issuer = issuerOf(settings, request)
      return issuer === undefined ? Effect.fail(noSignIn()) : Effect.succeed(json(make(issuer)))
    }
  })
  return [
    document("oauth-protected-resource", resourceMetadata),
    document(`oauth-protected-resource${resourcePath}`, resourceMetadata),
    document("oauth-authorization-server", serverMetadata),
    document("openid-configuration", serverMetadata)
  ]
}
