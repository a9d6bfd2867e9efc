/** Requests to the service, with the cookie of the session. */

import { signal } from "@preact/signals"
import { type Outcome, outcomeOf, unreachable } from "./outcome.ts"
import { basePath } from "./paths.ts"
import type { CommandId, InputOf, ResultOf } from "./shapes.ts"

/** Where the service is. */
export const base = basePath(location.pathname)

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
