import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound } from "../../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { readUsage, UsageWindow } from "../readUsage.ts"

/** `linkedin.usage.get`: reads how much LinkedIn accounts did and may still do. */
export const GetUsage = Command.make({
  id: "linkedin.usage.get",
  title: "Get LinkedIn usage",
  summary: "Get usage, limits and send forecasts of accounts",
  description:
    "Returns used and allowed messages, invitations, withdrawals, profile look-ups and search pages in rolling " +
    "windows of 24 hours and 7 days, and forecasts when each queued message and invitation will be sent within " +
    "limits, pauses and working hours.",
  whenToUse: "To see when approved messages will be sent, and before approving many.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  effects: { does: ["reads"], channels: ["linkedin"] },
  input: Schema.Struct({
    account_id: Schema.optionalKey(nonEmptyLine(64, "Only this LinkedIn account; omit for all"))
  }),
  output: Schema.Struct({ windows: Schema.Array(UsageWindow) }),
  failures: [NotFound],
  outputNotes: [
    "An account that a gateway provides is listed after its first message, or when you name it.",
    "Sends of unknown outcome count as used. send_now counts but is never delayed."
  ],
  relatedCommands: ["linkedin.usage.set-limits", "linkedin.queue.list", "linkedin.account.list"],
  relatedResources: ["svc://linkedin/usage", "svc://linkedin/queue"],
  examples: [{ title: "All accounts", input: {} }],
  run: Effect.fnUntraced(function* ({ account_id }) {
    return { windows: yield* readUsage(account_id) }
  })
})
