/** One call over HTTP, with its retries. */
import type { Envelope, FailureCode } from "@svc/core"

/** Where calls go. */
export interface Service {
  /** Without a slash at the end. */
  readonly url: string
  readonly key: string | undefined
  readonly fetch: (request: Request) => Promise<Response>
}

/** A call. */
export interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly json?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Whether a call of unknown outcome may be repeated. Asked only after such an outcome. */
  readonly repeatable: () => Promise<boolean>
}

/** What a call came to. `cause` is why nothing responded. */
export interface Reply {
  readonly envelope: Envelope<unknown>
  readonly cause?: unknown
}

/** `refused` did not begin; `unknown` may have taken effect. */
type Attempt = Reply & { readonly again?: "refused" | "unknown"; readonly retryAfter?: number }

const maxRetries = 3

/** The longest wait before a retry, in milliseconds. Whoever asks for more gets no retry. */
const maxWait = 30_000

/** The envelope of a failure that has none. */
export const failed = (status: number, code: FailureCode, message: string): Envelope<never> => ({
  ok: false,
  status,
  error: { code, message },
  meta: { approval_required: false, approval_request_id: "", command_hash: "", warnings: [] }
})

/** The body as an object; empty if it is none. */
const objectOf = (text: string): { readonly [name: string]: unknown } => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const envelopeOf = (status: number, text: string): Envelope<unknown> | undefined => {
  const body = objectOf(text)
  // What the service sends has the shapes of its contract.
  if (typeof body["ok"] === "boolean") return body as unknown as Envelope<unknown>
  const { code, message } = Object(body["error"])
  if (typeof code === "string") return failed(status, code as FailureCode, String(message))
  if (status !== 200 || body["data"] === undefined) return undefined
  return { ...failed(status, "INTERNAL", ""), ok: true, data: body["data"] }
}

/** Sends the request once. */
const attempt = async (
  { fetch, key, url }: Service,
  { headers, json, method, path, signal }: Call
): Promise<Attempt> => {
  const request = new Request(`${url}/api/v1/${path}`, {
    method,
    headers: {
      accept: "application/json",
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers
    },
    // A redirect would repeat the call elsewhere.
    redirect: "error",
    ...(json === undefined ? {} : { body: json }),
    ...(signal === undefined ? {} : { signal })
  })
  try {
    const response = await fetch(request)
    const { status } = response
    const envelope = envelopeOf(status, await response.text())
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN)
    const retryAfter = Number.isFinite(seconds) ? { retryAfter: seconds * 1000 } : {}
    if (envelope === undefined) {
      const message = `${url} responded with HTTP ${status}, but not as svc does. Check the URL.`
      const isProxy = status >= 502 && status <= 504
      return { envelope: failed(503, "UNAVAILABLE", message), ...(isProxy ? { again: "unknown", ...retryAfter } : {}) }
    }
    if (envelope.ok) return { envelope }
    if (envelope.error.code === "RATE_LIMITED") return { envelope, again: "refused", ...retryAfter }
    const isStoreDown = ["UNAVAILABLE", "STATEMENT_TIMEOUT"].includes(envelope.error.code)
    return isStoreDown ? { envelope, again: "unknown", ...retryAfter } : { envelope }
  } catch (cause) {
    signal?.throwIfAborted()
    return { envelope: failed(503, "UNAVAILABLE", `Can't reach ${url}. Is svc running?`), cause, again: "unknown" }
  }
}

/** Resolves after a time in milliseconds, or when the signal aborts. */
const wait = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", done)
      resolve()
    }
    const timer = setTimeout(done, millis)
    signal?.addEventListener("abort", done)
  })

/**
 * Sends a call. Waits and repeats it, at most three times: after RATE_LIMITED, and if it is repeatable when nothing
 * responded or the service was unavailable. Rejects only with the signal's reason.
 */
export const send = async (service: Service, call: Call): Promise<Reply> => {
  for (let retries = 0; ; retries++) {
    call.signal?.throwIfAborted()
    const { again, retryAfter = 0, ...reply } = await attempt(service, call)
    const delay = Math.max(retryAfter, 250 * 2 ** retries * (0.5 + Math.random() / 2))
    if (again === undefined || retries === maxRetries || delay > maxWait) return reply
    if (again === "unknown" && !(await call.repeatable())) return reply
    call.signal?.throwIfAborted()
    await wait(delay, call.signal)
  }
}
