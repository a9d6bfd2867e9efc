import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { LinkedInDraft } from "../../drafts/LinkedInDraft.ts"
import { DraftFinal } from "../../failures.ts"
import { QueueEntry } from "../QueueEntry.ts"
import { resolveQueued } from "../settle.ts"

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
  output: Schema.Struct({
    item: QueueEntry,
    draft: Schema.NullOr(LinkedInDraft).annotate({ description: "The draft of a message; null for an invitation" })
  }),
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
