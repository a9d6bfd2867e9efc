/** Web pages of other origins (CORS): a client of MCP in a browser signs in and calls, and pages reach nothing else. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as Effect from "effect/Effect"
import { HttpApp } from "#http/HttpApp.ts"
import { isError } from "../support/httpService.ts"
import { issuer, type OAuthService, openOAuth } from "../support/oauthService.ts"

/** Where an inspector that connects directly is served. */
const inspector = "http://localhost:6274"
const stranger = "https://page.example"

let service: OAuthService
beforeAll(async () => {
  service = await openOAuth({ mcpHosts: () => ["svc.test"] })
})
afterAll(() => service.close())

const namesIn = (response: Response, header: string): ReadonlyArray<string> =>
  (response.headers.get(header) ?? "").toLowerCase().split(/, */)

/** What needs no preflight (Fetch standard, CORS-safelisted). */
const isSimple = (name: string, value: string): boolean =>
  ["accept", "accept-language", "content-language"].includes(name) ||
  (name === "content-type" && value.startsWith("application/x-www-form-urlencoded"))

/** `fetch` as a browser gives it to a page of an origin, without cookies. Counts preflights. */
const browserAt = (origin: string) => {
  const count = { preflights: 0 }
  const blocked = (why: string) => new TypeError(`blocked: ${why}`)
  const fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? "GET"
    const headers = new Headers(init.headers)
    const asked = [...headers].filter(([name, value]) => !isSimple(name, value)).map(([name]) => name)
    const isOpenTo = (response: Response) =>
      ["*", origin].includes(response.headers.get("access-control-allow-origin") ?? "")
    if (asked.length > 0 || !["GET", "POST"].includes(method)) {
      count.preflights++
      const preflight = await service.fetch(
        new Request(url, {
          method: "OPTIONS",
          headers: {
            origin,
            host: new URL(url).host,
            "access-control-request-method": method,
            "access-control-request-headers": asked.sort().join(",")
          }
        })
      )
      if (!preflight.ok || !isOpenTo(preflight)) throw blocked("origin")
      const lacking = asked.filter((name) => !namesIn(preflight, "access-control-allow-headers").includes(name))
      if (lacking.length > 0) throw blocked(`headers ${lacking}`)
      if (!namesIn(preflight, "access-control-allow-methods").includes(method.toLowerCase())) throw blocked("method")
    }
    headers.set("origin", origin)
    headers.set("host", new URL(url).host)
    const response = await service.fetch(new Request(url, { ...init, headers }))
    if (!isOpenTo(response)) throw blocked("response")
    const readable = [...namesIn(response, "access-control-expose-headers"), "content-type"]
    return new Response(response.body, {
      status: response.status,
      headers: [...response.headers].filter(([name]) => readable.includes(name))
    })
  }
  return { count, fetch }
}

const isBlocked = (request: Promise<unknown>, why: string) =>
  request.then(
    () => assert.fail("not blocked"),
    (error: unknown) => assert.include(String(error), `blocked: ${why}`)
  )

describe("a client in a web page", () => {
  it("connects directly and calls a tool, with what the official client sends", async () => {
    const { count, fetch } = browserAt(inspector)
    const client = new Client({ name: "inspector", version: "1" }, { capabilities: { elicitation: {} } })
    const transport = new StreamableHTTPClientTransport(new URL(`${issuer}/mcp`), {
      fetch,
      requestInit: { headers: { authorization: `Bearer ${service.apiKey}` } }
    })
    await client.connect(transport as Parameters<typeof client.connect>[0])
    assert.isString(transport.sessionId, "the page can read the session id")
    assert.isUndefined((await client.callTool({ name: "lead_search", arguments: {} })).isError)
    assert.isAbove(count.preflights, 2)
    await client.close()
  })

  it("may send what the stateless revision requires, and read the challenge of a 401", async () => {
    const { fetch } = browserAt(inspector)
    const headers = {
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "ping",
      "mcp-name": "x",
      "last-event-id": "1"
    }
    const refused = await fetch(`${issuer}/mcp`, { method: "POST", headers, body: "{}" })
    assert.strictEqual(refused.status, 401)
    assert.include(refused.headers.get("www-authenticate") ?? "", "resource_metadata=")
  })

  it("finds, registers, exchanges and revokes from any origin, and reads errors", async () => {
    const { fetch } = browserAt(stranger)
    const protocol = { "mcp-protocol-version": "2025-11-25" }
    for (const path of [
      "oauth-protected-resource",
      "oauth-protected-resource/mcp",
      "oauth-authorization-server",
      "openid-configuration"
    ]) {
      const found = await fetch(`${issuer}/.well-known/${path}`, { headers: protocol })
      assert.strictEqual(found.status, 200, path)
    }
    const post = (path: string, type: string, body: string) =>
      fetch(`${issuer}/oauth/${path}`, { method: "POST", headers: { "content-type": type, ...protocol }, body })
    const metadata = JSON.stringify({ client_name: "Page", redirect_uris: [`${stranger}/callback`] })
    assert.strictEqual((await post("register", "application/json", metadata)).status, 201)
    const form = "application/x-www-form-urlencoded"
    assert.strictEqual((await post("token", form, "grant_type=x&client_id=y")).status, 400)
    assert.strictEqual((await post("revoke", form, "token=x&client_id=y")).status, 200)
  })

  it("of another origin does not reach /mcp, and a browser is not told that it may", async () => {
    const { fetch } = browserAt(stranger)
    const headers = { "content-type": "application/json", authorization: `Bearer ${service.apiKey}` }
    await isBlocked(fetch(`${issuer}/mcp`, { method: "POST", headers, body: "{}" }), "origin")
    const sent = await service.ask("POST", "/mcp", { key: service.apiKey, json: {}, headers: { origin: stranger } })
    isError(sent, 403, "FORBIDDEN_HOST")
    assert.isNull(sent.headers.get("access-control-allow-origin"))
    assert.strictEqual(sent.headers.get("vary"), "Origin")
  })
})

describe("every other path", () => {
  it("has no CORS headers, whatever the method; none allows cookies", async () => {
    const routes = await service.runtime.runPromise(Effect.map(HttpApp, (app) => app.routes))
    const opened = new Set<string>()
    for (const { method, path } of routes) {
      for (const asked of [method, "OPTIONS"]) {
        const headers = { origin: inspector, host: "svc.test" }
        const reply = await service.ask(asked, path.replaceAll(/\{\w+\}/g, "x"), { headers })
        if ([...reply.headers.keys()].some((name) => name.startsWith("access-control-"))) opened.add(path)
        assert.isFalse(reply.headers.has("access-control-allow-credentials"), path)
      }
    }
    assert.deepStrictEqual([...opened].sort(), [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/openid-configuration",
      "/mcp",
      "/oauth/register",
      "/oauth/revoke",
      "/oauth/token"
    ])
  })
})
