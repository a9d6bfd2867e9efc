/**
 * Whether something may begin now as far as its account's pace goes, and holding the account when not.
 */

import * as Effect from "effect/Effect"
import { type Execution, emit } from "../../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../../kernel/failure/failures.ts"
import type { InstantText } from "../../../kernel/schema/RecordIds.ts"
import type { LinkedInAccount } from "../../provider/LinkedInAccount.ts"
import { SendOptions, secondsAfter } from "../SendOptions.ts"
import { actionOf, type LinkedInTransmission, type QueueReason } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"
import { allowanceOf, openingFrom } from "./Pacing.ts"
import { gapAfter, rulesOf, type UsageRule } from "./UsageLimits.ts"

/** How to begin: the rules that must hold, and the rest afterwards. */
interface Pace {
  readonly rules: ReadonlyArray<UsageRule> | null
  readonly gapSeconds: number | null
}

/** Until when it must wait, and whether that is the lead's doing alone. */
interface Closed {
  readonly opensAt: InstantText
  readonly isLeadOnly: boolean
}

const free: Pace = { rules: null, gapSeconds: null }

/** What holds for a message or an invitation at an instant. send_now is not held, and counted all the same. */
export const paceOf = Effect.fnUntraced(function* (
  row: LinkedInTransmission,
  account: LinkedInAccount,
  at: string
): Effect.fn.Return<Pace | Closed, StoreFailure, TransmissionsRepo> {
  const { pacing } = yield* SendOptions
  if (!pacing) return free
  const found = yield* (yield* TransmissionsRepo).pace(row.organizationId, account.id, row.leadId)
  if (found === undefined) return free
  const { facts, leadTimezone } = found
  const gapSeconds = gapAfter(row.id, facts.smart)
  if (row.bypass) return { rules: null, gapSeconds }
  // The agent's own hours hold the account; the lead's hold what goes to the lead alone.
  const agentOpensAt = openingFrom(facts, undefined, at)
  if (agentOpensAt > at) return { opensAt: agentOpensAt, isLeadOnly: false }
  const opensAt = openingFrom(facts, leadTimezone ?? undefined, at)
  if (opensAt > at) return { opensAt, isLeadOnly: true }
  return { rules: rulesOf(allowanceOf(facts), actionOf(row), at), gapSeconds }
})

/** Hours and limits may be changed meanwhile, so a held account is looked at again this soon. */
const recheckSeconds = 600

/** Holds what an account sends of a kind until an instant, and says so once when its limit was reached. */
export const holdAccount = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  kind: LinkedInTransmission["kind"],
  reason: QueueReason,
  until: string,
  at: string
): Effect.fn.Return<void, StoreFailure, TransmissionsRepo | Execution> {
  const again = secondsAfter(at, recheckSeconds)
  const recheckAt = until < again ? until : again
  const repo = yield* TransmissionsRepo
  const before = yield* repo.pace(account.organizationId, account.id, "")
  yield* repo.holdAccount(account.organizationId, account.id, kind, { reason, until, recheckAt })
  if (reason === "usage_limit" && before?.facts[kind].pacedReason !== "usage_limit") {
    const data = { agent_id: account.agentId, action: kind, until }
    yield* emit({ type: "usage.limit_reached", subject: { type: "account", id: account.id }, data })
  }
})
