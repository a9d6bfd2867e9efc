/** Starting a transmission as the machine does: facts under the account's lock, the decision, the start, in one transaction. */

import * as Effect from "effect/Effect"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { limitResetsAt, type UsageAction, type UsageRule } from "#core/outreach/pacing/UsageLimits.ts"
import type { LinkedInTransmission } from "#core/outreach/Transmission.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"

/** What became of it. */
export type Begun =
  | { readonly _tag: "Begun"; readonly fence: number }
  | { readonly _tag: "Held"; readonly until: string }
  | { readonly _tag: "Lost" }

/** Begins a transmission at an instant unless one of the rules holds it; null for no rules and no lock. */
export const beginWithin = Effect.fnUntraced(function* (
  item: Pick<LinkedInTransmission, "id" | "leadId" | "organizationId" | "accountId" | "attempts" | "updatedAt">,
  action: UsageAction,
  rules: ReadonlyArray<UsageRule> | null,
  at: string,
  fence?: number,
  leaseSeconds = 15
) {
  const { accountId, id, leadId, organizationId, updatedAt } = item
  const { accountFacts, begin } = yield* TransmissionsRepo
  const actions = (rules ?? []).flatMap(({ counts }) => counts)
  const since = new Date(Date.parse(at) - 8 * 86_400_000).toISOString()
  const request = { organizationId, accountId, actions, since, isLocked: rules !== null, item: { id, leadId } }
  const attempt = {
    organizationId,
    queueItemId: id,
    number: item.attempts + 1,
    accountId,
    action,
    startedAt: at
  } as const
  const start = Effect.gen(function* () {
    const { account } = yield* accountFacts(request)
    for (const { caps, counts } of rules ?? []) {
      const times = (account?.done ?? []).flatMap((use) => (counts.includes(use.action) ? [use.at] : []))
      const until = limitResetsAt(times, caps, at)
      if (until !== undefined) return { _tag: "Held", until } satisfies Begun
    }
    const row = { ...attempt, outcome: null, detail: null, endedAt: null }
    const begun = yield* begin({ attempt: row, updatedAt, fence, gapSeconds: rules && 0, leaseSeconds })
    return (begun === undefined ? { _tag: "Lost" } : { _tag: "Begun", fence: begun }) satisfies Begun
  })
  return yield* (yield* Transaction).run<Begun, Effect.Error<typeof start>, never>(start)
})
