/**
 * Carrying out an invitation's claim. Runs outside of any transaction and never fails; what is not known is said to be
 * unknown. Source: contract 7 "Sending"; mission research 5.2, mapping; G39 (already connected and already invited).
 */
import * as Effect from "effect/Effect"
import { LinkedInGateway, type Relation } from "../LinkedInGateway.ts"
import { SendOptions } from "../SendOptions.ts"
import { type FailedOutcome, failedOutcome, type Heard } from "../sending/FailedOutcome.ts"
import { boundedWrite, lookAtRelation } from "../sending/transmit.ts"
import type { InvitationClaim } from "./claimInvitation.ts"

/** What became of it. */
export type InvitationOutcome = Heard<
  | { readonly _tag: "Sent"; readonly externalId: string | null }
  /** An invitation was there before. */
  | { readonly _tag: "AlreadyPending" }
  | { readonly _tag: "AlreadyConnected" }
  | FailedOutcome
>

/** That there is one already, or no need of one, is no failure. */
const unsent = (result: Parameters<typeof failedOutcome>[0], relation: Relation | undefined): InvitationOutcome => {
  const kind = result._tag === "Refused" ? result.kind : undefined
  if (kind === "already_pending") return { _tag: "AlreadyPending", relation }
  if (kind === "already_connected") return { _tag: "AlreadyConnected", relation }
  return failedOutcome(result, relation)
}

/** Asks the provider, after a look whether that is needed at all, and says what became of it. */
export const transmitInvitation = Effect.fnUntraced(function* (
  claim: InvitationClaim
): Effect.fn.Return<InvitationOutcome, never, LinkedInGateway> {
  const gateway = yield* LinkedInGateway
  const { writeSeconds } = yield* SendOptions
  const { account, invitation, recipient } = claim
  const look = yield* lookAtRelation(claim)
  if (look._tag !== "Known") return unsent(look, undefined)
  const { relation } = look
  if (relation.connected) return { _tag: "AlreadyConnected", relation }
  if (relation.invitation === "pending") return { _tag: "AlreadyPending", relation }
  const delivery = { recipient, idempotencyKey: invitation.id, note: invitation.note }
  const result = yield* boundedWrite(gateway.sendInvitation(account, delivery), writeSeconds)
  return result._tag === "Confirmed"
    ? { _tag: "Sent", externalId: result.messageId ?? result.externalId, relation }
    : unsent(result, relation)
})
