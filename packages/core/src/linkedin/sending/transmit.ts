/**
 * Carrying out a claim: the only place that writes messages to LinkedIn. Runs outside of any transaction and never fails; what is
 * not known is said to be unknown.
 *
 * Source: G10; contract 1.9 and 7 "Sending"; mission research 5.2, mapping.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { messageHandedOver } from "../../instruments.ts"
import {
  type Delivery,
  LinkedInGateway,
  type Relation,
  type RelationResult,
  type SendResult
} from "../LinkedInGateway.ts"
import { SendOptions } from "../SendOptions.ts"
import { failedOutcome } from "./FailedOutcome.ts"
import type { SendClaim, SendOutcome } from "./SendClaim.ts"

/** What an answer that does not come in time, or a broken adapter, means for a read. */
const boundedRead = (read: Effect.Effect<RelationResult>, seconds: number): Effect.Effect<RelationResult> =>
  bounded(read, seconds, (detail) => ({ _tag: "Unavailable", detail }))

/** As {@link boundedRead}, for a write, which may have happened all the same. */
export const boundedWrite = (write: Effect.Effect<SendResult>, seconds: number): Effect.Effect<SendResult> =>
  bounded(write, seconds, (detail) => ({ _tag: "Unknown", detail }))

const bounded = <A>(call: Effect.Effect<A>, seconds: number, otherwise: (detail: string) => A): Effect.Effect<A> =>
  Effect.timeoutOption(call, seconds * 1_000).pipe(
    Effect.map(Option.getOrElse(() => otherwise(`The provider did not answer within ${seconds} s.`))),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logError("a LinkedIn gateway died", cause), otherwise("The gateway broke while it worked."))
    )
  )

/** How an account and a person stand, for a look ahead of a claim. */
export const lookAtRelation = Effect.fnUntraced(function* ({
  account,
  recipient
}: Pick<SendClaim, "account" | "recipient">) {
  const gateway = yield* LinkedInGateway
  const { readSeconds } = yield* SendOptions
  return yield* boundedRead(gateway.relation(account, recipient), readSeconds)
})

/** Who is not connected after all is waited for. */
const unsent = (result: Parameters<typeof failedOutcome>[0], relation: Relation | undefined): SendOutcome =>
  result._tag === "Refused" && result.kind === "not_connected"
    ? { _tag: "Waiting", invitation: "none", relation: undefined }
    : failedOutcome(result, relation)

const messageOutcome = (result: SendResult, relation: Relation): SendOutcome =>
  result._tag === "Confirmed"
    ? { _tag: "Sent", messageId: result.messageId, externalId: result.externalId, relation }
    : unsent(result, relation)

const handOver = Effect.fnUntraced(function* (claim: SendClaim): Effect.fn.Return<SendOutcome, never, LinkedInGateway> {
  const gateway = yield* LinkedInGateway
  const { writeSeconds } = yield* SendOptions
  const { account, item, recipient } = claim
  const look = yield* lookAtRelation(claim)
  if (look._tag !== "Known") return unsent(look, undefined)
  const { relation } = look
  const delivery: Delivery = { recipient, idempotencyKey: item.id }
  if (relation.connected) {
    const { chatId } = relation
    const text = item.bodyText
    const write =
      chatId === null
        ? gateway.startChat(account, { ...delivery, text })
        : gateway.sendToChat(account, { ...delivery, chatId, text })
    return messageOutcome(yield* boundedWrite(write, writeSeconds), relation)
  }
  if (relation.invitation === "pending" || recipient.invitedAt !== null) {
    return { _tag: "Waiting", invitation: "pending", relation }
  }
  return { _tag: "Waiting", invitation: item.invite ? "wanted" : "none", relation }
})

/** Outcomes as they are counted. */
const counted: Readonly<Record<SendOutcome["_tag"], string>> = {
  Sent: "sent",
  Waiting: "waiting_relation",
  Retry: "retry",
  Rejected: "rejected",
  AccountDown: "account_down",
  Unknown: "unknown"
}

/** Asks the provider and says what became of it. */
export const transmit = (claim: SendClaim): Effect.Effect<SendOutcome, never, LinkedInGateway> =>
  Effect.tap(handOver(claim), ({ _tag }) => messageHandedOver(counted[_tag]))
