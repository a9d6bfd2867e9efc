/** ReadResult conversations at the provider, within bounds of time and length. */

import * as Effect from "effect/Effect"
import type { ProviderFailure } from "../failures.ts"

import { type AccountDisconnected, GatewayError, GatewayRejected, UsageLimit } from "../failures.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import { withTimeout } from "../provider/ProviderAccounts.ts"
import type {
  ConversationMessage,
  MessagePage,
  MessageQuery,
  NewRelation,
  RelationPage
} from "../provider/ProviderReads.ts"
import { accountDisconnected } from "../provider/resolveAccount.ts"
import type { Refused, Unavailable } from "../provider/SendResult.ts"

const pageSeconds = 20

const late = (): GatewayError =>
  new GatewayError({ message: `The provider did not respond within ${pageSeconds} s. Retry later.` })

/** Turns a timeout or a defect of the gateway into GATEWAY_ERROR. */
const asProvider = <A, R>(effect: Effect.Effect<A, ProviderFailure, R>): Effect.Effect<A, ProviderFailure, R> =>
  Effect.catchCause(withTimeout(effect, pageSeconds, late), (cause) => {
    const failure = cause.reasons.find((reason) => reason._tag === "Fail")
    if (failure?._tag === "Fail") return Effect.fail(failure.error)
    return Effect.andThen(
      Effect.logError("LinkedIn gateway failed unexpectedly", cause),
      Effect.fail(new GatewayError({ message: "The gateway failed unexpectedly. Retry later." }))
    )
  })

/** The items read, and whether these are all. */
interface ReadResult<A> {
  readonly items: ReadonlyArray<A>
  readonly isComplete: boolean
}

const pages = <A, R>(
  read: (
    cursor: string | null
  ) => Effect.Effect<{ readonly items: ReadonlyArray<A>; readonly next: string | null }, ProviderFailure, R>,
  most: number
) =>
  Effect.gen(function* (): Effect.fn.Return<ReadResult<A>, ProviderFailure, R> {
    const items: Array<A> = []
    let cursor: string | null = null
    for (let page = 0; page < most; page++) {
      const found: { readonly items: ReadonlyArray<A>; readonly next: string | null } = yield* asProvider(read(cursor))
      items.push(...found.items)
      if (found.next === null || found.next === cursor) return { items, isComplete: true }
      cursor = found.next
    }
    return { items, isComplete: false }
  })

/** Messages of one conversation or all, since a point in time. Fails like a read of the provider. */
export const readMessages = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  query: Omit<MessageQuery, "cursor">,
  maxPages: number
): Effect.fn.Return<ReadResult<ConversationMessage>, ProviderFailure, LinkedInGateway> {
  const { listMessages } = yield* LinkedInGateway
  return yield* pages(
    (cursor) =>
      Effect.map(listMessages(account, { ...query, cursor }), ({ messages, next }: MessagePage) => ({
        items: messages,
        next
      })),
    maxPages
  )
})

/** Relations made since a point in time. Fails like a read of the provider. */
export const readRelations = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  since: string,
  maxPages: number
): Effect.fn.Return<ReadResult<NewRelation>, ProviderFailure, LinkedInGateway> {
  const { listRelations } = yield* LinkedInGateway
  return yield* pages(
    (cursor) =>
      Effect.map(listRelations(account, { since, cursor }), ({ next, relations }: RelationPage) => ({
        items: relations,
        next
      })),
    maxPages
  )
})

/** The failure when the relation cannot be read. */
export const relationFailure = (
  answer: Refused | Unavailable,
  account: LinkedInAccount
): AccountDisconnected | GatewayError | GatewayRejected | UsageLimit => {
  if (answer._tag === "Unavailable") return new GatewayError({ message: `${answer.detail} Retry later.` })
  const code = answer.providerCode.slice(0, 100)
  switch (answer.kind) {
    case "account_down":
    case "account_restricted":
      return accountDisconnected({
        ...account,
        status: answer.kind === "account_restricted" ? "RESTRICTED" : "CREDENTIALS"
      })
    case "limit":
      return new UsageLimit({ message: `LinkedIn's limit is reached (provider=${code}). Retry tomorrow.` })
    case "transient":
      return new GatewayError({ message: `The provider is unavailable (provider=${code}). Retry later.` })
    default:
      return new GatewayRejected({
        message: `The LinkedIn provider refused the request (${answer.kind}, provider=${code}). Check the person's LinkedIn URL.`
      })
  }
}
