/**
 * A run that waits for a person: what was asked, by whom, until when.
 *
 * Source: gap decision G26; spec "approval output".
 */
import type { ActorKind } from "./Actor.ts"
import type { SuccessEnvelope } from "./Envelope.ts"
import { plainMeta } from "./Envelope.ts"

/** Who asked. */
export interface Asker {
  readonly kind: ActorKind
  readonly userId: string
  readonly keyId: string | null
}

/** A run as it was asked for. `input` is what the caller sent; it is kept until the request is settled. */
export interface ApprovalAsked {
  readonly id: string
  readonly organizationId: string
  readonly commandId: string
  readonly commandHash: string
  readonly input: Readonly<Record<string, unknown>>
  readonly requestedBy: Asker
  readonly createdAt: string
  readonly expiresAt: string
}

/** How long a request waits for a decision: seven days, in milliseconds. */
export const approvalLifetime = 7 * 24 * 60 * 60 * 1000

/**
 * The answer of a run that was not done yet: the approval output instead of the command's own. `account_id` is that of
 * the input, else the organization.
 */
export const askedEnvelope = (asked: ApprovalAsked): SuccessEnvelope<unknown> => {
  const account = asked.input["account_id"]
  return {
    ok: true,
    status: 200,
    data: { account_id: typeof account === "string" ? account : asked.organizationId, approval_required: true },
    meta: { ...plainMeta(asked.commandHash, []), approval_required: true, approval_request_id: asked.id }
  }
}
