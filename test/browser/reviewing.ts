/** The review page in a real browser: a service on memory below a sub-path, people who are signed in, and drafts to review. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { createKey, createOrganization } from "#core/workspace/organizations/Provisioning.ts"
import { HttpHandlers } from "#http/HttpHandlers.ts"
import { buildPage } from "../../packages/console/build.js"
import { owner } from "../support/memory.ts"
import { openPage } from "../support/reviewPage.ts"
import { ok } from "../support/World.ts"

/** Where the service is mounted. */
const mount = "/in/a/host"

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A service whose server can stop and start again on the same port, with everything that it stored. */
export const startService = async () => {
  const service = await openPage({ rateLimit: 0, http: { mount }, page: Effect.promise(buildPage) })
  const { node } = await service.runtime.runPromise(HttpHandlers)
  let port = 0
  let server: Server | undefined
  let before: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  const start = async (): Promise<void> => {
    const handle: Handle = (request, response) => {
      if (before?.(request, response) !== true) node(request, response)
    }
    server = createServer(handle)
    await new Promise<void>((resolve) => server?.listen(port, "127.0.0.1", resolve))
    port = (server.address() as AddressInfo).port
  }
  const stop = async (): Promise<void> => {
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve))
  }
  await start()
  return {
    runtime: service.runtime,
    start,
    stop,
    /** Sees each request first; true keeps it from the service. */
    intercept: (watch: typeof before) => {
      before = watch
    },
    url: () => `http://127.0.0.1:${port}${mount}`,
    close: async () => {
      await stop()
      await service.close()
    }
  }
}

type Service = Awaited<ReturnType<typeof startService>>

/** The drafts of a key's organization: `run` runs a command in it. `name` keeps its people apart from others'. */
export const draftsAt = async (url: string, key: string, name: string, drafts: number) => {
  const run = async (command: string, input: unknown): Promise<Record<string, unknown>> => {
    const reply = await fetch(`${url}/api/v1/commands/${command}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(input)
    })
    const { data, error } = (await reply.json()) as Record<string, Record<string, unknown>>
    if (data === undefined) throw new Error(`${command}: ${JSON.stringify(error)}`)
    return data
  }
  await run("agent.create", { first_name: "Ada", last_name: "Martin", handle: "ada" })
  const texts = (at: number) =>
    `Hi Lead${at}, one question about closing month ${at}: does it take a week?\n\nBest, Ada`
  const draftFor = async (at: number, variations: ReadonlyArray<string> = [texts(at)]) => {
    const { draft } = await run("linkedin.draft.create", {
      email: `lead${at}@example.com`,
      agent_handle: "ada",
      variations
    })
    return (draft as { draft_id: string }).draft_id
  }
  const leadAt = (at: number) =>
    run("lead.upsert", {
      name: `Lead${at} Example`,
      email: `lead${at}@example.com`,
      company: `Company ${at}`,
      linkedin_url: `https://www.linkedin.com/in/lead-${name.toLowerCase()}-${at}`
    })
  const ids: Array<string> = []
  for (let at = 0; at < drafts; at++) {
    await leadAt(at)
    ids.push(await draftFor(at))
  }
  return { key, run, ids, leadAt, draftFor }
}

/** A new organization with its drafts. */
export const organizationWith = async (service: Service, name: string, drafts: number) => {
  const { organization, text } = await service.runtime.runPromise(createOrganization(name))
  const secondKey = async (person: string) =>
    (await service.runtime.runPromise(createKey(organization.id, { name: person }))).text
  /** Runs a command as some days ago. */
  const earlier = (days: number, command: string, input: object) => {
    const live = Clock.Clock.defaultValue()
    const millis = () => live.currentTimeMillisUnsafe() - days * 86_400_000
    const changed = { currentTimeMillisUnsafe: millis, currentTimeMillis: Effect.sync(millis) }
    const clock = Object.assign(Object.create(live) as Clock.Clock, changed)
    const run = ok(command, input, { actor: owner(organization.id) })
    return service.runtime.runPromise(Effect.provideService(run, Clock.Clock, clock))
  }
  return { ...(await draftsAt(service.url(), text, name, drafts)), secondKey, earlier }
}

/** Signs somebody in in a window of their own, and fails the test when the page breaks its policy or leaves its origin. */
export const signedIn = async (
  browser: Browser,
  service: Pick<Service, "url">,
  key: string,
  options: Parameters<Browser["newContext"]>[0] = {}
): Promise<{ readonly context: BrowserContext; readonly page: Page; readonly problems: Array<string> }> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const problems: Array<string> = []
  page.on("pageerror", (error) => problems.push(error.message))
  page.on("console", (message) => {
    // The page asks who is signed in, and browsers report the 401.
    const isError = message.type() === "error" && !message.text().includes("status of 401")
    if (isError || /Content Security Policy|violates/.test(message.text())) problems.push(message.text())
  })
  page.on("request", (request) => {
    if (!request.url().startsWith(service.url()) && !request.url().startsWith("data:")) problems.push(request.url())
  })
  await page.goto(`${service.url()}/review`)
  await page.fill("#key", key)
  await page.click("button[type=submit]")
  await page.waitForSelector(".bar")
  return { context, page, problems }
}

/** Whether an expression becomes true in time in the page, whose policy forbids to evaluate texts there. */
export const becomes = async (page: Page, expression: string, millis: number): Promise<boolean> => {
  const end = Date.now() + millis
  while (!(await page.evaluate(`Boolean(${expression})`))) {
    if (Date.now() > end) return false
    await page.waitForTimeout(25)
  }
  return true
}

/** Waits until an expression is true in the page. */
export const until = async (page: Page, expression: string): Promise<void> => {
  if (!(await becomes(page, expression, 30_000))) throw new Error(`Still not true: ${expression}`)
}
