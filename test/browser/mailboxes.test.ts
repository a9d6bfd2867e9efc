/** Mailboxes and conversations by e-mail on the page: settings, what was received, and the answer that is sent. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser, Page } from "playwright-core"
import { hasChromium, startBrowser } from "../support/chromium.ts"
import { mailText, signedHeaders } from "../support/signedMail.ts"
import { violations } from "./axe.ts"
import { becomes, organizationWith, signedIn, startService, until } from "./reviewing.ts"

let browser: Browser
let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  ;[browser, service] = await Promise.all([startBrowser(), startService()])
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

const status = `document.querySelector(".status").textContent`

const multipart = ["MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"']

/** A letter with an attachment that quotes what it answers. */
const letter = [
  "--b",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Tuesday at ten?",
  "",
  "On Mon, 23 Nov 2026 at 10:00, Ada Martin <ada@sender.example> wrote:",
  "> Shall we talk?",
  "--b",
  'Content-Type: application/pdf; name="plan.pdf"',
  'Content-Disposition: attachment; filename="plan.pdf"',
  "",
  "%PDF",
  "--b--"
].join("\r\n")

/** An organization whose lead wrote a letter to Ada's mailbox. */
const withLetter = async (name: string, channels: ReadonlyArray<string> = ["EMAIL"], agent = "ada") => {
  const organization = await organizationWith(service, name, 0)
  const { run } = organization
  const email_accounts = [{ provider: "IMAP", email: "ada@sender.example" }]
  await run("agent.update", { agent_handle: "ada", email_accounts })
  await run("agent.create", { first_name: "Ben", last_name: "Ode", handle: "ben" })
  await run("mission.create", { name: "Letters", agent_handle: agent, channels, email_review_strategy: "MANUAL" })
  const { lead_id } = await run("lead.upsert", {
    email: "grace@example.com",
    name: "Grace Hopper",
    mission_id: "letters"
  })
  const { organization_id, secret } = await run("email.inbound.get", {})
  const body = mailText("Grace Hopper <grace@example.com>", "ada@sender.example", "Your plan", letter, multipart)
  const headers = signedHeaders(String(organization_id), String(secret), body)
  const posted = await fetch(`${service.url()}/api/v1/email/inbound`, { method: "POST", body, headers })
  assert.deepStrictEqual(await posted.json(), { data: { received: "reply" } })
  const emails = async () => (await run("email.list", {}))["emails"] as ReadonlyArray<Record<string, unknown>>
  return { ...organization, emails, leadId: String(lead_id) }
}

const isClean = async (page: Page, name: string): Promise<void> => {
  if (process.env["SVC_SHOTS"] !== undefined)
    await page.screenshot({ path: `${process.env["SVC_SHOTS"]}/${name}.png`, fullPage: true })
  assert.deepStrictEqual(await violations(page), [], name)
  assert.isTrue(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name)
}

/** What is smaller than a finger among what is shown. */
const small = `[...document.querySelectorAll("main button, main summary, main input, dialog button, dialog input, dialog select")]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML)`

const openLetter = async (page: Page, leadId: string) => {
  await page.goto(`${service.url()}/replies/${leadId}`)
  await page.waitForSelector(".thread")
}

