/** Requests for approval, as people see them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import type { Requester } from "../../kernel/command/ApprovalRequest.ts"
import { Delegation } from "../../kernel/command/Delegation.ts"
import { ForbiddenScope, NotFound, type StoreFailure } from "../../kernel/failure/failures.ts"
import { Instant, now } from "../../kernel/schema/Time.ts"
import type { ApprovalRow } from "./ApprovalRow.ts"
import { ApprovalsRepo, approvalStates, stateAt } from "./ApprovalsRepo.ts"

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
  resolved_by: Schema.NullOr(Person),
  resolved_at: Schema.NullOr(Instant),
  reason: text.annotate({ description: "Note of the person who decided" }),
  outcome: Schema.NullOr(text).annotate({ description: "Outcome of the approved run: ok or an error code" })
})

/** Input field `approval_request_id`. */
export const ApprovalIdText = text
  .check(Schema.isBetweenLength(1, 64))
  .annotate({ description: "Id of the request: meta.approval_request_id of the response" })

const personOf = ({ keyId, kind, userId }: Requester): typeof Person.Type => ({ kind, user_id: userId, key_id: keyId })

/** The view of a request at an instant. */
export const approvalOf = (row: ApprovalRow, at: string): typeof Approval.Type => ({
  approval_request_id: row.id,
  state: stateAt(row, at),
  command_id: row.commandId,
  command_hash: row.commandHash,
  requested_by: personOf(row.requestedBy),
  requested_at: row.createdAt,
  expires_at: row.expiresAt,
  resolved_by: row.resolvedBy && personOf(row.resolvedBy),
  resolved_at: row.resolvedAt,
  reason: row.reason,
  outcome: row.outcome
})

/** Fails with FORBIDDEN_SCOPE unless the actor may run what the request holds: its input is nobody else's business. */
export const requireHeldScope = Effect.fnUntraced(function* ({
  commandId
}: ApprovalRow): Effect.fn.Return<void, ForbiddenScope> {
  if (!(yield* Delegation).forbidden().includes(commandId)) return
  return yield* new ForbiddenScope({
    message: `The request holds ${commandId}, which this key may not run. Use a key with the scope of that command.`
  })
})

/** Reads a request. Fails with NOT_FOUND and FORBIDDEN_SCOPE. */
export const getApproval = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<
  { readonly row: ApprovalRow; readonly at: string },
  StoreFailure | ForbiddenScope | NotFound,
  Actor | ApprovalsRepo
> {
  const { organizationId } = yield* Actor
  const row = yield* (yield* ApprovalsRepo).find(organizationId, id)
  if (row === undefined) return yield* new NotFound({ kind: "approval request", id })
  yield* requireHeldScope(row)
  return { row, at: yield* now }
})
