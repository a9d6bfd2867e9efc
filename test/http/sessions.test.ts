/** Signing in to the review page over HTTP: which requests a session may make, and which pages may make them. */

import type { IncomingMessage, ServerResponse } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { commands } from "#core/commands.ts"
import { scopes } from "#core/kernel/command/Permission.ts"
import { createKey, createOrganization, type KeyRequest } from "#core/workspace/organizations/Provisioning.ts"
import { createSignInLink } from "#core/workspace/sessions/SignIn.ts"
import { callerLayer } from "#embed/callerOf.ts"
import { HttpHandlers } from "#http/HttpHandlers.ts"
import { restBindings } from "#http/restBindings.ts"
import { at, hasExactly, isError, type Reply, readReply, smallOffer, textAt } from "../support/httpService.ts"
import { listening } from "../support/listening.ts"
import { openPage } from "../support/reviewPage.ts"
import { stopClock } from "../support/stoppedClock.ts"

type Service = Awaited<ReturnType<typeof openPage>>
type Headers = Readonly<Record<string, string>>

const path = "/review/session"

/** What a browser sends from the page itself. */
const fromPage = { "svc-session": "1", "sec-fetch-site": "same-origin" }

const organizationIn = ({ runtime }: Service, name: string) => runtime.runPromise(createOrganization(name))

const keyIn = ({ runtime }: Service, organizationId: string, request: KeyRequest = {}) =>
  runtime.runPromise(createKey(organizationId, { name: "Lea", ...request }))

const linkIn = async ({ runtime }: Service, keyId: string) =>
  (await runtime.runPromise(createSignInLink(keyId))).split("#link=")[1] ?? ""

/** The token that a response sets; "" if it deletes the cookie. */
const tokenOf = ({ headers }: Reply): string => {
  const token = /^svc_session=([^;]*);/.exec(headers.get("set-cookie") ?? "")?.[1]
  assert.isDefined(token)
  return token ?? ""
}

const signIn = async (service: Service, json: unknown, headers: Headers = {}): Promise<string> => {
  const reply = await service.ask("POST", path, { json, headers })
  assert.strictEqual(reply.status, 204, reply.text)
  assert.strictEqual(reply.text, "")
  return tokenOf(reply)
}

const cookie = (token: string, more: Headers = {}) => ({ headers: { cookie: `svc_session=${token}`, ...more } })

let service: Service
let organizationId: string
let key: string
beforeAll(async () => {
  service = await openPage({ rateLimit: 0 })
  const { organization, text } = await organizationIn(service, "Acme")
  organizationId = organization.id
  key = text
})
afterAll(() => service.close())

