/** The places of the page as people use them, in a real browser: URLs, keys, texts that stay, replies. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser, Page } from "playwright-core"
import { hasChromium, startBrowser } from "../support/chromium.ts"
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

const path = (page: Page): string => page.url().slice(service.url().length)

const status = `document.querySelector(".status").textContent`

const place = async (page: Page, name: string): Promise<void> => {
  await page.click(`.places >> text=${name}`)
  await page.waitForSelector(`.place[aria-current=page]:has-text("${name}")`)
}

/** Leads who wrote; the first one has an open draft. */
const withReplies = async (name: string) => {
  const organization = await organizationWith(service, name, 1)
  const { leadAt, run } = organization
  const wrote = async (at: number, text: string) => {
    const { lead_id } = (await leadAt(at)) as { lead_id: string }
    await run("lead.message.record", { lead_id, direction: "inbound", channel: "LINKEDIN", content: text })
    return lead_id
  }
  return { ...organization, leads: [await wrote(0, "Yes, tell me more."), await wrote(1, "What would it\u200b cost?")] }
}

const messages = async (run: (command: string, input: unknown) => Promise<Record<string, unknown>>) => {
  const { drafts } = await run("linkedin.draft.list", { limit: 100 })
  return (drafts as ReadonlyArray<{ status: string; selected_body_text: string | null }>).map(
    ({ selected_body_text, status }) => `${status} ${selected_body_text ?? ""}`
  )
}

