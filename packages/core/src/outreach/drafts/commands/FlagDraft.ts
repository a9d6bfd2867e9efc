import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound } from "../../../kernel/failure/failures.ts"
import { nonEmptyMessage } from "../../../kernel/schema/TextFields.ts"
import { DraftIdText } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { flagDraft } from "../reviewDraft.ts"

/** `linkedin.draft.flag`: flag a LinkedIn draft. */
export const FlagDraft = Command.make({
  id: "linkedin.draft.flag",
  title: "Flag a LinkedIn draft",
  summary: "Flag a draft for other reviewers",
  description:
    "Marks the draft, with a note if you send one, or removes mark and note. It changes nothing else and works in every " +
    "status. review.list can filter by it.",
  whenToUse: "When somebody else should look at a draft, or to find it again.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["drafts"], channels: [] },
  input: Schema.Struct({
    draft_id: DraftIdText,
    flagged: Schema.Boolean.annotate({ description: "True to flag it, false to remove the flag and its note" }),
    note: Schema.optionalKey(nonEmptyMessage(2_000, "With flagged: true, a note for other reviewers"))
  }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  failures: [NotFound],
  riskNotes: ["Other reviewers see the flag and the note."],
  relatedCommands: ["review.list", "linkedin.draft.snooze"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [
    {
      title: "For the team lead",
      input: { draft_id: "drf_SAMPLE00000000000000000002", flagged: true, note: "Is the price right?" }
    }
  ],
  run: ({ draft_id, flagged, note }) =>
    Effect.map(flagDraft(draft_id, flagged, note), (view) => ({ draft: draftOf(view) }))
})
