/** Limits that people set for an account, on every store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { UsageWindow } from "#core/outreach/readUsage.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { ok, warned } from "../support/World.ts"
import { eachOutreach } from "./outreachWorld.ts"

/** An agent with an account, by its id. */
const account = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", smart_deliverability: false })
  const { accounts } = yield* ok("linkedin.account.list", {})
  return String(accounts[0].account_id)
})

const setLimits = (account_id: string, limits: object, extra: object = {}) =>
  ok("linkedin.usage.set-limits", { account_id, limits, ...extra })

/** What is stored of an account. */
const stored = (accountId: string) =>
  Effect.gen(function* () {
    const repo = yield* TransmissionsRepo
    const [usage] = yield* repo.usage(yield* CurrentOrganization, { gateway: "simulator", accountId }, "2026-11-01")
    return { limits: usage?.limits, ramp: usage?.ramp }
  })

eachOutreach("limits of an account", (layer) =>
  it.layer(layer)((it) => {
    it.effect("change only where they are named, and null resets one", () =>
      Effect.gen(function* () {
        const id = yield* account
        yield* setLimits(id, { message_day: 20, search_day: 0 }, { ramp: false })
        yield* setLimits(id, { invitation_week: 50 })
        const all = { messageDay: 20, searchDay: 0, invitationWeek: 50 }
        assert.deepStrictEqual(yield* stored(id), { limits: all, ramp: false })
        yield* setLimits(id, {})
        yield* ok("linkedin.usage.set-limits", { account_id: id, ramp: true })
        assert.deepStrictEqual(yield* stored(id), { limits: all, ramp: true })
        const { windows } = yield* ok("linkedin.usage.get", { account_id: id })
        const own = (windows as ReadonlyArray<UsageWindow>).flatMap(({ action, own_limit, window }) =>
          own_limit === null ? [] : [[action, window, own_limit]]
        )
        assert.sameDeepMembers(own, [
          ["message", "day", 20],
          ["search", "day", 0],
          ["invitation", "week", 50]
        ])
        yield* setLimits(id, { message_day: null, withdrawal_day: null, search_day: 5 })
        assert.deepStrictEqual((yield* stored(id)).limits, { searchDay: 5, invitationWeek: 50 })
        const lowered = yield* warned("linkedin.usage.set-limits", { account_id: id, limits: { message_day: 9_000 } })
        assert.match(lowered.join(), /^limit_lowered: message_day is at most 80/)
        assert.deepStrictEqual((yield* stored(id)).limits, { messageDay: 80, searchDay: 5, invitationWeek: 50 })
      }).pipe(inOrganization("org_limits"))
    )

    it.effect("are all kept when they are set at the same time", () =>
      Effect.gen(function* () {
        const id = yield* account
        const none = { message_day: null, invitation_day: null, withdrawal_day: null, search_day: null }
        const one = [{ message_day: 7 }, { invitation_day: 6 }, { withdrawal_day: 5 }, { search_day: 4 }]
        for (let round = 0; round < 25; round++) {
          // The first round finds no row of the account.
          if (round > 0) yield* setLimits(id, none, { ramp: true })
          yield* Effect.forEach(
            [...one.map((limits) => ({ limits })), { ramp: false }],
            (change) => ok("linkedin.usage.set-limits", { account_id: id, ...change }),
            { concurrency: "unbounded" }
          )
          const limits = { messageDay: 7, invitationDay: 6, withdrawalDay: 5, searchDay: 4 }
          assert.deepStrictEqual(yield* stored(id), { limits, ramp: false }, `round ${round}`)
        }
      }).pipe(inOrganization("org_limits_at_once"))
    )
  })
)
