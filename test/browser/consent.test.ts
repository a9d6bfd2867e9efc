/** A person connects an AI agent in a real browser: sign in, consent, and the way back to the client. */
import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { hasChromium, startBrowser } from "../support/chromium.ts"
import { formText, pkce } from "../support/oauthService.ts"
import { organizationWith, startService } from "./reviewing.ts"

let browser: Browser
let service: Awaited<ReturnType<typeof startService>>
let clientPort = 0
/** The client: what comes back, and a page on another site that leads to the service. */
const client = createServer(({ url = "" }, response) => {
  const to = new URL(url, "http://client").searchParams.get("to")
  response.setHeader("content-type", "text/html")
  response.end(to === null ? "<h1>Back at the client</h1>" : `<a href="${to.replaceAll("&", "&amp;")}">Connect</a>`)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => client.listen(0, "127.0.0.1", resolve))
  clientPort = Object(client.address()).port
  ;[browser, service] = await Promise.all([startBrowser(), startService()])
})
afterAll(async () => {
  client.closeAllConnections()
  client.close()
  await browser?.close()
  await service?.close()
})

/** Registers the client; the URL that it opens, and what it needs then. */
const asked = async (redirectUri: string) => {
  const registered = await fetch(`${service.url()}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Browser agent", redirect_uris: [redirectUri] })
  })
  const { client_id } = Object(await registered.json())
  const { challenge, verifier } = pkce()
  const query = formText({
    response_type: "code",
    client_id,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "s"
  })
  return { url: `${service.url()}/oauth/authorize?${query}`, client_id, verifier }
}

describe.skipIf(!hasChromium())("connecting an AI agent", () => {
  it("signs in on the page, allows, and gets back to the client, with no error of the page's policy", async () => {
    const { key } = await organizationWith(service, "Consent", 1)
    const redirectUri = `http://127.0.0.1:${clientPort}/callback`
    const { client_id, url, verifier } = await asked(redirectUri)
    const context = await browser.newContext()
    const page = await context.newPage()
    const complaints: Array<string> = []
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())))
    await page.goto(url)
    await page.getByLabel("API key").fill(key)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { name: "Allow Browser agent to act for you?" }).waitFor()
    assert.isTrue(await page.getByLabel("Read offers").isChecked())
    await page.getByLabel("Read offers").uncheck()
    await page.getByRole("button", { name: "Allow" }).click()
    await page.getByRole("heading", { name: "Back at the client" }).waitFor()
    const back = new URL(page.url()).searchParams
    assert.strictEqual(back.get("iss"), service.url())
    const code = back.get("code") ?? ""
    const issued = await fetch(`${service.url()}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id,
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier
      })
    })
    const { scope } = Object(await issued.json())
    assert.include(scope, "leads:read")
    assert.notInclude(scope, "offers:read")
    assert.deepStrictEqual(
      complaints.filter((text) => !/favicon/.test(text)),
      []
    )

    // From another site, the browser sends no cookie at first; the page still knows who is signed in.
    const second = await asked(redirectUri)
    await page.goto(`http://localhost:${clientPort}/?to=${encodeURIComponent(second.url)}`)
    await page.getByRole("link", { name: "Connect" }).click()
    await page.getByRole("button", { name: "Deny" }).click()
    await page.getByRole("heading", { name: "Back at the client" }).waitFor()
    assert.strictEqual(new URL(page.url()).searchParams.get("error"), "access_denied")
    await context.close()
  })
})
