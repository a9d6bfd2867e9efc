/** A service in memory that a client of an AI agent signs in to, step by step, as a browser and a client do. */
import { createHash, randomBytes } from "node:crypto"
import { assert } from "@effect/vitest"
import { createKey, createOrganization, type KeyRequest } from "#core/workspace/organizations/Provisioning.ts"
import { at, type Reply, textAt } from "./httpService.ts"
import { openPage } from "./reviewPage.ts"

/** Where the service is reached. */
export const issuer = "https://svc.test"

/** Where the client of the tests is. */
export const redirectUri = "https://agent.example/callback"

/** What a browser sends from a page of the service itself. */
export const sameOrigin = { "sec-fetch-site": "same-origin" }

/** A code verifier with its challenge. */
export const pkce = () => {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

type Params = Readonly<Record<string, string | undefined>>

/** Parameters as a query or a form; those that are undefined are left out, and an array comes several times. */
export const formText = (params: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>): string =>
  new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)])
    )
  ).toString()

const formHeaders = { "content-type": "application/x-www-form-urlencoded" }

/** The value of a hidden field in a page. */
export const fieldOf = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ""

/** Opens a service with one organization and its person, and the steps of signing a client in. */
export const openOAuth = async (
  options: Parameters<typeof openPage>[0] = {},
  beside?: Parameters<typeof openPage>[1]
) => {
  const service = await openPage({ publicUrl: () => issuer, rateLimit: 0, ...options }, beside)
  const makeOrganization = (name: string) => service.runtime.runPromise(createOrganization(name))
  const makeKey = (organizationId: string, request: KeyRequest = {}) =>
    service.runtime.runPromise(createKey(organizationId, { name: "Lea", ...request }))
  const { key: owner, organization } = await makeOrganization("Acme")
  const { ask } = service

  const postForm = (
    path: string,
    params: Parameters<typeof formText>[0],
    headers: Readonly<Record<string, string>> = {}
  ) => ask("POST", path, { body: formText(params), headers: { ...formHeaders, ...headers } })

  /** The cookie of a person who signs in with a key. */
  const signIn = async (apiKey: string): Promise<string> => {
    const reply = await ask("POST", "/review/session", { json: { api_key: apiKey } })
    assert.strictEqual(reply.status, 204, reply.text)
    return /^((?:__Host-)?svc_session=[^;]*);/.exec(reply.headers.get("set-cookie") ?? "")?.[1] ?? ""
  }

  const register = async (
    metadata: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {}
  ): Promise<string> => {
    const json = { client_name: "Test agent", redirect_uris: [redirectUri], ...metadata }
    const reply = await ask("POST", "/oauth/register", { json, headers })
    assert.strictEqual(reply.status, 201, reply.text)
    return textAt(reply.body, "client_id")
  }

  /** Path and query of the page that a client opens. */
  const authorizePath = (clientId: string, challenge: string, changes: Params = {}): string =>
    `/oauth/authorize?${formText({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: "S256",
      state: "the state",
      resource: `${issuer}/mcp`,
      ...changes
    })}`

  /** Decides on the page as a person does. */
  const decide = async (
    path: string,
    cookie: string,
    choice: Readonly<Record<string, string | ReadonlyArray<string>>> = {},
    headers: Readonly<Record<string, string>> = sameOrigin
  ): Promise<Reply> => {
    const page = await ask("GET", path, { headers: { cookie } })
    assert.strictEqual(page.status, 200, page.text)
    const ticket = fieldOf(page.text, "ticket")
    return postForm(path, { ticket, action: "allow", scope: ["leads:read"], ...choice }, { cookie, ...headers })
  }

  const exchange = (params: Params) =>
    postForm("/oauth/token", { grant_type: "authorization_code", redirect_uri: redirectUri, ...params })

  const refresh = (params: Params) => postForm("/oauth/token", { grant_type: "refresh_token", ...params })

  /** A code for a client, which a person allowed, with what it takes to use it. */
  const codeFor = async (
    apiKey: string,
    choice: Parameters<typeof decide>[2] = {},
    changes: Params = {}
  ): Promise<{ readonly client_id: string; readonly code: string; readonly code_verifier: string }> => {
    const client_id = await register()
    const { challenge, verifier } = pkce()
    const path = authorizePath(client_id, challenge, changes)
    const reply = await decide(path, await signIn(apiKey), choice)
    assert.strictEqual(reply.status, 303, reply.text)
    const code = new URL(reply.headers.get("location") ?? "").searchParams.get("code") ?? ""
    return { client_id, code, code_verifier: verifier }
  }

  /** Tokens of a client, which a person allowed. */
  const tokensFor = async (apiKey: string, choice: Parameters<typeof decide>[2] = {}) => {
    const code = await codeFor(apiKey, choice)
    const reply = await exchange(code)
    assert.strictEqual(reply.status, 200, reply.text)
    return {
      client_id: code.client_id,
      code,
      access: textAt(reply.body, "access_token"),
      refresh: textAt(reply.body, "refresh_token"),
      scope: textAt(reply.body, "scope")
    }
  }

  /** Calls a tool with a token. */
  const call = (token: string, name: string, args: unknown = {}, headers: Readonly<Record<string, string>> = {}) =>
    ask("POST", "/mcp", {
      key: token,
      headers,
      json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
    })

  /** The keys of the organization, as its person sees them. */
  const keys = async (apiKey: string): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> => {
    const reply = await ask("POST", "/api/v1/commands/key.list", { key: apiKey, json: {} })
    assert.strictEqual(reply.status, 200, reply.text)
    return Object(at(reply.body, "data.keys"))
  }

  const owned = await makeKey(organization.id, { userId: owner.userId, name: "Ada" })
  return {
    ...service,
    apiKey: owned.text,
    keyId: owned.key.keyId,
    organizationId: organization.id,
    makeOrganization,
    makeKey,
    postForm,
    signIn,
    register,
    authorizePath,
    decide,
    exchange,
    refresh,
    codeFor,
    tokensFor,
    call,
    keys
  }
}

/** See {@link openOAuth}. */
export type OAuthService = Awaited<ReturnType<typeof openOAuth>>
