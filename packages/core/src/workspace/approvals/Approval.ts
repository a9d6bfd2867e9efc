/** Requests for approval, as people see them. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Requester } from "../../kernel/command/ApprovalRequest.ts"
import { Delegation } from "../../kernel/command/Delegation.ts"
import { Actor, type ActorIdentity, PublicUrl, rightsKeyOf } from "../../kernel/command/Execution.ts"
import { ForbiddenScope, NotFound, type StoreFailure } from "../../kernel/failure/failures.ts"
import { Instant, now } from "../../kernel/schema/IdsAndTime.ts"
import { Workspaces } from "../Workspaces.ts"
import { type ApprovalRow, approvalStates, clientActions, stateAt } from "./ApprovalRow.ts"
import { approvalRules } from "./Policies.ts"

const text = Schema.String

const Person = Schema.Struct({
  kind: Schema.Literals(["USER", "AI_AGENT"]),
  user_id: text,
  key_id: Schema.NullOr(text)
})

/** One request. */
export const Approval = Schema.Struct({
  approval_request_id: text,
  state: Schema.Literals(approvalStates),
  command_id: text.annotate({ description: "The held command" }),
  command_hash: text,
  requested_by: Person,
  requested_at: Instant,
  expires_at: Instant.annotate({ description: "When the request expires" }),
  approvers: Schema.NullOr(Schema.Array(text)).annotate({
    description: "Ids of the users who may decide; null for everyone with the right"
  }),
  link: text.annotate({ description: "Where a person decides: a URL, or a path if the service has no public URL" }),
  ask_again_after_seconds: Schema.NullOr(Schema.Int).annotate({
    description: "When to call approval.get again; null once the outcome is known"
  }),
  resolved_by: Schema.NullOr(Person),
  resolved_at: Schema.NullOr(Instant).annotate({ description: "When it was decided or expired" }),
  decided_through: Schema.NullOr(text).annotate({
    description: "The MCP client whose user decided, as it names itself; null for a decision outside of clients"
  }),
  client_answer: Schema.NullOr(
    Schema.Struct({
      question_id: text,
      client: text,
      action: Schema.Literals(clientActions),
      at: Instant,
      decides: Schema.Boolean.annotate({ description: "Whether the question was shown as a decision" })
    })
  ).annotate({ description: "What the user of an MCP client answered last" }),
  reason: text.annotate({ description: "Note of the person who decided" }),
  outcome: Schema.NullOr(text).annotate({ description: "Outcome of the approved run: ok or an error code" })
})

/** Input field `approval_request_id`. */
export const ApprovalIdText = text
  .check(Schema.isBetweenLength(1, 64))
  .annotate({ description: "Id of the request: meta.approval_request_id of the response" })

const personOf = ({ keyId, kind, userId }: Requester): typeof Person.Type => ({ kind, user_id: userId, key_id: keyId })

/** When to ask again, in seconds: soon at first, then less and less often. */
const askAgainAfter = (row: ApprovalRow, at: string): number | null => {
  const state = stateAt(row, at)
  if (state === "approved" && row.outcome === null) return 5
  if (state !== "pending") return null
  const minutes = (Date.parse(at) - Date.parse(row.createdAt)) / 60_000
  if (minutes < 5) return 30
  return minutes < 60 ? 300 : 3_600
}

/** How requests are shown to the running actor, now. */
export const showApprovals: Effect.Effect<(row: ApprovalRow) => typeof Approval.Type, StoreFailure, Actor> = Effect.gen(
  function* () {
    const { approvers } = yield* approvalRules
    const base = (yield* PublicUrl)() ?? ""
    const at = yield* now
    return (row) => ({
      approval_request_id: row.id,
      state: stateAt(row, at),
      command_id: row.commandId,
      command_hash: row.commandHash,
      requested_by: personOf(row.requestedBy),
      requested_at: row.createdAt,
      expires_at: row.expiresAt,
      approvers: approvers?.map(({ user_id }) => user_id) ?? null,
      link: `${base}/review/d/${row.id}`,
      ask_again_after_seconds: askAgainAfter(row, at),
      resolved_by: row.resolvedBy && personOf(row.resolvedBy),
      resolved_at: row.resolvedAt,
      decided_through: row.decidedThrough,
      client_answer: row.question?.answer
        ? {
            question_id: row.question.id,
            client: row.question.client,
            decides: row.question.decides,
            ...row.question.answer
          }
        : null,
      reason: row.reason,
      outcome: row.outcome
    })
  }
)

/** The requester that the actor may read requests of; undefined for all. AI agents and draft-only keys read their own. */
export const readableRequester = (actor: ActorIdentity): Pick<Requester, "userId" | "keyId"> | undefined =>
  actor.kind === "AI_AGENT" || actor.mode === "draft_only"
    ? { userId: actor.userId, keyId: rightsKeyOf(actor) }
    : undefined

/** Whether the actor asked for it, with the same key or a session of it. */
export const isOwn = ({ requestedBy }: Pick<ApprovalRow, "requestedBy">, actor: ActorIdentity): boolean =>
  requestedBy.keyId === rightsKeyOf(actor) && requestedBy.userId === actor.userId

/** Fails with FORBIDDEN_SCOPE unless the actor may run what the request holds: its input is nobody else's business. */
export const requireHeldScope = Effect.fnUntraced(function* ({ commandId }: ApprovalRow) {
  if (!(yield* Delegation).forbidden().includes(commandId)) return
  return yield* new ForbiddenScope({
    message: `The request holds ${commandId}, which this key may not run. Use a key with the scope of that command.`
  })
})

/** Reads a request that the actor may read. Fails with NOT_FOUND and FORBIDDEN_SCOPE. */
export const getApproval = Effect.fnUntraced(function* (id: string) {
  const actor = yield* Actor
  const row = yield* (yield* Workspaces).approvals.find(actor.organizationId, id)
  if (row === undefined || (readableRequester(actor) !== undefined && !isOwn(row, actor))) {
    return yield* new NotFound({ kind: "approval request", id })
  }
  yield* requireHeldScope(row)
  return row
})