describe("signing in", () => {
  it("with a key as bearer or in the body, or with a link, sets a cookie that scripts cannot read", async () => {
    const made = await keyIn(service, organizationId, { scopes: ["linkedin:read"] })
    const link = await linkIn(service, made.key.keyId)
    const replies = [
      await service.ask("POST", path, { key: made.text }),
      await service.ask("POST", path, { json: { api_key: made.text } }),
      await service.ask("POST", path, { json: { link } })
    ]
    for (const reply of replies) {
      assert.strictEqual(reply.status, 204, reply.text)
      assert.match(
        reply.headers.get("set-cookie") ?? "",
        /^svc_session=svc_session_\w{12}_\w{43}_\w{6}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/
      )
      const who = await service.ask("GET", path, cookie(tokenOf(reply)))
      hasExactly(who.body, ["organization", "name", "scopes", "expires_at"])
      assert.strictEqual(at(who.body, "organization"), "Acme")
      assert.strictEqual(at(who.body, "name"), "Lea")
      assert.deepStrictEqual(at(who.body, "scopes"), ["linkedin:read"])
      const hours = (Date.parse(textAt(who.body, "expires_at")) - Date.now()) / 3_600_000
      assert.isTrue(hours > 11.9 && hours <= 12, `ends in ${hours} hours`)
    }
    assert.lengthOf(new Set(replies.map(tokenOf)), 3)
    isError(await service.ask("POST", path, { json: { link } }), 401, "UNAUTHENTICATED")
  })

  it("acts as the person, with the id of the session", async () => {
    const token = await signIn(service, { api_key: key })
    const made = await service.ask("POST", "/api/v1/offers", { ...cookie(token, fromPage), json: smallOffer })
    assert.strictEqual(made.status, 201, made.text)
    const me = await service.ask("GET", "/api/v1/me", cookie(token))
    assert.strictEqual(at(me.body, "data.key_id"), token.split("_")[2])
    assert.strictEqual(at(me.body, "data.actor_kind"), "USER")
    const audit = await service.ask("POST", "/api/v1/commands/audit.list", {
      ...cookie(token, fromPage),
      json: { command_id: "offer.create" }
    })
    assert.deepStrictEqual(at(audit.body, "data.entries.0.actor"), {
      kind: "USER",
      user_id: at(me.body, "data.user_id"),
      key_id: token.split("_")[2]
    })
  })

  it("always gives a new session, and ends the one that the browser had", async () => {
    const victim = await signIn(service, { api_key: key })
    for (const chosen of [victim, "svc_session_chosen", key]) {
      const token = await signIn(service, { api_key: key }, { cookie: `svc_session=${chosen}` })
      assert.notStrictEqual(token, chosen)
      assert.strictEqual((await service.ask("GET", path, cookie(token))).status, 200)
      isError(await service.ask("GET", path, cookie(chosen)), 401, "UNAUTHENTICATED")
    }
  })

  it("is refused to AI agents, draft-only keys and what is no credential", async () => {
    const agent = await keyIn(service, organizationId, { actorKind: "AI_AGENT", scopes: ["admin"] })
    const drafter = await keyIn(service, organizationId, { mode: "draft_only" })
    for (const { text } of [agent, drafter]) {
      isError(await service.ask("POST", path, { json: { api_key: text } }), 403, "APPROVAL_POLICY")
    }
    const asAgent = { key, headers: { "svc-actor-kind": "AI_AGENT" } }
    isError(await service.ask("POST", path, asAgent), 403, "APPROVAL_POLICY")
    const token = await signIn(service, { api_key: key })
    for (const api_key of ["", "x", token, `${key}x`])
      isError(await service.ask("POST", path, { json: { api_key } }), 401, "UNAUTHENTICATED")
    for (const link of ["", "x", token, key])
      isError(await service.ask("POST", path, { json: { link } }), 401, "UNAUTHENTICATED")
    const wrong = [
      undefined,
      {},
      [],
      5,
      { api_key: 5 },
      { link: null },
      { api_key: key, link: "x" },
      { api_key: key, x: 1 }
    ]
    for (const json of wrong) isError(await service.ask("POST", path, { json }), 400, "INVALID_INPUT")
    isError(await service.ask("POST", path, { body: "{" }), 400, "INVALID_JSON")
    isError(await service.ask("POST", path, { json: { link: "x".repeat(5000) } }), 413, "PAYLOAD_TOO_LARGE")
  })

  it("is refused to pages of another origin, which would sign a person in as somebody else", async () => {
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site", origin: "http://svc.test" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" }
    ] as ReadonlyArray<Headers>) {
      const reply = await service.ask("POST", path, {
        json: { api_key: key },
        headers: { host: "svc.test", ...headers }
      })
      isError(reply, 403, "FORBIDDEN_HOST")
      assert.isNull(reply.headers.get("set-cookie"))
    }
    await signIn(service, { api_key: key }, { "sec-fetch-site": "same-origin", origin: "http://svc.test" })
    await signIn(service, { api_key: key }, { host: "svc.test", origin: "http://svc.test" })
  })
})

