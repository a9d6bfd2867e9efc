/** Settings of the operator's identity provider. */
import type { ProviderSettings } from "@svc/auth"
import { claimRules, issuer } from "./settingValues.ts"
import { nonEmpty, optional, secret, secretVariable, variable } from "./Variable.ts"

/** The variables by setting. */
export const providerVariables = {
  oidcIssuer: optional(
    "SVC_OIDC_ISSUER",
    issuer,
    "URL of your identity provider (OpenID Connect), with which people sign in to the review page and connect AI agents"
  ),
  oidcClientId: optional(
    "SVC_OIDC_CLIENT_ID",
    nonEmpty,
    "Client id at the identity provider; its redirect URI is the public URL followed by /review/provider/callback"
  ),
  oidcClientSecret: secretVariable(
    "SVC_OIDC_CLIENT_SECRET",
    secret("SVC_OIDC_CLIENT_SECRET"),
    "Client secret at the identity provider"
  ),
  oidcScope: variable("SVC_OIDC_SCOPE", "openid profile email", nonEmpty, "Scopes to ask the identity provider for"),
  oidcRights: variable(
    "SVC_OIDC_RIGHTS",
    [],
    claimRules,
    "Who may do what: groups=sales ORGANIZATION approver; groups=admins ORGANIZATION full (claim=value, id, scopes)"
  )
}

type Values = { readonly [Name in keyof typeof providerVariables]: (typeof providerVariables)[Name]["defaultValue"] }

/** Settings that a provider lacks. */
export const providerProblems = ({ oidcClientId, oidcIssuer, oidcRights }: Values): ReadonlyArray<string> => {
  if (oidcIssuer === undefined) return []
  return [
    ...(oidcClientId === undefined ? ["SVC_OIDC_ISSUER requires SVC_OIDC_CLIENT_ID"] : []),
    ...(oidcRights.length === 0 ? ["SVC_OIDC_ISSUER requires SVC_OIDC_RIGHTS"] : [])
  ]
}

/** The provider, if one is configured. */
export const providerOf = ({
  oidcClientId: clientId,
  oidcClientSecret: clientSecret,
  oidcIssuer,
  oidcRights: rules,
  oidcScope: scope
}: Values): ProviderSettings | undefined =>
  oidcIssuer === undefined || clientId === undefined
    ? undefined
    : { issuer: oidcIssuer, clientId, clientSecret, scope, rules }
