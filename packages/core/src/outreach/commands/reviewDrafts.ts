import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { ContentChanged, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { isoDateTime, nonEmptyLine, nonEmptyMessage } from "../../kernel/schema/TextFields.ts"
import { DraftOpen, LeadSuppressed } from "../../leads/failures.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { cancelDraft } from "../changeDraft.ts"
import { ContentHash, DraftIdText } from "../DraftInput.ts"
import { draftResult } from "../DraftsRepo.ts"
import { changeFailures, DraftFinal } from "../failures.ts"
import { LinkedInDraft } from "../LinkedInDraft.ts"
import { flagDraft, rejectDraft, reopenDraft, requestRewrite, snoozeDraft } from "../reviewDraft.ts"

/** What the commands that change one draft have in common. */
export const changesDraft = {
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["drafts"], channels: [] },
  output: Schema.Struct({ draft: LinkedInDraft }),
  relatedResources: ["svc://linkedin/drafts/{id}"]
} as const

/** `linkedin.draft.reject`: reject a LinkedIn draft. */
export const RejectDraft = Command.make({
  id: "linkedin.draft.reject",
  title: "Reject a LinkedIn draft",
  summary: "Reject a draft with a reason for its writer",
  description:
    "Cancels the draft and its queued message, and keeps the reason for the writer: review.get shows it. Rejecting again " +
    "with the same reason changes nothing. linkedin.draft.reopen undoes it.",
  whenToUse: "When the message should not be sent and its writer should know why.",
  ...changesDraft,
  input: Schema.Struct({
    draft_id: DraftIdText,
    reason: nonEmptyMessage(2_000, "Why, for the writer"),
    content_hash: ContentHash
  }),
  failures: [...changeFailures, ContentChanged, NotFound],
  riskNotes: ["Cancels a queued message."],
  relatedCommands: ["linkedin.draft.reopen", "linkedin.draft.request-rewrite", "linkedin.draft.cancel", "review.get"],
  examples: [
    {
      title: "Wrong person",
      input: { draft_id: "drf_SAMPLE00000000000000000002", reason: "She left the company in May." }
    }
  ],
  run: ({ content_hash, draft_id, reason }) =>
    Effect.map(rejectDraft(draft_id, reason, content_hash?.toLowerCase()), draftResult)
})

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
  ...changesDraft,
  input: Schema.Struct({
    draft_id: DraftIdText
  }),
  failures: [...changeFailures, DraftOpen, LeadSuppressed, MissionArchived, NotFound, WrongState],
  riskNotes: ["Revokes the approval, and cancels a queued message."],
  relatedCommands: ["linkedin.draft.approve", "linkedin.draft.reject", "linkedin.draft.cancel"],
  examples: [{ title: "Undo", input: { draft_id: "drf_SAMPLE00000000000000000003" } }],
  run: ({ draft_id }) => Effect.map(reopenDraft(draft_id), draftResult)
})

/** `linkedin.draft.request-rewrite`: request a rewrite of a LinkedIn draft. */
export const RequestRewrite = Command.make({
  id: "linkedin.draft.request-rewrite",
  title: "Request a rewrite of a LinkedIn draft",
  summary: "Ask the writer for a new version",
  description:
    "Keeps the instructions with the draft and takes it out of the review queue until its texts change. The writer sees the " +
    "request in mission.next-actions and the instructions in review.get; linkedin.draft.update fulfills it. Revokes an " +
    "approval.",
  whenToUse: "When the idea is right and the text is not.",
  ...changesDraft,
  input: Schema.Struct({
    draft_id: DraftIdText,
    instructions: nonEmptyMessage(2_000, "What to change, for the writer"),
    content_hash: ContentHash
  }),
  failures: [...changeFailures, ContentChanged, NotFound],
  riskNotes: ["Revokes the approval, and cancels a queued message."],
  relatedCommands: ["linkedin.draft.update", "linkedin.draft.reject", "mission.next-actions", "review.get"],
  examples: [
    {
      title: "Too long",
      input: { draft_id: "drf_SAMPLE00000000000000000002", instructions: "Two sentences, one question." }
    }
  ],
  run: ({ content_hash, draft_id, instructions }) =>
    Effect.map(requestRewrite(draft_id, instructions, content_hash?.toLowerCase()), draftResult)
})

