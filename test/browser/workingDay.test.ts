/**
 * A working day of a new user, without a terminal: import a list, write an offer, review ten drafts, answer a reply, pause a mission,
 * change a limit, find a person and exclude them. Each place is looked at on a phone, a tablet and a desk, light and dark.
 * `SVC_TEST_SCREENSHOTS` is a folder for the pictures.
 */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
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

const folder = process.env["SVC_TEST_SCREENSHOTS"]

/** Looks at what is shown in each size and both colors: nothing is cut, no violation of axe, and every target is large enough. */
const lookAt = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.waitForTimeout(150)
      const where = `${name}, ${width} px, ${colorScheme}`
      assert.isTrue(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${where} is cut off`)
      if (width !== 768) assert.deepStrictEqual(await violations(page), [], where)
      if (width === 320) assert.deepStrictEqual(await page.evaluate(small), [], where)
      if (folder !== undefined) {
        await mkdir(folder, { recursive: true })
        await page.screenshot({ path: join(folder, `${name.replaceAll(" ", "-")}-${width}-${colorScheme}.png`) })
      }
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Buttons, fields and places that are smaller than 44 px, the smallest that a finger hits. */
const small = `[...document.querySelectorAll("button, select, textarea, input:not(.hidden, [type=checkbox], [type=radio]), .place")]
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, { height, width }]) => width > 0 && (height < 43.5 || width < 43.5))
  .map(([one, { height, width }]) => Math.round(width) + " x " + Math.round(height) + " " + one.outerHTML.slice(0, 120))`

const list = [
  "Email,Full name,Company,Favourite color",
  ...Array.from({ length: 11 }, (_, at) => `day${at}@example.com,Day${at} Person,Company ${at},blue`),
  "not an address,Nobody,,red"
].join("\n")

describe.skipIf(!hasChromium())("a working day without a terminal", () => {
  it("goes from an empty workspace to an answered reply, in every size and color", async () => {
    const { key, run } = await organizationWith(service, "Day", 0)
    const { context, page, problems } = await signedIn(browser, service, key)
    const place = async (name: string) => {
      await page.click(`.places >> text=${name}`)
      await page.waitForSelector(`.place[aria-current=page]:has-text("${name}")`)
    }
    const status = (text: string) =>
      until(page, `document.querySelector(".status").textContent.includes(${JSON.stringify(text)})`)

    await place("Import")
    await lookAt(page, "import empty")
    await page.setInputFiles("#import-file", { name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(list) })
    await page.click("button:has-text('New mission')")
    await page.fill("dialog input[name=name]", "Autumn")
    await page.click("dialog button:has-text('Create')")
    await page.waitForSelector("text=Rows as")
    const mapping = (await page.textContent(".draft-body")) ?? ""
    for (const expected of ["Matched", "Ignored", "Favourite color", "Day0 Person"]) assert.include(mapping, expected)
    await lookAt(page, "import file")
    await page.click(".actions button:has-text('Import')")
    await page.waitForSelector("text=11")
    await until(page, `document.querySelector(".draft-body")?.textContent.includes("ejected")`)
    await lookAt(page, "import done")

    await place("Missions")
    await page.click("nav[aria-label=Missions] >> text=Offers")
    await page.click("button:has-text('New offer')")
    await page.fill(".form input[name=name]", "Month-end in two days")
    await lookAt(page, "offer new")
    await page.click(".form button:has-text('Create')")
    await page.waitForSelector("h2:has-text('Month-end in two days')")
    await place("Missions")
    await page.waitForSelector("h2:has-text('Autumn')")
    await page.selectOption(".form select[name=agentHandle], .form select[name=agent_handle]", { label: "Ada Martin" })
    await page.click(".form button:has-text('Save')")
    await status("Saved.")

    for (let at = 0; at < 10; at++) {
      await run("linkedin.draft.create", {
        email: `day${at}@example.com`,
        agent_handle: "ada",
        variations: [`Hi Day${at}, how many days does your month-end take?\n\nBest, Ada`]
      })
    }
    await place("Review")
    await page.waitForSelector("[data-text]")
    await lookAt(page, "review")
    for (let at = 0; at < 10; at++) {
      await until(page, `document.querySelector("[data-text]")?.textContent.includes("Hi Day${at},")`)
      await page.waitForTimeout(400)
      await page.keyboard.press("a")
    }
    await until(page, `document.querySelector(".empty")?.textContent.startsWith("All clear.")`)
    await until(page, `!document.querySelector(".unsent")`)
    const { drafts } = await run("linkedin.draft.list", { status: ["READY_TO_SEND"], limit: 100 })
    assert.lengthOf(drafts as ReadonlyArray<unknown>, 10)

    const { leads } = await run("lead.search", { query: "Day10" })
    const [{ lead_id = "" } = {}] = leads as ReadonlyArray<{ lead_id: string }>
    await run("lead.message.record", {
      lead_id,
      direction: "inbound",
      channel: "LINKEDIN",
      content: "Six. Why do you ask?"
    })
    await place("Needs you")
    await page.waitForSelector("text=Replies waiting")
    await lookAt(page, "needs you")
    await page.click("text=Day10 Person")
    await page.waitForSelector("#answer")
    await lookAt(page, "reply")
    await page.fill("#answer", "Others close in two. Shall we talk on Tuesday?")
    await page.waitForTimeout(400)
    await page.click("button:has-text('Send')")
    await page.waitForSelector("text=Approved answer")

    await place("Missions")
    await page.waitForSelector("h2:has-text('Autumn')")
    await page.click(".actions button:has-text('Start')")
    await page.click(".actions button:has-text('Pause')")
    await page.waitForSelector(".actions button:has-text('Resume')")
    await lookAt(page, "mission")
    await page.click("nav[aria-label=Missions] >> text=Agents")
    await page.waitForSelector("h2:has-text('Ada Martin')")
    await lookAt(page, "agent")
    await page.fill(".form input[type=number] >> nth=0", "12")
    await page.click(".card:has(input[type=number]) button:has-text('Save')")
    await status("Saved.")
    await page.reload()
    await page.waitForSelector(".form input[type=number] >> nth=0")
    await until(page, `document.querySelector(".form input[type=number]").value === "12"`)

    await page.keyboard.press("/")
    await page.keyboard.type("Day3")
    await page.waitForSelector("#found >> text=Day3 Person")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.waitForSelector("h2:has-text('Day3 Person')")
    await lookAt(page, "lead")
    await page.keyboard.press("d")
    await page.fill("dialog [name=reason]", "A customer already")
    await lookAt(page, "exclude")
    await page.click("dialog button[type=submit]")
    await page.waitForSelector("dialog", { state: "detached" })
    const { results } = await run("lead.suppression.check", { identifiers: ["day3@example.com"] })
    assert.isTrue((results as ReadonlyArray<{ suppressed: boolean }>)[0]?.suppressed)

    for (const section of ["keys", "sessions", "sending", "policies", "exclusions", "webhooks", "browser"]) {
      await page.goto(`${service.url()}/settings/${section}`)
      await page.waitForSelector(".draft-head h2")
      await lookAt(page, `settings ${section}`)
    }
    assert.deepStrictEqual(problems, [])
    await context.close()
  })
})
