/** What comes by mail without a key: signed mails of a host's own webhook, and links for unsubscribing. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EmailGateway, type OutgoingEmail } from "#core/email/EmailGateway.ts"
import { at, isError, openService, type Service, textAt } from "../support/httpService.ts"
import { randomOf } from "../support/random.ts"
import { mailText, signedHeaders } from "../support/signedMail.ts"

const left: Array<OutgoingEmail> = []

const email = Layer.succeed(EmailGateway, {
  send: (mail) =>
    Effect.sync(() => {
      left.push(mail)
      return { _tag: "Confirmed", messageId: mail.messageId } as const
    })
})

const open = (options: Parameters<typeof openService<never>>[0] = {}) =>
  openService({
    email,
    env: false,
    publicUrl: "https://svc.test",
    settings: { sendHoldSeconds: 0, linkedinPacing: "off" },
    ...options
  })

/** Runs a command that must succeed, with a key of its organization. */
const runner =
  ({ ask }: Pick<Service, "ask">, key?: string) =>
  async (command: string, json: object = {}) => {
    const reply = await ask("POST", `/api/v1/commands/${command}`, { json, ...(key === undefined ? {} : { key }) })
    assert.strictEqual(reply.status, 200, `${command}: ${reply.text}`)
    return at(reply.body, "data")
  }

/** An e-mail to a new lead that has left; its way to unsubscribe. */
const written = async (service: Service, name: string) => {
  const run = runner(service)
  const { lead_id } = Object(await run("lead.upsert", { email: `${name}@example.com`, name }))
  await run("email.send", { lead_id, mission_id: "letters", subject: `Hello ${name}`, body_text: name })
  await service.svc.work()
  const sent = left.at(-1)
  return { leadId: String(lead_id), token: sent?.unsubscribe?.url?.split("/").at(-1) ?? "", sent }
}

const setUp = async (service: Service) => {
  const run = runner(service)
  const account = { provider: "IMAP", email: "ada@sender.example" }
  await run("agent.create", { first_name: "Ada", last_name: "Martin", handle: "ada", email_accounts: [account] })
  await run("mission.create", { name: "Letters", agent_handle: "ada", email_review_strategy: "AUTO" })
}

let service: Service
beforeAll(async () => {
  service = await open()
  await setUp(service)
})
afterAll(() => service.svc.close())

const statusOf = async (lead_id: string) => textAt(await runner(service)("lead.get", { lead_id }), "lead.status")

