/**
 * Carrying out an invitation's claim. Runs outside of any transaction and never fails; what is not known is said to be
 * unknown. Source: contract 7 "Sending"; mission research 5.2, mapping; G39 (already connected and already invited).
 */
import * as Effect from "effect/Effect"
import { LinkedInGateway, type RefusalKind, type Refused, type Relation } from "../LinkedInGateway.ts"
import { SendOptions } from "../SendOptions.ts"
import { boundedWrite, lookAtRelation } from "../sending/transmit.ts"
import type { InvitationClaim } from "./claimInvitation.ts"

/** What became of it. `relation` is what the provider said of account and person, undefined when it was not heard. */
export type InvitationOutcome = { readonly relation: Relation | undefined } & (
  | { readonly _tag: "Sent"; readonly externalId: string | null }
  /** An invitation was there before. */
  | { readonly _tag: "AlreadyPending" }
  | { readonly _tag: "AlreadyConnected" }
  /** Nothing left, or it is refused for a while: try again. */
  | {
      readonly _tag: "Retry"
      readonly reason: RefusalKind | "unavailable"
      readonly detail: string
      readonly adviceSeconds: number | null
    }
  | { readonly _tag: "Rejected"; readonly kind: RefusalKind; readonly providerCode: string }
  | {
      readonly _tag: "AccountDown"
      readonly kind: "account_down" | "account_restricted"
      readonly providerCode: string
    }
  | { readonly _tag: "Unknown"; readonly detail: string }
)

const refusalOutcome = (
  { kind, providerCode, retryAfterSeconds }: Refused,
  relation: Relation | undefined
): InvitationOutcome => {
  switch (kind) {
    case "already_pending":
      return { _tag: "AlreadyPending", relation }
    case "already_connected":
      return { _tag: "AlreadyConnected", relation }
    case "limit":
    case "transient":
      return { _tag: "Retry", reason: kind, detail: providerCode, adviceSeconds: retryAfterSeconds, relation }
    case "account_down":
    case "account_restricted":
      return { _tag: "AccountDown", kind, providerCode, relation }
    default:
      return { _tag: "Rejected", kind, providerCode, relation }
  }
}

const unavailable = (detail: string, relation: Relation | undefined): InvitationOutcome => ({
  _tag: "Retry",
  reason: "unavailable",
  detail,
  adviceSeconds: null,
  relation
})

/** Asks the provider, after a look whether that is needed at all, and says what became of it. */
export const transmitInvitation = Effect.fnUntraced(function* (
  claim: InvitationClaim
): Effect.fn.Return<InvitationOutcome, never, LinkedInGateway> {
  const gateway = yield* LinkedInGateway
  const { writeSeconds } = yield* SendOptions
  const { account, invitation, recipient } = claim
  const look = yield* lookAtRelation(claim)
  if (look._tag === "Unavailable") return unavailable(look.detail, undefined)
  if (look._tag === "Refused") return refusalOutcome(look, undefined)
  const { relation } = look
  if (relation.connected) return { _tag: "AlreadyConnected", relation }
  if (relation.invitation === "pending") return { _tag: "AlreadyPending", relation }
  const delivery = { recipient, idempotencyKey: invitation.id, note: invitation.note }
  const result = yield* boundedWrite(gateway.sendInvitation(account, delivery), writeSeconds)
  switch (result._tag) {
    case "Confirmed":
      return { _tag: "Sent", externalId: result.messageId ?? result.externalId, relation }
    case "Refused":
      return refusalOutcome(result, relation)
    case "Unavailable":
      return unavailable(result.detail, relation)
    case "Unknown":
      return { _tag: "Unknown", detail: result.detail, relation }
  }
})
