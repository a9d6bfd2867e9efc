import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { now } from "../../Time.ts"
import { draftOf } from "../DraftView.ts"
import { cancelQueuedInvitation, isInvitationId } from "../invitations/settleInvitation.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { entryOf, invitationEntryOf, QueueEntry } from "../QueueEntry.ts"
import { SendOptions } from "../SendOptions.ts"
import { cancelItem } from "../settleItem.ts"

/** `linkedin.queue.cancel`: takes a message out of the queue. */
export const CancelQueueItem = Command.make({
  id: "linkedin.queue.cancel",
  title: "Take something out of the queue",
  summary:
    "Take a message or an invitation that was not sent out of the queue; a message's draft is under review again.",
  description:
    "Works until transmission begins. The draft keeps its texts and may be approved again; to drop it for good, use " +
    "linkedin.draft.cancel.",
  whenToUse: "When an approved message should not leave yet, or an invitation that waits should not leave at all.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  input: Schema.Struct({ queue_id: nonEmptyLine(64, "Id of the queue item") }),
  output: Schema.Struct({
    item: QueueEntry,
    draft: Schema.NullOr(LinkedInDraft).annotate({ description: "The draft of a message; null for an invitation" })
  }),
  riskNotes: ["Takes the approval back."],
  relatedCommands: ["linkedin.queue.list", "linkedin.draft.cancel", "linkedin.draft.approve"],
  relatedResources: ["svc://linkedin/queue"],
  examples: [{ title: "Not yet", input: { queue_id: "que_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ queue_id }) {
    const { pacing } = yield* SendOptions
    if (isInvitationId(queue_id)) {
      const invitation = yield* cancelQueuedInvitation(queue_id)
      return { item: invitationEntryOf(invitation, yield* now, pacing), draft: null }
    }
    const { listed, view } = yield* cancelItem(queue_id)
    return { item: entryOf(listed, yield* now, pacing), draft: draftOf(view) }
  })
})
