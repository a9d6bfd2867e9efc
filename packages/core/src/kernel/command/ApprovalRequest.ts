/** A request for approval: a run that waits for a person's decision. */

import type { NewEvent } from "../journal/Event.ts"
import type { CommandId, InstantText, KeyId, OrganizationId, UserId } from "../schema/IdsAndTime.ts"
import { plainMeta, type StoredPrecondition, type SuccessEnvelope } from "./Envelope.ts"
import type { ActorKind, ApprovalRules } from "./Permission.ts"

/** Who requested or resolved it. */
export interface Requester {
  readonly kind: ActorKind
  readonly userId: UserId
  readonly keyId: KeyId | null
}

/** The default number of days that a request waits for a decision. */
export const defaultExpiryDays = 7

/** When a request expires that is made or repeated now, in milliseconds. */
export const expiryOf = ({ expiryDays = defaultExpiryDays }: ApprovalRules, now: number): number =>
  now + expiryDays * 24 * 60 * 60 * 1000

/** The addresses to write to about requests. */
export const addressesOf = ({ approvers = [] }: ApprovalRules): ReadonlyArray<string> => [
  ...new Set(approvers.flatMap(({ email }) => (email === undefined ? [] : [email])))
]

/** A requested run. `input` is what the caller sent, stored until the request is settled. */
export interface ApprovalRequest {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly commandId: CommandId
  readonly commandHash: string
  readonly input: Readonly<Record<string, unknown>>
  readonly precondition: StoredPrecondition | null
  readonly requestedBy: Requester
  readonly createdAt: InstantText
  readonly expiresAt: InstantText
  /** Addresses that are still to be written to about its present state. */
  readonly mailTo: ReadonlyArray<string>
}

/**
 * The result of a run that waits for approval: the approval output instead of the command's own. `account_id` is taken
 * from the input, or else is the organization.
 */
export const approvalEnvelope = (request: ApprovalRequest): SuccessEnvelope<unknown> => {
  const account = request.input["account_id"]
  return {
    ok: true,
    status: 200,
    data: { account_id: typeof account === "string" ? account : request.organizationId, approval_required: true },
    meta: { ...plainMeta(request.commandHash, []), approval_required: true, approval_request_id: request.id }
  }
}

/** An event about a request; `data` are more facts. */
export const approvalEvent = (
  type: "approval.requested" | "approval.decided" | "approval.expired",
  { commandId, expiresAt, id, requestedBy }: Omit<ApprovalRequest, "input">,
  data: NewEvent["data"] = {}
): NewEvent => ({
  type,
  subject: { type: "approval", id },
  data: { command_id: commandId, requested_by: requestedBy.userId, expires_at: expiresAt, ...data }
})
