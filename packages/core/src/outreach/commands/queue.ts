import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { InvalidCursor, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { now } from "../../kernel/schema/IdsAndTime.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { LinkedInDraft } from "../drafts/LinkedInDraft.ts"
import { changeFailures, DraftFinal } from "../failures.ts"
import { entryOf, QueueEntry, QueueState, unsettledStates } from "../transmission/QueueEntry.ts"
import { SendOptions } from "../transmission/SendOptions.ts"
import { cancelQueued, resolveQueued } from "../transmission/settle.ts"
import { TransmissionsRepo } from "../transmission/TransmissionsRepo.ts"
import { isOfKind } from "../transmission/TransmissionView.ts"

const optional = Schema.optionalKey

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
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({
    account_id: optional(nonEmptyLine(64, "Only items of this LinkedIn account")),
    state: optional(
      Schema.Array(QueueState).check(Schema.isMaxLength(10)).annotate({
        description: "Only items in these states; omit for all that are not settled"
      })
    ),
    kind: optional(
      Schema.Literals(["message", "invitation"]).annotate({ description: "Only this kind; omit for both" })
    ),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ items: Schema.Array(QueueEntry), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  outputNotes: ["position counts the queued messages of one account; send_now comes first."],
  relatedCommands: [
    "linkedin.queue.cancel",
    "linkedin.queue.resolve",
    "linkedin.invitation.withdraw",
    "linkedin.usage.get"
  ],
  relatedResources: ["svc://linkedin/queue", "svc://linkedin/usage"],
  examples: [{ title: "Items with an unknown outcome", input: { state: ["ambiguous"] } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const states = input.state === undefined || input.state.length === 0 ? unsettledStates : input.state
    const kinds = input.kind === undefined ? (["message", "invitation"] as const) : [input.kind]
    const filter = { accountId: input.account_id, states, kinds, order: "oldest" } as const
    const { list } = yield* TransmissionsRepo
    const page = yield* readPage(organizationId, "linkedin.queue", input, (request) =>
      list(organizationId, filter, request)
    )
    const { pacing } = yield* SendOptions
    const at = yield* now
    const items = page.items.filter(isOfKind("message", "invitation")).map((view) => entryOf(view, at, pacing))
    return { items, next_cursor: page.nextCursor }
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
  category: "linkedin",
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
  category: "linkedin",
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
