/** Clients whose id is the URL of a document about them. */
import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { textAt } from "../support/httpService.ts"
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
let origin = ""
const requests: Array<string> = []
const documents = new Map<string, { readonly body: string; readonly cacheControl?: string }>()
const server = createServer(({ url = "" }, response) => {
  requests.push(url)
  const found = documents.get(url)
  response.writeHead(found === undefined ? 404 : 200, {
    "content-type": "application/json",
    ...(found?.cacheControl === undefined ? {} : { "cache-control": found.cacheControl })
  })
  response.end(found?.body)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${Object(server.address()).port}`
  service = await openOAuth({ loopbackTargets: true })
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await service.close()
})

/** Publishes a document under a path; the client's id. */
const publish = (path: string, changes: Readonly<Record<string, unknown>> = {}, cacheControl?: string): string => {
  const client_id = origin + path
  const whole = { client_id, client_name: "Published agent", redirect_uris: [redirectUri], ...changes }
  documents.set(path, { body: JSON.stringify(whole), ...(cacheControl === undefined ? {} : { cacheControl }) })
  return client_id
}

const open = (id: string, headers: Readonly<Record<string, string>> = {}) =>
  service.ask("GET", service.authorizePath(id, pkce().challenge), { headers })

describe("a client-id metadata document", () => {
  it("names its client, which signs in like one that registered, with the host that published it", async () => {
    const client_id = publish("/client.json")
    const { challenge, verifier } = pkce()
    const path = service.authorizePath(client_id, challenge)
    const cookie = await service.signIn(service.apiKey)
    const page = await service.ask("GET", path, { headers: { cookie } })
    assert.include(page.text, "Allow Published agent to act for you?")
    assert.include(page.text, `<dt>Published by</dt><dd>${origin.slice(7)}</dd>`)
    const reply = await service.decide(path, cookie)
    const code = new URL(reply.headers.get("location") ?? "").searchParams.get("code") ?? ""
    const issued = await service.exchange({ client_id, code, code_verifier: verifier })
    assert.strictEqual((await service.call(textAt(issued.body, "access_token"), "lead_search")).status, 200)
    assert.isTrue((await service.keys(service.apiKey)).some(({ name }) => name === "Published agent"))
  })

  it("is read once for as long as it may be kept, and again where its server says so", async () => {
    const kept = publish("/kept.json")
    const changing = publish("/changing.json", {}, "no-store")
    for (let times = 0; times < 3; times++) {
      assert.strictEqual((await open(kept)).status, 200)
      assert.strictEqual((await open(changing)).status, 200)
    }
    assert.lengthOf(
      requests.filter((url) => url === "/kept.json"),
      1
    )
    assert.lengthOf(
      requests.filter((url) => url === "/changing.json"),
      3
    )
  })

  it("is refused where it says another id, or is not what it must be", async () => {
    documents.set("/no-json", { body: "<html>" })
    documents.set("/twice", { body: `{"client_id":"${origin}/twice","client_id":"${origin}/twice"}` })
    const ids = [
      publish("/other.json", { client_id: `${origin}/else.json` }),
      publish("/slash.json", { client_id: `${origin}/slash.json/` }),
      publish("/nameless.json", { client_name: undefined }),
      publish("/secret.json", { token_endpoint_auth_method: "client_secret_basic" }),
      publish("/uris.json", { redirect_uris: ["javascript:alert(1)"] }),
      publish("/none.json", { redirect_uris: [] }),
      `${origin}/missing.json`,
      `${origin}/no-json`,
      `${origin}/twice`
    ]
    for (const id of ids) {
      const page = await open(id)
      assert.strictEqual(page.status, 400, id)
      assert.include(page.text, "metadata", id)
      assert.notInclude(page.text, "href")
    }
  })

  it("is not looked for under an id that is no plain URL of a document", async () => {
    publish("/plain.json")
    const before = requests.length
    for (const id of [
      `${origin}/`,
      origin,
      `${origin}/plain.json#x`,
      `${origin}/a/../plain.json`,
      `${origin.replace("//", "//user@")}/plain.json`,
      `${origin.toUpperCase()}/plain.json`,
      "http://client.example/plain.json",
      "ftp://client.example/plain.json",
      `${origin}/${"x".repeat(500)}`
    ]) {
      assert.strictEqual((await open(id)).status, 400, id)
    }
    assert.strictEqual(requests.length, before)
  })

  it("SSRF: leads nowhere private, where an operator does not allow it, and says nothing of networks", async () => {
    const strict = await openOAuth()
    const before = requests.length
    for (const host of [
      origin,
      "https://127.0.0.1",
      "https://[::1]",
      "https://169.254.169.254",
      "https://localhost",
      "https://10.0.0.1"
    ]) {
      const page = await strict.ask("GET", strict.authorizePath(`${host}/plain.json`, pkce().challenge))
      assert.strictEqual(page.status, 400)
      assert.notMatch(page.text, /private|SVC_ALLOW/)
    }
    assert.strictEqual(requests.length, before)
    await strict.close()
  })

  it("that changed after it was shown is not what the person decided about", async () => {
    const client_id = publish("/changed.json", {}, "no-store")
    const cookie = await service.signIn(service.apiKey)
    const path = service.authorizePath(client_id, pkce().challenge)
    const page = await service.ask("GET", path, { headers: { cookie } })
    const form = { ticket: fieldOf(page.text, "ticket"), action: "allow", scope: "leads:read" }
    publish("/changed.json", { client_name: "Somebody else" }, "no-store")
    const reply = await service.postForm(path, form, { cookie, ...sameOrigin })
    assert.strictEqual(reply.status, 200)
    assert.include(reply.text, "Somebody else")
    publish("/changed.json", { redirect_uris: ["https://evil.example/"] }, "no-store")
    assert.strictEqual((await service.postForm(path, form, { cookie, ...sameOrigin })).status, 400)
  })

  it("is announced in the metadata", async () => {
    const { body } = await service.ask("GET", "/.well-known/oauth-authorization-server")
    assert.isTrue(Object(body).client_id_metadata_document_supported)
    assert.strictEqual(Object(body).issuer, issuer)
  })
})
