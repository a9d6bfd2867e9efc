/** Settings as somebody without a terminal uses them: keys, sessions, accounts, policies, exclusions and webhooks. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser, Page } from "playwright-core"
import { hasChromium, startBrowser } from "../support/chromium.ts"
import { violations } from "./axe.ts"
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

/** Nothing found by axe, and nothing wider than the screen. */
const isClean = async (page: Page, name: string): Promise<void> => {
  assert.deepStrictEqual(await violations(page), [], name)
  assert.isTrue(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name)
}

const sections = ["keys", "sessions", "sending", "mailboxes", "policies", "fields", "exclusions", "webhooks", "browser"]

const open = async (page: Page, section: string): Promise<void> => {
  await page.goto(`${service.url()}/settings/${section}`)
  await page.waitForSelector(".draft-head")
  await until(page, `!document.querySelector(".skeleton")`)
}

const says = (page: Page, text: string) =>
  until(page, `document.querySelector(".status").textContent.includes(${JSON.stringify(text)})`)

const send = (page: Page) => page.click("dialog button[type=submit]")

/** The buttons of an entry. */
const press = (page: Page, entry: string, button: string) =>
  page.locator(".entry", { hasText: entry }).locator(`button:text-is("${button}")`).click()

const secretOf = async (page: Page): Promise<string> => {
  await page.waitForSelector("input[readonly]")
  const secret = await page.inputValue("input[readonly]")
  const kept = await page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)")
  assert.notInclude(String(kept), secret)
  assert.notInclude(page.url(), secret)
  return secret
}

