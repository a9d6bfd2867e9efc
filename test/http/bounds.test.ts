/**
 * The bounds of a request, before it is decoded, on every path that takes a body: those of the router, MCP over standard input, a
 * host's body parser, and calls in process.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { HttpApp } from "#http/HttpApp.ts"
import { jsonTextProblem } from "#http/JsonText.ts"
import { serveLines } from "#mcp/overStdio.ts"
import { openService } from "../support/httpService.ts"
import { listening } from "../support/listening.ts"
import { openOAuth } from "../support/oauthService.ts"

const fields = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(",")}}`
const items = (count: number): string => `{"a":[${"1,".repeat(count - 1)}1]}`
const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`

/** Bodies beyond a bound, with what is said of them, and the largest within it. */
const bounds = [
  { what: "1,001 fields", beyond: fields(1_001), said: "must have at most 1,000 fields", within: fields(990) },
  { what: "80,000 fields", beyond: fields(80_000), said: "must have at most 1,000 fields", within: fields(990) },
  { what: "10,001 items", beyond: items(10_001), said: "a: must have at most 10,000 items", within: items(10_000) },
  { what: "60 levels", beyond: nested(60), said: "must be nested at most 32 levels deep", within: nested(32) }
] as const

/** Paths whose bodies are small, so that most of these are refused for their size. */
const small = ["POST /review/session", "POST /oauth/register", "POST /api/v1/simulator/events"]

/** Paths that read no JSON here, with what they respond. */
const others: Readonly<Record<string, number>> = {
  "POST /oauth/authorize": 400,
  "POST /oauth/token": 415,
  "POST /oauth/revoke": 415,
  "POST /api/v1/missions/{missionHandle}/imports": 415,
  // What is read is neither JSON nor anything before the token is known.
  "POST /unsubscribe/{token}": 404,
  "POST /api/v1/email/inbound": 400,
  "POST /api/v1/gateways/{gateway}/webhook/{token}": 404
}
const forms = ["POST /oauth/token", "POST /oauth/revoke"]

type Service = Awaited<ReturnType<typeof openOAuth>>
let service: Service
let doors: ReadonlyArray<{ readonly method: string; readonly path: string }>
beforeAll(async () => {
  service = await openOAuth()
  const { routes } = await service.runtime.runPromise(HttpApp)
  doors = routes.filter(({ method }) => method === "POST" || method === "PATCH")
})
afterAll(() => service.close())

const send = (method: string, path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  service.ask(method, path.replaceAll(/\{\w+\}/g, "lead.search"), { key: service.apiKey, body, headers })

describe("the bounds of a request", () => {
  it.each(bounds)("$what are refused by every path of the router before decoding", async ({ beyond, said, within }) => {
    const seen: Array<string> = []
    for (const { method, path } of doors) {
      const door = `${method} ${path}`
      const refused = await send(method, path, beyond)
      if (others[door] !== undefined) assert.strictEqual(refused.status, others[door], door)
      else if (refused.status === 413) assert.include(small, door)
      else {
        seen.push(door)
        assert.strictEqual(refused.status, 400, door)
        assert.include(refused.text, said, door)
        const taken = await send(method, path, within)
        assert.notInclude(taken.text, said, door)
        assert.isBelow(taken.status, 500, door)
      }
    }
    assert.isAtLeast(seen.length, 17)
    assert.includeMembers(seen, [
      "POST /mcp",
      "POST /api/v1/commands/{commandId}",
      "PATCH /api/v1/missions/{missionHandle}"
    ])
  })

  it("hold for forms and for the fields of a query", async () => {
    const many = Array.from({ length: 1_001 }, (_, n) => `a${n}=1`).join("&")
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    for (const door of forms) {
      const refused = await send("POST", door.slice(5), many, headers)
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "must have at most 1,000 fields")
    }
    const page = await service.ask("GET", `/oauth/authorize?${many}`)
    assert.strictEqual(page.status, 400)
    assert.include(page.text, "must have at most 1,000 fields")
  })

  it("name where they are exceeded, in MCP too", async () => {
    const message = (args: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"command_run","arguments":{"input":{"x":[1,${args}]}}}}`
    const refused = await send("POST", "/mcp", message(fields(80_000)))
    assert.strictEqual(refused.status, 400)
    assert.include(refused.text, "params.arguments.input.x[1]: must have at most 1,000 fields")
    // A message of MCP has four levels around an input.
    assert.notInclude((await send("POST", "/mcp", message(nested(29)))).text, "32 levels")
  })

  it("hold for a line of standard input, which is not parsed either", async () => {
    const lines = bounds.map(({ beyond }) => `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${beyond}}}\n`)
    const replies: Array<string> = []
    const input = Readable.from(
      [...lines, '{"jsonrpc":"2.0","id":8,"method":"ping"}\n'].map((line) => Buffer.from(line))
    )
    const write = async (line: string) => void replies.push(line)
    const none = Effect.die("not needed")
    const parts = { version: "0", toolbox: none, resources: none, reviewApp: none }
    const workspace = { run: () => none, read: () => none, reviewPage: none, from: () => workspace }
    await Effect.runPromise(serveLines(parts, { workspace }, { input, write, textProblem: jsonTextProblem }))
    assert.lengthOf(replies, bounds.length + 1)
    for (const [index, { said }] of bounds.entries()) {
      assert.include(replies[index], said)
      assert.include(replies[index], '"id":null')
    }
    assert.include(replies.at(-1), '"id":8,"result"')
  })

  it("hold in process, and for what a host's body parser made", async () => {
    const { key, svc } = await openService()
    for (const { beyond, said } of bounds) {
      const envelope = await svc.commands.run("lead.search", JSON.parse(beyond))
      assert.include(JSON.stringify(envelope), said)
      const parsed = (request: IncomingMessage, response: ServerResponse) =>
        request.on("end", () => svc.node(Object.assign(request, { body: JSON.parse(beyond) }), response)).resume()
      await listening({ node: parsed }, async (url) => {
        for (const path of ["/api/v1/offers", "/api/v1/commands/lead.search", "/mcp"]) {
          const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
          const text = await (await fetch(`${url}${path}`, { method: "POST", headers, body: "{}" })).text()
          assert.include(text, said, path)
        }
      })
    }
    await svc.close()
  })

  it("leave a text alone otherwise: nothing is cut, however it is made of strings", () => {
    for (const text of [
      `{"a":"${",".repeat(20_000)}"}`,
      `["${'\\",'.repeat(20_000)}"]`,
      `{"a":"${"[".repeat(500)}"}`,
      '{"a":"\\\\","b":"]"}',
      '"',
      '{"a',
      '{"\\',
      "[[[",
      "]]]]",
      "{,,,}"
    ])
      assert.isUndefined(jsonTextProblem(text))
  })
})
