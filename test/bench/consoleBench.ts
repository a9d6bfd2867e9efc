/**
 * The page in Chromium: when Review first paints, when the first draft can be read, how long the next item and a decision take from
 * the key press to the next paint, and when the first leads are there. `--drafts` and `--leads` say how many there are, on PostgreSQL if
 * more than memory has by default.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { parseArgs } from "node:util"
import { createSvc, scopeBundles } from "@svc/embed"
import { startBrowser } from "../support/chromium.ts"
import { findPostgres, startPostgres } from "../support/PostgresCluster.ts"

const rounds = 20

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const shown = (values: ReadonlyArray<number>): string =>
  `median ${median(values).toFixed(0)} ms, worst ${Math.max(...values).toFixed(0)} ms`

const { values: given } = parseArgs({
  options: { drafts: { type: "string", default: String(rounds + 5) }, leads: { type: "string", default: "0" } }
})
const drafts = Number(given.drafts)
const leads = Math.max(Number(given.leads), drafts)

const binaries = findPostgres()
const cluster = leads > 1_000 && binaries !== undefined ? await startPostgres(binaries) : undefined
const svc = await createSvc({
  databaseUrl: cluster === undefined ? "memory:" : cluster.url,
  gateway: "simulator",
  worker: false,
  rateLimit: 0
})
const { apiKey, organizationId } = await svc.createOrganization("Bench")
const own = svc.as({ organizationId, scopes: scopeBundles.full })
await own.agents.create({ first_name: "Ada", last_name: "Martin", handle: "ada" })
await own.missions.create({ name: "Bench", handle: "bench", agent_handle: "ada" })
const rowsPerFile = 20_000
for (let first = 0; first < leads; first += rowsPerFile) {
  const rows = Array.from({ length: Math.min(rowsPerFile, leads - first) }, (_, at) => first + at)
  const lines = rows.map(
    (at) => `lead${at}@example.com,Lead${at} Example,Company ${at},https://www.linkedin.com/in/lead-${at}`
  )
  await own.commands.run("import.csv", {
    mission_handle: "bench",
    content: ["Email,Name,Company,LinkedIn", ...lines].join("\n")
  })
}
for (let first = 0; first < drafts; first += 20) {
  const items = Array.from({ length: Math.min(20, drafts - first) }, (_, at) => ({
    email: `lead${first + at}@example.com`,
    agent_handle: "ada",
    variations: [`Hi Lead${first + at}, does closing month ${first + at} take you a week?`]
  }))
  await own.commands.run("linkedin.draft.create-many", { drafts: items })
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

/** Milliseconds from a key press until another text is painted. */
const untilNext = async (key: string): Promise<number> => {
  await page.waitForTimeout(500)
  await page.evaluate(`(() => {
    const text = () => document.querySelector("[data-text]")?.textContent
    const before = text()
    window.decided = new Promise((resolve) => addEventListener("keydown", ({ timeStamp }) => {
      const look = () => text() !== before ? requestAnimationFrame((at) => resolve(at - timeStamp)) : requestAnimationFrame(look)
      look()
    }, { once: true, capture: true }))
  })()`)
  await page.keyboard.press(key)
  return page.evaluate<number>("window.decided")
}

const moves: Array<number> = []
for (let round = 0; round < rounds; round++) moves.push(await untilNext("j"))

const decisions: Array<number> = []
for (let round = 0; round < rounds; round++) decisions.push(await untilNext("a"))

const firstLeads: Array<number> = []
for (let round = 0; round < rounds; round++) {
  await page.goto(`${url.replace("/review", "")}/leads`)
  await page.waitForSelector(".row")
  firstLeads.push(await page.evaluate<number>("performance.now()"))
}

process.stdout.write(`first paint:         ${shown(firstPaints)}
first text is there: ${shown(firstTexts)}
next item is shown:  ${shown(moves)}
decision is shown:   ${shown(decisions)}
first leads:         ${shown(firstLeads)}
`)
await browser.close()
server.closeAllConnections()
server.close()
await svc.close()
await cluster?.stop()
