/**
 * Whether a message may begin now as far as its account's pace goes, and holding the account when it may not.
 *
 * Source: G6, G7, G39; contract 7 "Sending".
 */
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import type { QueueItem, QueueReason } from "../DraftRow.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { SendOptions, secondsAfter } from "../SendOptions.ts"
import { allowanceOf, openingFrom } from "./Pacing.ts"
import { capsOf, gapAfter, type UsageCaps } from "./UsageLimits.ts"

/** How to begin: the limits that must hold, and the rest afterwards. */
export interface Pace {
  readonly caps: UsageCaps | null
  readonly gapSeconds: number | null
}

/** Until when it must wait, and whether that is the lead's doing alone. */
export interface Closed {
  readonly opensAt: string
  readonly isLeads: boolean
}

const free: Pace = { caps: null, gapSeconds: null }

/** What holds for a message of an item at an instant. send_now is not held, and counted all the same. */
export const paceOf = Effect.fnUntraced(function* (
  item: QueueItem,
  account: LinkedInAccount,
  at: string
): Effect.fn.Return<Pace | Closed, Failure, QueueRepo> {
  const { pacing } = yield* SendOptions
  if (!pacing) return free
  const found = yield* (yield* QueueRepo).pace(item.organizationId, account.id, item.leadId)
  if (found === undefined) return free
  const { facts, leadTimezone } = found
  const gapSeconds = gapAfter(item.id, facts.smart)
  if (item.bypass) return { caps: null, gapSeconds }
  // The agent's own hours hold the account; the lead's hold its message alone.
  const agentOpensAt = openingFrom(facts, undefined, at)
  if (agentOpensAt > at) return { opensAt: agentOpensAt, isLeads: false }
  const opensAt = openingFrom(facts, leadTimezone ?? undefined, at)
  if (opensAt > at) return { opensAt, isLeads: true }
  return { caps: capsOf(allowanceOf(facts), "message", at), gapSeconds }
})

/** Hours and limits may be changed meanwhile, so a held account is looked at again this soon. */
const lookAgainSeconds = 600

/** Holds an account until an instant, and says so once when its limit was reached. */
export const holdAccount = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  reason: QueueReason,
  until: string,
  at: string
): Effect.fn.Return<void, Failure, QueueRepo | Execution> {
  const again = secondsAfter(at, lookAgainSeconds)
  const lookAt = until < again ? until : again
  const queue = yield* QueueRepo
  const before = yield* queue.pace(account.organizationId, account.id, "")
  yield* queue.hold(account.organizationId, account.id, { reason, until, lookAt })
  if (reason === "usage_limit" && before?.facts.pacedReason !== "usage_limit") {
    const data = { agent_id: account.agentId, action: "message", until }
    yield* emit({ type: "usage.limit_reached", subject: { type: "account", id: account.id }, data })
  }
})
