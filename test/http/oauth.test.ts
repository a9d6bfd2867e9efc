/** Signing in AI agents with OAuth 2.1: metadata, registration, consent, tokens, refresh, revocation, and what is refused. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { generateKey } from "#core/workspace/organizations/ApiKey.ts"
import { at, isError, type Reply, textAt } from "../support/httpService.ts"
import {
  fieldOf,
  issuer,
  type OAuthService,
  openOAuth,
  pkce,
  redirectUri,
  sameOrigin
} from "../support/oauthService.ts"

let service: OAuthService
beforeAll(async () => {
  service = await openOAuth()
})
afterAll(() => service.close())

const isOAuthError = (reply: Reply, status: number, error: string) =>
  assert.strictEqual(`${reply.status} ${at(reply.body, "error")}`, `${status} ${error}`, reply.text)

/** The parameters with which a browser is sent to the client. */
const sentBack = (reply: Reply): URLSearchParams => {
  assert.strictEqual(reply.status, 303, reply.text)
  const location = reply.headers.get("location") ?? ""
  assert.isTrue(location.startsWith(`${redirectUri}?`), location)
  return new URL(location).searchParams
}

/** Asserts that the grant of a token was revoked, as the list of keys says. */
const isRevoked = async (token: string): Promise<void> => {
  const key = (await service.keys(service.apiKey)).find(({ key_id }) => key_id === token.split("_")[2])
  assert.isString(key?.["revoked_at"], JSON.stringify(key))
}

const initialize = { jsonrpc: "2.0", id: 1, method: "ping" }

describe("metadata", () => {
  it("leads from a 401 of /mcp to the resource, the server and its endpoints", async () => {
    const refused = await service.ask("POST", "/mcp", { json: initialize })
    isError(refused, 401, "UNAUTHENTICATED")
    const challenge = refused.headers.get("www-authenticate") ?? ""
    assert.match(
      challenge,
      /^Bearer resource_metadata="https:\/\/svc\.test\/\.well-known\/oauth-protected-resource", scope="[a-z: ]+"$/
    )
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
      const { body } = await service.ask("GET", path)
      assert.strictEqual(at(body, "resource"), `${issuer}/mcp`)
      assert.deepStrictEqual(at(body, "authorization_servers"), [issuer])
      assert.include(Object(at(body, "scopes_supported")), "linkedin:draft")
      assert.notInclude(Object(at(body, "scopes_supported")), "linkedin:send")
    }
    for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]) {
      const { body } = await service.ask("GET", path)
      assert.strictEqual(at(body, "issuer"), issuer)
      assert.deepStrictEqual(at(body, "code_challenge_methods_supported"), ["S256"])
      assert.deepStrictEqual(at(body, "token_endpoint_auth_methods_supported"), ["none"])
      assert.isTrue(at(body, "authorization_response_iss_parameter_supported"))
      for (const name of ["authorization", "token", "registration", "revocation"]) {
        const url = new URL(textAt(body, `${name}_endpoint`))
        assert.notStrictEqual((await service.ask("POST", url.pathname)).status, 404, name)
      }
    }
  })

  it("says invalid_token where a key or token was sent, and nothing new outside /mcp", async () => {
    const refused = await service.ask("POST", "/mcp", { key: "nonsense", json: initialize })
    assert.match(refused.headers.get("www-authenticate") ?? "", /^Bearer error="invalid_token", resource_metadata=/)
    const elsewhere = await service.ask("GET", "/api/v1/me")
    assert.strictEqual(elsewhere.headers.get("www-authenticate"), "Bearer")
  })

  it("goes by the name that a request used on this machine, and is not served over http elsewhere", async () => {
    const local = await openOAuth({ publicUrl: () => "http://127.0.0.1:4700" })
    for (const host of ["localhost:4700", "127.0.0.1:4700", "[::1]:4700"]) {
      const { body } = await local.ask("GET", "/.well-known/oauth-protected-resource", { headers: { host } })
      assert.strictEqual(at(body, "resource"), `http://${host}/mcp`)
      const refused = await local.ask("POST", "/mcp", { json: initialize, headers: { host } })
      assert.include(refused.headers.get("www-authenticate") ?? "", `"http://${host}/.well-known/`)
    }
    const rebound = { headers: { host: "attacker.example" } }
    isError(await local.ask("GET", "/.well-known/oauth-authorization-server", rebound), 404, "NOT_FOUND")
    isError(await local.ask("GET", "/oauth/authorize?client_id=x", rebound), 404, "NOT_FOUND")
    await local.close()
    const plain = await openOAuth({ publicUrl: () => "http://svc.internal" })
    isError(await plain.ask("GET", "/.well-known/oauth-authorization-server"), 404, "NOT_FOUND")
    const refused = await plain.ask("POST", "/mcp", { json: initialize, headers: { host: "127.0.0.1" } })
    assert.strictEqual(refused.headers.get("www-authenticate"), "Bearer")
    await plain.close()
  })

  it("below a mount is found there and with the path inserted", async () => {
    const base = "https://svc.test/apps/outreach"
    const mounted = await openOAuth({ publicUrl: () => base, http: { mount: "/apps/outreach" } })
    const refused = await mounted.ask("POST", "/apps/outreach/mcp", { json: initialize })
    assert.include(refused.headers.get("www-authenticate") ?? "", `"${base}/.well-known/oauth-protected-resource"`)
    for (const path of [
      "/apps/outreach/.well-known/oauth-protected-resource",
      "/apps/outreach/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource/apps/outreach/mcp",
      "/.well-known/oauth-protected-resource/apps/outreach"
    ]) {
      const { body } = await mounted.ask("GET", path)
      assert.strictEqual(at(body, "resource"), `${base}/mcp`, path)
      assert.deepStrictEqual(at(body, "authorization_servers"), [base])
    }
    for (const path of [
      "/.well-known/oauth-authorization-server/apps/outreach",
      "/.well-known/openid-configuration/apps/outreach",
      "/apps/outreach/.well-known/openid-configuration"
    ]) {
      const { body } = await mounted.ask("GET", path)
      assert.strictEqual(at(body, "issuer"), base, path)
      assert.strictEqual(at(body, "token_endpoint"), `${base}/oauth/token`)
    }
    for (const path of [
      "/.well-known/oauth-authorization-server/apps/outreachx",
      "/.well-known/oauth-authorization-server"
    ]) {
      assert.strictEqual((await mounted.ask("GET", path)).status, 404, path)
    }
    await mounted.close()
  })
})

