/** Missions, offers, agents and what needs a person, as people use them: by keys and by mouse, in a real browser. */
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

/** Fails when axe finds something in what is shown, or when it is wider than the window. */
const looksRight = async (page: Page, name: string): Promise<void> => {
  assert.deepStrictEqual(await violations(page), [], name)
  assert.isTrue(await page.evaluate(`document.documentElement.scrollWidth <= innerWidth`), `${name} is too wide`)
}

/** Goes to a place by the link in the bar or a tab. */
const goTo = (page: Page, name: string): Promise<void> => page.click(`:is(.places, .tabs) :text-is("${name}")`)

const card = (page: Page, title: string) => page.locator(`section.card[aria-label="${title}"]`)

const says = (page: Page, text: string): Promise<void> =>
  until(page, `document.querySelector(".status")?.textContent.includes(${JSON.stringify(text)})`)

const shows = (page: Page, selector: string, text: string): Promise<void> =>
  until(page, `document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})`)

describe.skipIf(!hasChromium())("the missions", { concurrent: true }, () => {
  it("are created, edited, paused, archived and deleted; nothing typed is lost", async () => {
    const { key, leadAt, run } = await organizationWith(service, "Missions", 1)
    await run("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada" })
    const { lead_id } = await leadAt(0)
    await run("lead.mission.add", { mission_id: "spring", lead_ids: [lead_id] })
    const { context, page, problems } = await signedIn(browser, service, key)
    await goTo(page, "Missions")
    await shows(page, "h2", "Spring")
    await looksRight(page, "a mission")
    assert.match((await card(page, "State").textContent()) ?? "", /Leads1 lead/)
    await card(page, "What is next").locator("a", { hasText: "Lead0 Example" }).waitFor()

    // Pause and resume by key; other keys say why they do nothing.
    await page.keyboard.press("p")
    await says(page, "Spring is paused.")
    await shows(page, ".draft .actions", "Resume")
    await page.keyboard.press("p")
    await says(page, "Spring is active.")

    // A text that somebody else changed is not replaced unseen.
    const brief = card(page, "Settings and brief")
    await brief.getByLabel("Objective").fill("Ten meetings")
    await page.reload()
    await brief.getByText("Not saved yet").waitFor()
    assert.strictEqual(await brief.getByLabel("Objective").inputValue(), "Ten meetings")
    await run("mission.update", { mission_id: "spring", objective: "Five meetings" })
    await brief.getByText("Objective: changed by somebody else").waitFor({ timeout: 15_000 })
    await looksRight(page, "a conflict")
    await brief.getByLabel("Review of emails").selectOption("MANUAL")
    await brief.getByRole("button", { name: "Save" }).click()
    await says(page, "Saved.")
    const { missions } = await (await page.request.get(`${service.url()}/api/v1/missions?query=spring`))
      .json()
      .then(({ data }: { data: { missions: ReadonlyArray<Record<string, unknown>> } }) => data)
    assert.strictEqual(missions[0]?.["objective"], "Ten meetings")

    await card(page, "Example messages").getByText("Add an example", { exact: true }).first().click()
    await card(page, "Example messages").getByLabel("Message").fill("Hi Grace,\n\none question.")
    await card(page, "Example messages").getByRole("button", { name: "Add an example" }).click()
    await card(page, "Example messages").locator("summary", { hasText: "Hi Grace" }).waitFor()

    // A mission with leads can't be deleted; it is archived after a question, and found by its state.
    await page.getByRole("button", { name: "Delete" }).click()
    await says(page, "Spring has 1 lead.")
    await page.getByRole("button", { name: "Archive" }).click()
    await page.waitForSelector("dialog[open]")
    await looksRight(page, "the question")
    await page.click("dialog button:text-is('Archive')")
    await shows(page, ".draft .actions", "Restore")
    await page.keyboard.press("p")
    await says(page, "Spring is archived")
    await page.getByLabel("Which missions").selectOption("active")
    await shows(page, ".queue", "Nothing matches the filters.")
    await page.getByRole("button", { name: "Clear filters" }).click()

    await page.keyboard.press("n")
    await shows(page, "h2", "New mission")
    await looksRight(page, "a new mission")
    await page.getByLabel("Name").fill("Winter")
    await page.getByRole("button", { name: "Create" }).click()
    await shows(page, "h2", "Winter")
    await page.getByRole("button", { name: "Delete" }).click()
    assert.isTrue(await page.locator("dialog button[type=submit]").isDisabled())
    await page.fill("#typed", "winter")
    await page.keyboard.press("Enter")
    await says(page, "winter is deleted.")
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("have offers, whose proof is edited entry by entry, and which are published", async () => {
    const { key, run } = await organizationWith(service, "Offers", 1)
    const { context, page, problems } = await signedIn(browser, service, key)
    await goTo(page, "Missions")
    await page.keyboard.press("]")
    await shows(page, ".queue", "No offers yet.")
    await page.keyboard.press("n")
    await page.getByLabel("Name").fill("Invoices")
    await page.getByLabel("In one sentence").fill("Invoices that book themselves")
    await page.getByRole("button", { name: "Create" }).click()
    await shows(page, "h2", "Invoices")
    await page.keyboard.press("p")
    await says(page, "Not done.")
    await card(page, "Texts").getByLabel("What the customer gains").fill("Close the month 4 days earlier.")
    await card(page, "Texts").getByRole("button", { name: "Save" }).click()
    await says(page, "Saved.")
    for (const company of ["Acme", "Initech"]) {
      const proof = card(page, "Proof").locator("details").last()
      if (company === "Acme") await proof.locator("summary").click()
      await proof.getByLabel("Evidence").fill(`${company} closed in 2 days.`)
      await proof.getByLabel("Company").fill(company)
      await proof.getByRole("button", { name: "Add proof" }).click()
      await card(page, "Proof").locator("summary", { hasText: company }).waitFor()
    }
    await card(page, "Proof").locator("summary", { hasText: "Acme" }).click()
    await looksRight(page, "an offer")
    await card(page, "Proof").locator("details").first().getByRole("button", { name: "Remove" }).click()
    await page.click("dialog button:text-is('Remove')")
    await until(page, `!document.body.textContent.includes("Acme closed")`)
    const { offers } = (await run("offer.list", {})) as unknown as {
      offers: ReadonlyArray<{ references: ReadonlyArray<{ content: string; company: string; title: null }> }>
    }
    assert.deepStrictEqual(
      offers[0]?.references.map(({ company, content, title }) => [company, content, title]),
      [["Initech", "Initech closed in 2 days.", null]]
    )
    await page.keyboard.press("p")
    await says(page, "Invoices is published.")
    assert.deepStrictEqual(
      problems.filter((problem) => !/409/.test(problem)),
      []
    )
    await context.close()
  })

  it("have agents, whose hours and limits are forms, also on a phone", async () => {
    const { key, run } = await organizationWith(service, "Agents", 1)
    const { context, page, problems } = await signedIn(browser, service, key, { viewport: { width: 320, height: 700 } })
    await page.goto(`${service.url()}/agents/ada`)
    await shows(page, "h2", "Ada Martin")
    await looksRight(page, "an agent on a phone")
    const hours = card(page, "Working hours")
    await hours.getByLabel("Friday from").fill("")
    await hours.getByRole("button", { name: "Save" }).click()
    await hours.getByText("Friday has one time without the other.").waitFor()
    await hours.getByLabel("Friday to").fill("")
    await hours.getByLabel("Monday, then from").fill("19:00")
    await hours.getByLabel("Monday, then to").fill("00:00")
    await hours.getByLabel("Time zone", { exact: true }).selectOption("Europe/Berlin")
    await hours.getByRole("button", { name: "Save" }).click()
    await says(page, "Saved.")
    const { agent } = (await run("agent.get", { agent_handle: "ada" })) as unknown as {
      agent: { timezone: string; workingHours: Record<string, unknown> }
    }
    assert.strictEqual(agent.timezone, "Europe/Berlin")
    assert.deepStrictEqual(agent.workingHours["friday"], [])
    assert.deepStrictEqual(agent.workingHours["monday"], [
      { start: "09:00", end: "18:00" },
      { start: "19:00", end: "24:00" }
    ])
    const limits = card(page, "Limits")
    await limits.getByLabel("Messages, 24 hours").fill("5")
    await limits.getByRole("button", { name: "Save" }).click()
    await until(page, `document.querySelector("[name=message_day]")?.value === "5"`)
    const { windows } = (await run("linkedin.usage.get", {})) as unknown as {
      windows: ReadonlyArray<{ action: string; own_limit: number | null }>
    }
    assert.strictEqual(windows.find(({ action }) => action === "message")?.own_limit, 5)
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("plan follow-ups in their order, have them written when they are due, and show what works", async () => {
    const { earlier, key, run } = await organizationWith(service, "Steps", 0)
    const grace = { email: "grace@example.com", linkedin_url: "https://www.linkedin.com/in/grace-steps" }
    await earlier(20, "mission.create", { name: "Spring", handle: "spring", agent_handle: "ada" })
    const { lead_id } = await earlier(20, "lead.upsert", { name: "Grace Hopper", mission_id: "spring", ...grace })
    const message = { lead_id, channel: "LINKEDIN", direction: "outbound", content: "Hello Grace" }
    await earlier(15, "lead.message.record", message)
    const { context, page, problems } = await signedIn(browser, service, key, {
      viewport: { width: 320, height: 700 },
      colorScheme: "dark"
    })
    await page.goto(`${service.url()}/missions/spring`)
    const steps = card(page, "Follow-ups")
    for (const [at, purpose] of ["Say goodbye", "Ask about June"].entries()) {
      const added = steps.locator("details").last()
      if (at === 0) await added.locator("summary").click()
      await added.getByLabel("Working days to wait").fill("3")
      await added.getByLabel("Purpose").fill(purpose)
      await added.getByRole("button", { name: "Add a follow-up" }).click()
      await steps.locator("summary", { hasText: purpose }).waitFor()
    }
    await steps.locator("summary", { hasText: "Ask about June" }).click()
    await steps.getByRole("button", { name: "Move up" }).press("Enter")
    await says(page, "Moved up.")
    const name = "1. LinkedIn, 3 working days without a reply: Ask about June"
    await steps.locator("summary", { hasText: name }).waitFor()
    await looksRight(page, "follow-ups of a mission")
    const stored = (await run("mission.steps.get", { mission_id: "spring" })) as unknown as {
      steps: ReadonlyArray<{ purpose: string }>
    }
    assert.deepStrictEqual(
      stored.steps.map(({ purpose }) => purpose),
      ["Ask about June", "Say goodbye"]
    )

    await page.goto(`${service.url()}/overview`)
    await shows(page, ".needs", "Follow-ups due 1")
    await looksRight(page, "a follow-up that is due")
    await page.getByRole("button", { name: "Write… Grace Hopper" }).click()
    await page.locator("dialog textarea").fill("Hi Grace, does June work for you?")
    await looksRight(page, "writing a follow-up")
    await page.keyboard.press("Control+Enter")
    await says(page, "Written. It waits in Review.")
    await until(page, `!document.querySelector(".needs")?.textContent.includes("Follow-ups due")`)
    const { drafts } = (await run("linkedin.draft.list", {})) as unknown as {
      drafts: ReadonlyArray<{ draft_id: string }>
    }
    await page.goto(`${service.url()}/review/d/${drafts[0]?.draft_id}`)
    await shows(page, ".draft", "Follow-up 1 of 2: Ask about June")
    await looksRight(page, "a draft of a follow-up")

    await run("linkedin.draft.approve", { draft_id: drafts[0]?.draft_id, send_now: true })
    await page.goto(`${service.url()}/missions/spring`)
    await card(page, "What works").locator("tr", { hasText: "Follow-up 1" }).waitFor()
    await looksRight(page, "what works")
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("are on the overview where something needs a person, with links that keys move in", async () => {
    const { ids, key, leadAt, run } = await organizationWith(service, "Needs", 5)
    const { context, page, problems } = await signedIn(browser, service, key, { colorScheme: "dark" })
    await goTo(page, "Needs you")
    await shows(page, ".needs", "Drafts to review 5")
    await looksRight(page, "the overview")
    const { lead_id } = await leadAt(1)
    await run("lead.message.record", { lead_id, channel: "LINKEDIN", direction: "inbound", content: "Tell me more" })
    await until(page, `document.querySelector(".needs")?.textContent.includes("Replies waiting 1")`)
    await page.keyboard.press("j")
    assert.match((await page.evaluate(`document.activeElement.textContent`)) as string, /^Lead1 Example/)
    await page.keyboard.press("End")
    await until(page, `document.activeElement.textContent === "Show all 5"`)
    await page.keyboard.press("Enter")
    await page.waitForSelector("[data-text]")
    await page.goBack()
    for (const draft_id of ids) await run("linkedin.draft.cancel", { draft_id })
    await until(page, `!document.querySelector(".needs")?.textContent.includes("Drafts to review")`)
    assert.deepStrictEqual(problems, [])
    await context.close()
  })
})
