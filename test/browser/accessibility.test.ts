/** The review page and the documentation for those who need more of it: axe on every tab and dialog, light, dark and 320 px wide. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
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

describe.skipIf(!hasChromium())("the review page", { concurrent: true }, () => {
  for (const [scheme, width] of [
    ["light", 1280],
    ["dark", 1280],
    ["light", 320],
    ["dark", 320]
  ] as const) {
    it(`has no violations of axe in any dialog, ${scheme} and ${width} px wide`, async () => {
      const { ids, key, run } = await organizationWith(service, `Dialogs${scheme}${width}`, 1)
      const { context, page, problems } = await signedIn(browser, service, key, {
        viewport: { width, height: 700 },
        colorScheme: scheme,
        reducedMotion: "reduce"
      })
      await page.waitForSelector("[data-text]", { state: "attached" })
      if (width < 1000) await page.click(".row")
      await page.waitForTimeout(400)
      const check = async (name: string) => {
        await page.waitForSelector("dialog[open]")
        assert.deepStrictEqual(await violations(page), [], name)
        const isCut = `(() => {
          const dialog = document.querySelector("dialog")
          const { left, right } = dialog.getBoundingClientRect()
          return left < 0 || right > innerWidth || dialog.scrollWidth > dialog.clientWidth
        })()`
        assert.isFalse(await page.evaluate(isCut), `${name} is cut off`)
        await page.keyboard.press("Escape")
        await page.waitForSelector("dialog", { state: "detached" })
      }
      await page.keyboard.press("A")
      await until(page, `document.querySelector("dialog .facts")?.textContent.includes("LinkedIn account Ada Martin")`)
      await check("send")
      for (const dialog of ["x", "r", "h", "m", "?", "F", "Control+k"]) {
        await page.keyboard.press(dialog)
        await check(dialog)
      }
      await page.keyboard.press("v")
      await page.keyboard.press("a")
      await page.waitForSelector(".batch-list li")
      await check("batch")
      await page.keyboard.press("v")
      await page.route("**/event.list", (route) => route.abort())
      await run("linkedin.draft.update", { draft_id: ids[0], variations: ["Hi Lead0, this is another text."] })
      await page.keyboard.press("a")
      await page.waitForSelector("dialog .sides ins")
      await check("conflict")
      assert.deepStrictEqual(
        problems.filter((problem) => !/ERR_FAILED|409/.test(problem)),
        []
      )
      await context.close()
    })
  }

  it("has no violations of axe on any tab, light, dark, and 320 px wide, and keeps its policy", async () => {
    const { draftFor, key, leadAt } = await organizationWith(service, "Axe", 3)
    await leadAt(4)
    await draftFor(4, ["Hi {{first_name}}.", "Hi Lead4, a second text.", "Hi Lead4, a third text."])
    const { context, page, problems } = await signedIn(browser, service, key)
    await page.waitForSelector("[data-text]")
    await page.keyboard.press("End")
    await page.waitForSelector("mark.error")
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
      assert.deepStrictEqual(await violations(page), [], scheme)
    }
    for (let tab = 0; tab < 6; tab++) {
      await page.keyboard.press("]")
      await until(page, `!document.querySelector("[aria-busy=true]")`)
      assert.deepStrictEqual(await violations(page), [], `tab ${tab}`)
    }
    await page.keyboard.press("]")
    await page.setViewportSize({ width: 320, height: 640 })
    await page.waitForSelector(".row")
    assert.isTrue(await page.evaluate(`document.querySelector(".row").getBoundingClientRect().right <= 320`))
    assert.deepStrictEqual(await violations(page), [])
    await page.click(".row")
    assert.deepStrictEqual(await violations(page), [])
    assert.isTrue(await page.evaluate("document.documentElement.scrollWidth <= 320"))
    assert.deepStrictEqual(problems, [])
    await context.close()
  })
})

describe.skipIf(!hasChromium())("the documentation", () => {
  it("fits 320 px with all of it unfolded, breaks no heading of a table, and has no dead anchor", async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } })
    await page.goto(`${service.url()}/docs`)
    await page.evaluate(
      `document.querySelectorAll("section").forEach((one) => { one.style.contentVisibility = "visible" })`
    )
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })')
    const beyond = `[...document.querySelectorAll("main *")].filter((one) =>
      !one.closest("pre") && one.getBoundingClientRect().right > 320).map((one) => one.textContent.slice(0, 60))`
    assert.deepStrictEqual(await page.evaluate(beyond), [])
    assert.isTrue(await page.evaluate("document.documentElement.scrollWidth <= 320"))
    const broken = `[...document.querySelectorAll("th")].flatMap((one) => {
      const lines = one.getClientRects().length && one.getBoundingClientRect().height / 24
      return lines > one.textContent.split(" ").length + 1 ? [one.textContent] : []
    })`
    assert.deepStrictEqual(await page.evaluate(broken), [])
    const dead = `[...document.querySelectorAll("a[href^='#']")].map((one) => one.getAttribute("href")).filter((href) =>
      document.getElementById(decodeURIComponent(href.slice(1))) === null)`
    assert.deepStrictEqual(await page.evaluate(dead), [])
    await page.close()
  })

  it("has no violations of axe, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport: { width: 320, height: 640 }, colorScheme })
      await page.goto(`${service.url()}/docs`)
      // One section of each kind: axe would take a minute for all of them.
      await page.evaluate('document.querySelectorAll("main section:nth-of-type(n+14)").forEach((one) => one.remove())')
      await page.evaluate('document.querySelectorAll("nav details:nth-of-type(n+3)").forEach((one) => one.remove())')
      await page.evaluate('document.querySelectorAll("nav li:nth-of-type(n+6)").forEach((one) => one.remove())')
      assert.deepStrictEqual(await violations(page), [], colorScheme)
      await page.close()
    }
  })
})
