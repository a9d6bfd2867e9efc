import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { DraftIdText } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { readDraft } from "../readDraft.ts"

/** `linkedin.draft.get`: reads one draft. */
export const GetDraft = Command.make({
  id: "linkedin.draft.get",
  title: "Read a LinkedIn draft",
  summary: "Read one draft by its id.",
  description: "Answers the draft with its variations, its lead, agent and mission, and what was approved and sent.",
  whenToUse: "Before approving, and to see what became of a message that was queued.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({ draft_id: DraftIdText }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  outputNotes: ["Its content_hash is in the resource svc://linkedin/drafts/{id}."],
  relatedCommands: ["linkedin.draft.list", "linkedin.draft.approve", "linkedin.draft.update"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [{ title: "The sample draft", input: { draft_id: "drf_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ draft_id }) {
    return { draft: draftOf(yield* readDraft(draft_id)) }
  })
})
