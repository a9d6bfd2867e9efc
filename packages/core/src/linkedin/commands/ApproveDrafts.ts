import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { warn } from "../../Execution.ts"
import { fail, notFound } from "../../Failure.ts"
import { type Approval, decideApproval, storeApprovals } from "../approveDraft.ts"
import { ApprovedText, comfortableLength, DraftIdText } from "../DraftInput.ts"
import { DraftsRepo } from "../DraftsRepo.ts"
import { draftOf } from "../DraftView.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { ApproveDraft } from "./ApproveDraft.ts"

const mostItems = 50

const { content_hash, variation_index } = ApproveDraft.input.fields

const Item = Schema.Struct({
  draft_id: DraftIdText,
  variation_index,
  body_text: Schema.optionalKey(ApprovedText),
  content_hash
})

const ApprovalResult = Schema.Struct({
  draft_id: Schema.String,
  ok: Schema.Boolean,
  draft: Schema.NullOr(LinkedInDraft).annotate({ description: "The approved draft; null when it was refused" }),
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String }))
})

const refused = (draft_id: string, code: string, message: string): typeof ApprovalResult.Type => ({
  draft_id,
  ok: false,
  draft: null,
  error: { code, message }
})

/** `linkedin.draft.approve-many`: approves several drafts, each on its own merits. */
export const ApproveDrafts = Command.make({
  id: "linkedin.draft.approve-many",
  title: "Approve several LinkedIn drafts",
  summary: "Approve one text of each of up to 50 drafts; nothing is sent at once.",
  description:
    "Marks one text of each draft as ready to send, as linkedin.draft.approve does without send_now. A draft that cannot be " +
    "approved is refused for itself and keeps no other from being approved; the results say which. The dispatcher sends the " +
    "approved ones a little later, within usage limits and working hours.",
  whenToUse: "After a person read all of the drafts. Send each content_hash to approve exactly what was read.",
  category: "linkedin",
  risk: "approval",
  scope: "linkedin:approve",
  input: Schema.Struct({
    items: Schema.Array(Item)
      .check(Schema.isBetweenLength(1, mostItems))
      .annotate({ description: "What to approve, 1 to 50 drafts, each once" })
  }),
  output: Schema.Struct({
    results: Schema.Array(ApprovalResult).annotate({ description: "One result for each item, in their order" })
  }),
  riskNotes: ["The dispatcher sends every approved message, unless it is changed or cancelled before."],
  outputNotes: ["The run is a success even when every item was refused: read ok of each result."],
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
  run: Effect.fnUntraced(function* ({ items }) {
    const { organizationId } = yield* Actor
    const ids = items.map(({ draft_id }) => draft_id)
    const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
    if (repeated !== -1) {
      return yield* fail(
        "INVALID_INPUT",
        `items[${repeated}].draft_id names a draft that is there before. Send each draft once.`
      )
    }
    const held = yield* (yield* DraftsRepo).holdMany(organizationId, ids)
    const views = new Map(held.map((view) => [view.row.id, view]))
    const approvals: Array<Approval> = []
    const results: Array<typeof ApprovalResult.Type> = []
    for (const [index, { body_text, content_hash: hash, draft_id, variation_index: position }] of items.entries()) {
      const view = views.get(draft_id)
      if (view === undefined) {
        const { code, message } = notFound("draft", draft_id)
        results.push(refused(draft_id, code, message))
        continue
      }
      const choice = { variationIndex: position, bodyText: body_text, contentHash: hash?.toLowerCase() }
      const decided = yield* Effect.result(decideApproval(view, choice))
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
      if (text.length > comfortableLength) {
        yield* warn(
          `long_message: items[${index}] has ${text.length} characters; LinkedIn may refuse more than ${comfortableLength}.`
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
