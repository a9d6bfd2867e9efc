import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { LinkedInDraft } from "../../drafts/LinkedInDraft.ts"
import { changeFailures } from "../../failures.ts"
import { QueueEntry } from "../QueueEntry.ts"
import { cancelQueued } from "../settle.ts"

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
  output: Schema.Struct({
    item: QueueEntry,
    draft: Schema.NullOr(LinkedInDraft).annotate({ description: "The draft of a message; null for an invitation" })
  }),
  failures: [...changeFailures, NotFound, WrongState],
  riskNotes: ["Revokes the approval."],
  relatedCommands: ["linkedin.queue.list", "linkedin.draft.cancel", "linkedin.draft.approve"],
  relatedResources: ["svc://linkedin/queue"],
  examples: [{ title: "Not yet", input: { queue_id: "que_SAMPLE00000000000000000001" } }],
  run: ({ queue_id }) => cancelQueued(queue_id)
})
