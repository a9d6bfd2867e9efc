/**
 * Whether a message or an invitation may begin now as far as its account's pace goes, and holding the account when not.
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
import { gapAfter, rulesOf, type UsageRule } from "./UsageLimits.ts"

/** How to begin: the rules that must hold, and the rest afterwards. */
export interface Pace {
  readonly rules: ReadonlyArray<UsageRule> | null
  readonly gapSeconds: number | null
}

/** What is to leave. */
export type Departing = Pick<QueueItem, "id" | "organizationId" | "leadId" | "bypass">

/** Until when it must wait, and whether that is the lead's doing alone. */
export interface Closed {
  readonly opensAt: string
  readonly isLeads: boolean
}

const free: Pace = { rules: null, gapSeconds: null }

/** What holds for a message or an invitation at an instant. send_now is not held, and counted all the same. */
export const paceOf = Effect.fnUntraced(function* (
  item: Departing,
  account: LinkedInAccount,
  at: string,
  action: "message" | "invitation" | "invitation_with_note" = "message"
): Effect.fn.Return<Pace | Closed, Failure, QueueRepo> {
  const { pacing } = yield* SendOptions
  if (!pacing) return free
  const found = yield* (yield* QueueRepo).pace(item.organizationId, account.id, item.leadId)
  if (found === undefined) return free
  const { facts, leadTimezone } = found
  const gapSeconds = gapAfter(item.id, facts.smart)
  if (item.bypass) return { rules: null, gapSeconds }
  // The agent's own hours hold the account; the lead's hold its message alone.
  const agentOpensAt = openingFrom(facts, undefined, at)
  if (agentOpensAt > at) return { opensAt: agentOpensAt, isLeads: false }
  const opensAt = openingFrom(facts, leadTimezone ?? undefined, at)
  if (opensAt > at) return { opensAt, isLeads: true }
  return { rules: rulesOf(allowanceOf(facts), action, at), gapSeconds }
})

/** Hours and limits may be changed meanwhile, so a held account is looked at again this soon. */
const lookAgainSeconds = 600

/** Holds an account's messages or invitations until an instant, and says so once when their limit was reached. */
export const holdAccount = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  reason: QueueReason,
  until: string,
  at: string,
  action: "message" | "invitation" = "message"
): Effect.fn.Return<void, Failure, QueueRepo | Execution> {
  const again = secondsAfter(at, lookAgainSeconds)
  const lookAt = until < again ? until : again
  const queue = yield* QueueRepo
  const before = yield* queue.pace(account.organizationId, account.id, "")
  const isMessage = action === "message"
  const hold = isMessage ? queue.hold : queue.invitations.hold
  yield* hold(account.organizationId, account.id, { reason, until, lookAt })
  const reasonBefore = isMessage ? before?.facts.pacedReason : before?.facts.invitationPacedReason
  if (reason === "usage_limit" && reasonBefore !== "usage_limit") {
    const data = { agent_id: account.agentId, action, until }
    yield* emit({ type: "usage.limit_reached", subject: { type: "account", id: account.id }, data })
  }
})