describe("a client that signs in", () => {
  it("gets tokens for /mcp, is listed with its name, calls, refreshes, and is revoked", async () => {
    const { apiKey, call, exchange, keys } = service
    const { challenge, verifier } = pkce()
    const client_id = await service.register({ client_name: "Main agent" })
    const path = service.authorizePath(client_id, challenge)
    const reply = await service.decide(path, await service.signIn(apiKey), {
      scope: ["leads:read", "linkedin:draft"],
      draft_only: "yes"
    })
    const back = sentBack(reply)
    assert.deepStrictEqual([back.get("state"), back.get("iss")], ["the state", issuer])
    const code = back.get("code") ?? ""
    const issued = await exchange({ client_id, code, code_verifier: verifier, resource: `${issuer}/mcp` })
    assert.strictEqual(issued.status, 200, issued.text)
    assert.strictEqual(issued.headers.get("cache-control"), "no-store")
    assert.deepInclude(Object(issued.body), {
      token_type: "Bearer",
      expires_in: 3600,
      scope: "leads:read linkedin:draft"
    })
    const access = textAt(issued.body, "access_token")

    const found = await call(access, "lead_search")
    assert.strictEqual(at(found.body, "result.isError") ?? false, false, found.text)
    const [listed] = (await keys(apiKey)).filter(({ name }) => name === "Main agent")
    assert.deepInclude(listed, {
      use: "token",
      actor_kind: "AI_AGENT",
      mode: "draft_only",
      scopes: ["leads:read", "linkedin:draft"],
      parent_key_id: service.keyId
    })

    const renewed = await service.refresh({ client_id, refresh_token: textAt(issued.body, "refresh_token") })
    assert.strictEqual(renewed.status, 200, renewed.text)
    const second = textAt(renewed.body, "access_token")
    for (const token of [access, second]) assert.strictEqual((await call(token, "lead_search")).status, 200)

    const key_id = String(listed?.["key_id"])
    const revoked = await service.ask("POST", "/api/v1/commands/key.revoke", { key: apiKey, json: { key_id } })
    assert.strictEqual(revoked.status, 200, revoked.text)
    isOAuthError(
      await service.refresh({ client_id, refresh_token: textAt(renewed.body, "refresh_token") }),
      400,
      "invalid_grant"
    )
    const events = await service.ask("GET", "/api/v1/events?types=grant.created,grant.revoked&limit=100", {
      key: apiKey
    })
    const own = Object(at(events.body, "data.events")).filter((event: unknown) => at(event, "subject.id") === key_id)
    assert.deepStrictEqual(
      own.map((event: unknown) => [at(event, "type"), at(event, "data.reason")]),
      [
        ["grant.created", undefined],
        ["grant.revoked", "revoked"]
      ],
      events.text
    )
  })

  it("can be denied", async () => {
    const path = service.authorizePath(await service.register(), pkce().challenge)
    const back = sentBack(await service.decide(path, await service.signIn(service.apiKey), { action: "deny" }))
    assert.deepStrictEqual(
      [back.get("error"), back.get("state"), back.get("iss")],
      ["access_denied", "the state", issuer]
    )
    assert.isNull(back.get("code"))
  })

  it("signs its person in on the same page, and says what is wrong with a key", async () => {
    const path = service.authorizePath(await service.register(), pkce().challenge)
    const page = await service.ask("GET", path)
    assert.include(page.text, 'name="api_key" type="password"')
    const wrong = await service.postForm(path, { action: "sign_in", api_key: "nope" }, sameOrigin)
    assert.strictEqual(wrong.status, 401)
    assert.include(wrong.text, "alert")
    const done = await service.postForm(path, { action: "sign_in", api_key: service.apiKey }, sameOrigin)
    assert.strictEqual(done.status, 303, done.text)
    assert.strictEqual(new URL(done.headers.get("location") ?? "", `${issuer}/oauth/authorize`).href, issuer + path)
    const cookie = done.headers.get("set-cookie") ?? ""
    assert.match(
      cookie,
      /^__Host-svc_session=svc_session_\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/
    )
    const consent = await service.ask("GET", path, { headers: { cookie: cookie.split(";")[0] ?? "" } })
    assert.include(consent.text, "Allow Test agent to act for you?")
    assert.include(consent.text, "Acme")
    assert.include(consent.text, "agent.example")
    const out = await service.postForm(
      path,
      { action: "sign_out" },
      { ...sameOrigin, cookie: cookie.split(";")[0] ?? "" }
    )
    assert.match(out.headers.get("set-cookie") ?? "", /^__Host-svc_session=; .*Max-Age=0/)
    assert.strictEqual(new URL(out.headers.get("location") ?? "", `${issuer}/oauth/authorize`).href, issuer + path)
  })

  it("is connected to another organization with a key of that one, and comes back to the same request", async () => {
    const { text: otherKey } = await service.makeOrganization("Other company")
    const path = service.authorizePath(await service.register({ client_name: "Moved agent" }), pkce().challenge)
    const first = await service.signIn(service.apiKey)
    assert.include((await service.ask("GET", path, { headers: { cookie: first } })).text, "<dd>Acme</dd>")
    await service.postForm(path, { action: "sign_out" }, { ...sameOrigin, cookie: first })
    const cookie = await service.signIn(otherKey)
    const { text } = await service.ask("GET", path, { headers: { cookie } })
    assert.include(text, "<dd>Other company</dd>")
    assert.include(text, "in Other company only")
    sentBack(await service.decide(path, cookie, { scope: "leads:read" }))
    const named = async (key: string) => (await service.keys(key)).filter(({ name }) => name === "Moved agent").length
    assert.deepStrictEqual([await named(service.apiKey), await named(otherKey)], [0, 1])
  })

  it("loads the page again when another site caused it, since the cookie is of this site only", async () => {
    const path = service.authorizePath(await service.register(), pkce().challenge)
    const page = await service.ask("GET", path, { headers: { "sec-fetch-site": "cross-site" } })
    assert.include(page.text, '<meta http-equiv="refresh" content="0">')
    assert.notInclude(page.text, "api_key")
    assert.notInclude((await service.ask("GET", path, { headers: sameOrigin })).text, "http-equiv")
  })

  it("is asked for the scopes that it wants, or for reading and drafting, of those that the person has", async () => {
    const { text } = await service.makeKey(service.organizationId, { scopes: ["leads:read", "linkedin:send"] })
    const cookie = await service.signIn(text)
    const id = await service.register()
    const boxes = async (scope?: string) => {
      const path = service.authorizePath(id, pkce().challenge, { scope })
      const { text: page } = await service.ask("GET", path, { headers: { cookie } })
      return [...page.matchAll(/name="scope" value="([a-z:]+)"( checked)?/g)].map(([, name, checked]) => [
        name,
        checked !== undefined
      ])
    }
    assert.deepStrictEqual(await boxes(), [
      ["leads:read", true],
      ["linkedin:send", false]
    ])
    assert.deepStrictEqual(await boxes("linkedin:send leads:write offline_access"), [
      ["linkedin:send", true],
      ["leads:read", false]
    ])
  })

  it("keeps static keys working at /mcp as before", async () => {
    const agent = await service.makeKey(service.organizationId, { actorKind: "AI_AGENT", scopes: ["leads:read"] })
    assert.strictEqual((await service.call(agent.text, "lead_search")).status, 200)
    const lacking = await service.call(agent.text, "offer_list")
    assert.strictEqual(lacking.status, 200, "a key cannot sign in again for more scopes")
    assert.isTrue(at(lacking.body, "result.isError"))
  })
})

