/** Signing in with the operator's identity provider, and connecting an AI agent then. The provider is another library's. */

import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { rightsOf } from "#auth/provider/oidcClient.ts"
import { ensureExternal } from "#core/workspace/organizations/hostOperations.ts"
import { revokeKey } from "#core/workspace/organizations/Provisioning.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { createSvc } from "#embed/createSvc.ts"
import { claimRules, isProblem } from "#embed/settingValues.ts"
import { mistyped } from "../support/mistyped.ts"
import { fieldOf, formText, pkce } from "../support/oauthService.ts"
import { makeBrowser, oidcClient, type RunningProvider, startOidcProvider } from "../support/oidcProvider.ts"

const redirectUri = "http://127.0.0.1:9/callback"
const form = { "content-type": "application/x-www-form-urlencoded" }

type Browser = ReturnType<typeof makeBrowser>

let svc: Awaited<ReturnType<typeof createSvc>>
let provider: RunningProvider
let base = ""
const server = createServer((request, response) => svc.node(request, response))

const organizationOf = async (externalId: string) =>
  (await svc.effect.runtime.runPromise(ensureExternal({ externalId, name: externalId }))).id

const keysOf = async (externalId: string) => {
  const organizationId = await organizationOf(externalId)
  return svc.effect.runtime.runPromise(Effect.flatMap(Workspaces, ({ listKeys }) => listKeys(organizationId)))
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  base = `http://127.0.0.1:${Object(server.address()).port}`
  provider = await startOidcProvider([`${base}/review/provider/callback`])
  svc = await createSvc({
    databaseUrl: "memory:",
    worker: false,
    rateLimit: 0,
    publicUrl: base,
    env: {
      SVC_OIDC_ISSUER: provider.issuer,
      SVC_OIDC_CLIENT_ID: oidcClient.id,
      SVC_OIDC_CLIENT_SECRET: oidcClient.secret,
      SVC_OIDC_SCOPE: "openid profile email groups",
      SVC_OIDC_RIGHTS:
        "groups=sales acme leads:read,offers:read; groups=admins acme full; groups=admins other full; groups=x none full"
    }
  })
  for (const name of ["acme", "other"]) await organizationOf(name)
})
afterAll(async () => {
  provider.close()
  server.closeAllConnections()
  server.close()
  await svc.close()
})

const person = (id: string, ...groups: ReadonlyArray<string>) => {
  provider.person.id = id
  provider.person.claims = { name: `Name of ${id}`, groups }
}

/** Signs in at the provider; where the browser is then. */
const signIn = async (browser: Browser, to = "review") =>
  browser.follow(new URL(`${base}/review/provider?to=${encodeURIComponent(to)}`), `${base}/${to}`)

const sessionOf = async (browser: Browser) => {
  const response = await browser.open(new URL(`${base}/review/session`))
  return { status: response.status, body: Object(await response.json()) }
}

/** Posts a form of a page of the service. */
const post = (browser: Browser, url: URL, fields: Parameters<typeof formText>[0]) =>
  browser.open(url, { method: "POST", headers: { ...form, origin: base }, body: formText(fields) })

