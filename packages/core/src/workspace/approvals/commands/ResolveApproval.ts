import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor, type ActorIdentity, rightsKeyOf } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { Delegation } from "../../../kernel/command/Delegation.ts"
import type { Envelope } from "../../../kernel/command/Envelope.ts"
import { Execution } from "../../../kernel/command/Execution.ts"
import { ApprovalPolicy, ForbiddenScope, NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { failureTable } from "../../../kernel/failure/failureTable.ts"
import { line } from "../../../kernel/schema/TextFields.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { Approval, ApprovalIdText, approvalOf, requireHeldScope } from "../Approval.ts"
import type { ApprovalRow } from "../ApprovalRow.ts"
import { ApprovalsRepo, stateAt } from "../ApprovalsRepo.ts"

const stateOf = { approve: "approved", reject: "rejected" } as const

/**
 * The request after the decision, or why it cannot be decided. An approved request whose run has no known outcome may be
 * approved again, since the run takes effect only once.
 */
const decide = (
  row: ApprovalRow,
  actor: ActorIdentity,
  decision: "approve" | "reject",
  reason: string,
  at: string
): ApprovalRow | WrongState => {
  const state = stateAt(row, at)
  if (state === "approved" && decision === "approve" && row.outcome === null) return row
  if (state !== "pending") {
    return new WrongState({
      message: `The request is already ${state}, so it cannot be decided. Run the command again to create a new request.`
    })
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

/** Whether the actor asked for it, with the same key or a session of it. */
const isOwn = ({ requestedBy }: ApprovalRow, actor: ActorIdentity): boolean =>
  requestedBy.keyId === rightsKeyOf(actor) && requestedBy.userId === actor.userId

/** The request after its run. If a retry can help, it stays open to be approved again. */
const settledBy = (row: ApprovalRow, envelope: Envelope<unknown>): ApprovalRow => {
  if (envelope.ok) return { ...row, outcome: "ok", input: null }
  const { code } = envelope.error
  return failureTable[code].retryable ? row : { ...row, outcome: code, input: null }
}

/** `approval.resolve`: a person's decision. */
export const ResolveApproval = Command.make({
  id: "approval.resolve",
  title: "Decide on an approval request",
  summary: "Approve and run, or reject, an approval request",
  description:
    "approve runs the held input once, in the same organization, with the name and rights of the person who " +
    "approves; the response contains the outcome, and the audit records both the request and the decision. reject " +
    "runs nothing. Only a person can decide, with the scope of the command, and nobody approves their own request.",
  whenToUse: "When approval.list shows a request for you to decide.",
  category: "workspace",
  risk: "approval",
  scope: "missions:read",
  effects: { does: ["governs"], channels: ["linkedin", "email"] },
  input: Schema.Struct({
    approval_request_id: ApprovalIdText,
    decision: Schema.Literals(["approve", "reject"]).annotate({ description: "approve runs it, reject drops it" }),
    reason: Schema.optionalKey(line(500, "The reason, for the requester"))
  }),
  output: Schema.Struct({
    approval: Approval,
    result: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
      description: "The output of the run if it succeeded; otherwise null, and null in a repeated response"
    }),
    error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })).annotate({
      description: "Why the run failed; otherwise null"
    })
  }),
  failures: [NotFound, WrongState],
  outward: true,
  shownOnce: ["result"],
  riskNotes: ["Approving runs the command, which may send a message. Read approval.get first."],
  relatedCommands: ["approval.list", "approval.get", "policy.set"],
  examples: [
    {
      title: "Approve",
      input: { approval_request_id: "apr_SAMPLE00000000000000000002", decision: "approve", reason: "Fine" }
    }
  ],
  run: Effect.fnUntraced(function* ({ approval_request_id, decision, reason = "" }) {
    const actor = yield* Actor
    const repo = yield* ApprovalsRepo
    const { commit, dryRun, finish } = yield* Execution
    const delegation = yield* Delegation
    const hold = Effect.gen(function* () {
      const row = yield* repo.hold(actor.organizationId, approval_request_id)
      if (row === undefined) return yield* new NotFound({ kind: "approval request", id: approval_request_id })
      yield* requireHeldScope(row)
      return row
    })
    const decideNow = Effect.gen(function* () {
      const held = yield* hold
      if (decision === "approve" && isOwn(held, actor)) {
        return yield* new ApprovalPolicy({
          message: "You can't approve your own request. Ask somebody else to approve it, or reject it to withdraw it."
        })
      }
      const row = decide(held, actor, decision, reason, yield* now)
      if (!("id" in row)) return yield* row
      yield* repo.replace(row)
      return row
    })
    const undone = (row: ApprovalRow) =>
      Effect.map(now, (at) => ({ approval: approvalOf(row, at), result: null, error: null }))
    if (decision === "reject") return yield* finish(Effect.flatMap(decideNow, undone))
    const decided = yield* commit(decideNow)
    if (dryRun) return yield* undone(decided)
    const envelope = yield* delegation.run(
      decided.commandId,
      decided.input ?? {},
      decided.precondition,
      `approval:${decided.id}`
    )
    return yield* finish(
      Effect.gen(function* () {
        const row = yield* hold
        if (!envelope.ok && failureTable[envelope.error.code].kind === "Denied") {
          // The person who decided may not run it, but others may, so the request stays pending.
          yield* repo.replace({ ...row, state: "pending", resolvedBy: null, resolvedAt: null, reason: "" })
          const { code, message } = envelope.error
          return code === "FORBIDDEN_SCOPE" ? new ForbiddenScope({ message }) : new ApprovalPolicy({ message })
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
