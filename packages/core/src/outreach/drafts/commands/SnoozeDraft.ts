import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { isoDateTime } from "../../../kernel/schema/TextFields.ts"
import { DraftFinal } from "../../failures.ts"
import { DraftIdText } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { snoozeDraft } from "../reviewDraft.ts"

/** `linkedin.draft.snooze`: snooze a LinkedIn draft. */
export const SnoozeDraft = Command.make({
  id: "linkedin.draft.snooze",
  title: "Snooze a LinkedIn draft",
  summary: "Hide a draft from the review queue until a time",
  description:
    "Takes a draft under review out of the review queue until the given time, or puts it back with null. Nothing else " +
    "changes: the draft can still be edited, approved or cancelled.",
  whenToUse: "When a decision has to wait, for example until somebody is back.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["drafts"], channels: [] },
  input: Schema.Struct({
    draft_id: DraftIdText,
    until: Schema.NullOr(isoDateTime).annotate({
      description: "When to show it again, with UTC offset, at most a year ahead; null for now"
    })
  }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  failures: [DraftFinal, NotFound, WrongState],
  riskNotes: ["The draft is not shown for review until then."],
  relatedCommands: ["review.list", "linkedin.draft.flag", "linkedin.draft.approve"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [{ title: "Show it again now", input: { draft_id: "drf_SAMPLE00000000000000000002", until: null } }],
  run: ({ draft_id, until }) => Effect.map(snoozeDraft(draft_id, until), (view) => ({ draft: draftOf(view) }))
})
