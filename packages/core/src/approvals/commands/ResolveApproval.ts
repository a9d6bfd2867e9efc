import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor, type ActorIdentity } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { Delegation } from "../../Delegation.ts"
import type { Envelope } from "../../Envelope.ts"
import { Execution } from "../../Execution.ts"
import { type Failure, fail, failureTable, notFound } from "../../Failure.ts"
import { line } from "../../TextFields.ts"
import { now } from "../../Time.ts"
import { Approval, ApprovalIdText, approvalOf, requirePerson } from "../Approval.ts"
import type { ApprovalRow } from "../ApprovalRow.ts"
import { ApprovalsRepo, stateAt } from "../ApprovalsRepo.ts"

const stateOf = { approve: "approved", reject: "rejected" } as const

/**
 * The decided request, or why it cannot be decided so. One that was approved, but whose run is not known to have ended,
 * may be approved again: the run has one effect.
 */
const decide = (
  row: ApprovalRow,
  actor: ActorIdentity,
  decision: "approve" | "reject",
  reason: string,
  at: string
): ApprovalRow | Failure => {
  const state = stateAt(row, at)
  if (state === "approved" && decision === "approve" && row.outcome === null) return row
  if (state !== "pending") {
    return fail("WRONG_STATE", `The request is ${state} already, so it cannot be decided. Ask for the run again.`)
  }
  return {
    ...row,
    state: stateOf[decision],
    resolvedBy: { kind: actor.kind, userId: actor.userId, keyId: actor.keyId },
    resolvedAt: at,
    reason,
    input: decision === "reject" ? null : row.input
  }
}

/** The request after its run. What may succeed when it is tried again can be approved again. */
const settledBy = (row: ApprovalRow, envelope: Envelope<unknown>): ApprovalRow => {
  if (envelope.ok) return { ...row, outcome: "ok", input: null }
  const { code } = envelope.error
  return failureTable[code].retryable ? row : { ...row, outcome: code, input: null }
}

/** `approval.resolve`: a person's decision. */
export const ResolveApproval = Command.make({
  id: "approval.resolve",
  title: "Decide a request for approval",
  summary: "Approve a run that waits, which runs it, or reject it.",
  description:
    "Approving runs the kept input once, in the same organization and in the name and with the rights of the person who " +
    "approves; the answer says how it ended, and both the asking and the deciding are in the audit. Rejecting runs " +
    "nothing. Only a person can decide.",
  whenToUse: "When approval.list shows something that waits for you.",
  category: "workspace",
  risk: "approval",
  scope: "missions:read",
  input: Schema.Struct({
    approval_request_id: ApprovalIdText,
    decision: Schema.Literals(["approve", "reject"]).annotate({ description: "approve runs it, reject drops it" }),
    reason: Schema.optionalKey(line(500, "Why, for whoever asked"))
  }),
  output: Schema.Struct({
    approval: Approval,
    result: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
      description: "The output of the run when it succeeded; null otherwise, and in a repeated answer"
    }),
    error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })).annotate({
      description: "Why the run was refused; null otherwise"
    })
  }),
  outward: true,
  shownOnce: ["result"],
  riskNotes: ["Approving does what was asked for, which may send a message. Read approval.get first."],
  relatedCommands: ["approval.list", "approval.get", "policy.set"],
  examples: [
    {
      title: "Approve",
      input: { approval_request_id: "apr_SAMPLE00000000000000000002", decision: "approve", reason: "Fine" }
    }
  ],
  run: Effect.fnUntraced(function* ({ approval_request_id, decision, reason = "" }) {
    yield* requirePerson("decide a request")
    const actor = yield* Actor
    const repo = yield* ApprovalsRepo
    const { commit, dryRun, finish } = yield* Execution
    const delegate = yield* Delegation
    const hold = Effect.gen(function* () {
      const row = yield* repo.hold(actor.organizationId, approval_request_id)
      return row === undefined ? yield* notFound("approval request", approval_request_id) : row
    })
    const decideNow = Effect.gen(function* () {
      const row = decide(yield* hold, actor, decision, reason, yield* now)
      if (!("id" in row)) return yield* row
      yield* repo.replace(row)
      return row
    })
    const nothing = { result: null, error: null }
    if (decision === "reject") {
      const row = yield* finish(decideNow)
      return { approval: approvalOf(row, yield* now), ...nothing }
    }
    const decided = yield* commit(decideNow)
    if (dryRun) return { approval: approvalOf(decided, yield* now), ...nothing }
    const envelope = yield* delegate(decided.commandId, decided.input ?? {}, `approval:${decided.id}`)
    return yield* finish(
      Effect.gen(function* () {
        const row = yield* hold
        if (!envelope.ok && failureTable[envelope.error.code].kind === "Denied") {
          // Who decided may not run it. Somebody else may, so the request waits on.
          yield* repo.replace({ ...row, state: "pending", resolvedBy: null, resolvedAt: null, reason: "" })
          return fail(envelope.error.code, envelope.error.message)
        }
        const settled = settledBy(row, envelope)
        if (settled !== row) yield* repo.replace(settled)
        return {
          approval: approvalOf(settled, yield* now),
          result: envelope.ok ? { ...Object(envelope.data) } : null,
          error: envelope.ok ? null : { code: envelope.error.code, message: envelope.error.message }
        }
      })
    )
  })
})
