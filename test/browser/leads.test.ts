/** The places Leads and Import as people use them: by keys and by mouse, in a real browser. */
import { readFileSync } from "node:fs"
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

/** An organization with two leads, one draft and a mission, and a window in a place of its page. */
const opened = async (name: string, path: string, options: Parameters<Browser["newContext"]>[0] = {}) => {
  const { key, leadAt, run } = await organizationWith(service, name, 1)
  await leadAt(1)
  const { mission } = await run("mission.create", { name: "Spring", agent_handle: "ada" })
  const missionId = (mission as { readonly id: string }).id
  const { context, page, problems } = await signedIn(browser, service, key, { reducedMotion: "reduce", ...options })
  await page.goto(`${service.url()}${path}`)
  await page.waitForSelector(".columns")
  const leadId = async (email: string) => (await run("lead.get", { email }))["lead_id"] as string
  return { context, page, problems, run, missionId, leadId }
}

const title = (text: string) => `document.querySelector(".draft h2")?.textContent === ${JSON.stringify(text)}`
const said = (text: string) => `document.querySelector(".status")?.textContent.includes(${JSON.stringify(text)})`
const card = (page: Page, name: string) => page.locator(`.draft section[aria-label="${name}"]`)

/** Fills fields by their labels and submits the form of the dialog. */
const submit = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  await page.waitForSelector("dialog[open]")
  for (const [label, value] of Object.entries(values)) await page.locator("dialog").getByLabel(label).fill(value)
  await page.keyboard.press("Control+Enter")
  await page.waitForSelector("dialog", { state: "detached" })
}

const csv = (rows: ReadonlyArray<string>, encoding: BufferEncoding = "utf8") => ({
  name: "people.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(rows.join("\r\n"), encoding)
})

