/** An identity provider that somebody else wrote, on loopback, whose people sign in without a password. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { formText, pkce } from "./oauthService.ts"

/** The library has no types of its own. */
const library: string = "oidc-provider"

/** A running provider. */
export interface RunningProvider {
  readonly issuer: string
  /** Who signs in next, and what the provider says of them. */
  readonly person: { id: string; claims: Readonly<Record<string, unknown>> }
  readonly close: () => void
}

/** The client of the provider that the tests configure. */
export const oidcClient = { id: "svc", secret: "a secret of the client that is long enough" }

/** Starts a provider that knows one client with these redirect URIs. */
export const startOidcProvider = async (redirectUris: ReadonlyArray<string>): Promise<RunningProvider> => {
  const { default: Provider } = await import(library)
  let handle = (_request: IncomingMessage, _response: ServerResponse): void => {}
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${Object(server.address()).port}`
  const person: RunningProvider["person"] = { id: "ada", claims: {} }
  const provider = new Provider(issuer, {
    clients: [{ client_id: oidcClient.id, client_secret: oidcClient.secret, redirect_uris: redirectUris }],
    scopes: ["openid", "profile", "email", "groups"],
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] },
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...person.claims })
    }),
    features: { devInteractions: { enabled: false }, introspection: { enabled: true }, revocation: { enabled: true } },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    cookies: { keys: ["of the tests"] },
    loadExistingGrant: async (context: { readonly oidc: Readonly<Record<string, never>> }) => {
      const { client, provider: own, session } = Object(context.oidc)
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope("openid profile email groups")
      await grant.save()
      return grant
    }
  })
  const respond = provider.callback()
  handle = (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void respond(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: person.id } })
  }
  return {
    issuer,
    person,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Asks the provider something as its client. */
const postAsClient = (provider: RunningProvider, path: string, fields: Readonly<Record<string, string>>) =>
  fetch(`${provider.issuer}${path}`, {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa(`${oidcClient.id}:${encodeURIComponent(oidcClient.secret)}`)}`,
      "content-type": "application/x-www-form-urlencoded"
    },
    body: formText(fields)
  })

/** Signs a person in at the provider. Returns the access token that its client gets for them. */
export const accessTokenOf = async (provider: RunningProvider, id: string, redirect_uri: string): Promise<string> => {
  provider.person.id = id
  const { challenge, verifier: code_verifier } = pkce()
  const query = formText({
    ...{ response_type: "code", client_id: oidcClient.id, redirect_uri, scope: "openid" },
    ...{ code_challenge: challenge, code_challenge_method: "S256" }
  })
  const { url } = await makeBrowser().follow(new URL(`${provider.issuer}/auth?${query}`), redirect_uri)
  const code = url.searchParams.get("code") ?? ""
  const grant = { grant_type: "authorization_code", code, code_verifier, redirect_uri }
  const issued: unknown = await (await postAsClient(provider, "/token", grant)).json()
  return String(Object(issued).access_token)
}

/** Where a server asks whose a token is, as the client. */
export const introspectionUrl = ({ issuer }: RunningProvider): string => {
  const url = new URL("/token/introspection", issuer)
  url.username = oidcClient.id
  url.password = oidcClient.secret
  return url.href
}

/** Ends an access token before its time. */
export const revokeToken = (provider: RunningProvider, token: string) =>
  postAsClient(provider, "/token/revocation", { token })

/** A browser with cookies by host. */
export const makeBrowser = () => {
  const jar = new Map<string, Map<string, string>>()
  const open = async (url: URL, init: RequestInit = {}): Promise<Response> => {
    const cookies = jar.get(url.host) ?? new Map<string, string>()
    jar.set(url.host, cookies)
    const headers = new Headers(init.headers)
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "))
    const response = await fetch(url, { ...init, headers, redirect: "manual" })
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === "" || /max-age=0/i.test(text) || /expires=thu, 01 jan 1970/i.test(text)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return {
    jar,
    open,
    /** Follows redirects until a page, or until the URL is `end`, whatever its query. */
    follow: async (start: URL, end = "\0"): Promise<{ readonly url: URL; readonly response: Response | undefined }> => {
      let url = start
      for (let hops = 0; hops < 15; hops++) {
        if (url.href === end || url.href.startsWith(`${end}?`)) return { url, response: undefined }
        const response = await open(url)
        const location = response.headers.get("location")
        if (location === null) return { url, response }
        url = new URL(location, url)
      }
      throw new Error("too many redirects")
    }
  }
}