/** A new client that sends a person to the page of consent. */
const authorization = async (client_name: string) => {
  const registered = await fetch(`${base}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name, redirect_uris: [redirectUri] })
  })
  const client_id = String(Object(await registered.json()).client_id)
  const { challenge, verifier } = pkce()
  const query = formText({
    response_type: "code",
    client_id,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256"
  })
  return { client_id, url: new URL(`${base}/oauth/authorize?${query}`), verifier }
}

describe("an identity provider", () => {
  it("signs people in to the review page, with the rights that their claims give now", async () => {
    person("lea", "sales")
    const browser = makeBrowser()
    assert.strictEqual((await signIn(browser)).url.href, `${base}/review`)
    const { body } = await sessionOf(browser)
    assert.deepInclude(body, { organization: "acme", name: "Name of lea", scopes: ["leads:read", "offers:read"] })
    assert.isFalse(browser.jar.get(new URL(base).host)?.has("svc_sign_in"), "what began it is gone")
    person("lea", "sales", "admins")
    const again = makeBrowser()
    const page = await (await signIn(again)).response?.text()
    assert.include(page ?? "", "Choose an organization")
    const organization = await organizationOf("acme")
    const chosen = await post(again, new URL(`${base}/review/provider`), { organization })
    assert.strictEqual(chosen.headers.get("location"), `${base}/review`)
    assert.strictEqual((await sessionOf(again)).body.organization, "acme")
    const own = (await keysOf("acme")).filter(({ name, session }) => name === "Name of lea" && session === undefined)
    assert.lengthOf(own, 1, "one key of the person, however often they sign in")
    assert.include(own[0]?.scopes ?? [], "admin")
  })

  it("connects an AI agent: sign in there, consent here; tokens are listed and revoked as ever", async () => {
    person("max", "sales")
    const { client_id, url, verifier } = await authorization("Agent of Max")
    const browser = makeBrowser()
    const link = /href="([^"]+)">Sign in with/
      .exec(await (await browser.open(url)).text())?.[1]
      ?.replaceAll("&amp;", "&")
    assert.isDefined(link)
    const back = await browser.follow(new URL(link ?? "", url), url.href)
    assert.strictEqual(back.url.href, url.href)
    const page = await (await browser.open(url)).text()
    assert.include(page, "Name of max")
    const allowed = await post(browser, url, { ticket: fieldOf(page, "ticket"), action: "allow", scope: "leads:read" })
    const code = new URL(allowed.headers.get("location") ?? "").searchParams.get("code") ?? ""
    const issued = await fetch(`${base}/oauth/token`, {
      method: "POST",
      headers: form,
      body: formText({
        grant_type: "authorization_code",
        client_id,
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier
      })
    })
    const { access_token: token, refresh_token } = Object(await issued.json())
    const call = () =>
      fetch(`${base}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
      })
    assert.strictEqual((await call()).status, 200)
    const found = (await keysOf("acme")).find(({ name }) => name === "Agent of Max")
    assert.deepInclude(found, { actorKind: "AI_AGENT", scopes: ["leads:read"] })
    const parent = (await keysOf("acme")).find(({ keyId }) => keyId === found?.session?.parentKeyId)
    assert.deepInclude(parent, { name: "Name of max", actorKind: "USER", scopes: ["leads:read", "offers:read"] })
    assert.isString(parent?.expiresAt, "it ends when the person stays away")
    await svc.effect.runtime.runPromise(revokeKey(parent?.keyId ?? ""))
    const renewed = await fetch(`${base}/oauth/token`, {
      method: "POST",
      headers: form,
      body: formText({ grant_type: "refresh_token", client_id, refresh_token })
    })
    assert.strictEqual(Object(await renewed.json()).error, "invalid_grant")
  })

  it("gives nothing to people without a right, and nothing in organizations that do not exist", async () => {
    for (const groups of [[], ["nobody"], ["x"]]) {
      person("eve", ...groups)
      const browser = makeBrowser()
      const { response } = await signIn(browser)
      assert.strictEqual(response?.status, 401)
      assert.include((await response?.text()) ?? "", "no access to an organization")
      assert.strictEqual((await sessionOf(browser)).status, 401)
    }
  })

  it("no longer signs in a person whose key was revoked here", async () => {
    person("kim", "sales")
    const browser = makeBrowser()
    await signIn(browser)
    const own = (await keysOf("acme")).find(({ name, session }) => name === "Name of kim" && session === undefined)
    await svc.effect.runtime.runPromise(revokeKey(own?.keyId ?? ""))
    const { response } = await signIn(makeBrowser())
    assert.strictEqual(response?.status, 401)
    assert.include((await response?.text()) ?? "", "revoked")
  })

  it("state: a response that this browser did not begin, began too often, or that was changed is refused", async () => {
    person("lea", "sales")
    const callback = `${base}/review/provider/callback`
    const victim = makeBrowser()
    const attacker = makeBrowser()
    const own = await attacker.follow(new URL(`${base}/review/provider`), callback)
    assert.strictEqual((await victim.open(own.url)).status, 401, "login CSRF: no proof in this browser")
    const begun = await victim.follow(new URL(`${base}/review/provider`), callback)
    assert.strictEqual((await victim.open(own.url)).status, 401, "another one's state")
    for (const change of [
      (url: URL) => url.searchParams.set("state", "x"),
      (url: URL) => url.searchParams.set("iss", "https://evil.example"),
      (url: URL) => url.searchParams.delete("code"),
      (url: URL) => url.searchParams.set("code", "x")
    ]) {
      const url = new URL(begun.url)
      change(url)
      assert.strictEqual((await victim.open(url)).status, 401, url.search)
    }
    assert.strictEqual((await sessionOf(victim)).status, 401)
    const cookies = victim.jar.get(new URL(base).host)
    cookies?.set("svc_sign_in", mistyped(cookies.get("svc_sign_in") ?? ""))
    assert.strictEqual((await victim.open(begun.url)).status, 401, "a changed cookie")
  })

  it("open redirect: nobody is sent elsewhere after signing in", async () => {
    for (const to of [
      "https://evil.example",
      "//evil.example",
      "/evil",
      "review/../evil",
      "review\\evil",
      "oauth/token?x",
      "review/d/",
      "x"
    ]) {
      const response = await makeBrowser().open(new URL(`${base}/review/provider?to=${encodeURIComponent(to)}`))
      assert.strictEqual(response.status, 400, to)
    }
  })

  it("the choice of an organization is one of the person's own, from the page itself", async () => {
    person("ada", "admins")
    const browser = makeBrowser()
    await signIn(browser)
    const url = new URL(`${base}/review/provider`)
    const fields = { organization: await organizationOf("acme") }
    const foreign = { method: "POST", headers: { ...form, origin: "https://evil.example" }, body: formText(fields) }
    assert.strictEqual((await browser.open(url, foreign)).status, 403)
    assert.strictEqual((await post(browser, url, { organization: await organizationOf("third") })).status, 400)
    assert.strictEqual((await post(makeBrowser(), url, fields)).status, 401)
    assert.strictEqual((await post(browser, url, fields)).status, 303)
    assert.strictEqual((await post(browser, url, fields)).status, 401, "once")
  })

  it("lists a person's organizations by name on the page of consent, and connects the agent to the chosen one", async () => {
    person("joy", "admins")
    const [acme, other] = await Promise.all(["acme", "other"].map(organizationOf))
    const { url } = await authorization("Agent of Joy")
    const browser = makeBrowser()
    const choice = new URL(`${base}/review/provider`)
    const choose = (organization: string | undefined, by = browser) =>
      post(by, choice, { organization: organization ?? "" })
    const shown = async (by = browser) => {
      const text = await (await by.open(url)).text()
      const listed = [...text.matchAll(/name="organization" value="([^"]+)">([^<]+)</g)].map(([, id, name]) => [
        id,
        name
      ])
      return { text, current: /<dt>Organization<\/dt><dd>([^<]+)/.exec(text)?.[1], listed }
    }
    await signIn(browser, url.href.slice(base.length + 1))
    assert.strictEqual((await choose(acme)).headers.get("location"), url.href)
    const first = await shown()
    assert.deepStrictEqual([first.current, first.listed], ["acme", [[other, "other"]]])

    const stolen = makeBrowser()
    const cookies = browser.jar.get(choice.host)
    stolen.jar.set(choice.host, new Map([["svc_sign_in", cookies?.get("svc_sign_in") ?? ""]]))
    assert.strictEqual((await choose(other, stolen)).status, 401, "not without the session that it belongs to")
    const third = await organizationOf("third")
    assert.strictEqual((await choose(third)).status, 400, "not an organization of others")
    const foreign = {
      method: "POST",
      headers: { ...form, origin: "https://evil.example" },
      body: `organization=${other}`
    }
    assert.strictEqual((await browser.open(choice, foreign)).status, 403)
    assert.strictEqual((await shown()).current, "acme")

    const before = cookies?.get("svc_sign_in") ?? ""
    assert.strictEqual((await choose(other)).headers.get("location"), url.href)
    const second = await shown()
    assert.deepStrictEqual([second.current, second.listed], ["other", [[acme, "acme"]]])
    stolen.jar.set(choice.host, new Map([...(cookies ?? []), ["svc_sign_in", before]]))
    assert.strictEqual((await choose(acme, stolen)).status, 401, "nor with another one")
    const stale = { ticket: fieldOf(first.text, "ticket"), action: "allow", scope: "leads:read" }
    assert.include(await (await post(browser, url, stale)).text(), "decide again")
    const fresh = { ...stale, ticket: fieldOf(second.text, "ticket") }
    assert.strictEqual((await post(browser, url, fresh)).status, 303)
    const connected = async (name: string) => (await keysOf(name)).filter((key) => key.name === "Agent of Joy").length
    assert.deepStrictEqual([await connected("acme"), await connected("other")], [0, 1])

    const next = (await authorization("Another agent")).url
    assert.notInclude(
      await (await browser.open(next)).text(),
      'name="organization"',
      "only for the request it began for"
    )
    await post(browser, url, { action: "sign_out" })
    assert.strictEqual((await choose(acme)).status, 401, "not after signing out")
  })

  it("is named where nobody is signed in", async () => {
    const response = await fetch(`${base}/review/session`)
    assert.strictEqual(response.headers.get("svc-sign-in-provider"), new URL(provider.issuer).host)
  })
})

