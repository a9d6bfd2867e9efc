/** A request for approval as people see it. Source: G26. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import type { Asker } from "../ApprovalAsked.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { Instant, now } from "../Time.ts"
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
  command_id: text.annotate({ description: "The command that waits" }),
  command_hash: text,
  requested_by: Person,
  requested_at: Instant,
  expires_at: Instant.annotate({ description: "When the request ends without a decision" }),
  resolved_by: Schema.NullOr(Person),
  resolved_at: Schema.NullOr(Instant),
  reason: text.annotate({ description: "What was said with the decision" }),
  outcome: Schema.NullOr(text).annotate({ description: "How the approved run ended: ok or an error code" })
})

/** Input field `approval_request_id`. */
export const ApprovalIdText = text
  .check(Schema.isBetweenLength(1, 64))
  .annotate({ description: "Id of the request: meta.approval_request_id of the answer that asked for it" })

const personOf = ({ keyId, kind, userId }: Asker): typeof Person.Type => ({ kind, user_id: userId, key_id: keyId })

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

/** Reads a request. Fails with NOT_FOUND. */
export const getApproval = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<{ readonly row: ApprovalRow; readonly at: string }, Failure, Actor | ApprovalsRepo> {
  const { organizationId } = yield* Actor
  const row = yield* (yield* ApprovalsRepo).find(organizationId, id)
  return row === undefined ? yield* notFound("approval request", id) : { row, at: yield* now }
})

/** Fails with APPROVAL_POLICY unless a person acts. */
export const requirePerson = (what: string): Effect.Effect<void, Failure, Actor> =>
  Effect.flatMap(Actor, ({ kind }) =>
    kind === "USER"
      ? Effect.void
      : Effect.fail(fail("APPROVAL_POLICY", `Only a person can ${what}. Use a key whose actor kind is USER.`))
  )
