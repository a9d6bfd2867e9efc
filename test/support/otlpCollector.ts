/** An OTLP endpoint on this machine that keeps what it is sent. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { at } from "./httpService.ts"

/** A span as it arrived. */
export interface ArrivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: Readonly<Record<string, unknown>>
  readonly events: ReadonlyArray<unknown>
}

/** The endpoint. */
export interface OtlpCollector {
  readonly url: string
  /** Everything that came in, headers too. */
  readonly received: () => string
  readonly spans: () => ReadonlyArray<ArrivedSpan>
  /** Names of the figures that came in. */
  readonly figures: () => ReadonlySet<string>
  readonly authorizations: () => ReadonlySet<string | undefined>
  /** Waits until spans fit; answers all. Fails after 15 s. */
  readonly until: (fits: (spans: ReadonlyArray<ArrivedSpan>) => boolean) => Promise<ReadonlyArray<ArrivedSpan>>
  readonly close: () => void
}

const listAt = (value: unknown, path: string): ReadonlyArray<unknown> => {
  const found: unknown = at(value, path)
  return Array.isArray(found) ? found : []
}

const spanOf = (raw: unknown): ArrivedSpan => {
  const span = Object(raw)
  return {
    ...span,
    attributes: Object.fromEntries(
      listAt(span, "attributes").map((one) => [String(at(one, "key")), Object.values(Object(at(one, "value")))[0]])
    )
  }
}

/** Starts one; it answers with `status`. */
export const otlpCollector = async (status = 200): Promise<OtlpCollector> => {
  const bodies: Array<{ readonly url: string; readonly headers: string; readonly body: unknown }> = []
  const authorizations = new Set<string | undefined>()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    authorizations.add(request.headers.authorization)
    const { authorization: _, ...headers } = request.headers
    bodies.push({ url: request.url ?? "", headers: JSON.stringify(headers), body: JSON.parse(body) })
    response.writeHead(status, { "content-type": "application/json" }).end("{}")
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  const spans = () =>
    bodies
      .filter((one) => one.url === "/v1/traces")
      .flatMap(({ body }) => listAt(body, "resourceSpans"))
      .flatMap((resource) => listAt(resource, "scopeSpans"))
      .flatMap((scope) => listAt(scope, "spans"))
      .map(spanOf)
  return {
    url,
    spans,
    received: () => JSON.stringify(bodies),
    authorizations: () => authorizations,
    figures: () =>
      new Set(
        bodies
          .filter((one) => one.url === "/v1/metrics")
          .flatMap(({ body }) => listAt(body, "resourceMetrics"))
          .flatMap((resource) => listAt(resource, "scopeMetrics"))
          .flatMap((scope) => listAt(scope, "metrics"))
          .map((metric) => String(at(metric, "name")))
      ),
    until: async (fits) => {
      const deadline = Date.now() + 15_000
      while (!fits(spans())) {
        if (Date.now() > deadline) throw new Error(`the spans did not come; there are ${JSON.stringify(spans())}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return spans()
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
