/**
 * Requests that no client would send, as bytes to a port: wrong methods, headers, queries and bodies for every route.
 *
 * Failed: an answer of 500 or more, none within seconds, or a process that stops answering. Lost: a refusal that changed
 * something, or that does not say what is wrong as refusals do. Leaked: it shows something of the inside.
 */
import { Composition, readSettings } from "@svc/embed/composition"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { commands } from "#core/commands.ts"
import { createOrganization } from "#core/workspace/organizations/Provisioning.ts"
import { serve } from "#http/NodeServer.ts"
import { restBindings } from "#http/restBindings.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { hostileTexts, nested } from "../support/hostile.ts"
import { changedTables } from "../support/memoryService.ts"
import { type Random, randomOf } from "../support/random.ts"
import { openSocket, type RawReply, readRaw } from "../support/rawHttp.ts"
import { restShapes } from "../support/rest.ts"
import { restRequest } from "../support/restRequest.ts"
import { smallPage } from "../support/reviewPage.ts"
import type { Campaign } from "./Tally.ts"

/** A request as it would be right. */
interface Right {
  readonly method: string
  readonly target: string
  readonly type: string
  readonly body: string
}

const json = (method: string, target: string, body: unknown = {}): Right => ({
  method,
  target,
  type: "application/json",
  body: method === "GET" || method === "DELETE" ? "" : JSON.stringify(body)
})

const form = (target: string, body: string): Right => ({
  method: "POST",
  target,
  type: "application/x-www-form-urlencoded",
  body
})

const call = (method: string, params: unknown = {}) => json("POST", "/mcp", { jsonrpc: "2.0", id: 1, method, params })

const beside: ReadonlyArray<Right> = [
  ...["/", "/health", "/ready", "/metrics", "/docs", "/docs/commands.md", "/docs/errors.md", "/llms.txt"],
  ...[
    "/api/v1/me",
    "/api/v1/openapi.json",
    "/api/v1/commands",
    "/api/v1/commands/lead.get/schema",
    "/api/v1/resources"
  ],
  ...["/review", "/review/d/drf_x", "/review/assets/page-1.js", "/review/session", "/api/v1/imports/imp_x/rows.csv"],
  ...["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp", "/nothing"],
  "/api/v1/resources/read?uri=svc%3A%2F%2Fguide",
  "/oauth/authorize?response_type=code&client_id=x&redirect_uri=https%3A%2F%2Fa.example&code_challenge=y&code_challenge_method=S256"
]
  .map((target) => json("GET", target))
  .concat([
    json("POST", "/review/session", { api_key: "svc_x" }),
    json("DELETE", "/review/session"),
    json("POST", "/oauth/register", { redirect_uris: ["https://agent.example/callback"] }),
    form(
      "/oauth/token",
      "grant_type=authorization_code&client_id=x&code=y&code_verifier=z&redirect_uri=https%3A%2F%2Fa.example"
    ),
    form("/oauth/token", "grant_type=refresh_token&client_id=x&refresh_token=y"),
    form("/oauth/revoke", "client_id=x&token=y"),
    form("/oauth/authorize?client_id=x", "action=allow&ticket=x&scope=leads%3Aread"),
    json("POST", "/api/v1/gateways/simulator/webhook/token", { event: "message" }),
    json("POST", "/api/v1/missions/m/imports", { leads: [] }),
    call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } }),
    call("tools/list"),
    call("tools/call", { name: "lead_get", arguments: { email: "a@b.example" } }),
    call("resources/read", { uri: "svc://guide" }),
    call("completion/complete", { ref: { type: "ref/prompt", name: "x" }, argument: { name: "y", value: "z" } }),
    call("tasks/get", { taskId: "x" })
  ])

