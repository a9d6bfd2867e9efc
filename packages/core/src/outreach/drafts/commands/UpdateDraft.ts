import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { ContentChanged } from "../../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { DraftOpen, LeadSuppressed, lookupFailures } from "../../../leads/failures.ts"
import { findLead } from "../../../leads/findLead.ts"
import { MissionArchived } from "../../../missions/failures.ts"
import { changeFailures } from "../../failures.ts"
import { updateDraft } from "../changeDraft.ts"
import { ContentHash, DraftIdText, ModelName, textsOf, Variations, warnOfLength } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { EvidenceInput } from "../Evidence.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"

/** `linkedin.draft.update`: changes a draft. */
export const UpdateDraft = Command.make({
  id: "linkedin.draft.update",
  title: "Update a LinkedIn draft",
  summary: "Update a draft that has not been sent",
  description:
    "Changes the texts, lead, mission or evidence you send and keeps the rest; lists replace the stored ones. Changing " +
    "the text or the lead of an approved draft revokes the approval and returns it to review. Sending stored values " +
    "again changes nothing.",
  whenToUse: "To improve a draft after feedback, instead of writing a new one.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  unlisted: ["evidence", "model"],
  effects: { does: ["drafts"], channels: [] },
  input: Schema.Struct({
    draft_id: DraftIdText,
    variations: Schema.optionalKey(Variations),
    lead_id: Schema.optionalKey(nonEmptyLine(64, "Id of the lead it is for")),
    mission_id: Schema.optionalKey(
      Schema.NullOr(nonEmptyLine(64)).annotate({
        description: "Mission of the message. An id or a handle; null for none"
      })
    ),
    content_hash: ContentHash,
    evidence: Schema.optionalKey(EvidenceInput),
    model: ModelName
  }),
  output: Schema.Struct({ draft: LinkedInDraft }),
  failures: [...lookupFailures, ...changeFailures, ContentChanged, DraftOpen, LeadSuppressed, MissionArchived],
  riskNotes: ["Revokes the approval if text or lead change, and cancels a queued message."],
  outputNotes: [
    "The warning approval_cleared means that the draft must be approved again; evidence_stale, that a text lacks a claim."
  ],
  relatedCommands: ["linkedin.draft.get", "linkedin.draft.approve", "linkedin.draft.cancel"],
  relatedResources: ["svc://linkedin/drafts/{id}"],
  examples: [
    {
      title: "One improved text",
      input: {
        draft_id: "drf_SAMPLE00000000000000000002",
        variations: [{ body_text: "Hello Grace, one question about how you close a month: may I?" }]
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ content_hash, draft_id, evidence, lead_id, mission_id, model, variations }) {
    const texts = variations === undefined ? undefined : textsOf(variations)
    const lead = lead_id === undefined ? undefined : yield* findLead({ lead_id })
    const view = yield* updateDraft(draft_id, {
      variations: texts,
      lead,
      mission: mission_id,
      read: content_hash?.toLowerCase(),
      evidence,
      model
    })
    if (texts !== undefined) yield* warnOfLength(texts)
    return { draft: draftOf(view) }
  })
})
