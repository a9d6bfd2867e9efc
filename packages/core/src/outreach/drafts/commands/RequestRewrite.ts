import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { ContentChanged, NotFound } from "../../../kernel/failure/failures.ts"
import { nonEmptyMessage } from "../../../kernel/schema/TextFields.ts"
import { changeFailures } from "../../failures.ts"
import { ContentHash, DraftIdText } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { requestRewrite } from "../reviewDraft.ts"

/** `linkedin.draft.request-rewrite`: request a rewrite of a LinkedIn draft. */
export const RequestRewrite = Command.make({
  id: "linkedin.draft.request-rewrite",
  title: "Request a rewrite of a LinkedIn draft",
  summary: "Request other texts from the writer of a draft",
  description:
    "Keeps the instructions with the draft and takes it out of the review queue until its texts change. The writer sees the " +
    "request in mission.next-actions and the instructions in review.get; linkedin.draft.update fulfills it. Revokes an " +
    "approval.",
  whenToUse: "When the idea is right and the text is not.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["drafts"], channels: [] },
  input: Schema.Struct({
    draft_id: DraftIdText,
    instructions: nonEmptyMessage(2_000, "What to change, for the writer"),
    content_hash: ContentHash
  }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  failures: [...changeFailures, ContentChanged, NotFound],
  riskNotes: ["Revokes the approval, and cancels a queued message."],
  relatedCommands: ["linkedin.draft.update", "linkedin.draft.reject", "mission.next-actions", "review.get"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [
    {
      title: "Too long",
      input: { draft_id: "drf_SAMPLE00000000000000000002", instructions: "Two sentences, one question." }
    }
  ],
  run: ({ content_hash, draft_id, instructions }) =>
    Effect.map(requestRewrite(draft_id, instructions, content_hash?.toLowerCase()), (view) => ({
      draft: draftOf(view)
    }))
})
