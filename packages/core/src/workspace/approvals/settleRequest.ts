/** Deciding on a request: once, by whoever may, on what was asked for. Requests that nobody decided in time expire. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { DueWork } from "../../kernel/background/DueWork.ts"
import { eachDue, repeatRound, runAsService, type SystemNeeds } from "../../kernel/background/Worker.ts"
import { addressesOf, approvalEvent } from "../../kernel/command/ApprovalRequest.ts"
import { Delegation } from "../../kernel/command/Delegation.ts"
import type { Envelope } from "../../kernel/command/Envelope.ts"
import { Actor, Execution, emit, ownRecord } from "../../kernel/command/Execution.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { ApprovalPolicy, ForbiddenScope, WrongState } from "../../kernel/failure/failures.ts"
import { entryOf } from "../../kernel/failure/failureTable.ts"
import type { Journal } from "../../kernel/journal/Journal.ts"
import { changedAt, now, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { Workspaces } from "../Workspaces.ts"
import { Approval, requireHeldScope, showApprovals } from "./Approval.ts"
import { type ApprovalRow, expiredRow, mailedAt, settledInput, stateAt, undecided } from "./ApprovalRow.ts"

/** A request and how its run ended, as output fields. */
export const settledFields = {
  approval: Approval,
  result: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description:
      "The output of the run if it succeeded, without secrets, while it is kept (at least 24 hours); otherwise null"
  }),
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })).annotate({
    description: "Why the run failed; otherwise null"
  })
}

/** The idempotency key of the run: it takes effect once, however often it is approved. */
const runKey = ({ id }: Pick<ApprovalRow, "id">): string => `approval:${id}`

/** A request with the outcome that is stored of it. */
export const shownWithOutcome = Effect.fnUntraced(function* (
  row: ApprovalRow,
  journal: Pick<Journal["Service"], "find">
) {
  const { organizationId, outcome, problem } = row
  const approval = (yield* showApprovals)(row)
  if (outcome === null) return { approval, result: null, error: null }
  if (outcome !== "ok") return { approval, result: null, error: { code: outcome, message: problem } }
  const stored = yield* journal.find({ organizationId, route: "delegated", key: runKey(row) })
  return { approval, result: stored?.ok === true ? { ...Object(stored.data) } : null, error: null }
})

const stateOf = { approve: "approved", reject: "rejected" } as const

/** A decision. `through` is the MCP client whose user decided. */
interface Decision {
  readonly decision: keyof typeof stateOf
  readonly reason: string
  readonly through: string | null
}

/** Inside a transaction: a request, locked until it ends. Fails with NOT_FOUND and FORBIDDEN_SCOPE. */
export const holdRequest = Effect.fnUntraced(function* (id: string) {
  const row = yield* ownRecord("approval request", id, (yield* Workspaces).approvals.hold)
  yield* requireHeldScope(row)
  return row
})

/**
 * Inside a transaction that holds the row: stores the decision. Returns the failure for one that is decided or expired. An
 * approved request whose run has no known outcome may be approved again, since the run takes effect only once; whoever
 * approved it last is stored.
 */
const decideHeld = Effect.fnUntraced(function* (row: ApprovalRow, { decision, reason, through }: Decision) {
  const { keyId, kind, userId } = yield* Actor
  const at = yield* now
  const state = stateAt(row, at)
  const isAgain = state === "approved" && decision === "approve" && row.outcome === null
  if (state !== "pending" && !isAgain) {
    if (row.state === "pending") yield* expireHeld(row, at)
    return new WrongState({
      message: `The request is already ${state}, so it cannot be decided. Run the command again to create a new request.`
    })
  }
  const decided: ApprovalRow = {
    ...row,
    state: stateOf[decision],
    resolvedBy: { kind: through === null ? kind : "USER", userId, keyId },
    // Every decision has its own instant.
    resolvedAt: row.resolvedAt === null ? at : changedAt(row.resolvedAt, at),
    decidedThrough: through,
    reason,
    input: decision === "reject" ? settledInput(row.input) : row.input
  }
  yield* (yield* Workspaces).approvals.replace(decided)
  return { row: decided, isFirst: !isAgain }
})

/** The request after its run. If a retry can help, it stays open to be approved again. */
const settledBy = (row: ApprovalRow, envelope: Envelope<unknown>): ApprovalRow => {
  const input = settledInput(row.input)
  if (envelope.ok) return { ...row, outcome: "ok", input }
  const { code, message } = envelope.error
  return entryOf(code, envelope.status).retryable ? row : { ...row, outcome: code, problem: message, input }
}

/** Stores how it ended, with its event and the addresses to write to. */
const conclude = Effect.fnUntraced(function* (row: ApprovalRow) {
  const rules = yield* (yield* Workspaces).organizationPolicy(row.organizationId)
  const told: ApprovalRow = { ...row, ...mailedAt(addressesOf(rules), yield* now) }
  yield* (yield* Workspaces).approvals.replace(told)
  const { decidedThrough, outcome, resolvedBy, state } = row
  yield* emit(
    approvalEvent("approval.decided", row, {
      state,
      decided_by: resolvedBy?.userId ?? null,
      decided_through: decidedThrough,
      outcome
    })
  )
  return told
})