describe.skipIf(!hasChromium())("mailboxes on the page", { concurrent: true }, () => {
  for (const [colorScheme, width] of [
    ["light", 1440],
    ["dark", 320]
  ] as const) {
    it(`a letter and its answer are shown, ${colorScheme} and ${width} px wide`, async () => {
      const { key, leadId } = await withLetter(`Shown${width}`)
      const options = { viewport: { width, height: 800 }, colorScheme, hasTouch: width === 320 }
      const { context, page, problems } = await signedIn(browser, service, key, options)
      await openLetter(page, leadId)
      await page.waitForSelector("#answer")
      const thread = (await page.textContent(".thread")) ?? ""
      for (const text of ["Your plan", "Tuesday at ten?", "plan.pdf", "at ada@sender.example"])
        assert.include(thread, text)
      assert.isFalse(await page.isVisible("text=Shall we talk?"))
      await page.click("summary:has-text('Quoted text')")
      assert.isTrue(await page.isVisible("text=Shall we talk?"))
      assert.strictEqual(await page.inputValue("[aria-label=Subject]"), "Re: Your plan")
      assert.include((await page.textContent(".composer")) ?? "", "Answer from ada@sender.example")
      await isClean(page, `letter-${width}`)
      if (width === 320) assert.deepStrictEqual(await page.evaluate(small), [])
      await page.goto(`${service.url()}/settings/mailboxes`)
      await page.waitForSelector(".entry:has-text('ada@sender.example')")
      await isClean(page, `mailboxes-${width}`)
      await page.click("button:has-text('Connect inbox…')")
      await page.waitForSelector("dialog form")
      await isClean(page, `connect-${width}`)
      if (width === 320) assert.deepStrictEqual(await page.evaluate(small), [])
      assert.deepStrictEqual(problems, [])
      await context.close()
    })
  }

  it("an answer is approved as it stands on the screen, with its subject, and shown while it waits", async () => {
    const { emails, key, leadId } = await withLetter("Answered")
    const { context, page, problems } = await signedIn(browser, service, key)
    await openLetter(page, leadId)
    await page.fill("[aria-label=Subject]", "Re: Your plan, and when")
    await page.fill("#answer", "Gladly.")
    do {
      await page.waitForTimeout(400)
      await page.focus("#answer")
      await page.keyboard.press("Control+Enter")
    } while (!(await becomes(page, `!document.querySelector("#answer")`, 3_000)))
    await page.waitForSelector("h3:has-text('Approved answer')", { timeout: 20_000 })
    const [email] = await emails()
    const expected = { subject: "Re: Your plan, and when", body_text: "Gladly.", state: "queued", decision: "approve" }
    assert.deepInclude(email, { ...expected, from: "ada@sender.example" })
    assert.lengthOf(await emails(), 1)
    await page.click("button:has-text('Cancel')")
    await page.waitForSelector("#answer")
    assert.strictEqual((await emails())[0]?.["state"], "cancelled")
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("an answer of who may not approve waits in Review, and a policy makes a request of it", async () => {
    const { emails, key, leadId, run } = await withLetter("Held")
    const scopes = [
      "leads:read",
      "leads:write",
      "email:read",
      "email:send",
      "linkedin:read",
      "missions:read",
      "offers:read"
    ]
    const { api_key: writing } = await run("key.create", { name: "Cleo", scopes })
    const { api_key: asking, key: made } = (await run("key.create", { name: "Ben" })) as {
      api_key: string
      key: { key_id: string }
    }
    await run("policy.set", { key_id: made.key_id, approval: "ask" })
    const answerAs = async (api_key: unknown, said: string) => {
      const { context, page } = await signedIn(browser, service, String(api_key))
      await openLetter(page, leadId)
      await page.fill("#answer", "Gladly.")
      await page.waitForTimeout(400)
      await page.keyboard.press("Control+Enter")
      await until(page, `${status}.includes(${JSON.stringify(said)})`)
      await context.close()
    }
    await answerAs(asking, "A policy asks another person to approve this first.")
    assert.lengthOf(await emails(), 0)
    await answerAs(writing, "It waits in Review for someone who can.")
    assert.deepStrictEqual(
      (await emails()).map(({ state }) => state),
      ["in_review"]
    )
    assert.isNotEmpty(key)
  })

  it("says why a person can't be answered by e-mail", async () => {
    for (const [name, channels, agent, said] of [
      ["NoChannel", ["LINKEDIN"], "ada", "does not use the channel EMAIL"],
      ["NoMailbox", ["EMAIL"], "ben", "has no email account"]
    ] as const) {
      const { key, leadId } = await withLetter(name, channels, agent)
      const { context, page } = await signedIn(browser, service, key)
      await openLetter(page, leadId)
      await page.waitForSelector(`[role=status]:has-text("${said}")`)
      assert.isFalse(await page.isVisible("#answer"))
      await context.close()
    }
  })

  it("an inbox is connected with a password that the browser does not keep, limited, checked and disconnected", async () => {
    const { key, run } = await withLetter("Connected")
    const { context, page, problems } = await signedIn(browser, service, key)
    const mailbox = async () => Object(await run("email.mailbox.list", {})).mailboxes[0]
    const press = (button: string) => page.locator(".entry").locator(`button:text-is("${button}")`).click()
    await page.goto(`${service.url()}/settings/mailboxes`)
    await press("Connect inbox…")
    await page.fill("dialog [name=host]", "imap.sender.example")
    await page.fill("dialog [name=password]", "correct horse")
    assert.strictEqual(await page.getAttribute("dialog [name=password]", "type"), "password")
    assert.notInclude(String(await page.evaluate("JSON.stringify(localStorage)")), "correct horse")
    await page.click("dialog button[type=submit]")
    await until(page, `${status}.includes("Connected.")`)
    assert.deepInclude((await mailbox()).inbox, { host: "imap.sender.example", login: "password", port: 993 })
    const before = /\d+ of \d+/.exec((await page.textContent(".entry")) ?? "")?.[0]
    await press("Limits…")
    await page.fill("dialog [name=day]", "40")
    await page.click("dialog button[type=submit]")
    await page.waitForSelector("dialog", { state: "detached" })
    await until(page, `!document.querySelector(".entry").textContent.includes("${before} emails")`)
    await press("Disconnect inbox…")
    await page.click("dialog button:has-text('Disconnect')")
    await until(page, `${status}.includes("Disconnected.")`)
    assert.isNull((await mailbox()).inbox)
    assert.deepStrictEqual(problems, [])
    await context.close()
  })
})