const rights: ReadonlyArray<Right> = [
  ...commands.map(({ examples, id }) => json("POST", `/api/v1/commands/${id}`, examples[0].input)),
  ...restBindings.map((binding) => {
    const example = restShapes.find(({ id }) => id === `${binding.method} ${binding.path.replace("/api/v1", "")}`)
    const { body = "", method, target } = restRequest(binding, example?.examples[0].input ?? {})
    return { method, target, body, type: "application/json" }
  }),
  ...beside
]

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "MKCOL"]
const types = [
  "",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "application/json;",
  "application/json, text/html",
  "application/merge-patch+json",
  ";;;",
  "\u00e9"
]
const bodies: ReadonlyArray<string | Uint8Array> = [
  "",
  "{",
  "[]",
  "null",
  "0",
  '""',
  '{"a":1,"a":2}',
  '{"email":"a@b.example","email":"c@d.example"}',
  '{"lead_id":1e400}',
  '{"limit":9007199254740993}',
  '{"limit":-0}',
  '{"limit":1.0000000000000001}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"query":"\\ud800"}',
  '{"query":"\\u0000"}',
  "\ufeff{}",
  "[".repeat(200_000),
  `{"a":${JSON.stringify(nested(3_000))}}`,
  `{"query":"${"x".repeat(1_200_000)}"}`,
  `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join()}}`,
  new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  new Uint8Array([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]),
  "a=1&a=2&=&%zz=%ff",
  "--x\r\ncontent-disposition: form-data; name=file\r\n\r\nx\r\n--x--"
]
const queries = [
  "",
  "?",
  "?dry_run=true&dry_run=false",
  "?dry_run=maybe",
  "?response_profile=tiny",
  "?limit=1e9&cursor=%00",
  "?%ff=%ff",
  "?%",
  "?a[]=1&__proto__[x]=1",
  `?q=${"x".repeat(9_000)}`,
  "?limit=NaN",
  "?uri=svc://%00",
  "#fragment"
]
const headers: ReadonlyArray<string> = [
  "idempotency-key: ",
  `idempotency-key: ${"k".repeat(5_000)}`,
  "idempotency-key: \u00e9\u00ff",
  "idempotency-key: a\r\nidempotency-key: b",
  'if-match: *, W/"x", "',
  `if-none-match: ${'"x",'.repeat(500)}`,
  "authorization: Bearer",
  "authorization: Bearer a b",
  "authorization: Basic YTpi",
  `authorization: Bearer ${"x".repeat(9_000)}`,
  "authorization: Bearer svc_\u00e9",
  `cookie: ${"svc_session=x; ".repeat(300)}`,
  "cookie: svc_session=%00; svc_session=",
  "host: ",
  "host: evil.example\r\nhost: other.example",
  "host: [::1]:99999999",
  "origin: null",
  "origin: https://evil.example",
  "sec-fetch-site: cross-site",
  "accept: \u00ff/*;q=x",
  "accept-encoding: br;q=NaN, *;q=2",
  `svc-client: ${"c".repeat(3_000)}`,
  "svc-client: \u0001",
  "x-forwarded-for: ::ffff:999.1.1.1, ,",
  "x-forwarded-proto: javascript",
  "x-http-method-override: DELETE",
  "content-length: -1",
  "content-length: 5\r\ncontent-length: 6",
  "content-length: 99999999999999999999",
  "transfer-encoding: chunked\r\ncontent-length: 3",
  "transfer-encoding: gzip, chunked",
  "content-encoding: gzip",
  "content-encoding: nothing",
  "expect: 200-maybe",
  "range: bytes=0-0,-1,x",
  "connection: upgrade\r\nupgrade: websocket",
  "mcp-protocol-version: 1999-01-01",
  "mcp-session-id: \u0001x",
  "last-event-id: -1",
  "traceparent: 00-zz-zz-zz",
  "x: y\n folded: z"
]

/** Twists one part of a request, or two. */
const twist = (right: Right, random: Random, key: string): Uint8Array => {
  const { next, pick } = random
  const kind = next(6)
  const method = kind === 0 ? pick(methods) : right.method
  const isPathTwisted = kind === 1
  const text = encodeURIComponent(pick(hostileTexts).toWellFormed().slice(0, 4_000))
  const segments = right.target.split("?")[0]?.split("/") ?? []
  const place = 1 + next(Math.max(1, segments.length - 1))
  const path = isPathTwisted ? segments.map((one, index) => (index === place ? text : one)).join("/") : right.target
  const target = kind === 2 ? `${path}${pick(queries)}` : path
  const type = kind === 3 ? pick(types) : right.type
  const isBodyTwisted = kind === 4 || next(3) === 0
  const body = Buffer.from(isBodyTwisted && method !== "GET" ? pick(bodies) : right.body)
  const extra = kind === 5 || next(4) === 0 ? [pick(headers)] : []
  const has = (name: string) => extra.some((line) => line.toLowerCase().startsWith(name))
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(has("host") ? [] : ["host: svc.test"]),
    ...(has("authorization") || next(20) === 0 ? [] : [`authorization: Bearer ${key}`]),
    ...(type === "" || body.length === 0 ? [] : [`content-type: ${type}`]),
    ...(has("content-length") || has("transfer-encoding") ? [] : [`content-length: ${body.length}`]),
    ...extra,
    "connection: close"
  ]
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body])
}

