/** The protocol over a service's fetch handler, message by message. */
import { type Reply, readReply } from "./httpService.ts"

type Json = Readonly<Record<string, unknown>>

/** What a message is sent with. */
export interface Sent {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly toolset?: string
  readonly results?: "text" | "structured"
  readonly method?: string
}

/** Where messages go. */
export type Fetch = (request: Request) => Promise<Response>

/** Sends a body as it is to `/mcp`. */
export const post = async (
  fetch: Fetch,
  body: unknown,
  { headers, key, method = "POST", results, toolset }: Sent = {}
) => {
  const query = [
    ...(toolset === undefined ? [] : [`toolset=${toolset}`]),
    ...(results === undefined ? [] : [`results=${results}`])
  ].join("&")
  const request = new Request(`http://127.0.0.1/mcp?${query}`, {
    method,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers
    },
    ...(method === "POST" ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {})
  })
  return readReply(await fetch(request))
}

/** A request of a revision that begins with `initialize`. */
export const rpc = (method: string, params: Json = {}, id: unknown = 1): Json => ({
  jsonrpc: "2.0",
  id,
  method,
  params
})

/** What a request of the stateless revision says under `_meta`. */
export const statelessMeta: Json = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

/** The headers of a request of the stateless revision. */
export const statelessHeaders = (method: string, name?: string): Readonly<Record<string, string>> => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": method,
  ...(name === undefined ? {} : { "mcp-name": name })
})

/** The result of a reply; throws when it is none. */
export const resultOf = ({ body, text }: Pick<Reply, "body" | "text">): Json => {
  const result: unknown = Object(body).result
  if (typeof result !== "object" || result === null) throw new Error(`no result: ${text.slice(0, 500)}`)
  return Object(result)
}

/** The texts of a tool's result. */
export const textsOf = (result: Json): ReadonlyArray<string> =>
  (Array.isArray(result["content"]) ? result["content"] : []).map((block: unknown) => String(Object(block).text))

/** The output of a tool; undefined for an error. */
export const dataOf = (result: Json): Json | undefined =>
  result["isError"] === true ? undefined : Object(result["structuredContent"] ?? JSON.parse(textsOf(result)[0] ?? ""))

/** Calls a tool and answers its result. */
export const callTool = async (
  fetch: Fetch,
  name: string,
  args: unknown = {},
  sent: Sent = {},
  meta: Json = {}
): Promise<Json> => resultOf(await post(fetch, rpc("tools/call", { name, arguments: args, _meta: meta }), sent))
