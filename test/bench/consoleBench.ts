/**
 * The review page in Chromium, against a service on memory: when it first paints, when the first draft can be read, and how
 * long a decision takes from the key press to the next paint.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createSvc, scopeBundles } from "@svc/embed"
import { startBrowser } from "../support/chromium.ts"

const rounds = 20

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const shown = (values: ReadonlyArray<number>): string =>
  `median ${median(values).toFixed(0)} ms, worst ${Math.max(...values).toFixed(0)} ms`

const svc = await createSvc({ databaseUrl: "memory:", gateway: "simulator", worker: false, rateLimit: 0 })
const { apiKey, organizationId } = await svc.createOrganization("Bench")
const own = svc.as({ organizationId, scopes: scopeBundles.full })
await own.agents.create({ first_name: "Ada", last_name: "Martin", handle: "ada" })
for (let at = 0; at < rounds + 5; at++) {
  const email = `lead${at}@example.com`
  await own.leads.upsert({ name: `Lead${at} Example`, email, linkedin_url: `https://www.linkedin.com/in/lead-${at}` })
  const variations = [`Hi Lead${at}, does closing month ${at} take you a week?`]
  await own.linkedin.draft.create({ email, agent_handle: "ada", variations })
}
const server = createServer((request, response) => svc.node(request, response)).listen(0, "127.0.0.1")
await once(server, "listening")
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/review`
const browser = await startBrowser()
const page = await browser.newPage()
await page.goto(url)
await page.fill("#key", apiKey)
await page.click("button[type=submit]")
await page.waitForSelector("[data-text]")

const firstPaints: Array<number> = []
const firstTexts: Array<number> = []
for (let round = 0; round < rounds; round++) {
  await page.goto(url)
  await page.waitForSelector("[data-text]")
  firstTexts.push(await page.evaluate<number>("performance.now()"))
  firstPaints.push(
    await page.evaluate<number>(`performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`)
  )
}

const decisions: Array<number> = []
for (let round = 0; round < rounds; round++) {
  await page.waitForTimeout(500)
  await page.evaluate(`(() => {
    const text = () => document.querySelector("[data-text]")?.textContent
    const before = text()
    window.decided = new Promise((resolve) => addEventListener("keydown", ({ timeStamp }) => {
      const look = () => text() !== before ? requestAnimationFrame((at) => resolve(at - timeStamp)) : requestAnimationFrame(look)
      look()
    }, { once: true, capture: true }))
  })()`)
  await page.keyboard.press("a")
  decisions.push(await page.evaluate<number>("window.decided"))
}

process.stdout.write(`first paint:         ${shown(firstPaints)}
first text is there: ${shown(firstTexts)}
decision is shown:   ${shown(decisions)}
`)
await browser.close()
server.closeAllConnections()
server.close()
await svc.close()
