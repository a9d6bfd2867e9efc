/** Requests to the service, with the cookie of the session. */
import { signal } from "@preact/signals"
import { session } from "../screen/state.ts"
import { mapOutcome, type Outcome, outcomeOf } from "./outcome.ts"
import type { CommandId, InputOf, ResultOf } from "./shapes.ts"

/** The path of the service, without a slash at the end. It is found from the script's own URL, so that the page works below any. */
export const base = new URL("../..", import.meta.url).pathname.replace(/\/$/, "")

/** The identity provider with which people can sign in, by its host; "" if there is none. */
export const provider = signal("")

const timeout = 20_000

/** Shows the sign-in as soon as any request says that the session ended. What was typed is kept. */
const noteEnd = (at: "key" | "host"): void => {
  if (session.value.state === "in")
    session.value = { state: "out", at, message: "Your session ended. Sign in to save." }
}

interface RequestOptions {
  /** A Blob is a CSV file. */
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
  /** A key to use instead of the session, for what a session must not do. */
  readonly apiKey?: string | undefined
}

/** One request. Never rejects. */
export const request = async <A>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  options: RequestOptions = {}
): Promise<Outcome<A>> => {
  const headers: Record<string, string> = { "svc-session": "1" }
  const isFile = options.body instanceof Blob
  if (options.body !== undefined) headers["content-type"] = isFile ? "text/csv" : "application/json"
  if (options.idempotencyKey !== undefined) headers["idempotency-key"] = options.idempotencyKey
  if (options.apiKey !== undefined) headers["authorization"] = `Bearer ${encodeURIComponent(options.apiKey)}`
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      credentials: "same-origin",
      // A file may take hours.
      signal: isFile ? null : AbortSignal.timeout(timeout),
      ...(options.body === undefined ? {} : { body: isFile ? (options.body as Blob) : JSON.stringify(options.body) })
    })
    const named = response.headers.get("svc-sign-in-provider")
    if (named !== null) provider.value = named
    const text = await response.text()
    const body: unknown = text === "" ? undefined : JSON.parse(text)
    const outcome = outcomeOf<A>(response.status, body, response.headers.get("retry-after"))
    if (outcome.ok || outcome.problem.kind !== "signed_out") return outcome
    if (options.apiKey !== undefined)
      return { ok: false, problem: { ...outcome.problem, kind: "refused", message: "This API key is not valid here." } }
    const isHost = response.headers.get("svc-sign-in") === "host"
    noteEnd(isHost ? "host" : "key")
    return isHost ? { ok: false, problem: { ...outcome.problem, code: "SIGN_IN_AT_HOST" } } : outcome
  } catch {
    return { ok: false, problem: { kind: "offline", code: "OFFLINE", message: "The service can't be reached." } }
  }
}

/** Runs a command. With a key, sending it again has no second effect. */
export const run = <Id extends CommandId>(
  id: Id,
  input: InputOf<Id>,
  options: { readonly key?: string; readonly isDryRun?: boolean; readonly apiKey?: string | undefined } = {}
): Promise<Outcome<ResultOf<Id>>> =>
  request("POST", `/api/v1/commands/${id}${options.isDryRun === true ? "?dry_run=true" : ""}`, {
    body: input,
    idempotencyKey: options.key,
    apiKey: options.apiKey
  })

/** Reads a resource, such as `svc://suppressions`. */
export const readResource = async <A>(uri: string): Promise<Outcome<A>> => {
  const found = await request<{ resource: { payload: A } }>(
    "GET",
    `/api/v1/resources/read?uri=${encodeURIComponent(uri)}`
  )
  return mapOutcome(found, ({ resource }) => resource.payload)
}
