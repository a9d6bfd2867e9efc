/** The review page as people use it: by keys, in a real browser. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
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

/** Logs in the page, without its help, from which frame until which change each text was in the document. */
const watcher = `(() => {
  window.seen = []
  let current = { item: "", text: "" }
  const look = () => {
    const text = document.querySelector("[data-text]")?.textContent ?? ""
    const item = document.querySelector(".row[aria-current]")?.dataset.item ?? ""
    if (item === current.item && text === current.text) return
    current.until = performance.now()
    const next = { item, text, at: Infinity, until: Infinity }
    current = next
    window.seen.push(next)
    requestAnimationFrame((at) => { next.at = at })
  }
  new MutationObserver(look).observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
})()`

interface Seen {
  readonly item: string
  readonly text: string
  readonly at: number
  readonly until: number
}

const approvedIds = async (run: (command: string, input: unknown) => Promise<Record<string, unknown>>) => {
  const { drafts } = await run("linkedin.draft.list", { status: ["READY_TO_SEND"], limit: 100 })
  return (drafts as ReadonlyArray<{ draft_id: string }>).map(({ draft_id }) => draft_id)
}

// Fifty drafts take 17 seconds to look at alone, and a slow machine longer.
describe.skipIf(!hasChromium())("the review page", { concurrent: true }, () => {
  it("takes fifty drafts with at most 60 key presses, each read, each approved once", async () => {
    const { ids, key, run } = await organizationWith(service, "Fifty", 50)
    const { context, page, problems } = await signedIn(browser, service, key)
    let presses = 0
    for (let at = 0; at < 50; at++) {
      const isShown = `document.querySelector("[data-text]")?.textContent.includes("Lead${at},")`
      await until(page, isShown)
      // What a busy machine painted late was not on the screen for long enough: one presses again.
      do {
        await page.waitForTimeout(340)
        await page.keyboard.press("a")
        presses++
      } while (!(await becomes(page, `!${isShown}`, 3_000)))
    }
    await until(page, `document.querySelector(".empty")?.textContent.startsWith("All clear.")`)
    await until(page, `!document.querySelector(".unsent")`)
    assert.isAtMost(presses, 60)
    assert.sameMembers([...(await approvedIds(run))], ids)
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("approves no text that was not on the screen for 0.3 seconds, however fast somebody types ahead", async () => {
    const { key, run } = await organizationWith(service, "Ahead", 20)
    const { context, page } = await signedIn(browser, service, key)
    await page.addInitScript(watcher)
    await page.reload()
    await page.waitForSelector("[data-text]")
    // Twenty presses a second, for five seconds; moves among them.
    for (let press = 0; press < 100; press++) {
      await page.keyboard.press(press % 7 === 6 ? "j" : "a")
      await page.waitForTimeout(50)
    }
    await until(page, `!document.querySelector(".unsent")`)
    const seen: ReadonlyArray<Seen> = await page.evaluate("window.seen")
    const { drafts } = await run("linkedin.draft.list", { status: ["READY_TO_SEND"], limit: 100 })
    const approved = drafts as ReadonlyArray<{ draft_id: string; selected_body_text: string }>
    assert.isAtLeast(approved.length, 3)
    const unseen = approved.filter(
      ({ draft_id, selected_body_text }) =>
        !seen.some(({ at, item, text, until }) => item === draft_id && text === selected_body_text && until - at >= 300)
    )
    assert.deepStrictEqual(unseen, [])
    await context.close()
  })

  it("loses no decision and makes none twice when the server goes away, and says what waits", async () => {
    const service = await startService()
    const { ids, key, run } = await organizationWith(service, "Restart", 6)
    const { context, page } = await signedIn(browser, service, key)
    const keys: Array<string | undefined> = []
    page.on("request", (request) => {
      if (request.url().endsWith("linkedin.draft.approve")) keys.push(request.headers()["idempotency-key"])
    })
    const approve = async (count: number) => {
      for (let at = 0; at < count; at++) {
        await page.waitForSelector("[data-text]")
        await page.waitForTimeout(400)
        await page.keyboard.press("a")
      }
    }
    await approve(1)
    await until(page, `!document.querySelector(".unsent")`)
    // The next one takes effect, but nobody hears of it.
    service.intercept((request, response) => {
      if (request.url?.endsWith("linkedin.draft.approve") !== true) return false
      response.end = () => response.destroy()
      return false
    })
    await approve(1)
    await page.waitForSelector(".paused")
    await service.stop()
    service.intercept(undefined)
    await approve(2)
    assert.include((await page.textContent(".paused")) ?? "", "3 decisions wait in this browser")
    await page.keyboard.press("z")
    assert.include((await page.textContent(".paused")) ?? "", "2 decisions wait in this browser")
    await service.start()
    await until(page, `!document.querySelector(".unsent") && !document.querySelector(".paused")`)
    assert.sameMembers([...(await approvedIds(run))], ids.slice(0, 3))
    const { events } = await run("event.list", { types: "draft.approved" })
    assert.lengthOf(events as ReadonlyArray<unknown>, 3)
    // Each decision keeps its key however often it is sent, and the one that was undone was never sent.
    assert.isAbove(keys.length, 3)
    assert.strictEqual(new Set(keys).size, 3)
    assert.notInclude(keys, undefined)
    await context.close()
    await service.close()
  })

  it("shows two reviewers each other, and both texts when one changed what the other approves", async () => {
    const { ids, key, run, secondKey } = await organizationWith(service, "Two", 2)
    const lea = await signedIn(browser, service, key)
    const ben = await signedIn(browser, service, await secondKey("Ben"))
    await lea.page.waitForSelector(".viewers")
    assert.include((await lea.page.textContent(".viewers")) ?? "", "Ben")
    await lea.page.waitForTimeout(400)
    const [draft_id] = ids
    // The page hears of the change only with the refusal.
    await lea.page.route("**/event.list", (route) => route.abort())
    await run("linkedin.draft.update", { draft_id, variations: ["Hi Lead0, this is another text."] })
    await lea.page.keyboard.press("a")
    await lea.page.waitForSelector("dialog .sides")
    await until(lea.page, `document.querySelector("dialog .sides ins")?.textContent.includes("this is another")`)
    assert.include((await lea.page.textContent("dialog .sides .quote")) ?? "", "one question about closing month 0")
    assert.deepStrictEqual(await approvedIds(run), [])
    await ben.page.waitForSelector(".changed")
    assert.include((await ben.page.textContent(".changed ins")) ?? "", "this is another")
    assert.include((await ben.page.textContent(".changed")) ?? "", "Changed by first key while")
    await lea.context.close()
    await ben.context.close()
  })

  it("shows both texts when somebody changed what is being edited, and saves nothing over it unasked", async () => {
    const { ids, key, run } = await organizationWith(service, "Edit", 1)
    const { context, page } = await signedIn(browser, service, key)
    await page.waitForSelector("[data-text]")
    // The page hears of the change only with the refusal.
    await page.route("**/event.list", (route) => route.abort())
    await page.keyboard.press("e")
    await page.fill("textarea", "Hi Lead0, this is mine.")
    const [draft_id] = ids
    const textNow = async () => {
      const { draft } = await run("linkedin.draft.get", { draft_id })
      return (draft as { variations: ReadonlyArray<{ body_text: string }> }).variations[0]?.body_text
    }
    await run("linkedin.draft.update", { draft_id, variations: ["Hi Lead0, this is theirs."] })
    await page.keyboard.press("Control+Enter")
    await until(page, `document.querySelector("dialog .sides ins")?.textContent.includes("theirs")`)
    assert.strictEqual(await page.textContent("dialog .sides .quote"), "Hi Lead0, this is mine.")
    assert.strictEqual(await textNow(), "Hi Lead0, this is theirs.")
    // What changes while both are compared is not written over either.
    await run("linkedin.draft.update", { draft_id, variations: ["Hi Lead0, once more."] })
    await page.click("dialog button:has-text('Save mine instead')")
    await until(page, `document.querySelector("dialog .sides ins")?.textContent.includes("once more")`)
    await page.click("dialog button:has-text('Save mine instead')")
    await until(page, `document.querySelector("[data-text]")?.textContent === "Hi Lead0, this is mine."`)
    assert.strictEqual(await textNow(), "Hi Lead0, this is mine.")
    await context.close()
  })

  it("approves for the next working morning, or a chosen time, and never by Enter", async () => {
    const { ids, key, run } = await organizationWith(service, "Later", 2)
    const { context, page, problems } = await signedIn(browser, service, key)
    const departureOf = async (item_id: string | undefined) =>
      (await run("review.get", { item_id }))["departure"] as { readonly leaves_at: string }
    const ask = async () => {
      await page.waitForSelector("[data-text]")
      await page.waitForTimeout(400)
      await page.keyboard.press("m")
      await page.waitForSelector("dialog[open]")
    }
    await ask()
    await page.keyboard.press("Enter")
    assert.deepStrictEqual(await approvedIds(run), [])
    await page.keyboard.press("1")
    await until(page, `document.querySelector(".status").textContent.includes("Lead0 Example, from the next working")`)
    await ask()
    const day = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)
    await page.fill("#until-time", `${day}T12:00`)
    await page.keyboard.press("Enter")
    await page.click("dialog button:text-is('Choose')")
    await until(page, `!document.querySelector(".unsent") && document.querySelector(".empty")`)
    assert.sameMembers([...(await approvedIds(run))], ids)
    const [morning, chosen] = await Promise.all(ids.map(departureOf))
    assert.isAbove(Date.parse(morning?.leaves_at ?? ""), Date.now())
    assert.isAtLeast(Date.parse(chosen?.leaves_at ?? ""), Date.parse(`${day}T00:00:00Z`))
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("asks twice where a text has an error, saves an edit before it is approved, and undoes", async () => {
    const { draftFor, key, leadAt, run } = await organizationWith(service, "Error", 0)
    await leadAt(1)
    const id = await draftFor(1, ["Hi {{first_name}}, shall we talk?"])
    const { context, page } = await signedIn(browser, service, key)
    await page.waitForSelector("mark.error")
    await page.waitForTimeout(400)
    await page.keyboard.press("a")
    await page.waitForTimeout(400)
    assert.deepStrictEqual(await approvedIds(run), [])
    await page.keyboard.press("e")
    await page.fill("textarea", "Hi Lead1, shall we talk?\n\n  Best, Ada")
    await page.keyboard.press("Control+Enter")
    await until(
      page,
      `document.querySelector("[data-text]")?.textContent === "Hi Lead1, shall we talk?\\n\\n  Best, Ada"`
    )
    await page.waitForTimeout(400)
    await page.focus(".actions [data-approves]")
    await page.keyboard.press("Enter")
    await page.waitForTimeout(100)
    assert.isTrue(await page.isVisible("[data-text]"))
    assert.deepStrictEqual(await approvedIds(run), [])
    await page.keyboard.press("a")
    await until(page, `!document.querySelector(".unsent") && document.querySelector(".empty")`)
    assert.deepStrictEqual(await approvedIds(run), [id])
    await page.keyboard.press("z")
    await page.waitForSelector("[data-text]")
    await until(page, `!document.querySelector(".unsent")`)
    assert.deepStrictEqual(await approvedIds(run), [])
    await context.close()
  })
})
