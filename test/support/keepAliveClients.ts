/** Clients that keep a server busy over connections which they keep open, as a load balancer in front of it does. */
import { Agent, request } from "node:http"

/** What became of the requests. */
export interface Load {
  /** Responses by status. */
  readonly statuses: Map<number, number>
  /** Responses that said that their connection closes. */
  closed: number
  /** Errors of failed requests. */
  readonly errors: Array<string>
  /** When the first request failed, in milliseconds since 1970. */
  failedAt: number
}

interface Reply {
  readonly status: number
  readonly closes: boolean
}

const ask = (url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers }, (response) => {
      response.on("error", reject)
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, closes: response.headers.connection === "close" })
      )
      response.resume()
    })
    asked.on("error", reject)
    asked.end()
  })

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/**
 * Sends requests over `count` connections, each with a pause of up to `thinking` milliseconds between two of them, until
 * `mayConnect` says no and every connection is closed, or a request fails.
 */
export const keepBusy = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  { count, mayConnect, thinking }: { count: number; thinking: number; mayConnect: () => boolean }
): Promise<Load> => {
  const load: Load = { statuses: new Map(), closed: 0, errors: [], failedAt: Number.POSITIVE_INFINITY }
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let isOpen = false
    while (isOpen || mayConnect()) {
      try {
        const { closes, status } = await ask(url, headers, agent)
        load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1)
        if (closes) load.closed++
        isOpen = !closes
      } catch (cause) {
        load.errors.push(String(cause))
        load.failedAt = Math.min(load.failedAt, Date.now())
        break
      }
      await pause(Math.random() * thinking)
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: count }, client))
  return load
}
