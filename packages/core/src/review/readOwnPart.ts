/** What only one kind of item of the review queue has. */
import * as Effect from "effect/Effect"
import { emailOf } from "../email/Email.ts"
import { Actor } from "../kernel/command/Actor.ts"
import { findingsOf } from "../outreach/drafts/check/draftFindings.ts"
import { DraftChecksRepo } from "../outreach/drafts/DraftChecksRepo.ts"
import { recommendedLength } from "../outreach/drafts/DraftInput.ts"
import { DraftsRepo } from "../outreach/drafts/DraftsRepo.ts"
import { contentHashOfView, draftOf } from "../outreach/drafts/DraftView.ts"
import { provenanceOf } from "../outreach/drafts/Evidence.ts"
import { entryOf } from "../outreach/transmission/QueueEntry.ts"
import { SendOptions } from "../outreach/transmission/SendOptions.ts"
import { isOfKind, type TransmissionView } from "../outreach/transmission/TransmissionView.ts"
import { getApproval, showApprovals } from "../workspace/approvals/Approval.ts"
import { type ReviewDetails, reviewEvidence } from "./ReviewDetails.ts"
import type { ReviewEntry } from "./ReviewEntry.ts"

type Own = Pick<
  ReviewDetails,
  | "draft"
  | "content_hash"
  | "findings"
  | "max_characters"
  | "review"
  | "provenance"
  | "evidence"
  | "subject"
  | "email"
  | "invitation"
  | "approval"
>

const noOwn: Own = {
  draft: null,
  content_hash: null,
  findings: [],
  max_characters: null,
  review: { snoozed_until: null, flagged: false, flag_note: null, rejection: null, rewrite: null },
  provenance: [],
  evidence: [],
  subject: null,
  email: null,
  invitation: null,
  approval: null
}

const draftPart = Effect.fnUntraced(function* (itemId: string) {
  const actor = yield* Actor
  const { organizationId } = actor
  const view = yield* (yield* DraftsRepo).find(organizationId, itemId)
  if (view === undefined) return noOwn
  const request = { draftId: itemId, leadId: undefined, mission: undefined }
  const facts = yield* (yield* DraftChecksRepo).facts(organizationId, request)
  const { flagNote, flagged, rejection, rewrite, snoozedUntil } = view.row.review
  return {
    ...noOwn,
    draft: draftOf(view),
    content_hash: contentHashOfView(view),
    findings: findingsOf(facts).map(({ code, end, hint, index, problem, severity, start }) => ({
      variation_index: index,
      severity,
      code,
      message: problem,
      hint,
      start,
      end
    })),
    max_characters: recommendedLength,
    provenance: provenanceOf(view.row.steps),
    evidence: reviewEvidence(actor, view.row, facts.records),
    review: {
      snoozed_until: snoozedUntil,
      flagged,
      flag_note: flagNote,
      rejection: rejection && { reason: rejection.text, by: rejection.by.userId, at: rejection.at },
      rewrite: rewrite && { instructions: rewrite.text, by: rewrite.by.userId, at: rewrite.at }
    }
  }
})

const approvalPart = Effect.fnUntraced(function* (itemId: string) {
  const row = yield* getApproval(itemId)
  const show = yield* showApprovals
  return { ...noOwn, approval: { request: show(row), input: row.input } }
})

/** Reads it; `view` is the item's transmission, if it has one. */
export const readOwnPart = Effect.fnUntraced(function* (
  { itemId, kind }: ReviewEntry,
  view: TransmissionView | undefined,
  at: string
) {
  if (kind === "message") return yield* draftPart(itemId)
  if (kind === "approval") return yield* approvalPart(itemId)
  if (view === undefined) return noOwn
  if (isOfKind("email")(view)) {
    const email = emailOf(view)
    const provenance = provenanceOf(view.row.steps)
    return { ...noOwn, email, provenance, content_hash: email.content_hash, subject: email.subject }
  }
  const { pacing } = yield* SendOptions
  return isOfKind("invitation")(view) ? { ...noOwn, invitation: entryOf(view, at, pacing) } : noOwn
})
