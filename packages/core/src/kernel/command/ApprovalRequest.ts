/** A request for approval: a run that waits for a person's decision. */
import type { CommandId, InstantText, KeyId, OrganizationId, UserId } from "../schema/RecordIds.ts"
import type { ActorKind } from "./Actor.ts"
import { plainMeta, type SuccessEnvelope } from "./Envelope.ts"
import type { StoredPrecondition } from "./Precondition.ts"

/** Who requested or resolved it. */
export interface Requester {
  readonly kind: ActorKind
  readonly userId: UserId
  readonly keyId: KeyId | null
}

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
}

/** How long a request waits for a decision: seven days, in milliseconds. */
export const approvalLifetime = 7 * 24 * 60 * 60 * 1000

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