describe.skipIf(!hasChromium())("the workspace", { concurrent: true }, () => {
  it("has a URL for each place, goes back and forward, and says place and count in its title", async () => {
    const { ids, key } = await organizationWith(service, "Places", 3)
    const { context, page, problems } = await signedIn(browser, service, key)
    await until(page, `document.title === "Review (3) · svc"`)
    for (const [name, expected] of [
      ["Needs you", "/overview"],
      ["Replies", "/replies"],
      ["Leads", "/leads"],
      ["Missions", "/missions"],
      ["Import", "/import"],
      ["Settings", "/settings"]
    ] as const) {
      await place(page, name)
      assert.isTrue(path(page).startsWith(expected), `${name}: ${path(page)}`)
      assert.isTrue((await page.title()).startsWith(name))
    }
    await page.goBack()
    await until(page, `location.pathname.includes("/import")`)
    await page.goForward()
    await until(page, `location.pathname.includes("/settings")`)
    await page.goto(`${service.url()}/review/d/${ids[2]}`)
    await until(page, `document.querySelector(".row[aria-current]")?.dataset.item === ${JSON.stringify(ids[2])}`)
    await page.keyboard.press("k")
    await until(page, `location.pathname.endsWith(${JSON.stringify(ids[1])})`)
    await page.keyboard.press("]")
    await until(page, `location.search === "?tab=approved"`)
    await page.goBack()
    await until(page, `document.querySelector(".tab[aria-current]").textContent.startsWith("To review")`)
    await page.goto(`${service.url()}/review?query=Lead2`)
    await until(page, `document.querySelectorAll(".row").length === 1`)
    await page.keyboard.press("/")
    await page.keyboard.press("Escape")
    await until(page, `document.querySelectorAll(".row").length > 1 && location.search === ""`)
    await page.keyboard.press("/")
    await page.keyboard.type("Lead1")
    await until(page, `document.querySelectorAll(".row").length === 1 && location.search === "?query=Lead1"`)
    await page.goto(`${service.url()}/nowhere`)
    assert.include(await page.content(), "NOT_FOUND")
    assert.deepStrictEqual(
      problems.filter((problem) => !problem.includes("404")),
      []
    )
    await context.close()
  })

  it("answers every key in every place, with an effect or with the reason why there is none", async () => {
    const { key } = await organizationWith(service, "Keys", 20)
    const { context, page } = await signedIn(browser, service, key)
    await page.waitForSelector("[data-text]")
    const keys = [..."bcdlmnopqstwy04789", ..."axrhfuveAFZ123j", "Home", "End", "[", "Escape"]
    // Where the focus is counts: in the overview, keys move it.
    const look = `document.activeElement.outerHTML.slice(0, 300) + document.querySelector("#page").innerHTML.replaceAll(/>(?:now|\\d+ (?:s|min))</g, "><") + document.title`
    const silent: Array<string> = []
    for (const name of ["Replies", "Leads", "Missions", "Import", "Settings", "Needs you", "Review"]) {
      for (const pressed of keys) {
        await place(page, name)
        if (name === "Review") await page.waitForSelector("[data-text], .editor")
        await page.evaluate(`document.activeElement.blur()`)
        const before = await page.evaluate(look)
        await page.keyboard.press(pressed)
        await page.waitForTimeout(30)
        if ((await page.evaluate(look)) === before) silent.push(`${name}: ${pressed}`)
        if (await page.isVisible("dialog")) await page.keyboard.press("Escape")
        if (await page.isVisible("dialog")) await page.keyboard.press("Escape")
      }
    }
    assert.deepStrictEqual(silent, [])
    await context.close()
  })

  it("switches single-letter keys off and on, and remembers it", async () => {
    const { key } = await organizationWith(service, "Letters", 2)
    const { context, page } = await signedIn(browser, service, key)
    await page.waitForSelector("[data-text]")
    await page.keyboard.press("?")
    await page.click("dialog label:has-text('Single-letter keys')")
    await page.keyboard.press("Escape")
    await page.reload()
    await page.waitForSelector("[data-text]")
    const selected = `document.querySelector(".row[aria-current]").dataset.item`
    const first = await page.evaluate(selected)
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    assert.strictEqual(await page.evaluate(selected), first)
    assert.isFalse(await page.isVisible("dialog"))
    await page.keyboard.press("ArrowDown")
    await until(page, `${selected} !== ${JSON.stringify(first)}`)
    await page.keyboard.press("Control+k")
    await page.keyboard.type("single")
    await page.keyboard.press("Enter")
    await until(page, `${status}.includes("Single-letter keys are on.")`)
    await page.keyboard.press("k")
    await until(page, `${selected} === ${JSON.stringify(first)}`)
    await context.close()
  })

  it("loses no text: not by Esc, a reload, another item, a revoked session or the next sign-in", async () => {
    const { key, run } = await organizationWith(service, "Kept", 2)
    const { context, page } = await signedIn(browser, service, key)
    await page.waitForSelector("[data-text]")
    await page.keyboard.press("e")
    await page.fill("textarea", "Hi Lead0, this took me long.")
    await page.keyboard.press("Escape")
    await until(page, `${status}.includes("Press Esc again")`)
    assert.isTrue(await page.isVisible("textarea"))
    await page.keyboard.press("Escape")
    await page.waitForSelector("textarea", { state: "detached" })
    await page.reload()
    await page.waitForSelector("text=You typed a text and did not save it.")
    await page.keyboard.press("e")
    assert.strictEqual(await page.inputValue("textarea"), "Hi Lead0, this took me long.")
    await page.fill("textarea", "Hi Lead0, this took me longer.")
    const { keys } = await run("key.list", { limit: 100 })
    const session = (keys as ReadonlyArray<{ use: string; key_id: string }>).find(({ use }) => use === "session")
    await run("key.revoke", { key_id: session?.key_id })
    await page.waitForSelector("#key")
    assert.include((await page.textContent("[role=alert]")) ?? "", "Your session ended. Sign in to save.")
    assert.notInclude(await page.content(), "this took me longer")
    await page.fill("#key", key)
    await page.click("button[type=submit]")
    await page.waitForSelector("textarea")
    assert.strictEqual(await page.inputValue("textarea"), "Hi Lead0, this took me longer.")
    await page.keyboard.press("Control+Enter")
    await until(page, `document.querySelector("[data-text]")?.textContent === "Hi Lead0, this took me longer."`)
    await page.keyboard.press("x")
    await page.fill("dialog [name=reason]", "Tone is off")
    await page.keyboard.press("Escape")
    assert.isTrue(await page.isVisible("dialog [name=reason]"))
    await page.keyboard.press("Escape")
    await page.waitForSelector("dialog", { state: "detached" })
    await page.keyboard.press("x")
    assert.strictEqual(await page.inputValue("dialog [name=reason]"), "Tone is off")
    await page.keyboard.press("Enter")
    await page.waitForSelector("dialog", { state: "detached" })
    await page.keyboard.press("z")
    await until(page, `document.querySelector("[data-text]")?.textContent === "Hi Lead0, this took me longer."`)
    // Until the service has taken the rejection back, the page says that the item is no longer in review.
    do await page.keyboard.press("x")
    while (!(await becomes(page, `document.querySelector("dialog [name=reason]") !== null`, 2_000)))
    assert.strictEqual(await page.inputValue("dialog [name=reason]"), "Tone is off", "after undo")
    await context.close()
  })

  it("reads to the end of a long list, and keeps focus and selection together", async () => {
    const { key } = await organizationWith(service, "Long", 230)
    const { context, page } = await signedIn(browser, service, key)
    await page.waitForSelector("[data-text]")
    await page.focus(".row[aria-current]")
    await page.keyboard.press("ArrowDown")
    await until(page, `document.activeElement === document.querySelector(".row[aria-current]")`)
    await page.keyboard.press("End")
    await until(page, `document.querySelector(".row[aria-current]")?.textContent.includes("Lead229")`)
    await page.keyboard.press("Home")
    await until(page, `document.querySelector(".row[aria-current]")?.textContent.includes("Lead0")`)
    await context.close()
  })

  it("answers with a new draft, and with the open one, each approved once as it stands on the screen", async () => {
    const { key, leads, run } = await withReplies("Answers")
    const { context, page, problems } = await signedIn(browser, service, key)
    await place(page, "Replies")
    await until(page, `document.title === "Replies (2) · svc"`)
    await until(page, `document.querySelector(".hidden-character")?.dataset.code === "U+200B"`)
    await page.keyboard.press("r")
    await page.keyboard.type("Nothing, the first month.")
    await page.reload()
    await page.waitForSelector("#answer")
    assert.strictEqual(await page.inputValue("#answer"), "Nothing, the first month.")
    // What a busy machine painted late was not on the screen for long enough: one presses again.
    const isApproved = `document.querySelector(".draft-body").textContent.includes("Approved answer")`
    do {
      await page.waitForTimeout(400)
      await page.focus("#answer")
      await page.keyboard.press("Control+Enter")
    } while (!(await becomes(page, isApproved, 3_000)))
    await page.keyboard.press("j")
    await until(page, `location.pathname.endsWith(${JSON.stringify(leads[0])})`)
    await page.waitForSelector("text=Draft of an answer")
    assert.include(await page.inputValue("#answer"), "one question about closing month 0")
    await page.fill("#answer", "Gladly. Tuesday?")
    await page.waitForTimeout(400)
    await page.click("button:has-text('Send')")
    await page.waitForSelector("text=Approved answer")
    await until(page, `!document.querySelector(".unsent")`)
    assert.sameMembers(await messages(run), [
      "READY_TO_SEND Nothing, the first month.",
      "READY_TO_SEND Gladly. Tuesday?"
    ])
    await page.keyboard.press("z")
    await until(page, `document.querySelector("#answer")?.value === "Gladly. Tuesday?"`)
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("puts a conversation aside with its status unchanged, and sets statuses", async () => {
    const { key, leads, run } = await withReplies("Aside")
    const { context, page } = await signedIn(browser, service, key)
    await place(page, "Replies")
    await page.waitForSelector("#answer")
    await page.keyboard.press("w")
    await page.fill("dialog textarea", "Tell the price.")
    await page.click("dialog button:has-text('Ask')")
    await page.waitForSelector("text=Asked the writer for a draft: Tell the price.")
    await page.keyboard.press("h")
    await page.keyboard.press("2")
    await until(page, `document.querySelectorAll(".row").length === 1`)
    await page.keyboard.press("]")
    await page.keyboard.press("]")
    await until(page, `location.search === "?state=snoozed" && document.querySelectorAll(".row").length === 1`)
    const statusOf = async (lead_id: string | undefined) =>
      ((await run("lead.get", { lead_id })) as { lead: { status: string } }).lead.status
    assert.strictEqual(await statusOf(leads[1]), "Replied")
    await page.click(".actions >> text=Meeting booked")
    await until(page, `${status}.includes("Meeting booked.")`)
    assert.strictEqual(await statusOf(leads[1]), "MeetingBooked")
    await page.click(".actions >> text=Do not contact")
    await page.click("dialog button:has-text('Do not contact')")
    await until(page, `document.querySelectorAll(".row").length === 0 || ${status}.includes("Do not contact")`)
    assert.strictEqual(await statusOf(leads[1]), "DoNotContact")
    await context.close()
  })

  it("makes a request of an answer that a policy holds back, and a draft in review of one that may not be approved", async () => {
    const { key, run } = await withReplies("Policy")
    const { api_key: asking, key: made } = (await run("key.create", { name: "Ben" })) as {
      api_key: string
      key: { key_id: string }
    }
    await run("policy.set", { key_id: made.key_id, mutate: "ask" })
    const { api_key: writing } = await run("key.create", {
      name: "Cleo",
      scopes: ["leads:read", "leads:write", "linkedin:read", "linkedin:draft", "missions:read", "offers:read"]
    })
    const answerAs = async (api_key: string, text: string, said: string) => {
      const { context, page } = await signedIn(browser, service, api_key)
      await place(page, "Replies")
      await page.waitForSelector("#answer")
      await page.fill("#answer", text)
      await page.waitForTimeout(400)
      await page.keyboard.press("Control+Enter")
      await until(page, `${status}.includes(${JSON.stringify(said)})`)
      await context.close()
    }
    await answerAs(asking, "We will see.", "A policy asks another person to approve this first.")
    await answerAs(String(writing), "Let us see.", "It waits in Review for someone who can.")
    const waiting = async (kind: string) =>
      (await run("review.list", { kind: [kind] }))["items"] as ReadonlyArray<unknown>
    assert.lengthOf(await waiting("approval"), 1)
    assert.lengthOf(await waiting("message"), 2)
    assert.notInclude((await messages(run)).join(), "READY_TO_SEND")
    assert.isNotEmpty(key)
  })
})
