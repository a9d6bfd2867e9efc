/** Clients that others wrote sign in to a server by its URL alone: the official ones, and a library that checks every answer. */

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client"
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as oauth from "oauth4webapi"
import { allowInBrowser } from "../support/oauthBrowser.ts"
import { type RunningSvc, startSvc, temporaryFolder } from "../support/svcProcess.ts"

const redirectUrl = "http://127.0.0.1:9/callback"
const info = { name: "svc tests", version: "1.0.0" }

let server: RunningSvc
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let apiKey = ""
beforeAll(async () => {
  folder = await temporaryFolder()
  const env = { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0", SVC_LINKEDIN_PACING: "off" }
  server = await startSvc(["dev", "--sample"], { cwd: folder.path, env })
  apiKey = String(server.ready["api_key"])
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

/** Where a client keeps what it learned, and the page that it opened. */
const provider = (name: string) => {
  const kept = new Map<string, unknown>()
  let opened: URL | undefined
  const keep = (what: string) => (value: unknown) => void kept.set(what, value)
  // Its own types allow more than the two versions of the client agree on.
  const asked = {
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
    state: () => "the state",
    clientInformation: () => kept.get("client"),
    saveClientInformation: keep("client"),
    tokens: () => kept.get("tokens"),
    saveTokens: keep("tokens"),
    saveCodeVerifier: keep("verifier"),
    codeVerifier: () => String(kept.get("verifier")),
    saveDiscoveryState: keep("discovery"),
    discoveryState: () => kept.get("discovery"),
    invalidateCredentials: () => void kept.delete("tokens"),
    redirectToAuthorization: (url: URL) => {
      opened = url
    }
  } as unknown as OAuthClientProvider
  return {
    asked,
    /** What the person's decision sent to the client. */
    allowed: async (choice?: Parameters<typeof allowInBrowser>[2]) => {
      if (opened === undefined) return assert.fail("the client opened no page")
      const url = opened
      opened = undefined
      return (await allowInBrowser(url, apiKey, choice)).searchParams
    },
    wantsSignIn: () => opened !== undefined,
    tokens: () => Object(kept.get("tokens")),
    set: (tokens: unknown) => void kept.set("tokens", tokens)
  }
}

type Provider = ReturnType<typeof provider>

/** A connected client of either version. */
const kinds = {
  "sdk 1.32": (known: Provider) => {
    const client = new OldClient(info)
    const transport = () => new OldHttp(new URL(`${server.url}/mcp`), { authProvider: known.asked })
    return {
      connect: () => client.connect(transport() as Parameters<typeof client.connect>[0]),
      finish: (back: URLSearchParams) => transport().finishAuth(back.get("code") ?? ""),
      call: (name: string) => client.callTool({ name, arguments: {} }),
      close: () => client.close()
    }
  },
  "client 2.4": (known: Provider) => {
    const client = new NewClient(info, { versionNegotiation: { mode: "auto" } })
    const transport = () =>
      new NewHttp(new URL(`${server.url}/mcp`), {
        authProvider: known.asked as unknown as NonNullable<ConstructorParameters<typeof NewHttp>[1]>["authProvider"] &
          object
      })
    return {
      connect: () => client.connect(transport()),
      finish: (back: URLSearchParams) => transport().finishAuth(back),
      call: (name: string) => client.callTool({ name, arguments: {} }),
      close: () => client.close()
    }
  }
} as const

const rejects = async (promise: Promise<unknown>): Promise<void> => {
  const failed = await promise.then(
    () => false,
    () => true
  )
  assert.isTrue(failed)
}

const command = async (id: string, input: unknown) => {
  const reply = await fetch(`${server.url}/api/v1/commands/${id}`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(input)
  })
  return Object(await reply.json()).data
}

const listed = async (name: string) =>
  (await command("key.list", { limit: 100 })).keys.find((key: { readonly name: string }) => key.name === name)

describe.for(["sdk 1.32", "client 2.4"] as const)("the official client %s", (kind) => {
  it("signs in by the server's URL, calls a tool, refreshes, and must sign in again when it was revoked", async () => {
    const name = `Agent ${kind}`
    const known = provider(name)
    const first = kinds[kind](known)
    await rejects(first.connect())
    const back = await known.allowed()
    assert.strictEqual(back.get("iss"), server.url)
    await first.finish(back)
    const client = kinds[kind](known)
    await client.connect()
    assert.notStrictEqual((await client.call("lead_search")).isError, true)
    const key = await listed(name)
    assert.deepInclude(key, { use: "token", actor_kind: "AI_AGENT", mode: "draft_only" })

    // As if the hour had passed: the server refuses the token, and the client uses its refresh token.
    const before = known.tokens()
    known.set({ ...before, access_token: `${before.access_token}x` })
    assert.notStrictEqual((await client.call("lead_search")).isError, true)
    assert.notStrictEqual(known.tokens().refresh_token, before.refresh_token)
    assert.isFalse(known.wantsSignIn())

    await command("key.revoke", { key_id: key.key_id })
    known.set({ ...known.tokens(), access_token: "x" })
    await rejects(client.call("lead_search"))
    assert.isTrue(known.wantsSignIn(), "it asks its person again")
    await client.close()
  })
})

// The older client refreshes instead, which adds no scope.
it("the official client asks its person for more scopes when a tool needs them", async () => {
  const known = provider("Step-up")
  const first = kinds["client 2.4"](known)
  await rejects(first.connect())
  await first.finish(await known.allowed({ scope: "leads:read", draft_only: "no" }))
  const client = kinds["client 2.4"](known)
  await client.connect()
  assert.notStrictEqual((await client.call("lead_search")).isError, true)
  await rejects(client.call("offer_list"))
  assert.isTrue(known.wantsSignIn())
  await client.finish(await known.allowed())
  const second = kinds["client 2.4"](known)
  await second.connect()
  for (const tool of ["lead_search", "offer_list"]) assert.notStrictEqual((await second.call(tool)).isError, true, tool)
  await second.close()
  await client.close()
})

describe("a library that checks every answer", () => {
  // Loopback has no TLS.
  const plain = { [oauth.allowInsecureRequests]: true }

  it("discovers, registers, signs in with PKCE and state and iss, refreshes and revokes", async () => {
    const resource = new URL(`${server.url}/mcp`)
    const found = await oauth.resourceDiscoveryRequest(resource, plain)
    const metadata = await oauth.processResourceDiscoveryResponse(resource, found)
    const issuer = new URL(metadata.authorization_servers?.[0] ?? "")
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...plain })
    const as = await oauth.processDiscoveryResponse(issuer, discovered)
    const registered = await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: "Library", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
      plain
    )
    const client = await oauth.processDynamicClientRegistrationResponse(registered)
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(as.authorization_endpoint ?? "")
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUrl,
      response_type: "code",
      scope: metadata.scopes_supported?.join(" ") ?? "",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      resource: resource.href,
      state
    }).toString()
    const back = oauth.validateAuthResponse(as, client, await allowInBrowser(url, apiKey), state)
    const none = oauth.None()
    const issued = await oauth.authorizationCodeGrantRequest(as, client, none, back, redirectUrl, verifier, {
      ...plain,
      additionalParameters: { resource: resource.href }
    })
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, issued)
    const ping = (token: string) =>
      oauth.protectedResourceRequest(
        token,
        "POST",
        resource,
        new Headers({ "content-type": "application/json" }),
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
        plain
      )
    assert.strictEqual((await ping(tokens.access_token)).status, 200)
    const renewed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token ?? "", plain)
    )
    assert.strictEqual((await ping(renewed.access_token)).status, 200)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, none, renewed.refresh_token ?? "", plain)
    )
    assert.isString((await listed("Library")).revoked_at)
    const again = oauth.refreshTokenGrantRequest(as, client, none, renewed.refresh_token ?? "", plain)
    const refused = await oauth
      .processRefreshTokenResponse(as, client, await again)
      .catch((error: unknown) => Object(error).error)
    assert.strictEqual(refused, "invalid_grant")
  })
})
