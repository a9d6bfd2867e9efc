/** Reading conversations at the provider, within bounds of time and length. Source: issue 4, inbound. */
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../Failure.ts"
import {
  type ConversationMessage,
  GatewayAdditions,
  type MessagePage,
  type MessageQuery,
  type NewRelation,
  type RelationPage
} from "../bridge/GatewayAdditions.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import type { Refused, Unavailable } from "../LinkedInGateway.ts"
import { within } from "../ProviderAccounts.ts"
import { accountDisconnected } from "../resolveAccount.ts"

const pageSeconds = 20

const late = (): Failure =>
  fail("GATEWAY_ERROR", `The provider did not answer within ${pageSeconds} s. Try again later.`)

/** A broken gateway is a provider that failed. */
const asProvider = <A, R>(effect: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> =>
  Effect.catchCause(within(effect, pageSeconds, late), (cause) => {
    const failure = cause.reasons.find((reason) => reason._tag === "Fail")
    if (failure?._tag === "Fail") return Effect.fail(failure.error)
    return Effect.andThen(
      Effect.logError("a LinkedIn gateway died", cause),
      Effect.fail(fail("GATEWAY_ERROR", "The gateway broke while it worked. Try again later."))
    )
  })

/** What was read, and whether that is all. */
export interface Reading<A> {
  readonly items: ReadonlyArray<A>
  readonly isWhole: boolean
}

const pages = <A, R>(
  read: (
    cursor: string | null
  ) => Effect.Effect<{ readonly items: ReadonlyArray<A>; readonly next: string | null }, Failure, R>,
  most: number
) =>
  Effect.gen(function* (): Effect.fn.Return<Reading<A>, Failure, R> {
    const items: Array<A> = []
    let cursor: string | null = null
    for (let page = 0; page < most; page++) {
      const found: { readonly items: ReadonlyArray<A>; readonly next: string | null } = yield* asProvider(read(cursor))
      items.push(...found.items)
      if (found.next === null || found.next === cursor) return { items, isWhole: true }
      cursor = found.next
    }
    return { items, isWhole: false }
  })

/** The messages of a conversation, or of all, since an instant. Fails as a read of the provider does. */
export const readMessages = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  query: Omit<MessageQuery, "cursor">,
  mostPages: number
): Effect.fn.Return<Reading<ConversationMessage>, Failure, GatewayAdditions> {
  const { listMessages } = yield* GatewayAdditions
  return yield* pages(
    (cursor) =>
      Effect.map(listMessages(account, { ...query, cursor }), ({ messages, next }: MessagePage) => ({
        items: messages,
        next
      })),
    mostPages
  )
})

/** The relations made since an instant. Fails as a read of the provider does. */
export const readRelations = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  since: string,
  mostPages: number
): Effect.fn.Return<Reading<NewRelation>, Failure, GatewayAdditions> {
  const { listRelations } = yield* GatewayAdditions
  return yield* pages(
    (cursor) =>
      Effect.map(listRelations(account, { since, cursor }), ({ next, relations }: RelationPage) => ({
        items: relations,
        next
      })),
    mostPages
  )
})

/** What a caller hears when account and person cannot be looked at. */
export const relationFailure = (answer: Refused | Unavailable, account: LinkedInAccount): Failure => {
  if (answer._tag === "Unavailable") return fail("GATEWAY_ERROR", `${answer.detail} Try again later.`)
  const code = answer.providerCode.slice(0, 100)
  switch (answer.kind) {
    case "account_down":
    case "account_restricted":
      return accountDisconnected({
        ...account,
        status: answer.kind === "account_restricted" ? "RESTRICTED" : "CREDENTIALS"
      })
    case "limit":
      return fail("USAGE_LIMIT", `LinkedIn's limit is reached (provider=${code}). Try again tomorrow.`)
    case "transient":
      return fail("GATEWAY_ERROR", `The provider cannot answer now (provider=${code}). Try again later.`)
    default:
      return fail(
        "GATEWAY_REJECTED",
        `LinkedIn's provider refused (${answer.kind}, provider=${code}). Check the person's address on LinkedIn.`
      )
  }
}
