import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { ContentChanged, NotFound } from "../../../kernel/failure/failures.ts"
import { nonEmptyMessage } from "../../../kernel/schema/TextFields.ts"
import { changeFailures } from "../../failures.ts"
import { ContentHash, DraftIdText } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { rejectDraft } from "../reviewDraft.ts"

/** `linkedin.draft.reject`: reject a LinkedIn draft. */
export const RejectDraft = Command.make({
  id: "linkedin.draft.reject",
  title: "Reject a LinkedIn draft",
  summary: "Reject a draft with a reason for its writer",
  description:
    "Cancels the draft and its queued message, and keeps the reason for the writer: review.get shows it. Rejecting again " +
    "with the same reason changes nothing. linkedin.draft.reopen undoes it.",
  whenToUse: "When the message should not be sent and its writer should know why.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["drafts"], channels: [] },
  input: Schema.Struct({
    draft_id: DraftIdText,
    reason: nonEmptyMessage(2_000, "Why, for the writer"),
    content_hash: ContentHash
  }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  failures: [...changeFailures, ContentChanged, NotFound],
  riskNotes: ["Cancels a queued message."],
  relatedCommands: ["linkedin.draft.reopen", "linkedin.draft.request-rewrite", "linkedin.draft.cancel", "review.get"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [
    {
      title: "Wrong person",
      input: { draft_id: "drf_SAMPLE00000000000000000002", reason: "She left the company in May." }
    }
  ],
  run: ({ content_hash, draft_id, reason }) =>
    Effect.map(rejectDraft(draft_id, reason, content_hash?.toLowerCase()), (view) => ({ draft: draftOf(view) }))
})
