import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { readUsage, UsageWindow } from "../readUsage.ts"

/** `linkedin.usage.get`: reads how much LinkedIn accounts did and may still do. */
export const GetUsage = Command.make({
  id: "linkedin.usage.get",
  title: "Read LinkedIn usage",
  summary: "Read how much each LinkedIn account did, may still do, and when what waits will leave.",
  description:
    "Answers used and allowed messages, invitations, withdrawals, profile look-ups and search pages in rolling windows of 24 " +
    "hours and 7 days, and forecasts when each waiting message and invitation leaves within limits, rests and working hours.",
  whenToUse: "To see when approved messages will leave, and before approving many.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({
    account_id: Schema.optionalKey(nonEmptyLine(64, "Only this LinkedIn account; leave it out for all"))
  }),
  output: Schema.Struct({ windows: Schema.Array(UsageWindow) }),
  outputNotes: [
    "An account that a gateway brings along is listed from its first message on, or when it is named.",
    "Transmissions of unknown outcome count as used. send_now is counted but not held back."
  ],
  relatedCommands: ["linkedin.usage.set-limits", "linkedin.queue.list", "linkedin.account.list"],
  relatedResources: ["svc://linkedin/usage", "svc://linkedin/queue"],
  examples: [{ title: "All accounts", input: {} }],
  run: Effect.fnUntraced(function* ({ account_id }) {
    return { windows: yield* readUsage(account_id) }
  })
})
