/**
 * Sending a claim: the only place that writes to LinkedIn. Runs outside of any transaction and never fails; in doubt, the
 * outcome is unknown.
 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { comparable } from "../kernel/schema/TextRules.ts"
import { countMessageSend } from "../kernel/telemetry/instruments.ts"
import type { LinkedInAccount } from "./provider/LinkedInAccount.ts"
import { LinkedInGateway, withTimeout } from "./provider/LinkedInGateway.ts"
import type * as Provider from "./provider/ProviderReads.ts"
import { SendOptions, secondsBefore } from "./SendOptions.ts"
import { type LinkedInClaim, type SendOutcome, type SoughtMessage, wordsOf } from "./startTransmission.ts"

/** How far the provider's clock may be behind ours, in seconds. */
const clockSkew = 60

/** From when on the conversation is read. */
const readFrom = ({ startedAt }: Pick<SoughtMessage, "startedAt">): string => secondsBefore(startedAt, clockSkew)

/** The first message that we wrote since and that has the text; undefined when there is none. */
export const findSent = (
  messages: ReadonlyArray<Provider.ConversationMessage>,
  sought: SoughtMessage
): Provider.ConversationMessage | undefined => {
  const since = readFrom(sought)
  const text = comparable(sought.text)
  return messages
    .filter(({ at, direction, externalId, messageId, text: found }) => {
      if (direction !== "outbound" || at < since || found === null || comparable(found) !== text) return false
      return !sought.others.has(messageId) && (externalId === null || !sought.others.has(externalId))
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))[0]
}

/** Pages of a conversation that are read for one message. */
const maxPages = 8

/** Reads the conversation for a message; undefined when it is not there. Fails as asking the provider does. */
export const searchConversation = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  chatId: string,
  sought: SoughtMessage
) {
  const gateway = yield* LinkedInGateway
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const query = { chatId, since: readFrom(sought), cursor }
    const read: Provider.MessagePage = yield* withTimeout(gateway.listMessages(account, query))
    const found = findSent(read.messages, sought)
    if (found !== undefined || read.next === null) return found
    cursor = read.next
  }
  return undefined
})

/** A write that times out or throws may still have happened: its outcome is unknown. */
export const boundedWrite = (
  write: Effect.Effect<Provider.SendResult>,
  seconds: number
): Effect.Effect<Provider.SendResult> => bounded(write, seconds, (detail) => ({ _tag: "Unknown", detail }))

const bounded = <A>(call: Effect.Effect<A>, seconds: number, otherwise: (detail: string) => A): Effect.Effect<A> =>
  Effect.timeoutOption(call, seconds * 1_000).pipe(
    Effect.map(Option.getOrElse(() => otherwise(`The provider did not respond within ${seconds} s.`))),
    Effect.catchCause((cause) =>
      Effect.as(
        Effect.logError("LinkedIn gateway failed unexpectedly", cause),
        otherwise("The gateway failed unexpectedly.")
      )
    )
  )

/** Asks the provider for the relation of an account and a person. Never fails: problems and timeouts are `Unavailable`. */
export const checkRelation = Effect.fnUntraced(function* ({
  account,
  recipient
}: Pick<LinkedInClaim, "account" | "recipient">): Effect.fn.Return<Provider.RelationResult, never, LinkedInGateway> {
  const gateway = yield* LinkedInGateway
  const { readSeconds } = yield* SendOptions
  const unheard = (detail: string): Provider.RelationResult => ({ _tag: "Unavailable", detail })
  return yield* bounded(gateway.relation(account, recipient), readSeconds, unheard)
})

/** The outcome of a write that was not confirmed. Not connected: the message waits. Already invited or connected: no failure. */
const unsent = (
  { row }: LinkedInClaim,
  result: Exclude<Provider.SendResult, Provider.Confirmed>,
  relation: Provider.Relation | undefined
): SendOutcome => {
  const kind = result._tag === "Refused" ? result.kind : undefined
  if (row.kind === "message" && kind === "not_connected") {
    return { _tag: "Waiting", invitation: "none", relation: undefined }
  }
  if (row.kind === "invitation" && kind === "already_pending") return { _tag: "AlreadyPending", relation }
  if (row.kind === "invitation" && kind === "already_connected") return { _tag: "AlreadyConnected", relation }
  return { ...result, relation }
}

/** The outcome if the relation already decides it; undefined when it must be sent. */
const known = ({ recipient, row }: LinkedInClaim, relation: Provider.Relation): SendOutcome | undefined => {
  if (row.kind === "invitation") {
    if (relation.connected) return { _tag: "AlreadyConnected", relation }
    return relation.invitation === "pending" ? { _tag: "AlreadyPending", relation } : undefined
  }
  if (relation.connected) return undefined
  const isPending = relation.invitation === "pending" || recipient.invitedAt !== null
  return { _tag: "Waiting", invitation: isPending ? "pending" : row.invite ? "wanted" : "none", relation }
}

/** What a message is known to be that left before the database was restored; undefined when it is to be written. */
const leftBefore = Effect.fnUntraced(function* (
  { account, recipient, sought }: LinkedInClaim,
  relation: Provider.Relation
): Effect.fn.Return<SendOutcome | undefined, never, LinkedInGateway> {
  if (sought === undefined) return undefined
  const gateway = yield* LinkedInGateway
  const look = Effect.gen(function* () {
    const chatId = relation.chatId ?? (yield* withTimeout(gateway.findChat(account, recipient)))
    return chatId === null ? undefined : yield* searchConversation(account, chatId, sought)
  })
  return yield* Effect.match(look, {
    onFailure: ({ message }): SendOutcome => ({ _tag: "Unavailable", detail: message, relation }),
    onSuccess: (found): SendOutcome | undefined =>
      found && { _tag: "Sent", messageId: found.messageId, externalId: found.externalId, relation }
  })
})

const deliver = Effect.fnUntraced(function* (
  claim: LinkedInClaim
): Effect.fn.Return<SendOutcome, never, LinkedInGateway> {
  const gateway = yield* LinkedInGateway
  const { writeSeconds } = yield* SendOptions
  const { account, recipient, row } = claim
  const look = yield* checkRelation(claim)
  if (look._tag !== "Known") return unsent(claim, look, undefined)
  const { relation } = look
  const outcome = known(claim, relation) ?? (yield* leftBefore(claim, relation))
  if (outcome !== undefined) return outcome
  const delivery: Provider.Delivery = { recipient, idempotencyKey: row.id }
  const { chatId } = relation
  const write =
    row.kind === "invitation"
      ? gateway.sendInvitation(account, { ...delivery, note: row.note })
      : chatId === null
        ? gateway.startChat(account, { ...delivery, text: row.bodyText })
        : gateway.sendToChat(account, { ...delivery, chatId, text: row.bodyText })
  const result = yield* boundedWrite(write, writeSeconds)
  if (result._tag !== "Confirmed") return unsent(claim, result, relation)
  const { externalId, messageId } = result
  return {
    _tag: "Sent",
    messageId,
    externalId: row.kind === "invitation" ? (messageId ?? externalId) : externalId,
    relation
  }
})

/** Sends a claim and returns the outcome. */
export const transmit = (claim: LinkedInClaim): Effect.Effect<SendOutcome, never, LinkedInGateway> =>
  Effect.tap(deliver(claim), (outcome) =>
    claim.row.kind === "message" ? countMessageSend(wordsOf(outcome).detail) : Effect.void
  )
