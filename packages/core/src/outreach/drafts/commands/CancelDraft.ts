import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound } from "../../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { changeFailures } from "../../failures.ts"
import { cancelDraft } from "../changeDraft.ts"
import { DraftIdText } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"

/** `linkedin.draft.cancel`: cancels a draft. */
export const CancelDraft = Command.make({
  id: "linkedin.draft.cancel",
  title: "Cancel a LinkedIn draft",
  summary: "Cancel a draft that has not been sent",
  description:
    "Cancels the draft and its queued message. A draft that is being sent, or may have been sent, cannot be cancelled. " +
    "linkedin.draft.reopen undoes it.",
  whenToUse: "When the message should not be sent at all. To change its text, use linkedin.draft.update.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["drafts"], channels: [] },
  input: Schema.Struct({
    draft_id: DraftIdText,
    reason: Schema.optionalKey(nonEmptyLine(500, "The reason, for the event feed"))
  }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  failures: [...changeFailures, NotFound],
  riskNotes: ["Cancels a queued message."],
  relatedCommands: ["linkedin.draft.reopen", "linkedin.draft.reject", "linkedin.draft.update"],
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
