/** The filters of the review queue as callers send them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor, type ActorIdentity } from "../kernel/command/Actor.ts"
import { Delegation } from "../kernel/command/Delegation.ts"
import { hasScope } from "../kernel/command/Policy.ts"
import type { Scope } from "../kernel/command/Scope.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { isoFromMillis, now } from "../kernel/schema/Time.ts"
import { readableRequester } from "../workspace/approvals/Approval.ts"
import { type ReviewFilter, type ReviewKind, reviewKinds, shownDays } from "./ReviewEntry.ts"

const optional = Schema.optionalKey

/** The filters that lists and counts share. */
export const filterFields = {
  kind: optional(
    Schema.Array(Schema.Literals(reviewKinds)).check(Schema.isMaxLength(reviewKinds.length)).annotate({
      description: "Only items of these kinds; omit for all"
    })
  ),
  mission_id: optional(nonEmptyLine(64, "Only items of this mission, by id or handle")),
  agent_handle: optional(nonEmptyLine(64, "Only items of this agent, by handle or id")),
  min_score: optional(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({
      description: "Only items whose lead has at least this score"
    })
  ),
  flagged: optional(Schema.Boolean.annotate({ description: "True for flagged drafts only, false for all others" })),
  query: optional(nonEmptyLine(200, "Part of the lead's name or company, or of the text, ignoring case"))
}

const Filters = Schema.Struct(filterFields)

/** Each kind is only shown to keys that may read it elsewhere. */
const scopeOf: Readonly<Record<ReviewKind, Scope>> = {
  message: "linkedin:read",
  invitation: "linkedin:read",
  email: "email:read",
  approval: "missions:read",
  reply: "leads:read"
}

/** Whether the actor may read items of a kind. Approval requests are for who may decide: others have approval.list. */
export const mayRead = (actor: ActorIdentity, kind: ReviewKind): boolean =>
  hasScope(actor, scopeOf[kind]) && (kind !== "approval" || readableRequester(actor) === undefined)

/** The filter for the running actor. */
export const filterOf = Effect.fnUntraced(function* (
  input: typeof Filters.Type
): Effect.fn.Return<ReviewFilter, never, Actor> {
  const actor = yield* Actor
  const at = yield* now
  const wanted = input.kind === undefined || input.kind.length === 0 ? reviewKinds : input.kind
  return {
    kinds: wanted.filter((kind) => mayRead(actor, kind)),
    hidden: (yield* Delegation).forbidden(),
    mission: input.mission_id,
    agent: input.agent_handle,
    minScore: input.min_score,
    flagged: input.flagged,
    query: input.query?.toLowerCase(),
    at,
    since: isoFromMillis(Date.parse(at) - shownDays * 86_400_000)
  }
})
