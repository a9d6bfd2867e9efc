/** Decisions that the service has not confirmed yet, in the order that they were made. Pure. */
import type { Problem } from "../service/outcome.ts"
import type { Item } from "../service/shapes.ts"

/** A command to run, as plain data. */
export interface Call {
  readonly command: string
  readonly input: Readonly<Record<string, unknown>>
}

/** One decision. */
export interface Decision {
  /** Also its Idempotency-Key, so that sending it again has no second effect. */
  readonly id: string
  /** Whose it is: the organization and the key that signed in. */
  readonly owner: string
  readonly call: Call
  /** What takes it back after it was sent; null if nothing does. */
  readonly reverse: Call | null
  /** `Approved for Grace Hopper`. */
  readonly label: string
  /** The item as it was, and its place in the queue. */
  readonly item: Item
  readonly index: number
  /** Whether the item leaves its tab. */
  readonly leaves: boolean
  /** What was typed for it, kept again under its id if the decision is taken back or refused. */
  readonly typed?: { readonly id: string; readonly value: unknown }
  /** When it was made, and when it may be sent, in milliseconds. */
  readonly at: number
  readonly notBefore: number
  /** Whether it was sent at least once: then it may have taken effect. */
  readonly tried: boolean
}

/** Why nothing is sent at the moment. */
export interface Pause {
  readonly kind: Exclude<Problem["kind"], "refused">
  readonly until: number
}

const firstRetry = 1000
const maxRetry = 30_000

/** The pause after a problem that passes; `failures` counts those in a row, from 1. */
export const pauseAfter = (problem: Problem, failures: number, now: number): Pause | undefined => {
  if (problem.kind === "refused") return undefined
  // Who signs in again, sends again.
  if (problem.kind === "signed_out") return { kind: problem.kind, until: Number.POSITIVE_INFINITY }
  return {
    kind: problem.kind,
    until: now + (problem.retryAfter ?? Math.min(maxRetry, firstRetry * 2 ** (failures - 1)))
  }
}

/** The decision to send now, or how long to wait; undefined when there is none. Those of one item keep their order. */
export const nextDue = (
  decisions: ReadonlyArray<Decision>,
  owner: string,
  now: number
): Decision | { readonly wait: number } | undefined => {
  const blocked = new Set<string>()
  let wait = Number.POSITIVE_INFINITY
  for (const decision of decisions) {
    if (decision.owner !== owner || blocked.has(decision.item.item_id)) continue
    if (decision.notBefore <= now) return decision
    blocked.add(decision.item.item_id)
    wait = Math.min(wait, decision.notBefore - now)
  }
  return wait === Number.POSITIVE_INFINITY ? undefined : { wait }
}

/** What undoing a decision does: nothing was sent yet, it is reversed, or it cannot be. */
export const undoOf = (decision: Decision, waiting: ReadonlyArray<Decision>): "forget" | "reverse" | "impossible" => {
  const current = waiting.find(({ id }) => id === decision.id)
  if (current !== undefined && !current.tried) return "forget"
  return decision.reverse === null ? "impossible" : "reverse"
}
