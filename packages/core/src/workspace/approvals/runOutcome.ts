/** What came of an approved run. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { Journal } from "../../kernel/journal/Journal.ts"
import type { ApprovalRow } from "./ApprovalRow.ts"

/** Output field `result`. */
export const RunResult = Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
  description:
    "The output of the run if it succeeded, without secrets, while it is kept (at least 24 hours); otherwise null"
})

/** Output field `error`. */
export const RunError = Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })).annotate({
  description: "Why the run failed; otherwise null"
})

/** The idempotency key of the run: it takes effect once, however often it is approved. */
export const runKey = ({ id }: Pick<ApprovalRow, "id">): string => `approval:${id}`

/** The outcome of a request as it is stored. */
export const outcomeOf = Effect.fnUntraced(function* (
  row: ApprovalRow,
  journal: Pick<Journal["Service"], "find">
): Effect.fn.Return<{ readonly result: typeof RunResult.Type; readonly error: typeof RunError.Type }, StoreFailure> {
  const { organizationId, outcome, problem } = row
  if (outcome === null) return { result: null, error: null }
  if (outcome !== "ok") return { result: null, error: { code: outcome, message: problem } }
  const stored = yield* journal.find({ organizationId, route: "delegated", key: runKey(row) })
  return { result: stored?.ok === true ? { ...Object(stored.data) } : null, error: null }
})
