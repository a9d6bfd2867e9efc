/** What clients read first: what protects `/mcp` (RFC 9728), and how to get tokens (RFC 8414, OpenID Connect Discovery). */
import { scopes } from "@svc/core"
import { json, metadataPath, type Route, resourceAt, resourcePath, usualScopes } from "@svc/http"
import * as Effect from "effect/Effect"
import { issuerRoute, type SignInSurface } from "../SignInSurface.ts"

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

/** The routes, at the root and with the path of the resource. */
export const metadataRoutes = (surface: SignInSurface): ReadonlyArray<Route> => {
  const document = (path: string, make: (issuer: string) => object) =>
    issuerRoute(surface, { method: "GET", path, pages: "any" }, (_, issuer) => Effect.succeed(json(make(issuer))))
  return [
    document(metadataPath, resourceMetadata),
    document(`${metadataPath}${resourcePath}`, resourceMetadata),
    document("/.well-known/oauth-authorization-server", serverMetadata),
    document("/.well-known/openid-configuration", serverMetadata)
  ]
}
