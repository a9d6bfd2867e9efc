/** What leaves on each of the next days: the forecasts of accounts, counted by their own days. Pure. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { dayMillis, wallDay } from "../../agents/ZonedTime.ts"
import * as Command from "../../kernel/command/Command.ts"
import { isoFromMillis, now } from "../../kernel/schema/IdsAndTime.ts"
import { capsOf } from "../../outreach/pacing/UsageLimits.ts"
import { listAccounts } from "../../outreach/provider/LinkedInGateway.ts"
import { forecast, readUsages, unusedAccount } from "../../outreach/readUsage.ts"
import { isSendingHeld, SendOptions } from "../../outreach/SendOptions.ts"
import type { AccountUsage } from "../../outreach/TransmissionsRepo.ts"

/** Days of a forecast. */
const forecastDays = 7

const Leaving = Schema.Struct({
  leaves: Schema.Int.annotate({ description: "How many leave on that day" }),
  limit: Schema.NullOr(Schema.Int).annotate({
    description: "The limit for 24 hours then, including ramp-up; null for no limit"
  })
})

/** The output of linkedin.queue.forecast. */
const QueueForecast = Schema.Struct({
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
    description: "Items that leave after those days, or that hours or limits never let go"
  }),
  on_hold: Schema.Boolean.annotate({
    description: "Whether sending is on hold for the whole service, so that nothing is sent until the hold ends"
  })
})

/** An account, and its agent. */
interface ForecastAccount {
  readonly usage: AccountUsage
  readonly handle: string
  readonly name: string
}

/** The days of one account, and how many leave after them. */
const daysOf = ({ handle, name, usage }: ForecastAccount, at: string, paced: boolean) => {
  const zone = usage.timezone === "" ? "UTC" : usage.timezone
  const today = wallDay(zone, at)
  const leavingOf = (kind: "message" | "invitation") =>
    forecast(usage, kind, at, paced).map(({ leavesAt }) => (leavesAt === null ? Infinity : wallDay(zone, leavesAt)))
  const [messages, invitations] = [leavingOf("message"), leavingOf("invitation")]
  return {
    days: Array.from({ length: forecastDays }, (_, ahead) => {
      const leaves = (days: ReadonlyArray<number>) => days.filter((day) => day === today + ahead).length
      const then = isoFromMillis(Date.parse(at) + ahead * dayMillis)
      const limit = (kind: "message" | "invitation") => (paced ? capsOf(usage, kind, then).day : null)
      return {
        date: isoFromMillis((today + ahead) * dayMillis).slice(0, 10),
        time_zone: zone,
        account: { account_id: usage.accountId, agent_handle: handle, name },
        messages: { leaves: leaves(messages), limit: limit("message") },
        invitations: { leaves: leaves(invitations), limit: limit("invitation") }
      }
    }),
    later: [...messages, ...invitations].filter((day) => day >= today + forecastDays).length
  }
}

/** The forecast of accounts at an instant; `paced` false ignores limits and hours. */
export const queueForecastOf = (accounts: ReadonlyArray<ForecastAccount>, at: string, paced: boolean) => {
  const found = accounts.map((account) => daysOf(account, at, paced))
  return { days: found.flatMap(({ days }) => days), later: found.reduce((sum, { later }) => sum + later, 0) }
}

/** `linkedin.queue.forecast`: what leaves in the next seven days. */
export const ForecastQueue = Command.make({
  id: "linkedin.queue.forecast",
  title: "Forecast the LinkedIn queue",
  summary: "Get what each account sends in the next seven days",
  description:
    "Returns how many queued messages and invitations each account will send on each of the next seven days, within its " +
    "limits, pauses and working hours, and its limit for a day. Days are those of the account's time zone. It counts the " +
    "forecasts of linkedin.usage.get: the next 500 of each kind and account.",
  whenToUse: "To see whether the accounts keep up with what is approved; for single messages, use linkedin.usage.get.",
  risk: "read",
  scope: "linkedin:read",
  effects: { does: ["reads"], channels: ["linkedin"] },
  input: Schema.Struct({}),
  output: QueueForecast,
  failures: [],
  outputNotes: ["Messages that wait for a connection and paused missions are not foreseen."],
  relatedCommands: ["linkedin.usage.get", "linkedin.queue.list", "mission.activity"],
  relatedResources: ["svc://linkedin/usage", "svc://linkedin/queue"],
  examples: [{ title: "All accounts", input: {} }],
  run: Effect.fnUntraced(function* () {
    const { pacing } = yield* SendOptions
    const at = yield* now
    const usages = yield* readUsages(undefined, at)
    const accounts = (yield* listAccounts).map(({ account, agent: { handle, name } }) => ({
      usage: usages.find(({ accountId }) => accountId === account.id) ?? unusedAccount(account),
      handle,
      name
    }))
    return { ...queueForecastOf(accounts, at, pacing), on_hold: yield* isSendingHeld }
  })
})
