import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound } from "../../../kernel/failure/failures.ts"
import { DraftIdText } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { Evidence, evidenceOf } from "../Evidence.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { Provenance, provenanceOf } from "../Provenance.ts"
import { readDraft } from "../readDraft.ts"

/** `linkedin.draft.get`: reads one draft. */
export const GetDraft = Command.make({
  id: "linkedin.draft.get",
  title: "Get a LinkedIn draft",
  summary: "Get a draft by its id",
  description:
    "Returns the draft with its variations, lead, agent and mission, what was approved and sent, who wrote, changed and " +
    "reviewed it, and the facts its claims rest on.",
  whenToUse: "Before approving, and to check what happened to a queued message.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({ draft_id: DraftIdText }),
  output: Schema.Struct({ draft: LinkedInDraft, provenance: Provenance, evidence: Evidence }),
  failures: [NotFound],
  outputNotes: ["Its content_hash is in the resource svc://linkedin/drafts/{id}."],
  relatedCommands: ["linkedin.draft.list", "linkedin.draft.approve", "linkedin.draft.update"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [{ title: "The sample draft", input: { draft_id: "drf_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ draft_id }) {
    const view = yield* readDraft(draft_id)
    return { draft: draftOf(view), provenance: provenanceOf(view.row.steps), evidence: evidenceOf(view.row) }
  })
})
