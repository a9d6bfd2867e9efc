import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { listAccounts } from "../../../outreach/provider/resolveAccount.ts"
import { readUsages, unusedAccount } from "../../../outreach/transmission/readUsage.ts"
import { isSendingHeld } from "../../../outreach/transmission/SendingHold.ts"
import { SendOptions } from "../../../outreach/transmission/SendOptions.ts"
import { QueueForecast, queueForecastOf } from "../queueForecast.ts"

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
  category: "linkedin",
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
