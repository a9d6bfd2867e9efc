/** The app for one draft in a real browser: in the sandbox of a small client that proxies its calls to a real service. */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser, FrameLocator, Page } from "playwright-core"
import { createKey } from "#core/workspace/organizations/Provisioning.ts"
import { appContents } from "#mcp/reviewApp.ts"
import { buildApp } from "../../packages/console/build.js"
import { hasChromium, startBrowser } from "../support/chromium.ts"
import { organizationWith, signedIn, startService, until } from "./reviewing.ts"

type Json = Readonly<Record<string, unknown>>

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "connect-src 'none'",
  "frame-src 'none'",
  "base-uri 'none'"
].join("; ")

describe.skipIf(!hasChromium())("the app for a draft", () => {
  let service: Awaited<ReturnType<typeof startService>>
  let browser: Browser
  let host: Server
  let url = ""
  let html = ""
  beforeAll(async () => {
    service = await startService()
    browser = await startBrowser()
    const script = await readFile(new URL("appHost.js", import.meta.url))
    host = createServer(({ url: path }, response) => {
      response.setHeader("content-type", path === "/" ? "text/html" : "text/javascript")
      response.end(path === "/" ? '<!doctype html><body></body><script src="/host.js"></script>' : script)
    })
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve))
    url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    const app = appContents(await buildApp(), `${service.url()}/review`)
    const { text } = Object((app["contents"] as ReadonlyArray<unknown>)[0])
    html = text.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
  })
  afterAll(async () => {
    await browser?.close()
    host?.close()
    await service?.close()
  })

  /** An organization with a draft for a person of this name, and a key of an agent, which may draft alone. */
  const withDraft = async (name: string, text: string) => {
    const there = await organizationWith(service, name.slice(0, 8), 0)
    await there.run("lead.upsert", {
      name,
      email: "x@example.com",
      company: "<b>Bold</b>",
      linkedin_url: "https://www.linkedin.com/in/x-y"
    })
    const { draft } = await there.run("linkedin.draft.create", {
      email: "x@example.com",
      agent_handle: "ada",
      variations: [text]
    })
    const { organization_id } = Object(
      await fetch(`${service.url()}/api/v1/me`, { headers: { authorization: `Bearer ${there.key}` } }).then((reply) =>
        reply.json()
      )
    ).data
    const agent = await service.runtime.runPromise(createKey(organization_id, { name: "agent", actorKind: "AI_AGENT" }))
    return { ...there, draftId: String(Object(draft).draft_id), result: { draft }, agentKey: agent.text }
  }

  /** The client's page with the app; `calls` are the tools that the app called. */
  const opened = async (
    agentKey: string,
    result: Json
  ): Promise<{
    page: Page
    app: FrameLocator
    calls: Array<Json>
    requests: Array<string>
    seen: (method: string) => Promise<ReadonlyArray<Json>>
  }> => {
    const page = await browser.newPage()
    const calls: Array<Json> = []
    const requests: Array<string> = []
    await page.goto(url)
    page.on("request", (request) => requests.push(request.url()))
    await page.exposeFunction("callTool", async (params: Json) => {
      calls.push(params)
      const reply = await fetch(`${service.url()}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${agentKey}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream"
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
      })
      return Object(await reply.json()).result
    })
    const toolResult = { structuredContent: result, content: [] }
    await page.evaluate(`show(${JSON.stringify(html)}, ${JSON.stringify(toolResult)})`)
    const seen = (method: string): Promise<ReadonlyArray<Json>> =>
      page.evaluate(`seen.filter((message) => message.method === ${JSON.stringify(method)})`)
    return { page, app: page.frameLocator("iframe").first(), calls, requests, seen }
  }

  it("shows its text, findings and lead, and what strangers wrote as text", async () => {
    const evil = `<img src=x onerror="parent.postMessage('owned','*')">`
    const { agentKey, draftId, result } = await withDraft(
      `Eve ${evil}`,
      `Hi [First name], <script>parent.owned=1</script> 44%`
    )
    const { app, calls, page, requests, seen } = await opened(agentKey, result)
    await app.getByRole("heading").waitFor()
    assert.strictEqual(await app.getByRole("heading").textContent(), `Eve ${evil}`)
    assert.include(await app.locator("blockquote").textContent(), "<script>parent.owned=1</script>")
    assert.include(await app.locator("header").textContent(), "<b>Bold</b>")
    assert.match(String(await app.getByLabel("Issues").textContent()), /Error:/)
    assert.strictEqual(await app.locator("img, header b, blockquote script").count(), 0)
    assert.strictEqual(
      await app.locator("h1").evaluate("getComputedStyle(document.querySelector('h1')).color"),
      "rgb(1, 2, 3)"
    )
    assert.deepStrictEqual(calls, [
      {
        name: "command_run",
        arguments: { command_id: "review.get", input: { item_id: draftId }, response_profile: "full" }
      }
    ])
    assert.deepStrictEqual(requests, [], "nothing is loaded")
    const [, frame] = page.frames()
    await frame?.evaluate(axe)
    const found = await frame?.evaluate(
      'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))'
    )
    assert.deepStrictEqual(found, [])
    assert.isAbove((await seen("ui/notifications/size-changed")).length, 0)
    await page.close()
  })

  it("decides nothing: its link opens the draft on the review page, and it tells the model what a person decided", async () => {
    const { agentKey, draftId, key, result, run } = await withDraft(
      "Grace Hopper",
      "Hi Grace, who books your invoices?"
    )
    const { app, calls, page, seen } = await opened(agentKey, result)
    await app.getByText("Waits for review").waitFor()
    await app.getByRole("button", { name: "Decide on the review page" }).click()
    await until(page, 'seen.some(({ method }) => method === "ui/open-link")')
    const [link] = await seen("ui/open-link")
    const target = String(Object(link?.["params"]).url)
    assert.strictEqual(target, `${service.url()}/review/d/${draftId}`)
    const { draft: before } = await run("linkedin.draft.get", { draft_id: draftId })
    assert.strictEqual(Object(before).status, "PENDING_REVIEW")

    const { context, page: reviewing } = await signedIn(browser, service, key)
    await reviewing.goto(target)
    await reviewing.getByText("Hi Grace, who books your invoices?").first().waitFor()
    await context.close()
    const { content_hash } = await run("review.get", { item_id: draftId })
    await run("linkedin.draft.approve", { draft_id: draftId, content_hash, variation_index: 0 })
    await app.getByRole("button", { name: "Refresh" }).click()
    await app.getByText("Approved, waits to be sent").waitFor()
    const [told] = await seen("ui/update-model-context")
    assert.include(JSON.stringify(told), `Draft ${draftId} is now READY_TO_SEND.`)
    const used = new Set(calls.map(({ arguments: args }) => Object(args).command_id))
    assert.deepStrictEqual([...used], ["review.get"])
    await page.close()
  })

  it("takes no message of another window, and says why a draft cannot be read", async () => {
    const { agentKey } = await withDraft("Ada Byron", "Hi Ada")
    const { app, calls, page } = await opened(agentKey, { draft: { draft_id: "drf_none" } })
    await app.getByRole("alert").waitFor()
    assert.include(String(await app.getByRole("alert").textContent()), "NOT_FOUND")
    const sent = calls.length
    const params = { arguments: { draft_id: "drf_evil" } }
    await page.evaluate(`intrude(${JSON.stringify({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params })})`)
    await app.getByRole("button", { name: "Retry" }).click()
    await app.getByRole("alert").waitFor()
    await until(page, `seen.filter(({ method }) => method === "tools/call").length > ${sent}`)
    assert.isAbove(calls.length, sent)
    assert.notInclude(JSON.stringify(calls), "drf_evil")
    await page.close()
  })
})