/** `linkedin.draft.snooze`: snooze a LinkedIn draft. */
export const SnoozeDraft = Command.make({
  id: "linkedin.draft.snooze",
  title: "Snooze a LinkedIn draft",
  summary: "Hide a draft from the review queue until a time",
  description:
    "Takes a draft under review out of the review queue until the given time, or puts it back with null. Nothing else " +
    "changes: the draft can still be edited, approved or cancelled.",
  whenToUse: "When a decision has to wait, for example until somebody is back.",
  ...changesDraft,
  input: Schema.Struct({
    draft_id: DraftIdText,
    until: Schema.NullOr(isoDateTime).annotate({
      description: "When to show it again, with UTC offset, at most a year ahead; null for now"
    })
  }),
  failures: [DraftFinal, NotFound, WrongState],
  riskNotes: ["The draft is not shown for review until then."],
  relatedCommands: ["review.list", "linkedin.draft.flag", "linkedin.draft.approve"],
  examples: [{ title: "Show it again now", input: { draft_id: "drf_SAMPLE00000000000000000002", until: null } }],
  run: ({ draft_id, until }) => Effect.map(snoozeDraft(draft_id, until), draftResult)
})

/** `linkedin.draft.flag`: flag a LinkedIn draft. */
export const FlagDraft = Command.make({
  id: "linkedin.draft.flag",
  title: "Flag a LinkedIn draft",
  summary: "Flag a draft for other reviewers",
  description:
    "Marks the draft, with a note if you send one, or removes mark and note. It changes nothing else and works in every " +
    "status. review.list can filter by it.",
  whenToUse: "When somebody else should look at a draft, or to find it again.",
  ...changesDraft,
  input: Schema.Struct({
    draft_id: DraftIdText,
    flagged: Schema.Boolean.annotate({ description: "True to flag it, false to remove the flag and its note" }),
    note: Schema.optionalKey(nonEmptyMessage(2_000, "With flagged: true, a note for other reviewers"))
  }),
  failures: [NotFound],
  riskNotes: ["Other reviewers see the flag and the note."],
  relatedCommands: ["review.list", "linkedin.draft.snooze"],
  examples: [
    {
      title: "For the team lead",
      input: { draft_id: "drf_SAMPLE00000000000000000002", flagged: true, note: "Is the price right?" }
    }
  ],
  run: ({ draft_id, flagged, note }) => Effect.map(flagDraft(draft_id, flagged, note), draftResult)
})

/** `linkedin.draft.cancel`: cancels a draft. */
export const CancelDraft = Command.make({
  id: "linkedin.draft.cancel",
  title: "Cancel a LinkedIn draft",
  summary: "Cancel a draft that has not been sent",
  description:
    "Cancels the draft and its queued message. A draft that is being sent, or may have been sent, cannot be cancelled. " +
    "linkedin.draft.reopen undoes it.",
  whenToUse: "When the message should not be sent at all. To change its text, use linkedin.draft.update.",
  ...changesDraft,
  input: Schema.Struct({
    draft_id: DraftIdText,
    reason: Schema.optionalKey(nonEmptyLine(500, "The reason, for the event feed"))
  }),
  failures: [...changeFailures, NotFound],
  riskNotes: ["Cancels a queued message."],
  relatedCommands: ["linkedin.draft.reopen", "linkedin.draft.reject", "linkedin.draft.update"],
  examples: [
    {
      title: "Not the right moment",
      input: { draft_id: "drf_SAMPLE00000000000000000003", reason: "On leave until May" }
    }
  ],
  run: ({ draft_id, reason }) => Effect.map(cancelDraft(draft_id, reason), draftResult)
})
