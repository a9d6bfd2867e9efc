/**
 * A faithful local stand-in for the provider: its routes, errors and traps, over real HTTP on loopback.
 *
 * In a test, start it and use its `world`, `scripts` and `webhooks`; as a process of its own (`main.ts`), the same is
 * reached under `/__fake/…`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { answerWith } from "./answerWith.ts"
import { control } from "./control.ts"
import { type FakeRequest, type Premises, refuse } from "./Plan.ts"
import { planFor } from "./routes.ts"
import { Scripts } from "./Script.ts"
import { tellRelations } from "./tellings.ts"
import { Webhooks } from "./Webhooks.ts"
import { World } from "./World.ts"

/** How to start it. Without `now`, the clock is the real one plus what {@link FakeUnipile.advance} added. */
export interface FakeOptions {
  readonly apiKey?: string
  readonly port?: number
  readonly now?: () => number
}

/** A request that the fake saw. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A running fake. */
export interface FakeUnipile extends Premises {
  /** What belongs into `SVC_UNIPILE_DSN`. */
  readonly url: string
  readonly apiKey: string
  readonly scripts: Scripts
  /** The requests since the start, those of `/__fake` apart. */
  readonly seen: Array<Seen>
  /** How many messages are being sent: asked for, and not answered yet. */
  sending: number
  /** Moves the clock, lets people accept what is due, and tells of it. */
  readonly advance: (millis: number) => void
  readonly close: () => Promise<void>
}

const readAll = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => resolve(Buffer.concat(chunks)))
    request.on("error", reject)
  })

/** Members of a JSON object, or fields of a form; undefined when the body is neither. */
const readBody = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const bytes = await readAll(request)
  if (bytes.length === 0) return {}
  const type = request.headers["content-type"] ?? ""
  try {
    if (type.startsWith("multipart/form-data")) {
      const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData()
      return Object.fromEntries(form.entries())
    }
    const value: unknown = JSON.parse(bytes.toString("utf8"))
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const serve = async (fake: FakeUnipile, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const url = new URL(request.url ?? "/", "http://fake")
  const body = await readBody(request)
  if (url.pathname.startsWith("/__fake/")) return control(fake, url.pathname.slice(8), body ?? {}, response)
  const path = url.pathname.split("/").slice(1).map(decodeURIComponent)
  const seen: FakeRequest = {
    method: request.method ?? "",
    path: path.slice(2),
    query: url.searchParams,
    body: body ?? {}
  }
  fake.seen.push({ method: seen.method, path: url.pathname, body: seen.body })
  const script = (refusal: ReturnType<typeof refuse>) =>
    answerWith(response, { refusal, perform: () => ({}) }, undefined)
  if (path[0] !== "api" || path[1] !== "v1") return script(refuse(404, "resource_not_found"))
  if (request.headers["x-api-key"] !== fake.apiKey) return script(refuse(401, "missing_credentials"))
  if (body === undefined) return script(refuse(400, "malformed_request"))
  const plan = planFor(fake, seen)
  if (plan === undefined) return script(refuse(404, "resource_not_found"))
  const { action, slug } = plan
  const isSend = action === "message"
  if (isSend) fake.sending++
  await answerWith(response, plan, action === undefined ? undefined : fake.scripts.take(action, slug)).finally(() => {
    if (isSend) fake.sending--
  })
  tellRelations(fake)
}

/** Starts a fake on loopback. */
export const startFakeUnipile = async (options: FakeOptions = {}): Promise<FakeUnipile> => {
  let added = 0
  const now = options.now ?? (() => Date.now() + added)
  let url = ""
  const world = new World(now)
  const webhooks = new Webhooks()
  const server = createServer((request, response) => {
    serve(fake, request, response).catch(() => response.destroy())
  })
  const timer = setInterval(() => tellRelations(fake), 200)
  timer.unref()
  const fake: FakeUnipile = {
    world,
    webhooks,
    scripts: new Scripts(),
    search: { total: 60, failAtPage: null, failures: 0, cursorLife: 3_600_000 },
    seen: [],
    sending: 0,
    apiKey: options.apiKey ?? "fake-key-0123456789",
    origin: () => url,
    get url() {
      return url
    },
    advance: (millis) => {
      added += millis
      tellRelations(fake)
    },
    close: async () => {
      clearInterval(timer)
      webhooks.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(options.port ?? 0, "127.0.0.1", resolve)
  })
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  return fake
}