/** What a refusal is noted in, and when a key was used. */
const kept = new Set(["api_keys", "audit", "audit_heads", "idempotency"])

const maxMillis = 6_000
/** What shows how the service is made. */
const inside =
  /node_modules|\.ts:\d|at \w+ \(|effect\/|TypeError|RangeError|SyntaxError|undefined is not|\/work\/|ECONN/

/** What is wrong with an answer. */
const problemOf = ({ body, headers: given, status }: RawReply, changed: ReadonlyArray<string>): string | undefined => {
  if (status >= 400 && changed.length > 0) return `it was refused, and changed ${changed.join(", ")}`
  if (status < 400 || body === "" || given.get("content-type") !== "application/json") return undefined
  // What is left of a body that nobody read is a request of its own, answered after this one.
  const own = Buffer.from(body)
    .subarray(0, Number(given.get("content-length")))
    .toString()
  // HEAD tells the length of a body that it does not have.
  if (own.startsWith("HTTP/1.1")) return undefined
  let answer: Readonly<Record<string, unknown>>
  try {
    answer = Object(JSON.parse(own))
  } catch {
    return "it is no JSON"
  }
  const error: Readonly<Record<string, unknown>> = Object(answer["error"])
  // OAuth and JSON-RPC have forms of their own.
  const { code, message } = error
  if (typeof answer["error"] === "string") return "error_description" in answer ? undefined : "it says nothing"
  if (answer["jsonrpc"] === "2.0") return typeof message === "string" ? undefined : "it says nothing"
  if (typeof code !== "string" || typeof message !== "string") return "it is no error"
  return /[.?)]$/.test(message) && message.split(" ").length > 2 ? undefined : "it is no sentence"
}

const send = async (port: number, bytes: Uint8Array): Promise<RawReply | "hangs" | "closed"> => {
  const socket = await openSocket(port)
  const reply = readRaw(socket).catch(() => "closed" as const)
  socket.write(bytes)
  // What a request says is longer than it is may be waited for; then its end comes.
  const impatient = setTimeout(() => socket.end(), maxMillis / 4)
  const late = new Promise<"hangs">((resolve) => setTimeout(() => resolve("hangs"), maxMillis).unref())
  return Promise.race([reply, late]).finally(() => {
    clearTimeout(impatient)
    socket.destroy()
  })
}

/** Runs the campaign. */
export const wire: Campaign = async ({ count, seed }, tally) => {
  const settings = Effect.runSync(
    Effect.fromResult(readSettings({ SVC_DATABASE_URL: "memory:", SVC_LOG_LEVEL: "none", SVC_RATE_LIMIT: "0" }))
  )
  const page = Effect.succeed(smallPage)
  const options = { worker: false, page, publicUrl: () => "http://svc.test", rateLimit: 0 }
  const runtime = ManagedRuntime.make(Composition.fromSettings(settings, options))
  const { text: key } = await runtime.runPromise(createOrganization("Acme"))
  const store = Option.getOrThrow(Context.getOption(await runtime.runPromise(Effect.context()), MemoryStore))
  const state = () => Effect.runSync(store.published)
  const scope = Scope.makeUnsafe()
  const port = await runtime.runPromise(
    Scope.provide(serve({ host: "127.0.0.1", port: 0, shutdownTimeout: "1 second" }) as never, scope)
  )
  const random = randomOf(seed)
  for (let turn = 0; turn < count; turn++) {
    const bytes = twist(random.pick(rights), random, key)
    const told = Buffer.from(bytes).toString("latin1").replace(key, "KEY").slice(0, 420).replaceAll("\r\n", " | ")
    const before = state()
    const reply = await send(Number(port), bytes)
    tally.tried++
    if (typeof reply === "string") {
      tally.add("failed", `${told} ${reply}`)
      continue
    }
    tally.hit(String(reply.status))
    const answered = `${told} answered ${reply.status} ${reply.body.slice(0, 300)}`
    if (reply.status >= 500 && reply.status !== 502) tally.add("failed", answered)
    if (inside.test(reply.body.slice(0, 4_000)) && reply.status >= 400) tally.add("leaked", answered)
    const problem = problemOf(
      reply,
      changedTables(before, state()).filter((table) => !kept.has(table))
    )
    if (problem !== undefined) tally.add("lost", `${problem}: ${answered}`)
  }
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await runtime.dispose()
}