describe("a token", () => {
  it("without a scope that its person has gets 403 with the scopes to ask for; without more it is the tool's error", async () => {
    const { access } = await service.tokensFor(service.apiKey, { scope: ["leads:read"] })
    const refused = await service.call(access, "offer_list")
    isError(refused, 403, "FORBIDDEN_SCOPE")
    assert.strictEqual(
      refused.headers.get("www-authenticate"),
      `Bearer error="insufficient_scope", resource_metadata="${issuer}/.well-known/oauth-protected-resource", scope="leads:read offers:read"`
    )
    const named = await service.call(access, "command_run", { command_id: "offer.list", input: {} })
    isError(named, 403, "FORBIDDEN_SCOPE")
    const { text } = await service.makeKey(service.organizationId, { scopes: ["leads:read"] })
    const narrow = await service.tokensFor(text)
    assert.strictEqual((await service.call(narrow.access, "offer_list")).status, 200)
  })

  it("is asked for more by resources and prompts as by tools; a draft-only one for no more than drafting takes", async () => {
    const resource = ["resources/read", { uri: "svc://offers" }] as const
    const tool = ["tools/call", { name: "resource_read", arguments: { uri: "svc://offers" } }] as const
    const prompt = ["prompts/get", { name: "review-drafts", arguments: {} }] as const
    const ask = (key: string, [method, params]: readonly [string, unknown]) =>
      service.ask("POST", "/mcp", { key, json: { jsonrpc: "2.0", id: 1, method, params } })
    const wanted = async (key: string, asked: readonly [string, unknown]) => {
      const reply = await ask(key, asked)
      isError(reply, 403, "FORBIDDEN_SCOPE")
      return /scope="([^"]+)"/.exec(reply.headers.get("www-authenticate") ?? "")?.[1]
    }
    const { access } = await service.tokensFor(service.apiKey, { scope: ["leads:read"] })
    for (const asked of [resource, tool]) assert.strictEqual(await wanted(access, asked), "leads:read offers:read")
    assert.strictEqual(await wanted(access, prompt), "leads:read linkedin:read linkedin:approve")
    assert.strictEqual((await ask(access, ["resources/read", { uri: "svc://nothing" }])).status, 200)
    assert.strictEqual((await ask(access, ["prompts/get", { name: "nothing" }])).status, 200)

    const drafting = { scope: ["leads:read", "linkedin:read"], draft_only: "yes" }
    const limited = await service.tokensFor(service.apiKey, drafting)
    assert.strictEqual((await ask(limited.access, prompt)).status, 200)
    assert.strictEqual(await wanted(limited.access, resource), "leads:read linkedin:read offers:read")

    const { text } = await service.makeKey(service.organizationId, { scopes: ["leads:read"] })
    for (const key of [(await service.tokensFor(text)).access, text]) {
      for (const asked of [resource, tool, prompt]) assert.strictEqual((await ask(key, asked)).status, 200)
    }
  })

  it("is worth nothing outside /mcp, nor as a cookie, nor in a query (audience confusion)", async () => {
    const { access, refresh } = await service.tokensFor(service.apiKey)
    for (const key of [access, refresh]) {
      isError(await service.ask("GET", "/api/v1/me", { key }), 401, "UNAUTHENTICATED")
      isError(await service.ask("POST", "/api/v1/commands/lead.search", { key, json: {} }), 401, "UNAUTHENTICATED")
      const cookie = { headers: { cookie: `__Host-svc_session=${key}` } }
      isError(await service.ask("GET", "/review/session", cookie), 401, "UNAUTHENTICATED")
      isError(await service.ask("POST", "/review/session", { json: { api_key: key } }), 401, "UNAUTHENTICATED")
    }
    isError(await service.call(refresh, "lead_search"), 401, "UNAUTHENTICATED")
    isError(await service.ask("POST", `/mcp?access_token=${access}`, { json: initialize }), 401, "UNAUTHENTICATED")
  })

  it("of another resource is refused (audience confusion)", async () => {
    const local = await openOAuth({ publicUrl: () => "http://127.0.0.1:4700" })
    const resource = "http://localhost:4700/mcp"
    const host = { host: "localhost:4700" }
    const client_id = await local.register({}, host)
    const { challenge, verifier } = pkce()
    const cookie = await local.signIn(local.apiKey)
    const path = local.authorizePath(client_id, challenge, { resource })
    const page = await local.ask("GET", path, { headers: { cookie, ...host } })
    const form = { ticket: fieldOf(page.text, "ticket"), action: "allow", scope: "leads:read" }
    const reply = await local.postForm(path, form, { cookie, ...host, ...sameOrigin })
    const code = new URL(reply.headers.get("location") ?? "").searchParams.get("code") ?? ""
    const tokens = await local.postForm(
      "/oauth/token",
      { grant_type: "authorization_code", redirect_uri: redirectUri, client_id, code, code_verifier: verifier },
      host
    )
    const access = textAt(tokens.body, "access_token")
    assert.strictEqual((await local.call(access, "lead_search", {}, host)).status, 200)
    isError(await local.call(access, "lead_search", {}, { host: "127.0.0.1:4700" }), 401, "UNAUTHENTICATED")
    await local.close()
  })

  it("acts in its organization only (token of another tenant)", async () => {
    const { key, text } = await service.makeOrganization("Other")
    const theirs = await service.tokensFor(text)
    const [own] = (await service.keys(service.apiKey)).filter(({ use }) => use === "token")
    assert.notInclude(JSON.stringify(await service.keys(service.apiKey)), key.keyId)
    const reached = await service.call(theirs.access, "command_run", {
      command_id: "key.revoke",
      input: { key_id: own?.["key_id"] }
    })
    assert.notStrictEqual(at(reached.body, "result.isError"), false)
    const listed = await service.ask("POST", "/api/v1/commands/key.revoke", {
      key: text,
      json: { key_id: own?.["key_id"] }
    })
    assert.strictEqual(listed.status, 404)
  })
})

