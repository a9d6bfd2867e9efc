/** What leaves on each of the next days: the forecasts of accounts, counted by their own days. Pure. */
import * as Schema from "effect/Schema"
import { dayMillis, wallDay } from "../../agents/ZonedTime.ts"
import { isoFromMillis } from "../../kernel/schema/Time.ts"
import { forecast } from "../../outreach/transmission/pacing/forecast.ts"
import { allowanceOf } from "../../outreach/transmission/pacing/Pacing.ts"
import { capsOf } from "../../outreach/transmission/pacing/UsageLimits.ts"
import type { AccountUsage } from "../../outreach/transmission/TransmissionsRepo.ts"

/** Days of a forecast. */
const forecastDays = 7

const Leaving = Schema.Struct({
  leaves: Schema.Int.annotate({ description: "How many leave on that day" }),
  limit: Schema.NullOr(Schema.Int).annotate({
    description: "The limit for 24 hours then, including ramp-up; null for no limit"
  })
})

/** The output of linkedin.queue.forecast. */
export const QueueForecast = Schema.Struct({
  days: Schema.Array(
    Schema.Struct({
      date: Schema.String.annotate({ description: "A day in time_zone, such as 2026-11-16" }),
      time_zone: Schema.String.annotate({ description: "The time zone of the account's agent" }),
      account: Schema.Struct({ account_id: Schema.String, agent_handle: Schema.String, name: Schema.String }),
      messages: Leaving,
      invitations: Leaving
    })
  ).annotate({ description: "Seven days from today for each account, by account and then by date" }),
  later: Schema.Int.annotate({
    description: "Items that leave after those days, or that hours or limits hold for good"
  }),
  on_hold: Schema.Boolean.annotate({
    description: "Whether sending is on hold for the whole service, so that nothing is sent until the hold ends"
  })
})
export type QueueForecast = typeof QueueForecast.Type

/** An account, and its agent. */
interface ForecastAccount {
  readonly usage: AccountUsage
  readonly handle: string
  readonly name: string
}

const kinds = ["message", "invitation"] as const

/** The days of one account, and how many leave after them. */
const daysOf = ({ handle, name, usage }: ForecastAccount, at: string, paced: boolean) => {
  const zone = usage.timezone === "" ? "UTC" : usage.timezone
  const today = wallDay(zone, at)
  const leaving = kinds.map((kind) =>
    forecast(usage, kind, at, paced).map(({ leavesAt }) => (leavesAt === null ? Infinity : wallDay(zone, leavesAt)))
  )
  const [messages, invitations] = kinds.map((action, index) => (ahead: number) => ({
    leaves: (leaving[index] ?? []).filter((day) => day === today + ahead).length,
    limit: paced ? capsOf(allowanceOf(usage), action, isoFromMillis(Date.parse(at) + ahead * dayMillis)).day : null
  }))
  return {
    days: Array.from({ length: forecastDays }, (_, ahead) => ({
      date: isoFromMillis((today + ahead) * dayMillis).slice(0, 10),
      time_zone: zone,
      account: { account_id: usage.accountId, agent_handle: handle, name },
      messages: messages?.(ahead) ?? { leaves: 0, limit: null },
      invitations: invitations?.(ahead) ?? { leaves: 0, limit: null }
    })),
    later: leaving.flat().filter((day) => day >= today + forecastDays).length
  }
}

/** The forecast of accounts at an instant; `paced` false ignores limits and hours. */
export const queueForecastOf = (
  accounts: ReadonlyArray<ForecastAccount>,
  at: string,
  paced: boolean
): Omit<QueueForecast, "on_hold"> => {
  const found = accounts.map((account) => daysOf(account, at, paced))
  return {
    days: found.flatMap(({ days }) => days),
    later: found.reduce((sum, { later }) => sum + later, 0)
  }
}
