/** How a request ended, from its response alone. */

/**
 * Why a request failed. `offline`, `limited`, `signed_out`, `running` and `unavailable` pass: what was asked for may be sent
 * again. `refused` does not. `running`: the same request was sent before, and the service is still at it or was interrupted.
 */
export interface Problem {
  readonly kind: "offline" | "limited" | "signed_out" | "running" | "unavailable" | "refused"
  readonly code: string
  readonly message: string
  /** Milliseconds until a retry makes sense. */
  readonly retryAfter?: number
}

/** How it ended. `held` names the approval request that a policy made of it. */
export type Outcome<A> =
  | { readonly ok: true; readonly data: A; readonly held: string }
  | { readonly ok: false; readonly problem: Problem }

/** The outcome with other data. */
export const mapOutcome = <A, B>(outcome: Outcome<A>, make: (data: A) => B): Outcome<B> =>
  outcome.ok ? { ...outcome, data: make(outcome.data) } : outcome

interface Body {
  readonly data?: unknown
  readonly error?: { readonly code?: string; readonly message?: string }
  readonly meta?: { readonly approval_request_id?: string }
}

const kindOf = (status: number, code: string): Problem["kind"] => {
  if (code === "IDEMPOTENCY_IN_PROGRESS") return "running"
  if (status === 401) return "signed_out"
  if (status === 429) return "limited"
  return status >= 500 || status === 408 ? "unavailable" : "refused"
}

/** Reads a response. `retryAfter` is its header, in seconds. */
export const outcomeOf = <A>(status: number, body: unknown, retryAfter: string | null): Outcome<A> => {
  const { data, error, meta } = Object(body ?? {}) as Body
  if (status >= 200 && status < 300) {
    // Sessions are described without an envelope.
    return { ok: true, data: (data ?? body) as A, held: meta?.approval_request_id ?? "" }
  }
  const seconds = Number(retryAfter ?? Number.NaN)
  const code = error?.code ?? `HTTP_${status}`
  return {
    ok: false,
    problem: {
      kind: kindOf(status, code),
      code,
      message: error?.message ?? `The service responded with status ${status}.`,
      ...(Number.isFinite(seconds) ? { retryAfter: seconds * 1000 } : {})
    }
  }
}
