import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { warn } from "../../../kernel/command/Execution.ts"
import { ContentChanged, InvalidInput, NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import type { DraftId } from "../../../kernel/schema/RecordIds.ts"
import { LeadSuppressed } from "../../../leads/failures.ts"
import { MissionArchived } from "../../../missions/failures.ts"
import { changeFailures, DisclosureRequired, DraftEmpty, EvidenceRequired, VariationRequired } from "../../failures.ts"
import { type Approval, decideApproval, pinApproval, storeApprovals } from "../approveDraft.ts"
import { ApprovedText, DraftIdText, recommendedLength } from "../DraftInput.ts"
import { DraftsRepo } from "../DraftsRepo.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { ApproveDraft, choiceOf } from "./ApproveDraft.ts"

const maxItems = 50

const { content_hash, profile_url, variation_index } = ApproveDraft.input.fields

const Item = Schema.Struct({
  draft_id: DraftIdText,
  variation_index,
  body_text: Schema.optionalKey(ApprovedText),
  content_hash,
  profile_url
})

const ApprovalResult = Schema.Struct({
  draft_id: Schema.String,
  ok: Schema.Boolean,
  draft: Schema.NullOr(LinkedInDraft).annotate({ description: "The approved draft; null if it was refused" }),
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String }))
})

const refused = (draft_id: DraftId, code: string, message: string): typeof ApprovalResult.Type => ({
  draft_id,
  ok: false,
  draft: null,
  error: { code, message }
})

/** `linkedin.draft.approve-many`: approves several drafts, each on its own merits. */
export const ApproveDrafts = Command.make({
  id: "linkedin.draft.approve-many",
  title: "Approve several LinkedIn drafts",
  summary: "Approve up to 50 drafts without sending immediately",
  description:
    "Marks one text of each draft as ready to send, like linkedin.draft.approve without send_now. A draft that " +
    "cannot be approved does not affect the others; each result says whether it was approved. The dispatcher sends " +
    "the approved ones a little later, within usage limits and working hours.",
  whenToUse: "After a person has read all of the drafts. Send each content_hash to approve exactly what was read.",
  category: "linkedin",
  risk: "approval",
  scope: "linkedin:approve",
  unlisted: ["items.profile_url"],
  effects: { does: ["approves"], channels: ["linkedin"] },
  includes: () => ({ "linkedin.draft.approve": "linkedin.draft.approve-many" }),
  input: Schema.Struct({
    items: Schema.Array(Item)
      .check(Schema.isBetweenLength(1, maxItems))
      .annotate({ description: "Drafts to approve, 1 to 50, each once" })
  }),
  output: Schema.Struct({
    results: Schema.Array(ApprovalResult).annotate({ description: "One result per item, in the same order" })
  }),
  failures: [
    ...changeFailures,
    ContentChanged,
    DisclosureRequired,
    DraftEmpty,
    EvidenceRequired,
    LeadSuppressed,
    MissionArchived,
    NotFound,
    VariationRequired,
    WrongState
  ],
  riskNotes: ["The dispatcher sends every approved message, unless it is changed or cancelled first."],
  outputNotes: ["The run succeeds even if every item was refused: check ok in each result."],
  relatedCommands: ["linkedin.draft.list", "linkedin.draft.check", "linkedin.draft.approve", "linkedin.draft.cancel"],
  relatedResources: ["svc://linkedin/drafts/pending"],
  examples: [
    {
      title: "Two drafts",
      input: {
        items: [
          { draft_id: "drf_SAMPLE00000000000000000001", variation_index: 1 },
          { draft_id: "drf_SAMPLE00000000000000000002" }
        ]
      }
    }
  ],
  pin: ({ items }) =>
    Effect.map(
      Effect.forEach(items, (item) =>
        Effect.map(pinApproval(item.draft_id, choiceOf(item)), (pin) => ({ ...item, ...pin }))
      ),
      (pinned) => ({ items: pinned })
    ),
  run: Effect.fnUntraced(function* ({ items }) {
    const { organizationId } = yield* Actor
    const ids = items.map(({ draft_id }) => draft_id)
    const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
    if (repeated !== -1) {
      return yield* new InvalidInput({
        message: `items[${repeated}].draft_id is a duplicate. Send each draft once.`
      })
    }
    const held = yield* (yield* DraftsRepo).holdMany(organizationId, ids)
    const views = new Map(held.map((view) => [view.row.id, view]))
    const approvals: Array<Approval> = []
    const results: Array<typeof ApprovalResult.Type> = []
    for (const [index, item] of items.entries()) {
      const { draft_id } = item
      const view = views.get(draft_id)
      if (view === undefined) {
        const { code, message } = new NotFound({ kind: "draft", id: draft_id })
        results.push(refused(draft_id, code, message))
        continue
      }
      const decided = yield* Effect.result(decideApproval(view, choiceOf(item)))
      if (decided._tag === "Failure") {
        const { code, entry, message } = decided.failure
        // A store that does not answer refuses no draft: it undoes the run.
        if (entry.kind === "Unavailable") return yield* decided.failure
        results.push(refused(draft_id, code, message))
        continue
      }
      const approval = decided.success
      const text = approval?.row.selectedBodyText ?? ""
      if (approval !== undefined) approvals.push(approval)
      if (text.length > recommendedLength) {
        yield* warn(
          `long_message: items[${index}] has ${text.length} characters; LinkedIn may refuse more than ${recommendedLength}.`
        )
      }
      results.push({ draft_id, ok: true, draft: draftOf(view), error: null })
    }
    const stored = new Map((yield* storeApprovals(approvals, false)).map((view) => [view.row.id, view]))
    return {
      results: results.map((result) => {
        const view = stored.get(result.draft_id)
        return view === undefined ? result : { draft_id: result.draft_id, ok: true, draft: draftOf(view), error: null }
      })
    }
  })
})