/**
 * Inside a transaction: rejects a pending request, where what made it is taken back. Fails with NOT_FOUND, FORBIDDEN_SCOPE and
 * WRONG_STATE (decided or expired).
 */
export const withdrawRequest = Effect.fnUntraced(function* (id: string, reason: string) {
  const decided = yield* decideHeld(yield* holdRequest(id), { decision: "reject", reason, through: null })
  if (decided instanceof WrongState) return yield* decided
  yield* conclude(decided.row)
})

const deniedBy = (envelope: Envelope<unknown>): ApprovalPolicy | ForbiddenScope | undefined => {
  if (envelope.ok || entryOf(envelope.error.code, envelope.status).kind !== "Denied") return undefined
  const { code, message } = envelope.error
  return code === "FORBIDDEN_SCOPE" ? new ForbiddenScope({ message }) : new ApprovalPolicy({ message })
}

const shownUndone = (row: ApprovalRow) =>
  Effect.map(showApprovals, (show) => ({ approval: show(row), result: null, error: null }))

/**
 * Decides on a request, and runs what was approved in the name of the running actor. `held` locks it and checks who decides.
 * The steps that store the decision and the outcome each hold the row; the run between them has its own transaction.
 */
export const settleRequest = Effect.fnUntraced(function* <E extends Failure, R>(
  held: Effect.Effect<ApprovalRow, E, R>,
  decision: Decision
) {
  const { commit, dryRun, finish } = yield* Execution
  const delegation = yield* Delegation
  const decide = Effect.flatMap(held, (row) => decideHeld(row, decision))
  if (decision.decision === "reject") {
    return yield* finish(
      Effect.gen(function* () {
        const rejected = yield* decide
        return rejected instanceof WrongState ? rejected : yield* shownUndone(yield* conclude(rejected.row))
      })
    )
  }
  const decided = yield* commit(decide)
  if (decided instanceof WrongState) return yield* finish(Effect.succeed(decided))
  if (dryRun) return yield* shownUndone(decided.row)
  const { commandId, decidedThrough, id, input, precondition, resolvedAt, resolvedBy } = decided.row
  const envelope = yield* delegation.run(commandId, input ?? {}, precondition, runKey(decided.row))
  return yield* finish(
    Effect.gen(function* () {
      const row = yield* holdRequest(id)
      const denied = deniedBy(envelope)
      if (denied !== undefined) {
        // The person who decided may not run it, but others may, so the request stays pending; unless one of them approved it too.
        const isOpen = decided.isFirst && row.outcome === null && row.resolvedAt === resolvedAt
        if (isOpen) {
          const question = row.question && { ...row.question, decides: false }
          yield* (yield* Workspaces).approvals.replace({ ...row, ...undecided, question })
        }
        return denied
      }
      // Whoever approved it too may have stored the outcome already.
      const settled = row.outcome === null ? settledBy(row, envelope) : row
      const show = yield* showApprovals
      const own = { decidedThrough, reason: decided.row.reason, resolvedAt, resolvedBy }
      return {
        approval: show(settled === row ? row : yield* conclude({ ...settled, ...own })),
        result: envelope.ok ? { ...Object(envelope.data) } : null,
        error: envelope.ok ? null : { code: envelope.error.code, message: envelope.error.message }
      }
    })
  )
})

/**
 * Inside a transaction that holds the row: stores that it expired, and emits the event. A decision holds the same row, so a
 * request is never both decided and expired.
 */
const expireHeld = Effect.fnUntraced(function* (row: ApprovalRow, at: string) {
  const rules = yield* (yield* Workspaces).organizationPolicy(row.organizationId)
  yield* (yield* Workspaces).approvals.replace(expiredRow(row, at, addressesOf(rules)))
  yield* emit(approvalEvent("approval.expired", row))
})

const expire = (organizationId: OrganizationId, id: string) =>
  runAsService(
    organizationId,
    Effect.gen(function* () {
      const row = yield* (yield* Workspaces).approvals.hold(organizationId, id)
      const at = yield* now
      if (row?.state !== "pending" || stateAt(row, at) !== "expired") return 0
      yield* expireHeld(row, at)
      return 1
    })
  )

/** One round; returns how many requests expired. Fails with UNAVAILABLE when the store is unreachable. */
export const expireRequests = (limit = 1_000) =>
  eachDue(
    "approvals",
    { limit },
    Effect.fnUntraced(function* (organizationId, share) {
      const ids = yield* (yield* Workspaces).approvals.overdue(organizationId, yield* now, share.limit)
      const counts = yield* Effect.forEach(ids, (id) =>
        Effect.catchCause(expire(organizationId, id), (cause) =>
          Effect.as(Effect.logError("Expiring an approval request failed", { request: id }, cause), 0)
        )
      )
      return counts.reduce((sum, count) => sum + count, 0)
    })
  )

/** Runs as long as the layer. */
export const layer: Layer.Layer<never, never, DueWork | Workspaces | SystemNeeds<never>> = Layer.effectDiscard(
  repeatRound("expiring approval requests", expireRequests(), "15 seconds")
)
