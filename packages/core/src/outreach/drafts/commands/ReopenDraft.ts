import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { DraftOpen, LeadSuppressed } from "../../../leads/failures.ts"
import { MissionArchived } from "../../../missions/failures.ts"
import { changeFailures } from "../../failures.ts"
import { DraftIdText } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { reopenDraft } from "../reviewDraft.ts"

/** `linkedin.draft.reopen`: reopen a LinkedIn draft. */
export const ReopenDraft = Command.make({
  id: "linkedin.draft.reopen",
  title: "Reopen a LinkedIn draft",
  summary: "Undo an approval, a rejection or a cancellation",
  description:
    "Puts a draft under review again, until it is being sent. An approval is revoked and its queued message cancelled; a " +
    "cancelled or rejected draft becomes open again, if the lead may be contacted and has no other open draft with the " +
    "agent. A draft under review stays as it is.",
  whenToUse: "To undo linkedin.draft.approve, linkedin.draft.reject or linkedin.draft.cancel.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["drafts"], channels: [] },
  input: Schema.Struct({
    draft_id: DraftIdText
  }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  failures: [...changeFailures, DraftOpen, LeadSuppressed, MissionArchived, NotFound, WrongState],
  riskNotes: ["Revokes the approval, and cancels a queued message."],
  relatedCommands: ["linkedin.draft.approve", "linkedin.draft.reject", "linkedin.draft.cancel"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [{ title: "Undo", input: { draft_id: "drf_SAMPLE00000000000000000003" } }],
  run: ({ draft_id }) => Effect.map(reopenDraft(draft_id), (view) => ({ draft: draftOf(view) }))
})
