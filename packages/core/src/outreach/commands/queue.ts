import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor, warn } from "../../kernel/command/Execution.ts"
import { InvalidCursor, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { now } from "../../kernel/schema/IdsAndTime.ts"
import { NextCursor, pageFields, readPage } from "../../kernel/schema/Page.ts"
import { nonEmptyLine, optional } from "../../kernel/schema/TextFields.ts"
import { changeFailures, DraftFinal } from "../failures.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { type LimitOverrides, overrideNames, tierCaps } from "../pacing/UsageLimits.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import { findAnyAccount } from "../provider/LinkedInGateway.ts"
import { entryOf, QueueEntry, QueueState, unsettledStates } from "../QueueEntry.ts"
import { readUsage, UsageWindow } from "../readUsage.ts"
import { SendOptions } from "../SendOptions.ts"
import { cancelQueued, resolveQueued } from "../settle.ts"
import { isOfKind } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"

/** `linkedin.queue.list`: reads what is on its way to LinkedIn. */
export const ListQueue = Command.make({
  id: "linkedin.queue.list",
  title: "List the LinkedIn queue",
  summary: "List queued messages and invitations, oldest first",
  description:
    "Returns a page of messages and invitations: those not settled yet, or those in the given states. Each shows the " +
    "reason for its state and the earliest time of the next attempt. Open invitations have state pending, which you " +
    "must ask for.",
  whenToUse:
    "When an approved draft has not been sent, and to find items in state ambiguous, which a person must settle.",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({
    account_id: Schema.optionalKey(nonEmptyLine(64, "Only items of this LinkedIn account")),
    state: optional(
      Schema.Array(QueueState).check(Schema.isMaxLength(10)),
      "Only items in these states; omit for all that are not settled"
    ),
    kind: optional(Schema.Literals(["message", "invitation"]), "Only this kind; omit for both"),
    ...pageFields
  }),
  output: Schema.Struct({ items: Schema.Array(QueueEntry), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  outputNotes: ["position counts the queued messages of one account; send_now comes first."],
  relatedCommands: [
    "review.explain",
    "linkedin.queue.cancel",
    "linkedin.queue.resolve",
    "linkedin.invitation.withdraw",
    "linkedin.usage.get"
  ],
  relatedResources: ["svc://linkedin/queue", "svc://linkedin/usage"],
  examples: [{ title: "Items with an unknown outcome", input: { state: ["ambiguous"] } }],
  run: Effect.fnUntraced(function* (input) {
    const states = input.state === undefined || input.state.length === 0 ? unsettledStates : input.state
    const kinds = input.kind === undefined ? (["message", "invitation"] as const) : [input.kind]
    const filter = { accountId: input.account_id, states, kinds, order: "oldest" } as const
    const { list } = yield* TransmissionsRepo
    const page = yield* readPage("linkedin.queue", input, list, filter)
    const { pacing } = yield* SendOptions
    const at = yield* now
    const items = page.items.filter(isOfKind("message", "invitation")).map((view) => entryOf(view, at, pacing))
    return { items, next_cursor: page.next_cursor }
  })
})

const SettledItem = Schema.Struct({
  item: QueueEntry,
  draft: Schema.NullOr(LinkedInDraft).annotate({ description: "The draft of a message; null for an invitation" })
})

/** `linkedin.queue.cancel`: takes a message out of the queue. */
export const CancelQueueItem = Command.make({
  id: "linkedin.queue.cancel",
  title: "Cancel a queue item",
  summary: "Cancel a queued message or invitation",
  description:
    "Works until sending begins. A message's draft goes back to review, keeps its texts and can be approved again; " +
    "to cancel the draft too, use linkedin.draft.cancel.",
  whenToUse: "When an approved message should not be sent yet, or a queued invitation not at all.",
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["drafts"], channels: [] },
  input: Schema.Struct({ queue_id: nonEmptyLine(64, "Id of the queue item") }),
  output: SettledItem,
  failures: [...changeFailures, NotFound, WrongState],
  riskNotes: ["Revokes the approval."],
  relatedCommands: ["linkedin.queue.list", "linkedin.draft.cancel", "linkedin.draft.approve"],
  relatedResources: ["svc://linkedin/queue"],
  examples: [{ title: "Not yet", input: { queue_id: "que_SAMPLE00000000000000000001" } }],
  run: ({ queue_id }) => cancelQueued(queue_id)
})

/** `linkedin.queue.resolve`: says whether a message was sent. */
export const ResolveQueueItem = Command.make({
  id: "linkedin.queue.resolve",
  title: "Settle a message or an invitation",
  summary: "Record whether a message of unknown outcome was sent",
  description:
    "Settles a queued message or invitation in state ambiguous. sent sets its draft to DISPATCHED; not_sent returns " +
    "the draft to review, so that it can be approved again. An invitation becomes pending, or can be sent again. If " +
    "you sent a queued item manually, settle it as sent.",
  whenToUse: "When linkedin.queue.list shows an item in state ambiguous and a person has checked the conversation.",
  risk: "approval",
  scope: "linkedin:send",
  effects: { does: ["approves"], channels: ["linkedin"] },
  input: Schema.Struct({
    queue_id: nonEmptyLine(64, "Id of the queue item"),
    outcome: Schema.Literals(["sent", "not_sent"]).annotate({ description: "What the conversation on LinkedIn shows" }),
    external_message_id: Schema.optionalKey(nonEmptyLine(300, "With sent: LinkedIn's id of the message, if known"))
  }),
  output: SettledItem,
  failures: [DraftFinal, NotFound, WrongState],
  riskNotes: ["A wrong not_sent can lead to the same message being sent twice."],
  relatedCommands: ["linkedin.queue.list", "linkedin.draft.get", "linkedin.draft.approve"],
  relatedResources: ["svc://linkedin/queue"],
  examples: [
    {
      title: "Not in the conversation",
      input: { queue_id: "que_SAMPLE00000000000000000002", outcome: "not_sent" }
    }
  ],
  run: ({ external_message_id, outcome, queue_id }) => resolveQueued(queue_id, outcome, external_message_id ?? null)
})

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
  scope: "linkedin:read",
  risk: "read",
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
  optional(Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))), description)

