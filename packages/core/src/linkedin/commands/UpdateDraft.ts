import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { findLead } from "../../leads/index.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { updateDraft } from "../changeDraft.ts"
import { DraftIdText, textsOf, Variations, warnOfLength } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"

/** `linkedin.draft.update`: changes a draft. */
export const UpdateDraft = Command.make({
  id: "linkedin.draft.update",
  title: "Change a LinkedIn draft",
  summary: "Change texts, lead or mission of a draft that was not sent.",
  description:
    "Changes what is sent and keeps the rest; variations replace the stored ones. When the text or the lead of an approved " +
    "draft changes, its approval is gone and it waits for review again. Sending what is stored changes nothing.",
  whenToUse: "To improve the texts of a draft after feedback, instead of writing a new one.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  input: Schema.Struct({
    draft_id: DraftIdText,
    variations: Schema.optionalKey(Variations),
    lead_id: Schema.optionalKey(nonEmptyLine(64, "Id of the lead it is for")),
    mission_id: Schema.optionalKey(
      Schema.NullOr(nonEmptyLine(64)).annotate({
        description: "Id or handle of the mission it belongs to; null for none"
      })
    )
  }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  riskNotes: ["Takes an approval back when text or lead change, and cancels a message that waits in the queue."],
  outputNotes: ["The warning approval_cleared says that the draft must be approved again."],
  relatedCommands: ["linkedin.draft.get", "linkedin.draft.approve", "linkedin.draft.cancel"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [
    {
      title: "One better text",
      input: {
        draft_id: "drf_SAMPLE00000000000000000002",
        variations: [{ body_text: "Hello Grace, one question about how you close a month: may I?" }]
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ draft_id, lead_id, mission_id, variations }) {
    const texts = variations === undefined ? undefined : textsOf(variations)
    const lead = lead_id === undefined ? undefined : yield* findLead({ lead_id })
    const view = yield* updateDraft(draft_id, { variations: texts, lead, mission: mission_id })
    if (texts !== undefined) yield* warnOfLength(texts)
    return { draft: draftOf(view) }
  })
})