describe("a session", () => {
  it("changes nothing without the header and the origin of the page, and reads with the cookie alone", async () => {
    const token = await signIn(service, { api_key: key })
    const post = (headers: Headers) =>
      service.ask("POST", "/api/v1/offers", { ...cookie(token, { host: "svc.test", ...headers }), json: smallOffer })
    for (const headers of [
      {},
      { "svc-session": "1" },
      { "sec-fetch-site": "same-origin" },
      { "svc-session": "0", "sec-fetch-site": "same-origin" },
      { "svc-session": "1", "sec-fetch-site": "cross-site", origin: "http://svc.test" },
      { "svc-session": "1", "sec-fetch-site": "same-site" },
      { "svc-session": "1", "sec-fetch-site": "none" },
      { "svc-session": "1", origin: "https://evil.example" },
      { "svc-session": "1", origin: "http://svc.test:81" },
      { "svc-session": "1", origin: "null" }
    ] as ReadonlyArray<Headers>)
      isError(await post(headers), 403, "FORBIDDEN_HOST")
    const offers = await service.ask("GET", "/api/v1/offers", cookie(token))
    assert.strictEqual(offers.status, 200)
    assert.strictEqual((await post(fromPage)).status, 201)
    assert.strictEqual((await post({ "svc-session": "1", origin: "http://svc.test" })).status, 201)
    for (const [method, target] of [
      ["PATCH", "/api/v1/offers/x"],
      ["DELETE", "/api/v1/agents/x"],
      ["POST", "/api/v1/commands/offer.list"],
      ["DELETE", path]
    ] as const)
      isError(await service.ask(method, target, { ...cookie(token), json: {} }), 403, "FORBIDDEN_HOST")
    assert.strictEqual((await service.ask("GET", path, cookie(token))).status, 200)
  })

  it("reads alone with GET: no REST route of that method changes anything", () => {
    const reading = restBindings.filter(({ method }) => method === "GET")
    assert.isAbove(reading.length, 10)
    for (const { command, path: target } of reading) {
      assert.strictEqual(commands.find(({ id }) => id === command)?.risk, "read", target)
    }
  })

  it("gives way to a bearer key, also to one that is refused", async () => {
    const token = await signIn(service, { api_key: key })
    const other = await organizationIn(service, "Other")
    const me = await service.ask("GET", "/api/v1/me", { key: other.text, ...cookie(token) })
    assert.strictEqual(at(me.body, "data.organization_id"), other.organization.id)
    for (const authorization of [`Bearer ${key}x`, "Bearer", "Basic eDp5"])
      isError(await service.ask("GET", "/api/v1/me", cookie(token, { authorization })), 401, "UNAUTHENTICATED")
    isError(await service.ask("GET", "/api/v1/me", { key: token }), 401, "UNAUTHENTICATED")
  })

  it("is of one organization: the cookie of another finds nothing here", async () => {
    const other = await organizationIn(service, "Neighbours")
    const theirs = await signIn(service, { api_key: other.text })
    const made = await service.ask("POST", "/api/v1/offers", { key, json: smallOffer })
    const offer = `/api/v1/offers/${textAt(made.body, "data.offer.id")}`
    isError(await service.ask("GET", offer, cookie(theirs)), 404, "NOT_FOUND")
    const mine = await signIn(service, { api_key: key })
    const { keyId } = (await keyIn(service, other.organization.id)).key
    const revoke = { ...cookie(mine, fromPage), json: { key_id: keyId } }
    assert.strictEqual((await service.ask("POST", "/api/v1/commands/key.revoke", revoke)).status, 404)
    const [, , mineId = "", mineSecret = ""] = mine.split("_")
    const mixed = theirs.replace(theirs.split("_")[2] ?? "", mineId)
    for (const token of [mixed, mine.replace(mineSecret, theirs.split("_")[3] ?? "")])
      isError(await service.ask("GET", path, cookie(token)), 401, "UNAUTHENTICATED")
  })

  it("is refused by MCP, and makes nobody a provider", async () => {
    const token = await signIn(service, { api_key: key })
    const json = { jsonrpc: "2.0", id: 1, method: "tools/list" }
    const mcp = await service.ask("POST", "/mcp", {
      ...cookie(token, { ...fromPage, accept: "application/json" }),
      json
    })
    isError(mcp, 401, "UNAUTHENTICATED")
    const webhook = "/api/v1/gateways/simulator/webhook/none"
    const [withCookie, without] = [
      await service.ask("POST", webhook, { ...cookie(token, fromPage), json: {} }),
      await service.ask("POST", webhook, { json: {} })
    ]
    assert.strictEqual(withCookie.text, without.text)
    assert.strictEqual(withCookie.status, 404)
  })

  it("ends when the person signs out, which can be repeated", async () => {
    const token = await signIn(service, { api_key: key })
    const other = await signIn(service, { api_key: key })
    for (const { headers } of [cookie(token, fromPage), cookie(token, fromPage), { headers: {} }]) {
      const reply = await service.ask("DELETE", path, { headers })
      assert.strictEqual(`${reply.status} ${tokenOf(reply)}`, "204 ")
      assert.include(reply.headers.get("set-cookie") ?? "", "Max-Age=0")
    }
    const reply = await service.ask("GET", "/api/v1/offers", cookie(token))
    isError(reply, 401, "UNAUTHENTICATED")
    assert.match(textAt(reply.body, "error.message"), /Sign in again/)
    assert.strictEqual((await service.ask("GET", "/api/v1/offers", cookie(other))).status, 200)
  })
})

