/** The client that shows the app: JSON-RPC by messages between windows. */

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null

/** A value's fields; none if it is no object. */
export const fieldsOf = (value: unknown): Json => (isObject(value) ? value : {})

const waiting = new Map<number, (reply: Json) => void>()
const listeners = new Map<string, (params: Json) => void>()

const send = (message: Json): void => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*")

let lastId = 0

/** Asks the client; rejects with its error. */
export const ask = (method: string, params: Json): Promise<Json> =>
  new Promise((resolve, reject) => {
    lastId += 1
    waiting.set(lastId, ({ error, result }) => {
      if (error === undefined) resolve(fieldsOf(result))
      else reject(new Error(String(fieldsOf(error)["message"])))
    })
    send({ id: lastId, method, params })
  })

/** Tells the client. */
export const tell = (method: string, params: Json = {}): void => send({ method, params })

/** Calls a function for each notification of a method. */
export const listen = (method: string, listener: (params: Json) => void): void => void listeners.set(method, listener)

/** Starts to take messages, of the client alone. */
export const startListening = (): void =>
  window.addEventListener("message", ({ data, source }) => {
    if (source !== window.parent || !isObject(data) || data["jsonrpc"] !== "2.0") return
    const { id, method, params } = data
    if (typeof method !== "string") {
      const answered = typeof id === "number" ? waiting.get(id) : undefined
      if (typeof id === "number") waiting.delete(id)
      answered?.(data)
    } else if (id === undefined) listeners.get(method)?.(fieldsOf(params))
    else if (method === "ping" || method === "ui/resource-teardown") send({ id, result: {} })
    else send({ id, error: { code: -32601, message: "Unknown method." } })
  })
