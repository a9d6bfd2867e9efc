/** The state machine: what follows from an event, or why it must not happen. */

import * as Result from "effect/Result"
import { Failure } from "../../kernel/failure/Failure.ts"
import { changedAt, type InstantText } from "../../kernel/schema/IdsAndTime.ts"
import {
  type Decision,
  type Effect,
  type Event,
  type Events,
  eventOf,
  type Life,
  type Refusal,
  refusalIn,
  stateOf
} from "./Life.ts"
import { type Following, type Step, steps } from "./steps.ts"
import { changed } from "./Transmission.ts"

const follow = (
  before: Life,
  { also = [], draft, lead, row: changes, says = [] }: Following,
  at: InstantText
): Decision => {
  const isChanged = changes !== undefined && Object.keys(changes).length > 0
  const moved = before.row && isChanged ? changed(before.row, changes, at) : before.row
  // What leaves the draft as it is only says when to look again.
  const row = moved && before.row && draft === null ? { ...moved, updatedAt: before.row.updatedAt } : moved
  const own = draft === undefined && row?.kind === "message" ? { queueItemId: row.id } : draft
  const touched = before.draft && { ...before.draft, updatedAt: changedAt(before.draft.updatedAt, at), ...own }
  const life = { draft: own ? touched : before.draft, row }
  const emitted = says.map(([type, details]): Effect => ({ _tag: "Emit", event: eventOf(type, life, details) }))
  const leads: ReadonlyArray<Effect> = lead && row && row.kind !== "email" ? [{ _tag: lead, leadId: row.leadId }] : []
  return { before, life, effects: [...also, ...emitted, ...leads] }
}

/** What follows from an event, or why it must not happen. */
export const decide = <T extends keyof Events>(
  life: Life,
  event: Event<T>,
  at: InstantText
): Result.Result<Decision, Refusal<T>> => {
  const step: Step<T> = steps[event._tag]
  const state = stateOf(life)
  const attempt = "attempt" in event ? event.attempt : undefined
  // An outcome changes nothing once another attempt has begun, or somebody has settled it.
  const isStale =
    attempt !== undefined && (attempt !== life.row?.attempts || (state !== "sending" && state !== "ambiguous"))
  const kind = life.draft === null && life.row !== null ? life.row.kind : "message"
  if (isStale || step.from[kind]?.includes(state) !== true) return Result.fail(refusalIn(life))
  const next = step.to(life, event, at)
  if (next instanceof Failure) return Result.fail(next)
  return Result.succeed(next === undefined ? { before: life, life, effects: [] } : follow(life, next, at))
}