describe("rights by claims", () => {
  const parsed = (text: string) => {
    const rules = claimRules(text)
    return isProblem(rules) ? assert.fail(rules.problem) : rules
  }
  const rules = parsed("groups=sales a approver; role=1 a leads:read; email=* b read_only")

  it("come from a text, a number or a list, each rule by itself", () => {
    const organizations = (claims: Readonly<Record<string, unknown>>) =>
      rightsOf(rules, claims).map(({ organization }) => organization)
    assert.deepStrictEqual(organizations({ groups: ["x", "sales"], role: 1 }), ["a", "a"])
    assert.deepStrictEqual(organizations({ groups: "sales", email: "a@b.c" }), ["a", "b"])
    for (const claims of [
      {},
      { groups: [] },
      { groups: "salesx" },
      { email: "" },
      { email: null },
      { groups: { sales: true } }
    ]) {
      assert.deepStrictEqual(organizations(claims), [])
    }
    assert.deepStrictEqual(rightsOf(parsed("constructor=* a full"), {}), [])
  })

  it("are refused where they cannot be read", () => {
    for (const text of [
      "x",
      "a=b",
      "a=b org",
      "a=b org nothing",
      "=b org full",
      "a=b org full extra; ",
      "a=b org full, x y"
    ]) {
      assert.isTrue(isProblem(claimRules(text)), text)
    }
  })
})