describe("unsubscribing", () => {
  it("by GET shows a page that asks, and changes nothing", async () => {
    const { leadId, sent, token } = await written(service, "getter")
    assert.strictEqual(sent?.unsubscribe?.url, `https://svc.test/unsubscribe/${token}`)
    const page = await service.ask("GET", `/unsubscribe/${token}`, { key: null })
    assert.strictEqual(page.status, 200)
    assert.include(page.text, '<form method="post">')
    assert.notInclude(page.text, token)
    assert.match(
      page.headers.get("content-security-policy") ?? "",
      /^default-src 'none'; style-src 'sha256-[^']+'; form-/
    )
    assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
    assert.strictEqual(page.headers.get("cache-control"), "no-store")
    assert.strictEqual((await service.ask("HEAD", `/unsubscribe/${token}`, { key: null })).text, "")
    assert.strictEqual(await statusOf(leadId), "Contacted")
  })

  it.each([
    ["a form", ""],
    ["one click", "List-Unsubscribe=One-Click"]
  ])("by POST of %s needs no session, and may come twice", async (name, body) => {
    const { leadId, token } = await written(service, name.replace(" ", "-"))
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: "https://elsewhere.example" }
    for (const _ of [1, 2]) {
      const page = await service.ask("POST", `/unsubscribe/${token}`, { key: null, body, headers })
      assert.strictEqual(page.status, 200, page.text)
      assert.include(page.text, "Done.")
      assert.notInclude(page.text, "<form")
    }
    assert.strictEqual(await statusOf(leadId), "DoNotContact")
  })

  it("with an unknown token is told so on a page", async () => {
    for (const token of ["x", "A".repeat(43), "A".repeat(2_000), "%00", "<script>"]) {
      const page = await service.ask("POST", `/unsubscribe/${encodeURIComponent(token)}`, { key: null })
      assert.strictEqual(page.status, 404, token.slice(0, 50))
      assert.include(page.headers.get("content-type") ?? "", "text/html")
      assert.notInclude(page.text, "<script>")
    }
  })

  it("lies below a host's mount", async () => {
    const mounted = await open({ publicUrl: "https://host.example/outreach", http: { mount: "/outreach" } })
    const ask: Service["ask"] = (method, path, asked) => mounted.ask(method, `/outreach${path}`, asked)
    const below = { ...mounted, ask }
    await setUp(below)
    const { sent, token } = await written(below, "mounted")
    assert.strictEqual(sent?.unsubscribe?.url, `https://host.example/outreach/unsubscribe/${token}`)
    assert.strictEqual((await ask("GET", `/unsubscribe/${token}`)).status, 200)
    assert.include((await ask("POST", `/unsubscribe/${token}`)).text, "Done.")
    const { organization_id, secret, url } = Object(await runner(below)("email.inbound.get"))
    assert.strictEqual(url, "https://host.example/outreach/api/v1/email/inbound")
    const body = mailText("mounted@example.com", "ada@sender.example", "Re: Hello mounted", "Yes")
    const headers = signedHeaders(organization_id, secret, body)
    assert.deepStrictEqual((await ask("POST", "/api/v1/email/inbound", { body, headers })).body, {
      data: { received: "reply" }
    })
    await mounted.svc.close()
  })

  it("is offered by mail alone without HTTPS", async () => {
    const plain = await open({ publicUrl: "http://svc.test" })
    await setUp(plain)
    const { sent } = await written(plain, "plain")
    assert.strictEqual(sent?.unsubscribe?.url, null)
    assert.match(sent?.unsubscribe?.mailto ?? "", /^mailto:ada@sender\.example\?subject=unsubscribe%20[\w-]{43}$/)
    await plain.svc.close()
  })

  it("stays where an admin port takes health away", async () => {
    const besides = await open({ http: { health: false } })
    assert.strictEqual((await besides.ask("GET", "/healthz", { key: null })).status, 404)
    assert.strictEqual((await besides.ask("GET", "/unsubscribe/x", { key: null })).status, 200)
    isError(await besides.ask("POST", "/api/v1/email/inbound", { key: null }), 400, "INVALID_INPUT")
    await besides.svc.close()
  })
})

const path = "/api/v1/email/inbound"