describe.skipIf(!hasChromium())("the place of the leads", { concurrent: true }, () => {
  it("finds a person, and takes a note, a status, other facts and a mission for them", async () => {
    const { context, leadId, page, problems, run } = await opened("Working", "/leads")
    await until(page, title("Lead1 Example"))
    await page.keyboard.press("n")
    await submit(page, { Note: "Call on the fifth" })
    await until(
      page,
      `document.querySelector("section[aria-label=Timeline]").textContent.includes("Call on the fifth")`
    )
    await page.keyboard.press("s")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await until(page, said("Lead1 Example: Contacted."))
    await page.keyboard.press("c")
    await submit(page, { "Job title": "CFO", Skills: "Audit\nTax" })
    await until(page, said("Saved."))
    await page.keyboard.press("m")
    await submit(page, {})
    await until(page, said("Added to the mission."))
    const { lead } = await run("lead.get", { lead_id: await leadId("lead1@example.com") })
    const { jobTitle, missions, skills, status } = lead as Record<string, unknown>
    assert.deepStrictEqual([jobTitle, missions, skills, status], ["CFO", ["Spring"], ["Audit", "Tax"], "Contacted"])
    await until(
      page,
      `/CFO.*Working|CFO .*\\d\\d:\\d\\d/.test(document.querySelector("section[aria-label=Facts]").textContent)`
    )
    assert.deepStrictEqual(await violations(page), [])
    await card(page, "Missions").getByRole("button").click()
    await page.click("dialog .primary")
    await until(page, said("Removed."))
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("has its filters in the URL, back and forward, and opens a person who is not in the list", async () => {
    const { context, leadId, page, problems } = await opened("Filters", "/leads")
    await until(page, title("Lead1 Example"))
    await page.click("text=More filters")
    assert.deepStrictEqual(await violations(page), [])
    await page.locator("dialog").getByLabel("Company").fill("Company 0")
    await page.keyboard.press("Enter")
    await until(page, `location.search === "?company=Company+0" && document.querySelectorAll(".row").length === 1`)
    await page.locator(".tools select").first().selectOption("Replied")
    await until(page, `document.querySelector(".queue").textContent.includes("Nothing matches the filters.")`)
    await until(page, `location.search.includes("status=Replied")`)
    await page.reload()
    await until(page, `document.querySelector(".queue")?.textContent.includes("Nothing matches the filters.")`)
    await page.goto(`${service.url()}/leads/${await leadId("lead0@example.com")}?status=Replied`)
    await until(page, title("Lead0 Example"))
    await page.click("text=Message from Ada Martin")
    await until(page, `location.pathname.includes("/review/d/drf_")`)
    await page.goBack()
    await until(page, title("Lead0 Example"))
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("has own fields, tags and a lawful basis among the facts and the filters, which are saved under a name", async () => {
    const { context, leadId, page, problems, run } = await opened("Own", "/settings/fields", { colorScheme: "dark" })
    await run("lead.field.set", { key: "segment", label: "Segment", type: "choice", choices: ["Small", "Large"] })
    await run("lead.field.set", { key: "seats", label: "Seats", type: "number" })
    await page.goto(`${service.url()}/leads`)
    await until(page, title("Lead1 Example"))
    await page.keyboard.press("c")
    await page.locator("dialog").getByLabel("Segment").selectOption("Large")
    await page.locator("dialog").getByLabel("Lawful basis").selectOption("consent")
    await submit(page, { Tags: "vip\nparis", Seats: "2.5" })
    await until(page, said("Saved."))
    const { basis, fields, tags } = await run("lead.get", { lead_id: await leadId("lead1@example.com") })
    assert.deepStrictEqual([fields, tags], [{ segment: "Large", seats: 2.5 }, ["vip", "paris"]])
    assert.deepInclude(basis, { lawful_basis: "consent" })
    await until(page, `document.querySelector("section[aria-label=Facts]").textContent.includes("SegmentLarge")`)
    assert.deepStrictEqual(await violations(page), [])

    await page.click("text=More filters")
    await page.locator("dialog").getByLabel("Segment").selectOption("Large")
    await page.locator("dialog").getByLabel("Tags").fill("vip")
    assert.deepStrictEqual(await violations(page), [])
    await page.click("dialog button[type=submit]")
    await until(
      page,
      `location.search.includes("fields.segment=Large") && document.querySelectorAll(".row").length === 1`
    )
    await page.click("text=Save filters…")
    await submit(page, { Name: "Large ones" })
    await until(
      page,
      `location.search === "?saved_filter=Large+ones" && document.querySelectorAll(".row").length === 1`
    )
    await page.reload()
    await until(page, `document.querySelectorAll(".row").length === 1`)
    assert.strictEqual(await page.getByLabel("Saved filter").inputValue(), "Large ones")
    assert.deepStrictEqual(await violations(page), [])
    await page.click("text=Delete filter…")
    await page.click("dialog .primary")
    await until(page, `location.search === "" && document.querySelectorAll(".row").length === 2`)
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("opens somebody who is known instead of adding them twice, and adds others", async () => {
    const { context, page, problems, run } = await opened("Adding", "/leads")
    await until(page, title("Lead1 Example"))
    await page.keyboard.press("p")
    await submit(page, { Name: "Somebody Else", "Email address": "LEAD0@example.com" })
    await until(page, `${title("Lead0 Example")} && ${said("is a lead already")}`)
    await page.keyboard.press("p")
    await page.fill("dialog input[name=name]", "Emmy Noether")
    await page.keyboard.press("Control+Enter")
    await page.waitForSelector("dialog [role=alert]")
    await page.fill("dialog input[name=email]", "emmy@example.org")
    await page.keyboard.press("Control+Enter")
    await until(page, title("Emmy Noether"))
    assert.strictEqual((await run("lead.search", {}))["count"], 3)
    assert.lengthOf(
      problems.filter((problem) => !/status of 4\d\d/.test(problem)),
      0
    )
    await context.close()
  })

  it("excludes a person and a domain, says why, and allows contact again", async () => {
    const { context, leadId, page, problems, run } = await opened("Excluding", "/leads")
    await until(page, title("Lead1 Example"))
    await page.keyboard.press("d")
    await submit(page, { Reason: "Competitor", Until: "2199-01-01" })
    await until(
      page,
      `document.querySelector("section[aria-label='Excluded from contact']")?.textContent.includes("Competitor")`
    )
    await page.click("text=Exclude example.com")
    await submit(page, { Reason: "Customer" })
    await until(
      page,
      `document.querySelector("section[aria-label='Excluded from contact']")?.textContent.includes("Customer")`
    )
    assert.deepStrictEqual(await violations(page), [])
    const excluded = `document.querySelector("section[aria-label='Excluded from contact']")`
    for (const isLeft of [`${excluded}?.textContent.includes("Competitor")`, `!${excluded}`]) {
      await card(page, "Excluded from contact").getByRole("button").click()
      await submit(page, { Reason: "A mistake" })
      await until(page, isLeft)
    }
    const id = await leadId("lead1@example.com")
    const { results } = await run("lead.suppression.check", { identifiers: [id, "example.com"] })
    assert.deepStrictEqual(
      (results as ReadonlyArray<{ suppressed: boolean }>).map(({ suppressed }) => suppressed),
      [false, false]
    )
    await card(page, "Status").getByText("Do not contact").click()
    await page.click("dialog .primary")
    await until(page, said("Lead1 Example: Do not contact."))
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("exports a person as a file, and erases them once their address is typed", async () => {
    const { context, page, problems, run } = await opened("Erasing", "/leads")
    await until(page, title("Lead1 Example"))
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Export")])
    assert.include(readFileSync(await download.path(), "utf8"), "lead1@example.com")
    await page.click("text=Erase")
    await page.waitForSelector("dialog[open]")
    assert.isTrue(await page.locator("dialog .primary").isDisabled())
    await page.fill("#typed", "lead1@example.com")
    await page.click("dialog .primary")
    await until(page, title("Lead0 Example"))
    assert.strictEqual((await run("lead.search", {}))["count"], 1)
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("shows possible duplicates side by side, and merges them after a question that names both", async () => {
    const { context, leadId, page, problems, run } = await opened("Merging", "/leads")
    await run("lead.upsert", { name: "Lead0 Example", email: "lead0@example.org", company: "Company 0" })
    await page.keyboard.press("]")
    await until(page, `document.querySelector(".row")?.textContent.includes("Same name and company · 2 records")`)
    await until(page, title("Is this one person?"))
    assert.deepStrictEqual(await violations(page), [])
    await page.click("text=Keep record 1")
    await page.waitForSelector("dialog[open]")
    const question = await page.locator("dialog").textContent()
    assert.include(question, "lead0@example.com")
    assert.include(question, "lead0@example.org")
    await page.click("dialog .primary")
    await until(page, title("Lead0 Example"))
    assert.strictEqual(await leadId("lead0@example.org"), await leadId("lead0@example.com"))
    assert.deepStrictEqual(problems, [])
    await context.close()
  })
})

describe.skipIf(!hasChromium())("the place of the imports", { concurrent: true }, () => {
  it("shows how a file is read, takes another mapping, imports it and gives the rejected rows", async () => {
    const { context, leadId, missionId, page, problems, run } = await opened("Importing", "/import")
    await page.waitForSelector(".drop")
    assert.deepStrictEqual(await violations(page), [])
    const rows = ["E-Mail;Vorname;Firma;Wert", "jürgen@example.org;Jürgen;Köln AG;9", "nobody;Kaputt;;"]
    await page.setInputFiles("#import-file", csv(rows, "latin1"))
    await page.locator(".draft select[aria-label=Mission]").selectOption(missionId)
    await until(page, `document.querySelector("section[aria-label=Preview]")?.textContent.includes("Jürgen")`)
    await until(page, `document.querySelector("section[aria-label=Preview]").textContent.includes("has no @")`)
    const matches = await card(page, "Columns").locator(".sign").allTextContents()
    assert.deepStrictEqual(matches, ["Guessed", "Guessed", "Guessed", "Ignored"])
    await card(page, "Columns").getByLabel("Field of Wert").selectOption("score")
    await until(page, `document.querySelectorAll("section[aria-label=Columns] .sign")[3].textContent === "Matched"`)
    assert.deepStrictEqual(await violations(page), [])
    await page.locator(".draft h2").click()
    await page.keyboard.press("s")
    await until(page, `document.querySelector("section[aria-label=Result]")?.textContent.includes("Not valid1")`)
    assert.deepStrictEqual(await violations(page), [])
    const { lead } = await run("lead.get", { lead_id: await leadId("jürgen@example.org") })
    const { company, score } = lead as Record<string, unknown>
    assert.deepStrictEqual([company, score], ["Köln AG", 9])
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download the rejected rows")])
    assert.include(readFileSync(await download.path(), "utf8"), "2,invalid,INVALID_EMAIL,,,nobody,Kaputt")
    await page.click("text=Show these leads")
    await until(page, `location.pathname.includes("/leads") && document.querySelectorAll(".row").length === 1`)
    await page.goBack()
    await page.click("text=Undo import")
    await page.click("dialog .primary")
    await until(page, said("1 lead deleted, 0 kept."))
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("maps columns to own fields and tags, with a source and a lawful basis for rows without one", async () => {
    const { context, leadId, missionId, page, problems, run } = await opened("Mapping", "/import")
    await run("lead.field.set", { key: "segment", label: "Segment", type: "choice", choices: ["Small", "Large"] })
    await page.reload()
    await page.waitForSelector(".drop")
    await page.setInputFiles("#import-file", csv(["Email,Size,Labels", "jo@example.org,large,vip"]))
    await page.locator(".draft select[aria-label=Mission]").selectOption(missionId)
    await page.getByLabel("Source of rows without one").fill("Fair")
    await page.getByLabel("Lawful basis of rows without one").selectOption("consent")
    await card(page, "Columns").getByLabel("Field of Size").selectOption("fields.segment")
    await card(page, "Columns").getByLabel("Field of Labels").selectOption("tags")
    await until(page, `document.querySelector("section[aria-label=Preview]")?.textContent.includes("Large")`)
    assert.deepStrictEqual(await violations(page), [])
    await page.locator(".draft h2").click()
    await page.keyboard.press("s")
    await until(page, title("people.csv"))
    const { basis, fields, tags } = await run("lead.get", { lead_id: await leadId("jo@example.org") })
    assert.deepStrictEqual([fields, tags], [{ segment: "Large" }, ["vip"]])
    assert.deepInclude(basis, { source: "Fair", lawful_basis: "consent" })
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("maps a file whose columns nobody recognizes, into a new mission, on a phone", async () => {
    const { context, page, problems, run } = await opened("Phone", "/import", {
      viewport: { width: 320, height: 640 },
      colorScheme: "dark"
    })
    await page.waitForSelector(".drop")
    await page.setInputFiles("#import-file", csv(["x,y", "ada,Ada", "alonzo,Alonzo"]))
    await page.click("text=New mission")
    await submit(page, { Name: "From the phone" })
    await page.waitForSelector(".draft [role=alert]")
    await card(page, "Columns").getByLabel("Field of x").selectOption("custom_id")
    await card(page, "Columns").getByLabel("Field of y").selectOption("name")
    await until(page, `!document.querySelector(".draft [role=alert]")`)
    assert.deepStrictEqual(await violations(page), [])
    const small = `[...document.querySelectorAll(".draft button, .draft select")].filter((one) => one.getBoundingClientRect().height < 44).length`
    assert.strictEqual(await page.evaluate(small), 0)
    await page.click(".actions .primary")
    await until(page, title("people.csv"))
    await until(page, `document.querySelector("section[aria-label=Result]")`)
    const { missions } = await run("mission.list", {})
    const made = (missions as ReadonlyArray<{ name: string; stats: { leads: number } }>).find(
      ({ name }) => name === "From the phone"
    )
    assert.strictEqual(made?.stats.leads, 2)
    assert.lengthOf(
      problems.filter((problem) => !/status of 4\d\d/.test(problem)),
      0
    )
    await context.close()
  })
})
