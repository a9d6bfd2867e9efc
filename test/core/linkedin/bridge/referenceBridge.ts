/**
 * The smallest bridge that keeps the contract of `packages/providers/README.md`: it knows one relation
 * and some strangers, remembers every key, and signs by the rules of that page with nothing of ours.
 */
import { createHmac } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"

/** How an answer departs from the contract. */
export type Fault =
  | "unsigned"
  | "foreign_secret"
  | "old"
  | "request_id"
  | "status_500"
  | "status_503"
  | "status_401"
  | "garbage"
  | "drop"

/** A running bridge. */
export interface ReferenceBridge {
  readonly url: string
  /** What was carried out: `path key`. */
  readonly done: Array<string>
  readonly seen: Array<{ readonly path: string; readonly isSigned: boolean; readonly body: unknown }>
  /** The next answers, by path; the ordinary one without. */
  readonly answers: Map<string, unknown>
  fault: Fault | undefined
  readonly close: () => Promise<void>
}

const sign = (secret: string, id: string, timestamp: string, body: string): string => {
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`
}

const usual: Readonly<Record<string, object>> = {
  relation: { outcome: "found", connected: true, chat_id: "chat-1", invitation: "none" },
  send: { outcome: "confirmed", message_id: "m-1", external_id: null },
  invite: { outcome: "confirmed", message_id: null, external_id: null },
  withdraw: { outcome: "confirmed" },
  search: { outcome: "found", people: [], next: null, total: 0 }
}

/** Starts a bridge on loopback. */
export const startReferenceBridge = async (secret: string): Promise<ReferenceBridge> => {
  let url = ""
  const outcomes = new Map<string, unknown>()
  const bridge: ReferenceBridge = {
    get url() {
      return url
    },
    done: [],
    seen: [],
    answers: new Map(),
    fault: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
  const respond = (response: ServerResponse, id: string, answer: unknown): void => {
    const { fault } = bridge
    if (fault === "drop") {
      response.destroy()
      return
    }
    const body = fault === "garbage" ? "<html>" : JSON.stringify(answer)
    const timestamp = String(Math.floor(Date.now() / 1_000) - (fault === "old" ? 600 : 0))
    const other = `whsec_${Buffer.alloc(32, 9).toString("base64")}`
    const responseId = fault === "request_id" ? id : `answer_${id}`
    const signature = sign(fault === "foreign_secret" ? other : secret, responseId, timestamp, body)
    const status = fault?.startsWith("status_") === true ? Number(fault.slice(7)) : 200
    const isBare = fault === "unsigned" || status !== 200
    const headers = { "webhook-id": responseId, "webhook-timestamp": timestamp, "webhook-signature": signature }
    response.writeHead(status, { "content-type": "application/json", ...(isBare ? {} : headers) }).end(body)
  }
  const server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
    })
    request.on("end", () => {
      const path = (request.url ?? "").split("/").at(-1) ?? ""
      const id = String(request.headers["webhook-id"])
      const timestamp = String(request.headers["webhook-timestamp"])
      const isFresh = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300
      const isSigned = isFresh && request.headers["webhook-signature"] === sign(secret, id, timestamp, text)
      bridge.seen.push({ path, isSigned, body: JSON.parse(text) })
      if (!isSigned) {
        response.writeHead(401).end()
        return
      }
      const key = `${path} ${String(request.headers["idempotency-key"])}`
      const isWrite = path === "send" || path === "invite"
      if (isWrite && !outcomes.has(key)) {
        bridge.done.push(key)
        outcomes.set(key, bridge.answers.get(path) ?? { version: 1, ...usual[path] })
      }
      respond(response, id, isWrite ? outcomes.get(key) : (bridge.answers.get(path) ?? { version: 1, ...usual[path] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/bridge`
  return bridge
}
