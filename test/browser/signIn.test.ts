/** How people come to the review page in a browser, and how a session ends there. */

import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import express from "express"
import type { Browser } from "playwright-core"
import { scopes } from "#core/kernel/command/Permission.ts"
import { createSvc } from "#embed/createSvc.ts"
import { hasChromium, startBrowser } from "../support/chromium.ts"
import { organizationWith, signedIn, startService, until } from "./reviewing.ts"

let browser: Browser
let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  ;[browser, service] = await Promise.all([startBrowser(), startService()])
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

describe.skipIf(!hasChromium())("signing in to the review page", { concurrent: true }, () => {
  it("refuses a wrong key in words, and keeps the key out of URL, storage and cookies that scripts see", async () => {
    const { key } = await organizationWith(service, "Keys", 1)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${service.url()}/review`)
    await page.getByLabel("API key").fill(`${key}x`)
    await page.getByRole("button", { name: "Sign in" }).click()
    assert.match((await page.getByRole("alert").textContent()) ?? "", /key/i)
    await page.getByLabel("API key").fill(key)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForSelector("[data-text]")
    const kept = await page.evaluate(
      "location.href + document.cookie + JSON.stringify({...localStorage, ...sessionStorage})"
    )
    assert.notInclude(String(kept), key)
    assert.notInclude(String(kept), "svc_session")
    const [cookie] = await context.cookies()
    assert.include(cookie, { name: "svc_session", httpOnly: true, sameSite: "Strict", path: "/in/a/host" })
    await context.close()
  })

  it("works with a link once, and the code is gone from the URL and from history", async () => {
    const { run } = await organizationWith(service, "Links", 1)
    const { path } = await run("session.link.create", {})
    const link = new URL(service.url()).origin + String(path).replace(/^(?!\/in\/a\/host)/, "/in/a/host")
    const requests: Array<string> = []
    service.intercept(({ url = "" }) => {
      requests.push(url)
      return false
    })
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(link)
    await page.waitForSelector("[data-text]")
    assert.notInclude(page.url(), "link")
    assert.include(requests, "/in/a/host/review")
    assert.isFalse(requests.some((url) => url.includes(link.split("#link=")[1] ?? "?")))
    await context.close()
    const second = await browser.newContext()
    const again = await second.newPage()
    await again.goto(link)
    assert.isNotEmpty(await again.getByRole("alert").textContent())
    assert.isTrue(await again.getByLabel("API key").isVisible())
    await second.close()
  })

  it("ends with signing out: another page of the browser is signed out too", async () => {
    const { key } = await organizationWith(service, "Out", 1)
    const { context, page } = await signedIn(browser, service, key)
    await page.waitForSelector("[data-text]")
    await page.keyboard.press("Control+k")
    await page.getByLabel("Find a command").fill("sign out")
    await page.keyboard.press("Enter")
    await page.getByLabel("API key").waitFor()
    const other = await context.newPage()
    await other.goto(`${service.url()}/review`)
    await other.getByLabel("API key").waitFor()
    assert.deepStrictEqual(await context.cookies(), [])
    await context.close()
  })

  it("keeps a decision that reached the service after the session was revoked, and sends it as the same person only", async () => {
    const { ids, key, run } = await organizationWith(service, "Revoked", 2)
    const { context, page } = await signedIn(browser, service, key)
    await page.waitForSelector("[data-text]")
    await page.waitForTimeout(400)
    const [cookie] = await context.cookies()
    // Once revoked, whatever the page asks next signs it out: the decision is made before and arrives after.
    await page.route(/linkedin\.draft\.approve/, async (route) => {
      await run("key.revoke", { key_id: cookie?.value.split("_")[2] })
      // A key is cached for a moment.
      while ((await context.request.get(`${service.url()}/review/session`)).status() !== 401);
      await route.continue()
    })
    await page.keyboard.press("a")
    await page.getByLabel("API key").waitFor()
    // The page may ask something else first and be signed out before the answer to the decision comes.
    await page.getByText("1 decision is kept in this browser").waitFor()
    await page.unrouteAll({ behavior: "wait" })
    const { drafts } = await run("linkedin.draft.list", { status: ["READY_TO_SEND"] })
    assert.deepStrictEqual(drafts, [])
    await page.getByLabel("API key").fill(key)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForSelector("[data-text]")
    await until(page, `!document.querySelector(".unsent")`)
    const sent = await run("linkedin.draft.list", { status: ["READY_TO_SEND"] })
    assert.deepStrictEqual(
      (sent["drafts"] as ReadonlyArray<{ draft_id: string }>).map(({ draft_id }) => draft_id),
      ids.slice(0, 1)
    )
    await context.close()
  })
})

describe.skipIf(!hasChromium())("the review page in a host", () => {
  it("below a path of Express is whoever the host says, and offers no form to others", async () => {
    const svc = await createSvc({
      databaseUrl: "memory:",
      gateway: "simulator",
      worker: false,
      sample: true,
      rateLimit: 0,
      http: { mount: "/outreach" },
      defaultScopes: scopes,
      callerOf: ({ headers }) => (String(headers["cookie"]).includes("host=lea") ? { userId: "lea" } : undefined)
    })
    const server: Server = createServer(express().use((request, response, next) => svc.node(request, response, next)))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${origin}/outreach/review`)
    await until(page, `document.querySelector("main")?.textContent.includes("Sign in to the application")`)
    assert.strictEqual(await page.getByLabel("API key").count(), 0)
    await context.addCookies([{ name: "host", value: "lea", url: origin }])
    await page.reload()
    await page.waitForSelector("[data-text]")
    await until(page, `location.pathname.startsWith("/outreach/review/d/")`)
    await page.reload()
    await page.waitForSelector("[data-text]")
    await context.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await svc.close()
  })
})
