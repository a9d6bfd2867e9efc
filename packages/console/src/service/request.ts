/** Requests to the service, with the cookie of the session. */
import { signal } from "@preact/signals"
import { type Outcome, outcomeOf, unreachable } from "./outcome.ts"
import type { CommandId, InputOf, ResultOf } from "./shapes.ts"

const place = /\/review(?:\/d\/([^/]+))?\/?$/

/** The path of the service, without a slash at the end. It is found from the page's own, so that the page works below any. */
export const base = location.pathname.replace(place, "")

/** The item of a deep link; undefined without one. */
export const linkedItem = (): string | undefined => {
  const id = place.exec(location.pathname)?.[1]
  return id === undefined ? undefined : decodeURIComponent(id)
}

/** The path of the page, or of one item. */
export const pagePath = (itemId?: string): string =>
  itemId === undefined ? `${base}/review` : `${base}/review/d/${encodeURIComponent(itemId)}`

/** The identity provider with which people can sign in, by its host; "" if there is none. */
export const provider = signal("")

const timeout = 20_000

/** One request. Never rejects. */
export const request = async <A>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  options: { readonly body?: unknown; readonly idempotencyKey?: string } = {}
): Promise<Outcome<A>> => {
  const headers: Record<string, string> = { "svc-session": "1" }
  if (options.body !== undefined) headers["content-type"] = "application/json"
  if (options.idempotencyKey !== undefined) headers["idempotency-key"] = options.idempotencyKey
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      credentials: "same-origin",
      signal: AbortSignal.timeout(timeout),
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) })
    })
    const named = response.headers.get("svc-sign-in-provider")
    if (named !== null) provider.value = named
    const text = await response.text()
    const body: unknown = text === "" ? undefined : JSON.parse(text)
    const outcome = outcomeOf<A>(response.status, body, response.headers.get("retry-after"))
    if (!outcome.ok && response.headers.get("svc-sign-in") === "host") {
      return { ok: false, problem: { ...outcome.problem, code: "SIGN_IN_AT_HOST" } }
    }
    return outcome
  } catch {
    return { ok: false, problem: unreachable }
  }
}

/** Runs a command. */
export const run = <Id extends CommandId>(id: Id, input: InputOf<Id>): Promise<Outcome<ResultOf<Id>>> =>
  request("POST", `/api/v1/commands/${id}`, { body: input })
