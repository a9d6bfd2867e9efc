import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { warn } from "../../Execution.ts"
import { notFound } from "../../Failure.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { type LimitOverrides, overrideNames, tierCaps } from "../pacing/UsageLimits.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { readUsage, UsageWindow } from "../readUsage.ts"
import { listAccounts } from "../resolveAccount.ts"

const limit = (description: string) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })).annotate({ description }))

/** `linkedin.usage.set-limits`: sets limits of a LinkedIn account. */
export const SetUsageLimits = Command.make({
  id: "linkedin.usage.set-limits",
  title: "Set LinkedIn limits",
  summary: "Set how many messages and invitations a LinkedIn account may send, and how much it may look up.",
  description:
    "Replaces the account's limits. What is left out has the limit of its subscription; a limit above that is lowered to it, " +
    "with a warning. ramp false ends the slow start of a new account.",
  whenToUse: "When an account should send less than its subscription allows.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:approve",
  input: Schema.Struct({
    account_id: nonEmptyLine(64, "Id of the LinkedIn account"),
    limits: Schema.Struct({
      message_day: limit("Messages in 24 hours"),
      invitation_day: limit("Invitations in 24 hours, with or without a note"),
      invitation_week: limit("Invitations in 7 days, with or without a note"),
      invitation_with_note_day: limit("Invitations with a note in 24 hours"),
      invitation_with_note_week: limit("Invitations with a note in 7 days"),
      withdrawal_day: limit("Invitations taken back in 24 hours"),
      profile_view_day: limit("People looked up in 24 hours, beside those that are written to"),
      search_day: limit("Pages of searches in 24 hours, 25 people each")
    }).annotate({ description: "The limits; {} takes those of the subscription" }),
    ramp: Schema.optionalKey(
      Schema.Boolean.annotate({
        description: "Whether the first three weeks allow less: 40, 60 and 80 percent; default true"
      })
    )
  }),
  output: Schema.Struct({ windows: Schema.Array(UsageWindow) }),
  riskNotes: ["Without the slow start, LinkedIn may restrict a new account."],
  outputNotes: ["The warning limit_lowered names each limit that was above the subscription's."],
  relatedCommands: ["linkedin.usage.get", "linkedin.account.list"],
  relatedResources: ["svc://linkedin/usage"],
  examples: [
    { title: "Fewer messages", input: { account_id: "acc_SAMPLE00000000000000000001", limits: { message_day: 20 } } }
  ],
  run: Effect.fnUntraced(function* ({ account_id, limits, ramp }) {
    const { organizationId } = yield* Actor
    const account = (yield* listAccounts).find((found) => found.account.id === account_id)?.account
    if (account === undefined) return yield* notFound("LinkedIn account", account_id)
    const ceilings = tierCaps[account.tier]
    const clamp = Effect.fnUntraced(function* (name: string, wanted: number | undefined, ceiling: number | null) {
      if (wanted === undefined || ceiling === null || wanted <= ceiling) return wanted
      yield* warn(`limit_lowered: ${name} is at most ${ceiling} with ${account.tier}, so it is ${ceiling}.`)
      return ceiling
    })
    const wantedLimits: ReadonlyMap<string, number> = new Map(Object.entries(limits))
    const entries = yield* Effect.forEach(overrideNames, ([action, window, name]) =>
      Effect.map(
        clamp(`${action}_${window}`, wantedLimits.get(`${action}_${window}`), ceilings[action][window]),
        (wanted) => [name, wanted] as const
      )
    )
    const stored: LimitOverrides = Object.fromEntries(entries.filter(([, wanted]) => wanted !== undefined))
    yield* (yield* AccountsRepo).ensure(account)
    yield* (yield* QueueRepo).setLimits(organizationId, account_id, stored, ramp ?? true)
    return { windows: yield* readUsage(account_id) }
  })
})
