import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { now } from "../../Time.ts"
import { draftOf } from "../DraftView.ts"
import { isInvitationId, resolveInvitation } from "../invitations/settleInvitation.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { entryOf, invitationEntryOf, QueueEntry } from "../QueueEntry.ts"
import { SendOptions } from "../SendOptions.ts"
import { resolveItem } from "../settleItem.ts"

/** `linkedin.queue.resolve`: says whether a message was sent. */
export const ResolveQueueItem = Command.make({
  id: "linkedin.queue.resolve",
  title: "Settle a message or an invitation",
  summary: "Say whether a message or an invitation of unknown outcome was sent, after looking at LinkedIn.",
  description:
    "Settles a queue item in state ambiguous. sent makes its draft DISPATCHED; not_sent puts the draft under review, so that " +
    "it can be approved and sent anew. An invitation becomes pending, or may be sent anew. An item that waits may be " +
    "settled as sent by whoever sent it by hand.",
  whenToUse: "When linkedin.queue.list shows an item in state ambiguous and somebody has looked at the conversation.",
  category: "linkedin",
  risk: "approval",
  scope: "linkedin:send",
  input: Schema.Struct({
    queue_id: nonEmptyLine(64, "Id of the queue item"),
    outcome: Schema.Literals(["sent", "not_sent"]).annotate({ description: "What the conversation on LinkedIn shows" }),
    external_message_id: Schema.optionalKey(nonEmptyLine(300, "With sent: LinkedIn's id of the message, if known"))
  }),
  output: Schema.Struct({
    item: QueueEntry,
    draft: Schema.NullOr(LinkedInDraft).annotate({ description: "The draft of a message; null for an invitation" })
  }),
  riskNotes: ["A wrong not_sent can lead to the same message being sent twice."],
  relatedCommands: ["linkedin.queue.list", "linkedin.draft.get", "linkedin.draft.approve"],
  relatedResources: ["svc://linkedin/queue"],
  examples: [
    {
      title: "It is not in the conversation",
      input: { queue_id: "que_SAMPLE00000000000000000002", outcome: "not_sent" }
    }
  ],
  run: Effect.fnUntraced(function* ({ external_message_id, outcome, queue_id }) {
    const { pacing } = yield* SendOptions
    if (isInvitationId(queue_id)) {
      const invitation = yield* resolveInvitation(queue_id, outcome)
      return { item: invitationEntryOf(invitation, yield* now, pacing), draft: null }
    }
    const { listed, view } = yield* resolveItem(queue_id, outcome, external_message_id ?? null)
    return { item: entryOf(listed, yield* now, pacing), draft: draftOf(view) }
  })
})
