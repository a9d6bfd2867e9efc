import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { warn } from "../../Execution.ts"
import { notFound } from "../../Failure.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { type LimitOverrides, tierCaps } from "../pacing/UsageLimits.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { readUsage, UsageWindow } from "../readUsage.ts"
import { listAccounts } from "../resolveAccount.ts"

const limit = (description: string) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })).annotate({ description }))

/** `linkedin.usage.set-limits`: sets limits of a LinkedIn account. */
export const SetUsageLimits = Command.make({
  id: "linkedin.usage.set-limits",
  title: "Set LinkedIn limits",
  summary: "Set how many messages and invitations a LinkedIn account may send.",
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
      invitation_day: limit("Invitations in 24 hours"),
      invitation_week: limit("Invitations in 7 days")
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
    const messageDay = yield* clamp("message_day", limits.message_day, ceilings.message.day)
    const invitationDay = yield* clamp("invitation_day", limits.invitation_day, ceilings.invitation.day)
    const invitationWeek = yield* clamp("invitation_week", limits.invitation_week, ceilings.invitation.week)
    const stored: LimitOverrides = {
      ...(messageDay === undefined ? {} : { messageDay }),
      ...(invitationDay === undefined ? {} : { invitationDay }),
      ...(invitationWeek === undefined ? {} : { invitationWeek })
    }
    yield* (yield* AccountsRepo).ensure(account)
    yield* (yield* QueueRepo).setLimits(organizationId, account_id, stored, ramp ?? true)
    return { windows: yield* readUsage(account_id) }
  })
})