describe("the cookie", () => {
  const cookieOf = async (options: Parameters<typeof openPage>[0], url: string, headers: Headers = {}) => {
    const opened = await openPage({ rateLimit: 0, ...options })
    const { text } = await organizationIn(opened, "Acme")
    const { fetch } = await opened.runtime.runPromise(HttpHandlers)
    const init = { method: "POST", headers: { authorization: `Bearer ${text}`, ...headers } }
    const reply = await readReply(await fetch(new Request(url, init)))
    assert.strictEqual(reply.status, 204, reply.text)
    await opened.close()
    return (reply.headers.get("set-cookie") ?? "").split("; ").slice(1).join("; ")
  }
  const rest = "Max-Age=604800; HttpOnly; SameSite=Strict"

  it.each([
    [
      "a public URL over TLS",
      { publicUrl: () => "https://x.example/out" },
      "http://host/review/session",
      {},
      "/out",
      true
    ],
    ["a mount", { http: { mount: "/outreach" } }, "http://host/outreach/review/session", {}, "/outreach", false],
    ["TLS", {}, "https://host/review/session", {}, "/", true],
    ["a proxy with TLS", {}, "http://host/review/session", { "x-forwarded-proto": "https, http" }, "/", true],
    ["a proxy without", {}, "http://host/review/session", { "x-forwarded-proto": "http" }, "/", false]
  ] as const)("behind %s", async (_, options, url, headers, cookiePath, isSecure) => {
    assert.strictEqual(
      await cookieOf(options, url, headers),
      `Path=${cookiePath}; ${rest}${isSecure ? "; Secure" : ""}`
    )
  })
})

describe("below a path that a framework takes off, as Express does", () => {
  it("people sign in, and the cookie is for that path", async () => {
    const opened = await openPage({ rateLimit: 0 })
    const { text } = await organizationIn(opened, "Acme")
    const { node } = await opened.runtime.runPromise(HttpHandlers)
    const mounted = (request: IncomingMessage, response: ServerResponse) => {
      const originalUrl = request.url ?? ""
      node(Object.assign(request, { originalUrl, url: originalUrl.slice("/outreach".length) }), response)
    }
    await listening({ node: mounted }, async (origin) => {
      const ask = async (method: string, asked: RequestInit = {}) =>
        readReply(await fetch(`${origin}/outreach${path}`, { method, ...asked }))
      const signedIn = await ask("POST", {
        headers: { origin, "svc-session": "1", "content-type": "application/json" },
        body: JSON.stringify({ api_key: text })
      })
      assert.strictEqual(signedIn.status, 204, signedIn.text)
      assert.include(signedIn.headers.get("set-cookie") ?? "", "; Path=/outreach; ")
      const headers = { cookie: `svc_session=${tokenOf(signedIn)}` }
      assert.strictEqual((await ask("GET", { headers })).status, 200)
      isError(await ask("DELETE", { headers: { ...headers, "svc-session": "1" } }), 403, "FORBIDDEN_HOST")
      assert.strictEqual((await ask("DELETE", { headers: { ...headers, origin, "svc-session": "1" } })).status, 204)
    })
    await opened.close()
  })
})

