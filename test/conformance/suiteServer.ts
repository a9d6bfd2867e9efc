/** A service in memory that answers what the official conformance suite asks for, without a key: the suite sends none. */
import { once } from "node:events"
import { createServer } from "node:http"
import { createSvc } from "@svc/embed"
import { ServedAnswers, ServedMethods } from "@svc/mcp"
import * as Layer from "effect/Layer"
import { suiteMethods } from "./suiteMethods.ts"
import { suiteAnswers } from "./suiteQuestions.ts"

/**
 * A call of the tool that logs, with a progress token: this service answers with events only where progress is asked for,
 * and says nothing to clients that is not asked for.
 */
const askingForEvents = (text: string): string => {
  if (!text.includes("test_tool_with_logging")) return text
  const message = Object(JSON.parse(text))
  const params = { ...message.params, _meta: { progressToken: "logging", ...Object(message.params?._meta) } }
  return JSON.stringify({ ...message, params })
}

/** A running server. `url` is that of the protocol. */
export interface SuiteServer {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts one on a port of 127.0.0.1; 0 takes a free one. */
export const startSuiteServer = async (port = 0): Promise<SuiteServer> => {
  const svc = await createSvc({
    databaseUrl: "memory:",
    gateway: "simulator",
    worker: false,
    rateLimit: 0,
    sample: true,
    layers: Layer.merge(Layer.succeed(ServedMethods, suiteMethods), Layer.succeed(ServedAnswers, suiteAnswers))
  })
  const { apiKey } = await svc.createOrganization("Conformance")
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    request.headers.authorization = `Bearer ${apiKey}`
    // Where a host's body parser leaves what it read.
    if (chunks.length > 0) Object.assign(request, { body: askingForEvents(Buffer.concat(chunks).toString("utf8")) })
    svc.node(request, response)
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const listening = typeof address === "object" && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${listening}/mcp`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await svc.close()
    }
  }
}