describe("attacks on the code", () => {
  it("code injection: a code with another verifier, client, redirect URI or resource is refused, and is then worthless", async () => {
    const other = { verifier: pkce().verifier, client_id: await service.register({ client_name: "Other" }) }
    const wrong: ReadonlyArray<Readonly<Record<string, string>>> = [
      { code_verifier: other.verifier },
      { client_id: other.client_id },
      { redirect_uri: `${redirectUri}/` },
      { resource: "https://other.example/mcp" }
    ]
    for (const change of wrong) {
      const code = await service.codeFor(service.apiKey)
      isOAuthError(
        await service.exchange({ ...code, ...change }),
        400,
        change["resource"] ? "invalid_target" : "invalid_grant"
      )
      isOAuthError(await service.exchange(code), 400, "invalid_grant")
    }
  })

  it("code replay: a used code revokes the tokens that it gave", async () => {
    const { access, code, refresh } = await service.tokensFor(service.apiKey)
    assert.strictEqual((await service.call(access, "lead_search")).status, 200)
    isOAuthError(await service.exchange(code), 400, "invalid_grant")
    isOAuthError(await service.refresh({ client_id: code.client_id, refresh_token: refresh }), 400, "invalid_grant")
  })

  it("code guessing: unknown, foreign and malformed codes fail alike", async () => {
    const { client_id, code, code_verifier } = await service.codeFor(service.apiKey)
    const altered = code.replace(
      /_([0-9A-Za-z]{43})_/,
      (_, secret: string) => `_${secret.split("").reverse().join("")}_`
    )
    const messages = new Set<string>()
    for (const guess of ["x", altered, service.apiKey, `${code}x`]) {
      const reply = await service.exchange({ client_id, code: guess, code_verifier })
      isOAuthError(reply, 400, "invalid_grant")
      messages.add(reply.text)
    }
    assert.strictEqual(messages.size, 1)
    assert.strictEqual(
      (await service.exchange({ client_id, code, code_verifier })).status,
      200,
      "no guess spoils a code"
    )
  })

  it("PKCE downgrade: without a challenge, with the plain method, or a bad verifier, there is no code and no token", async () => {
    const id = await service.register()
    const { challenge } = pkce()
    for (const change of [
      { code_challenge: undefined },
      { code_challenge_method: undefined },
      { code_challenge_method: "plain" },
      { code_challenge: challenge.slice(1) }
    ]) {
      const page = await service.ask("GET", service.authorizePath(id, challenge, change), {
        headers: { cookie: await service.signIn(service.apiKey) }
      })
      assert.strictEqual(page.status, 400)
      assert.include(page.text, "error=invalid_request")
      assert.notInclude(page.text, "ticket")
    }
    const code = await service.codeFor(service.apiKey)
    for (const code_verifier of [undefined, "", "short"]) {
      isOAuthError(await service.exchange({ ...code, code_verifier }), 400, "invalid_request")
    }
    assert.strictEqual((await service.exchange(code)).status, 200)
  })

  it("mix-up: every way back to the client names this issuer, as its metadata says", async () => {
    const id = await service.register()
    const allowed = sentBack(
      await service.decide(service.authorizePath(id, pkce().challenge), await service.signIn(service.apiKey))
    )
    assert.deepStrictEqual(allowed.getAll("iss"), [issuer])
    const page = await service.ask("GET", service.authorizePath(id, pkce().challenge, { response_type: "token" }))
    assert.include(page.text, `iss=${encodeURIComponent(issuer)}`)
  })
})