describe("a mail that is posted", () => {
  const secretOf = async (key?: string) => Object(await runner(service, key)("email.inbound.get")).secret as string
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>) =>
    service.ask("POST", path, { key: null, body, headers })
  const signed = async (body: string | Uint8Array<ArrayBuffer>, seconds?: number) =>
    post(body, signedHeaders(service.organizationId, await secretOf(), body, seconds))

  it("is a reply of the lead that wrote it, once", async () => {
    const { leadId } = await written(service, "replier")
    const body = mailText("replier@example.com", "ada@sender.example", "Re: Hello replier", "Tell me more")
    assert.deepStrictEqual((await signed(body)).body, { data: { received: "reply" } })
    assert.deepStrictEqual((await signed(body)).body, { data: { received: "known" } })
    const conversation = await runner(service)("email.conversation.get", { lead_id: leadId })
    // The dates of mails are whole seconds.
    assert.sameDeepMembers(
      Object(conversation).messages.map((one: unknown) => [at(one, "direction"), at(one, "content")]),
      [
        ["inbound", "Tell me more"],
        ["outbound", "replier"]
      ]
    )
  })

  it("is refused with a wrong, old, early or missing signature, or another organization's", async () => {
    const body = mailText("forger@example.com", "ada@sender.example", "Re: Hello", "Yes")
    const { apiKey, organizationId } = await service.svc.createOrganization("Others")
    const own = await secretOf()
    const right = signedHeaders(service.organizationId, own, body)
    const now = Math.floor(Date.now() / 1_000)
    const refused = [
      { ...right, "webhook-signature": "v1,AAAA" },
      { ...right, "webhook-signature": "" },
      { ...right, "webhook-id": "msg_2" },
      { ...right, "webhook-timestamp": String(now - 1) },
      { ...right, "webhook-timestamp": "soon" },
      signedHeaders(service.organizationId, own, body, now - 301),
      signedHeaders(service.organizationId, own, body, now + 301),
      signedHeaders(service.organizationId, await secretOf(apiKey), body),
      { ...right, "svc-organization": organizationId },
      { ...right, "svc-organization": "org_unknown" },
      { "content-type": "message/rfc822", "svc-organization": service.organizationId }
    ]
    for (const headers of refused) isError(await post(body, headers), 401, "UNAUTHENTICATED")
    isError(await post(body.replace("Yes", "No"), right), 401, "UNAUTHENTICATED")
    isError(await post(body, { "content-type": "message/rfc822" }), 400, "INVALID_INPUT")
    assert.strictEqual(
      (await post(body, { ...right, "webhook-signature": `v1,old ${right["webhook-signature"]}` })).status,
      200
    )
  })

  it("of another organization's lead is nobody's here", async () => {
    const { apiKey, organizationId } = await service.svc.createOrganization("Tenant")
    await written(service, "ours")
    const body = mailText("ours@example.com", "ada@sender.example", "Re: Hello ours", "Yes")
    const reply = await post(body, signedHeaders(organizationId, await secretOf(apiKey), body))
    assert.deepStrictEqual(reply.body, { data: { received: "unrelated" } })
    assert.deepStrictEqual((await signed(body)).body, { data: { received: "reply" } })
  })

  it("may have any bytes, at most 1 MiB of them", async () => {
    const head = Buffer.from(
      mailText("bytes@example.com", "ada@sender.example", "Caf\u00e9", "\u00e9t\u00e9"),
      "latin1"
    )
    assert.deepStrictEqual((await signed(Uint8Array.from(head))).body, { data: { received: "unrelated" } })
    isError(await signed("x".repeat(1_048_577)), 413, "PAYLOAD_TOO_LARGE")
    const { "content-type": _, ...rest } = signedHeaders(service.organizationId, await secretOf(), "{}")
    isError(await post("{}", { ...rest, "content-type": "application/json" }), 415, "UNSUPPORTED_MEDIA_TYPE")
  })

  it("that is broken is taken in or refused, but never breaks the service", async () => {
    const whole = mailText("broken@example.com", "ada@sender.example", "Re: Hello", "Yes", [
      'Content-Type: multipart/mixed; boundary="b"'
    ])
    const pieces = [
      "--b",
      "--b--",
      "\r\n\r\n",
      "Content-Type: ",
      "=?utf-8?Q?=ZZ?=",
      "\u0000",
      "base64,",
      "<<>>",
      ";",
      "\t",
      "A".repeat(3_000)
    ]
    const secret = await secretOf()
    const statuses = new Set<number>()
    const { next, pick } = randomOf(5321)
    for (let count = 0; count < 150; count++) {
      const body = whole.slice(0, next(whole.length)) + pick(pieces) + whole.slice(next(whole.length))
      statuses.add((await post(body, signedHeaders(service.organizationId, secret, body))).status)
    }
    for (const body of ["", "\r\n", ":", "From: ".repeat(5_000), `Subject: ${"=?x?B?".repeat(2_000)}`]) {
      statuses.add((await signed(body)).status)
    }
    assert.includeMembers([200, 400], [...statuses])
  })

  it("is in the OpenAPI document, with its headers", async () => {
    const document = (await service.ask("GET", "/api/v1/openapi.json", { key: null })).body
    const { parameters, requestBody, security } = Object(document).paths[path].post
    assert.deepStrictEqual(security, [])
    assert.deepStrictEqual(
      parameters.map((one: unknown) => [at(one, "name"), at(one, "in"), at(one, "required")]),
      ["Svc-Organization", "Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"].map((name) => [name, "header", true])
    )
    assert.hasAllKeys(requestBody.content, ["message/rfc822"])
  })
})