/** `linkedin.usage.set-limits`: sets limits of a LinkedIn account. */
export const SetUsageLimits = Command.make({
  id: "linkedin.usage.set-limits",
  title: "Set LinkedIn limits",
  summary: "Set the sending and look-up limits of an account",
  description:
    "Changes the named limits and keeps the others; null resets a limit to that of the subscription. A limit above " +
    "that is lowered to it, with a warning. ramp false ends the slow start of a new account.",
  whenToUse: "When an account should send less than its subscription allows.",
  risk: "mutate",
  scope: "linkedin:approve",
  effects: { does: ["approves"], channels: ["linkedin"] },
  input: Schema.Struct({
    account_id: nonEmptyLine(64, "Id of the LinkedIn account"),
    limits: optional(
      Schema.Struct({
        message_day: limit("Messages in 24 hours"),
        invitation_day: limit("Invitations in 24 hours, with or without a note"),
        invitation_week: limit("Invitations in 7 days, with or without a note"),
        invitation_with_note_day: limit("Invitations with a note in 24 hours"),
        invitation_with_note_week: limit("Invitations with a note in 7 days"),
        withdrawal_day: limit("Invitations withdrawn in 24 hours"),
        profile_view_day: limit("Profiles looked up in 24 hours, apart from those of recipients"),
        search_day: limit("Search pages in 24 hours, 25 people each")
      }),
      "The limits to change"
    ),
    ramp: optional(
      Schema.Boolean,
      "Whether the first three weeks allow less: 40, 60 and 80 percent; default unchanged, true for a new account"
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
    const account = yield* findAnyAccount(account_id)
    const named: ReadonlyMap<string, number | null> = new Map(Object.entries(limits))
    const change: Partial<Record<keyof LimitOverrides, number | null>> = {}
    for (const [action, window, name] of overrideNames) {
      const field = `${action}_${window}`
      const wanted = named.get(field)
      if (wanted === undefined) continue
      const ceiling = tierCaps[account.tier][action][window]
      const isLowered = wanted !== null && ceiling !== null && wanted > ceiling
      change[name] = isLowered ? ceiling : wanted
      if (!isLowered) continue
      yield* warn(`limit_lowered: ${field} is at most ${ceiling} with ${account.tier}, so it is set to ${ceiling}.`)
    }
    yield* (yield* AccountsRepo).ensure(account)
    yield* (yield* TransmissionsRepo).setLimits(organizationId, account_id, { limits: change, ramp })
    return { windows: yield* readUsage(account_id) }
  })
})