describe("attacks on the redirect", () => {
  it("open redirect: no request without a person's decision sends a browser elsewhere", async () => {
    const id = await service.register()
    for (const change of [
      { response_type: "token" },
      { resource: "https://evil.example/mcp" },
      { code_challenge_method: "plain" }
    ]) {
      const page = await service.ask("GET", service.authorizePath(id, pkce().challenge, change))
      assert.strictEqual(page.status, 400)
      assert.isNull(page.headers.get("location"))
      assert.notInclude(page.text, "http-equiv")
    }
  })

  it("redirect URI variants: only the registered text is accepted, but for the port on this machine", async () => {
    const local = "http://127.0.0.1:1234/cb?x=1"
    const id = await service.register({
      redirect_uris: [redirectUri, local, "http://localhost/cb", "com.example.app:/cb"]
    })
    const isAccepted = async (uri: string | undefined) => {
      const page = await service.ask("GET", service.authorizePath(id, pkce().challenge, { redirect_uri: uri }))
      assert.isNull(page.headers.get("location"))
      if (page.status !== 200) assert.notInclude(page.text, "href", "no link to where nobody registered")
      return page.status === 200
    }
    for (const uri of [
      redirectUri,
      local,
      "http://127.0.0.1:9/cb?x=1",
      "http://127.0.0.1/cb?x=1",
      "http://localhost:80/cb",
      "com.example.app:/cb"
    ]) {
      assert.isTrue(await isAccepted(uri), uri)
    }
    for (const uri of [
      undefined,
      "",
      `${redirectUri}/`,
      `${redirectUri}?a=b`,
      `${redirectUri}#x`,
      `${redirectUri}/../evil`,
      "https://agent.example/CALLBACK",
      "https://AGENT.example/callback",
      "https://agent.example:443/callback",
      "https://agent.example.evil.example/callback",
      "https://user@agent.example/callback",
      "http://agent.example/callback",
      "https://127.0.0.1:1234/cb?x=1",
      "http://127.0.0.1:1234/cb?x=2",
      "http://127.0.0.1:1234@evil.example/cb?x=1",
      "http://127.0.0.1:123456/cb?x=1",
      "http://localhost:1234/cb?x=1",
      "http://127.0.0.1.evil.example/cb?x=1",
      "com.example.app:/other"
    ]) {
      assert.isFalse(await isAccepted(uri), uri)
    }
  })

  it("redirect URIs that run or reach what no client owns cannot be registered", async () => {
    for (const uri of [
      "javascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
      "blob:https://x/y",
      "http://agent.example/cb",
      "http://169.254.169.254/",
      "https://user:pass@agent.example/",
      "https://agent.example/#x",
      "https://agent.example/*",
      "https://agent.example/\ncb",
      "/callback",
      "",
      7
    ]) {
      const reply = await service.ask("POST", "/oauth/register", { json: { redirect_uris: [uri] } })
      isOAuthError(reply, 400, "invalid_redirect_uri")
    }
    for (const redirect_uris of [undefined, [], "x", Array(11).fill(redirectUri)]) {
      isOAuthError(
        await service.ask("POST", "/oauth/register", { json: { redirect_uris } }),
        400,
        "invalid_redirect_uri"
      )
    }
    const implicit = { redirect_uris: [redirectUri], response_types: ["token"] }
    isOAuthError(await service.ask("POST", "/oauth/register", { json: implicit }), 400, "invalid_client_metadata")
  })

  it("a client id that was changed, or made elsewhere, is unknown", async () => {
    const id = await service.register()
    const [, payload = "", mark = ""] = id.split(".")
    const forged = Buffer.from(JSON.stringify(["Evil", "https://evil.example/"])).toString("base64url")
    const elsewhere = await openOAuth()
    for (const client_id of [
      "",
      "x",
      `svc-client.${forged}.${mark}`,
      `svc-client.${payload}.`,
      `${id}.x`,
      await elsewhere.register()
    ]) {
      const page = await service.ask("GET", service.authorizePath(client_id, pkce().challenge))
      assert.strictEqual(page.status, 400, client_id)
      assert.notInclude(page.text, "href")
    }
    await elsewhere.close()
  })
})