describe("the name of the cookie", () => {
  const secure = { "x-forwarded-proto": "https" }

  it.each<readonly [name: string, options: Parameters<typeof openPage>[0], headers: Headers, at: string]>([
    ["svc_session", {}, {}, "/"],
    ["svc_session", { publicUrl: () => "http://127.0.0.1:4700" }, {}, "/"],
    ["svc_session", { publicUrl: () => "http://127.0.0.1:4700/in/a/host" }, {}, "/in/a/host"],
    ["svc_session", { http: { mount: "/outreach" } }, {}, "/outreach"],
    ["__Host-svc_session", {}, secure, "/"],
    ["__Host-svc_session", { publicUrl: () => "https://svc.test" }, {}, "/"],
    ["__Host-svc_session", { publicUrl: () => "http://svc.test" }, secure, "/"],
    ["__Secure-svc_session", { publicUrl: () => "https://svc.test/in/a/host" }, {}, "/in/a/host"],
    ["__Secure-svc_session", { http: { mount: "/outreach" } }, secure, "/outreach"]
  ])("is %s with %o and %o: no other one is read", async (name, options, headers, at) => {
    const opened = await openPage({ rateLimit: 0, ...options })
    const { text } = await organizationIn(opened, "Acme")
    const target = `${options?.http?.mount ?? ""}${path}`
    const signedIn = await opened.ask("POST", target, { json: { api_key: text }, headers })
    const [set = "", ...attributes] = (signedIn.headers.get("set-cookie") ?? "").split("; ")
    const [setName, token] = set.split("=")
    assert.strictEqual(setName, name)
    assert.include(attributes, `Path=${at}`)
    assert.strictEqual(attributes.includes("Secure"), name.startsWith("__"))
    assert.isFalse(
      attributes.some((attribute) => attribute.startsWith("Domain")),
      "__Host- has none"
    )
    for (const other of ["svc_session", "__Host-svc_session", "__Secure-svc_session"]) {
      const { status } = await opened.ask("GET", target, { headers: { ...headers, cookie: `${other}=${token}` } })
      assert.strictEqual(status, other === name ? 200 : 401, other)
    }
    const out = await opened.ask("DELETE", target, { headers: { ...headers, ...fromPage, cookie: `${name}=${token}` } })
    assert.match(out.headers.get("set-cookie") ?? "", new RegExp(`^${name}=; .*Max-Age=0`))
    await opened.close()
  })
})

describe("limits", () => {
  stopClock()

  it("hold for wrong credentials by address, and for sessions by key", async () => {
    const limited = await openPage({ rateLimit: 300 })
    const { organization, text } = await organizationIn(limited, "Acme")
    const statuses = async (count: number, ask: () => Promise<Reply>) => {
      const seen: Array<number> = []
      for (let n = 0; n < count; n++) seen.push((await ask()).status)
      return seen
    }
    const starts = await statuses(11, () => limited.ask("POST", path, { json: { api_key: text } }))
    assert.deepStrictEqual(starts, [...Array(10).fill(204), 429])
    const other = await keyIn(limited, organization.id)
    assert.strictEqual((await limited.ask("POST", path, { json: { api_key: other.text } })).status, 204)
    const wrongs = [
      () => limited.ask("POST", path, { json: { link: "x" } }),
      () => limited.ask("POST", path, { json: { api_key: "x" } }),
      () => limited.ask("GET", path, cookie("x")),
      () => limited.ask("GET", "/api/v1/me", cookie("x"))
    ]
    for (const wrong of wrongs) assert.notInclude(await statuses(3, wrong), 429)
    for (const wrong of wrongs) assert.include(await statuses(3, wrong), 429)
    await limited.close()
  })
})

