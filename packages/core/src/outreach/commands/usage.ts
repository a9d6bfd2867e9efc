import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor, warn } from "../../kernel/command/Execution.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import { listAccounts } from "../provider/resolveAccount.ts"
import { type LimitOverrides, overrideNames, tierCaps } from "../transmission/pacing/UsageLimits.ts"
import { readUsage, UsageWindow } from "../transmission/readUsage.ts"
import { TransmissionsRepo } from "../transmission/TransmissionsRepo.ts"

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

const limit = (description: string) =>
  Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))).annotate({ description })
  )

/** `linkedin.usage.set-limits`: sets limits of a LinkedIn account. */
export const SetUsageLimits = Command.make({
  id: "linkedin.usage.set-limits",
  title: "Set LinkedIn limits",
  summary: "Set the sending and look-up limits of an account",
  description:
    "Changes the named limits and keeps the others; null resets a limit to that of the subscription. A limit above " +
    "that is lowered to it, with a warning. ramp false ends the slow start of a new account.",
  whenToUse: "When an account should send less than its subscription allows.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:approve",
  effects: { does: ["approves"], channels: ["linkedin"] },
  input: Schema.Struct({
    account_id: nonEmptyLine(64, "Id of the LinkedIn account"),
    limits: Schema.optionalKey(
      Schema.Struct({
        message_day: limit("Messages in 24 hours"),
        invitation_day: limit("Invitations in 24 hours, with or without a note"),
        invitation_week: limit("Invitations in 7 days, with or without a note"),
        invitation_with_note_day: limit("Invitations with a note in 24 hours"),
        invitation_with_note_week: limit("Invitations with a note in 7 days"),
        withdrawal_day: limit("Invitations withdrawn in 24 hours"),
        profile_view_day: limit("Profiles looked up in 24 hours, apart from those of recipients"),
        search_day: limit("Search pages in 24 hours, 25 people each")
      }).annotate({ description: "The limits to change" })
    ),
    ramp: Schema.optionalKey(
      Schema.Boolean.annotate({
        description:
          "Whether the first three weeks allow less: 40, 60 and 80 percent; default unchanged, true for a new account"
      })
    )
  }),
  output: Schema.Struct({ windows: Schema.Array(UsageWindow) }),
  failures: [NotFound],
  riskNotes: ["Without the slow start, LinkedIn may restrict a new account."],
  outputNotes: ["The warning limit_lowered names each limit above the subscription's."],
  relatedCommands: ["linkedin.usage.get", "linkedin.account.list"],
  relatedResources: ["svc://linkedin/usage"],
  examples: [
    { title: "Fewer messages", input: { account_id: "acc_SAMPLE00000000000000000001", limits: { message_day: 20 } } },
    {
      title: "Reset a limit to that of the subscription",
      input: { account_id: "acc_SAMPLE00000000000000000001", limits: { message_day: null } }
    }
  ],
  run: Effect.fnUntraced(function* ({ account_id, limits = {}, ramp }) {
    const { organizationId } = yield* Actor
    const account = (yield* listAccounts).find((found) => found.account.id === account_id)?.account
    if (account === undefined) return yield* new NotFound({ kind: "LinkedIn account", id: account_id })
    const ceilings = tierCaps[account.tier]
    const clamp = Effect.fnUntraced(function* (name: string, wanted: number | null, ceiling: number | null) {
      if (wanted === null || ceiling === null || wanted <= ceiling) return wanted
      yield* warn(`limit_lowered: ${name} is at most ${ceiling} with ${account.tier}, so it is set to ${ceiling}.`)
      return ceiling
    })
    const named: ReadonlyMap<string, number | null> = new Map(Object.entries(limits))
    const change: Partial<Record<keyof LimitOverrides, number | null>> = {}
    for (const [action, window, name] of overrideNames) {
      const wanted = named.get(`${action}_${window}`)
      if (wanted === undefined) continue
      change[name] = yield* clamp(`${action}_${window}`, wanted, ceilings[action][window])
    }
    yield* (yield* AccountsRepo).ensure(account)
    yield* (yield* TransmissionsRepo).setLimits(organizationId, account_id, { limits: change, ramp })
    return { windows: yield* readUsage(account_id) }
  })
})