describe("attacks on the person", () => {
  it("CSRF on consent: a decision from another page, without a ticket, or with that of another request or person is none", async () => {
    const id = await service.register()
    const cookie = await service.signIn(service.apiKey)
    const { challenge } = pkce()
    const path = service.authorizePath(id, challenge)
    const headers = { cookie }
    for (const origin of [
      {},
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" }
    ]) {
      const reply = await service.decide(path, cookie, {}, Object(origin))
      assert.strictEqual(reply.status, 403, JSON.stringify(origin))
      assert.isNull(reply.headers.get("location"))
    }
    const ticketOf = async (where: string, who: string) =>
      fieldOf((await service.ask("GET", where, { headers: { cookie: who } })).text, "ticket")
    const { text } = await service.makeKey(service.organizationId)
    const tickets = [
      "",
      "1.x",
      await ticketOf(path, await service.signIn(text)),
      await ticketOf(service.authorizePath(id, challenge, { state: "x" }), cookie),
      await ticketOf(service.authorizePath(id, pkce().challenge), cookie),
      (await ticketOf(path, cookie)).replace(/^./, "x"),
      (await ticketOf(path, cookie)).replace(/.$/, (last) => (last === "A" ? "E" : "A"))
    ]
    for (const ticket of tickets) {
      const form = { ticket, action: "allow", scope: "leads:read" }
      const reply = await service.postForm(path, form, { ...headers, ...sameOrigin })
      assert.strictEqual(reply.status, 200, "the page is shown again")
      assert.include(reply.text, "decide again")
    }
    const signedOut = await service.postForm(
      path,
      { ticket: await ticketOf(path, cookie), action: "allow" },
      sameOrigin
    )
    assert.strictEqual(signedOut.status, 401)
  })

  it("clickjacking and injected scripts: the pages cannot be framed, run nothing and send forms only here and to the client", async () => {
    const path = service.authorizePath(await service.register(), pkce().challenge)
    const pages = [
      await service.ask("GET", path),
      await service.ask("GET", path, { headers: { cookie: await service.signIn(service.apiKey) } }),
      await service.ask("GET", "/oauth/authorize?client_id=x"),
      await service.ask("GET", path, { headers: { "sec-fetch-site": "cross-site" } })
    ]
    for (const { headers, text } of pages) {
      const policy = headers.get("content-security-policy") ?? ""
      assert.match(
        policy,
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'( https:\/\/agent\.example)?; base-uri 'none'; frame-ancestors 'none'$/
      )
      assert.strictEqual(headers.get("x-frame-options"), "DENY")
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.notInclude(text, "<script")
      assert.notMatch(text, /(src|href)="https?:\/\/(?!agent)/)
    }
  })

  it("XSS by a client's name, state or scope: markup is text, and invisible characters are gone", async () => {
    const name = `"><script>alert(1)</script><img src=x onerror=alert(2)>\u202Egnp.\u200Bexe`
    const id = await service.register({ client_name: name })
    const cookie = await service.signIn(service.apiKey)
    const changes = { state: '"><script>alert(3)</script>', scope: "<script>" }
    for (const headers of [{}, { cookie }]) {
      for (const more of [changes, { ...changes, response_type: "<script>" }]) {
        const { text } = await service.ask("GET", service.authorizePath(id, pkce().challenge, more), {
          headers: Object(headers)
        })
        assert.notMatch(text, /<script|<img|\u202E|\u200B/)
        assert.include(text, "&lt;script&gt;alert(1)")
      }
    }
    const page = await service.ask("GET", `/oauth/authorize?client_id=${encodeURIComponent("<script>")}`)
    assert.notInclude(page.text, "<script>")
  })

  it("scope escalation: nobody grants what they lack, nor admin, and a refresh adds nothing", async () => {
    const { text } = await service.makeKey(service.organizationId, { scopes: ["leads:read"] })
    const path = service.authorizePath(await service.register(), pkce().challenge, { scope: "admin linkedin:send" })
    const cookie = await service.signIn(text)
    for (const scope of ["linkedin:send", "keys:manage"]) {
      const reply = await service.decide(path, cookie, { scope: ["leads:read", scope] })
      assert.strictEqual(reply.status, 200)
      assert.include(reply.text, "have these scopes yourself")
    }
    assert.include((await service.decide(path, cookie, { scope: [] })).text, "at least one scope")
    const { access, client_id, refresh, scope } = await service.tokensFor(service.apiKey, {
      scope: ["leads:read", "admin"]
    })
    assert.strictEqual(scope, "leads:read", "admin is never granted")
    const wider = { client_id, refresh_token: refresh, scope: "leads:read linkedin:send" }
    isOAuthError(await service.refresh(wider), 400, "invalid_scope")
    assert.strictEqual((await service.call(access, "lead_search")).status, 200)
    assert.strictEqual((await service.refresh({ client_id, refresh_token: refresh, scope: "leads:read" })).status, 200)
  })

  it("an AI agent, a draft-only key and a token cannot consent", async () => {
    const path = service.authorizePath(await service.register(), pkce().challenge)
    const { access } = await service.tokensFor(service.apiKey)
    const agent = await service.makeKey(service.organizationId, { actorKind: "AI_AGENT", scopes: ["admin"] })
    const drafter = await service.makeKey(service.organizationId, { mode: "draft_only" })
    for (const { text } of [agent, drafter]) {
      const reply = await service.postForm(path, { action: "sign_in", api_key: text }, sameOrigin)
      assert.strictEqual(reply.status, 403, reply.text)
      assert.isNull(reply.headers.get("set-cookie"))
    }
    for (const key of [agent.text, drafter.text, access, service.apiKey]) {
      const page = await service.ask("GET", path, { key })
      assert.include(page.text, "api_key", "a bearer key is nobody in front of the page")
      const reply = await service.postForm(
        path,
        { action: "allow", scope: "leads:read" },
        { ...sameOrigin, authorization: `Bearer ${key}` }
      )
      assert.strictEqual(reply.status, 401)
    }
  })
})

describe("refresh and revocation", () => {
  it("refresh replay: a refresh token that comes again revokes the grant with all its tokens", async () => {
    const { access, client_id, refresh } = await service.tokensFor(service.apiKey)
    const renewed = await service.refresh({ client_id, refresh_token: refresh })
    const retried = await service.refresh({ client_id, refresh_token: refresh })
    assert.strictEqual(retried.text, renewed.text, "a retry gets the same response")
    const next = await service.refresh({ client_id, refresh_token: textAt(renewed.body, "refresh_token") })
    assert.strictEqual(next.status, 200, next.text)
    isOAuthError(await service.refresh({ client_id, refresh_token: refresh }), 400, "invalid_grant")
    const latest = textAt(next.body, "refresh_token")
    isOAuthError(await service.refresh({ client_id, refresh_token: latest }), 400, "invalid_grant")
    await isRevoked(access)
    await isRevoked(textAt(renewed.body, "access_token"))
  })

  it("a refresh token of another client revokes the grant, and one that was made up changes nothing", async () => {
    const mine = await service.tokensFor(service.apiKey)
    const [family = "", secret = ""] = mine.refresh.split(".")
    const keyId = mine.access.split("_")[2] ?? ""
    const forged = `${generateKey(keyId, "refresh")}.${secret}`
    await service.postForm("/oauth/revoke", { token: forged, client_id: mine.client_id })
    for (const refresh_token of ["x", family, forged, `${family}.${secret}.x`, `${mine.access}.${secret}`]) {
      isOAuthError(await service.refresh({ client_id: mine.client_id, refresh_token }), 400, "invalid_grant")
    }
    const other = await service.register({ client_name: "Other" })
    assert.strictEqual((await service.call(mine.access, "lead_search")).status, 200)
    isOAuthError(await service.refresh({ client_id: other, refresh_token: mine.refresh }), 400, "invalid_grant")
    await isRevoked(mine.access)
  })

  it("the revocation endpoint ends a grant by either token, for its own client only, and accepts any text", async () => {
    for (const which of ["access", "refresh"] as const) {
      const tokens = await service.tokensFor(service.apiKey)
      const revoke = (token: string, client_id: string) => service.postForm("/oauth/revoke", { token, client_id })
      const other = await service.register({ client_name: "Other" })
      for (const token of ["x", tokens[which], service.apiKey])
        assert.strictEqual((await revoke(token, other)).status, 200)
      assert.strictEqual((await service.call(tokens.access, "lead_search")).status, 200)
      assert.strictEqual((await revoke(tokens[which], tokens.client_id)).status, 200)
      await isRevoked(tokens.access)
    }
    assert.strictEqual((await service.ask("GET", "/api/v1/me", { key: service.apiKey })).status, 200)
    isOAuthError(await service.postForm("/oauth/revoke", { token: "x" }), 400, "invalid_request")
  })

  it("bad requests have the protocol's errors, and never a 5xx", async () => {
    isOAuthError(await service.postForm("/oauth/token", {}), 400, "invalid_request")
    isOAuthError(
      await service.postForm("/oauth/token", { client_id: "x", grant_type: "password" }),
      400,
      "unsupported_grant_type"
    )
    isOAuthError(await service.ask("POST", "/oauth/token", { json: { grant_type: "x" } }), 415, "invalid_request")
    const twice = { client_id: ["x", "y"], grant_type: "refresh_token" }
    isOAuthError(await service.postForm("/oauth/token", twice), 400, "invalid_request")
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    isOAuthError(
      await service.ask("POST", "/oauth/token", { body: "a".repeat(40_000), headers }),
      413,
      "invalid_request"
    )
    isOAuthError(
      await service.ask("POST", "/oauth/token", { body: new Uint8Array([0xff]), headers }),
      400,
      "invalid_request"
    )
    isOAuthError(
      await service.ask("POST", "/oauth/register", { body: "{", headers: { "content-type": "application/json" } }),
      400,
      "invalid_request"
    )
    for (const path of [
      "/oauth/authorize",
      "/oauth/authorize?",
      "/oauth/authorize?client_id=a&client_id=b",
      "/oauth/authorize?client_id=%ff"
    ]) {
      assert.strictEqual((await service.ask("GET", path)).status, 400, path)
    }
  })
})