describe.skipIf(!hasChromium())("settings", { concurrent: true }, () => {
  for (const [scheme, width] of [
    ["light", 1440],
    ["dark", 768],
    ["light", 320]
  ] as const) {
    it(`shows each section at its own URL, ${scheme} and ${width} px wide, without a violation of axe`, async () => {
      const { key } = await organizationWith(service, `Sections${width}`, 0)
      const options = { viewport: { width, height: 700 }, colorScheme: scheme }
      const { context, page, problems } = await signedIn(browser, service, key, options)
      for (const section of sections) {
        await open(page, section)
        await isClean(page, section)
      }
      await page.click(".bar a:text-is('Settings')", { timeout: 500 }).catch(() => page.keyboard.press("Escape"))
      await page.click(".row:has-text('Policies')")
      assert.isTrue(page.url().endsWith("/settings/policies"))
      await page.goBack()
      assert.isFalse(page.url().endsWith("/settings/policies"))
      assert.deepStrictEqual(problems, [])
      await context.close()
    })
  }

  it("makes a key with the rights that were chosen, for whoever proves who they are, and shows it once", async () => {
    const { key, run } = await organizationWith(service, "Keys", 0)
    const { context, page } = await signedIn(browser, service, key)
    await open(page, "keys")
    await page.keyboard.press("n")
    await page.waitForSelector("dialog form")
    await page.keyboard.type("CRM sync")
    await page.locator("dialog fieldset fieldset", { hasText: "Events" }).locator("label").click()
    await page.fill("dialog input[type=date]", "2099-12-31")
    await page.fill("dialog input[type=password]", "nonsense")
    await send(page)
    await until(page, `document.querySelector(".form-problem")?.textContent.includes("not valid here")`)
    assert.notInclude(String(await page.evaluate("JSON.stringify(localStorage)")), "nonsense")
    await page.fill("dialog input[type=password]", key)
    await isClean(page, "new key")
    await send(page)
    const secret = await secretOf(page)
    await isClean(page, "secret")
    assert.notInclude(String(await page.evaluate("JSON.stringify(localStorage)")), key)
    const me = await fetch(`${service.url()}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } })
    assert.deepStrictEqual(((await me.json()) as { data: { scopes: unknown } }).data.scopes, ["events:read"])
    await page.click("button:text-is('I have stored it')")
    await page.waitForSelector("input[readonly]", { state: "detached" })
    await press(page, "CRM sync", "Replace secret…")
    await page.selectOption("dialog select", "0")
    await page.fill("dialog input[type=password]", key)
    await send(page)
    assert.notStrictEqual(await secretOf(page), secret)
    await page.click("button:text-is('I have stored it')")
    await press(page, "CRM sync", "Revoke…")
    await send(page)
    await says(page, "Revoked.")
    await until(page, `!document.body.textContent.includes("CRM sync")`)
    await page.click("label:has-text('Also revoked')")
    await until(page, `document.querySelector(".entries, .draft-body").textContent.includes("CRM sync")`)
    const { keys } = await run("key.list", {})
    const made = (keys as ReadonlyArray<{ name: string; revoked_at: unknown }>).find(({ name }) => name === "CRM sync")
    assert.isNotNull(made?.revoked_at)
    await context.close()
  })

  it("ends another browser's session, which shows the sign-in, and signs out here", async () => {
    const { key } = await organizationWith(service, "Sessions", 0)
    const other = await signedIn(browser, service, key)
    const { context, page } = await signedIn(browser, service, key)
    await open(page, "sessions")
    assert.strictEqual(await page.locator(".entry").count(), 2)
    assert.include(await page.locator(".entry", { hasText: "This browser" }).textContent(), "Sign out here")
    await page.click("button:text-is('End session…')")
    await send(page)
    await says(page, "Revoked.")
    await until(page, `document.querySelectorAll(".entry").length === 1`)
    await other.page.goto(`${service.url()}/settings/keys`)
    await other.page.waitForSelector("#key")
    await page.click("button:text-is('Sign out here')")
    await page.waitForSelector("#key")
    await Promise.all([context.close(), other.context.close()])
  })

  it("sets what needs approval, who decides and what texts must contain", async () => {
    const { key, run } = await organizationWith(service, "Policies", 0)
    const { context, page } = await signedIn(browser, service, key)
    await open(page, "policies")
    await page.selectOption("select[name=agents]", "deny")
    await page.click("section[aria-label='What needs approval'] button[type=submit]")
    await says(page, "Saved.")
    await page.fill("textarea[name=approvers]", "usr_boss boss@example.com")
    await page.fill("input[name=expiry_days]", "2")
    await page.click("section[aria-label='Approval requests'] button[type=submit]")
    await until(
      page,
      `!document.querySelector("section[aria-label='Approval requests']").textContent.includes("Not saved")`
    )
    await page.fill("input[name=disclosure]", "Written by an AI assistant.")
    await page.selectOption("select[name=lawful_basis]", "required")
    await page.click("section[aria-label='Texts and people'] button[type=submit]")
    await until(
      page,
      `!document.querySelector("section[aria-label='Texts and people']").textContent.includes("Not saved")`
    )
    const retention = "section[aria-label='Days until people are erased, by lawful basis']"
    await page.fill(`${retention} input[name=consent]`, "730")
    await page.click(`${retention} button[type=submit]`)
    await until(page, `!document.querySelector("${retention}").textContent.includes("Not saved")`)
    const { approvals, leads, organization, texts } = await run("policy.get", {})
    assert.deepStrictEqual(leads, { lawful_basis: "required", retention_days: { consent: 730 } })
    assert.deepStrictEqual(organization, { approval: null, mutate: null, agents: "deny" })
    assert.deepInclude(approvals, {
      approvers: [{ user_id: "usr_boss", email: "boss@example.com" }],
      expiry_days: 2
    })
    assert.deepInclude(texts, { disclosure: "Written by an AI assistant." })
    await context.close()
  })

  it("defines own fields of leads, changes their choices, archives and restores them", async () => {
    const { key, run } = await organizationWith(service, "Fields", 0)
    const { context, page } = await signedIn(browser, service, key)
    const field = async () => ((await run("lead.field.list", {}))["fields"] as ReadonlyArray<object>)[0]
    await open(page, "fields")
    await page.keyboard.press("n")
    await page.fill("dialog input[name=label]", "Segment")
    await page.fill("dialog input[name=key]", "segment")
    await page.selectOption("dialog select", "choice")
    await page.fill("dialog textarea", "Small\nLarge")
    await isClean(page, "new field")
    await send(page)
    await says(page, "Saved.")
    await press(page, "Segment", "Change…")
    await page.fill("dialog textarea", "Small\nMedium\nLarge")
    await send(page)
    await until(page, `document.querySelector(".entry").textContent.includes("Small, Medium, Large")`)
    await press(page, "Segment", "Archive")
    await says(page, "Archived.")
    await press(page, "Segment", "Restore")
    await says(page, "Restored.")
    await isClean(page, "own fields")
    assert.deepInclude(await field(), { key: "segment", type: "choice", archived: false })
    await context.close()
  })

  it("excludes many at once, names the lines that can't be, checks some, and lifts one", async () => {
    const { key, run } = await organizationWith(service, "Exclusions", 0)
    const { context, page } = await signedIn(browser, service, key)
    await open(page, "exclusions")
    await page.keyboard.press("n")
    await page.waitForSelector("dialog form")
    await page.keyboard.type("a@gone.example\ngone.example\nwww.linkedin.com/in/someone-gone\nnot a thing")
    await page.fill("dialog input[name=reason]", "Customer")
    await send(page)
    await until(page, `document.querySelector(".form-problem")?.textContent.includes("1 of 4 not excluded")`)
    await page.fill("dialog textarea", "a@gone.example\ngone.example\nwww.linkedin.com/in/someone-gone")
    await send(page)
    await says(page, "3 excluded.")
    await until(page, `document.querySelectorAll(".entry").length === 3`)
    await page.fill("textarea[name=identifiers]", "b@gone.example\nfree@example.org")
    await page.click("section[aria-label=Check] button[type=submit]")
    await until(page, `document.querySelectorAll("[aria-label=Results] .entry").length === 2`)
    const results = await page.locator("[aria-label=Results] .entry").allTextContents()
    assert.include(results[0], "Excluded")
    assert.include(results[1], "Not excluded")
    await isClean(page, "checked")
    await press(page, "linkedin.com/in/someone-gone", "Lift…")
    await page.keyboard.type("They asked")
    await send(page)
    await says(page, "Lifted.")
    const identifiers = ["www.linkedin.com/in/someone-gone", "a@gone.example"]
    const { results: checked } = await run("lead.suppression.check", { identifiers })
    assert.deepStrictEqual(
      (checked as ReadonlyArray<{ suppressed: boolean }>).map(({ suppressed }) => suppressed),
      [false, true]
    )
    await context.close()
  })

  it("creates, pauses, tests and deletes a webhook, and shows its deliveries", async () => {
    const { key, run } = await organizationWith(service, "Webhooks", 0)
    const { context, page } = await signedIn(browser, service, key)
    await open(page, "webhooks")
    await page.keyboard.press("n")
    await page.waitForSelector("dialog form")
    await page.keyboard.type("https://hooks.example.com/svc")
    await page.locator("dialog fieldset fieldset", { hasText: "Replied" }).locator("label:text-is('Replied')").click()
    await isClean(page, "new webhook")
    await send(page)
    assert.match(await secretOf(page), /^whsec_/)
    const { webhooks } = await run("webhook.list", {})
    assert.deepStrictEqual((webhooks as ReadonlyArray<{ event_types: unknown }>)[0]?.event_types, ["lead.replied"])
    await press(page, "hooks.example.com", "Pause")
    await says(page, "Paused.")
    await press(page, "hooks.example.com", "Send test")
    await says(page, "Test event queued.")
    await press(page, "hooks.example.com", "Deliveries")
    await until(page, `document.querySelector("[aria-label=Deliveries] .entry")?.textContent.includes("Webhook: test")`)
    await until(page, `location.search.startsWith("?webhook=whk_")`)
    await isClean(page, "deliveries")
    await page.click("button:text-is('Delete…')")
    await send(page)
    await says(page, "Deleted.")
    await until(page, `document.querySelectorAll(".entry").length === 0`)
    await context.close()
  })

  it("says in place what the person may not do, and deletes what was typed and not saved", async () => {
    const { key, run } = await organizationWith(service, "Limited", 0)
    const { api_key } = await run("key.create", { name: "Reader", scopes: ["leads:read", "offers:read"] })
    const { context, page } = await signedIn(browser, service, String(api_key))
    await open(page, "keys")
    await until(page, `document.querySelector(".draft .empty")?.textContent.includes("keys:manage")`)
    await open(page, "exclusions")
    await page.fill("textarea[name=identifiers]", "someone@example.com")
    await open(page, "browser")
    await press(page, "check for exclusions", "Delete")
    await says(page, "Deleted from this browser.")
    await page.selectOption("select[name=theme]", "dark")
    assert.strictEqual(await page.evaluate("document.documentElement.dataset.theme"), "dark")
    await page.click("label:has-text('Single letters')")
    await says(page, "Single-letter keys are off.")
    await context.close()
    assert.isString(key)
  })
})