describe("a host", () => {
  const known = ({ headers }: { headers: Readonly<Record<string, string | undefined>> }) =>
    headers["x-user"] === undefined ? undefined : { userId: headers["x-user"] }

  it("that authenticates its users itself decides alone: nobody signs in here", async () => {
    let id = ""
    const host = await openPage({ isHost: true, rateLimit: 0, caller: callerLayer([known], () => id, []) })
    const { organization, text } = await organizationIn(host, "Acme")
    id = organization.id
    for (const asked of [{ key: text }, { json: { api_key: text } }]) {
      const reply = await host.ask("POST", path, asked)
      isError(reply, 401, "UNAUTHENTICATED")
      assert.strictEqual(at(reply.body, "error.message"), "Sign in to the host.")
      assert.isNull(reply.headers.get("set-cookie"))
    }
    const nobody = await host.ask("GET", path)
    isError(nobody, 401, "UNAUTHENTICATED")
    assert.strictEqual(at(nobody.body, "error.message"), "Sign in to the host.")
    assert.strictEqual(nobody.headers.get("svc-sign-in"), "host")
    const user = await host.ask("GET", path, { headers: { "x-user": "lea" } })
    assert.deepInclude(user.body, { organization: "Acme", name: "lea", expires_at: null })
    await host.close()
  })

  it("that takes keys as well has sessions, and one that has ended does not lock its users out", async () => {
    let id = ""
    const host = await openPage({ isHost: true, rateLimit: 0, caller: callerLayer(["keys", known], () => id, scopes) })
    const { organization, text } = await organizationIn(host, "Acme")
    id = organization.id
    const token = await signIn(host, { api_key: text })
    const me = async (headers: Headers) =>
      at((await host.ask("GET", "/api/v1/me", cookie(token, headers))).body, "data.user_id")
    const other = await signIn(host, { api_key: text })
    const person = await host.ask("GET", "/api/v1/me", cookie(other, { "x-user": "lea" }))
    assert.match(textAt(person.body, "data.user_id"), /^usr_/)
    await host.ask("DELETE", path, cookie(token, fromPage))
    assert.strictEqual(await me({ "x-user": "lea" }), "lea")
    const made = { ...cookie(token, { "x-user": "lea" }), json: smallOffer }
    assert.strictEqual((await host.ask("POST", "/api/v1/offers", made)).status, 201)
    const nobody = await host.ask("GET", path)
    assert.strictEqual(nobody.headers.get("svc-sign-in"), "key")
    await host.close()
  })
})

describe("tokens and codes", () => {
  it("are in no log, trace or error", async () => {
    const seen: Array<string> = []
    const logger = Logger.make(({ cause, fiber, message }) => {
      seen.push(JSON.stringify([message, String(cause), fiber.getRef(References.CurrentLogAnnotations)]))
    })
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        const attribute = span.attribute.bind(span)
        span.attribute = (name, value) => {
          seen.push(`${name}=${String(value)}`)
          attribute(name, value)
        }
        seen.push(JSON.stringify([options.name, Object.fromEntries(span.attributes)]))
        return span
      }
    })
    const beside = Layer.mergeAll(
      Logger.layer([logger]),
      Layer.succeed(References.MinimumLogLevel, "Trace"),
      Layer.succeed(Tracer.Tracer, tracer)
    )
    const opened = await openPage({ rateLimit: 0 }, beside)
    const { key: first, text } = await organizationIn(opened, "Acme")
    const link = await linkIn(opened, first.keyId)
    const token = await signIn(opened, { link })
    const replies = [
      await opened.ask("GET", path, cookie(token)),
      await opened.ask("GET", "/api/v1/none", cookie(token)),
      await opened.ask("POST", "/api/v1/offers", { ...cookie(token), json: {} }),
      await opened.ask("POST", path, { json: { link } }),
      await opened.ask("POST", path, { json: { link, api_key: text } }),
      await opened.ask("POST", path, { body: `{"link":"${link}"` }),
      await opened.ask("DELETE", path, cookie(token, fromPage)),
      await opened.ask("GET", path, cookie(token))
    ]
    await opened.close()
    assert.isAbove(seen.length, 20)
    assert.include(seen.join("\n"), path)
    for (const secret of [link, token, text]) {
      const [, , , part = "?"] = secret.split("_")
      assert.notInclude(seen.join("\n"), part)
      for (const reply of replies) assert.notInclude(reply.text, part)
    }
  })
})
