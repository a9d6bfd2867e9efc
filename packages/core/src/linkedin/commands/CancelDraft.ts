import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { cancelDraft } from "../changeDraft.ts"
import { DraftIdText } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"

/** `linkedin.draft.cancel`: cancels a draft. */
export const CancelDraft = Command.make({
  id: "linkedin.draft.cancel",
  title: "Cancel a LinkedIn draft",
  summary: "Cancel a draft that was not sent, for good.",
  description:
    "Cancels the draft and whatever waits in the queue for it. A draft that is being sent right now, or may have been sent, " +
    "cannot be cancelled.",
  whenToUse: "When the message should not be sent at all. To change its text, use linkedin.draft.update.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  input: Schema.Struct({
    draft_id: DraftIdText,
    reason: Schema.optionalKey(nonEmptyLine(500, "Why, for the event feed"))
  }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  riskNotes: ["A cancelled draft never comes back; write a new one instead."],
  relatedCommands: ["linkedin.draft.update", "linkedin.draft.create", "linkedin.draft.list"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [
    {
      title: "Not the right moment",
      input: { draft_id: "drf_SAMPLE00000000000000000003", reason: "On leave until May" }
    }
  ],
  run: Effect.fnUntraced(function* ({ draft_id, reason }) {
    return { draft: draftOf(yield* cancelDraft(draft_id, reason)) }
  })
})
