import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor, orNotFound, warn } from "../../kernel/command/Execution.ts"
import { requireScope } from "../../kernel/command/Policy.ts"
import { ContentChanged, InvalidInput, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { optional } from "../../kernel/schema/TextFields.ts"
import { LeadSuppressed } from "../../leads/failures.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { type Approval, approveHeld, decideApproval, pinApproval, storeApprovals } from "../approveDraft.ts"
import * as DraftInput from "../DraftInput.ts"
import { DraftsRepo, draftOf, holdDraft } from "../DraftsRepo.ts"
import * as Failures from "../failures.ts"
import { ApproveOutput, LinkedInDraft } from "../LinkedInDraft.ts"
import { NotBefore } from "../schedule.ts"
import { sendDraft } from "../sendDraft.ts"

const noByDefault = (description: string) =>
  Schema.Boolean.annotate({ description, default: false }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

/** Failures of approving a draft, without those of sending it. */
const approvalFailures = [
  ...Failures.changeFailures,
  ContentChanged,
  Failures.DisclosureRequired,
  Failures.DraftEmpty,
  Failures.EvidenceRequired,
  LeadSuppressed,
  MissionArchived,
  NotFound,
  Failures.VariationRequired,
  WrongState
] as const

/** How a caller names the text, and what was read of it. */
const choiceFields = {
  variation_index: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })),
    "Position of the variation. It starts at 0; required when the draft has several"
  ),
  body_text: Schema.optionalKey(DraftInput.ApprovedText),
  content_hash: DraftInput.ContentHash,
  profile_url: DraftInput.ExpectedProfile,
  not_before: NotBefore
}

const choiceOf = (input: Schema.Struct.Type<typeof choiceFields>): DraftInput.ApprovalChoice => ({
  variationIndex: input.variation_index,
  bodyText: input.body_text,
  contentHash: input.content_hash?.toLowerCase(),
  profileUrl: input.profile_url,
  notBefore: input.not_before
})

/** `linkedin.draft.approve`: approves one text of a draft and, with send_now, sends it. */
export const ApproveDraft = Command.make({
  id: "linkedin.draft.approve",
  title: "Approve a LinkedIn draft",
  summary: "Approve a draft variation and optionally send it",
  description:
    "Marks one text of the draft as ready to send; the dispatcher sends it a little later. send_now sends it " +
    "immediately, bypassing usage limits and working hours: use it for leads whose conversation is synced. not_before " +
    "sends it at a time or later; approve again to change that. Returns whether the message was sent, is queued, or " +
    "waits until the person is connected.",
  whenToUse: "After a person has read the draft. Send content_hash to approve exactly what was read.",
  risk: "mutate",
  scope: "linkedin:approve",
  annotations: { unlisted: ["send_invitation", "invitation_note", "profile_url", "not_before"] },
  effects: { does: ["approves", "sends"], channels: ["linkedin"] },
  includes: ({ send_invitation, send_now }) =>
    send_now && send_invitation ? { "linkedin.invitation.send": "send_invitation" } : {},
  input: Schema.Struct({
    draft_id: DraftInput.DraftIdText,
    send_now: noByDefault("True sends now; requires scope linkedin:send"),
    ...choiceFields,
    send_invitation: noByDefault(
      "With send_now: true, invites a person who is not connected; obeys policies for linkedin.invitation.send"
    ),
    invitation_note: Schema.optionalKey(DraftInput.InvitationNote)
  }),
  output: ApproveOutput,
  failures: [...approvalFailures, Failures.AccountDisconnected, Failures.GatewayRejected, Failures.NoLinkedinAccount],
  riskNotes: [
    "With send_now a real message is sent to a real person, bypassing usage limits and working hours.",
    "Without send_now the dispatcher sends the message later, unless the draft is changed or cancelled first."
  ],
  outputNotes: [
    "mode is approved without send_now and sent with it, even when the message is queued or waiting.",
    "Only DISPATCHED means that the provider confirmed the message."
  ],
  relatedCommands: [
    "linkedin.draft.check",
    "linkedin.draft.approve-many",
    "linkedin.draft.get",
    "linkedin.draft.cancel",
    "linkedin.draft.update"
  ],
  relatedResources: ["svc://linkedin/drafts/pending", "svc://linkedin/drafts/{id}"],
  outward: true,
  // Without send_now it is one transaction: what a killed process left of it is gone at once, so it can be repeated at once.
  reachesOut: ({ send_now }) => send_now,
  examples: [
    {
      title: "Approve the first variation",
      input: { draft_id: "drf_SAMPLE00000000000000000001", variation_index: 0 }
    },
    {
      title: "Send it on the next working morning",
      input: { draft_id: "drf_SAMPLE00000000000000000001", variation_index: 0, not_before: "next_morning" }
    }
  ],
  pin: (input) => pinApproval(input.draft_id, choiceOf(input)),
  run: Effect.fnUntraced(function* (input) {
    const { draft_id, invitation_note, send_invitation, send_now } = input
    const choice = choiceOf(input)
    if (!send_now) {
      if (send_invitation || invitation_note !== undefined) {
        return yield* new InvalidInput({
          message: "send_invitation and invitation_note require send_now. Add send_now: true, or leave them out."
        })
      }
      const view = yield* approveHeld(yield* holdDraft(draft_id), choice, false)
      return { draft: draftOf(view), dispatch_result: null, mode: "approved" as const }
    }
    if (input.not_before !== undefined) {
      return yield* new InvalidInput({ message: "not_before cannot be used with send_now. Leave one of them out." })
    }
    yield* requireScope("linkedin:send", "send_now")
    if (invitation_note !== undefined && !send_invitation) {
      return yield* new InvalidInput({
        message: "invitation_note requires send_invitation: true. Add it, or leave the note out."
      })
    }
    const note = invitation_note ?? null
    return yield* sendDraft({ draftId: draft_id, choice, invite: send_invitation, note })
  })
})

const maxItems = 50

const Item = Schema.Struct({ draft_id: DraftInput.DraftIdText, ...choiceFields })

const ApprovalResult = Schema.Struct({
  draft_id: Schema.String,
  ok: Schema.Boolean,
  draft: Schema.NullOr(LinkedInDraft).annotate({ description: "The approved draft; null if it was refused" }),
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String }))
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
  risk: "approval",
  scope: "linkedin:approve",
  annotations: { unlisted: ["items.profile_url"] },
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
  failures: approvalFailures,
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
    const held = yield* (yield* DraftsRepo).hold(organizationId, { draftIds: ids })
    const views = new Map(held.map((view) => [view.row.id, view]))
    const approvals: Array<Approval> = []
    const refusals = new Map<string, { readonly code: string; readonly message: string }>()
    for (const [index, item] of items.entries()) {
      const { draft_id } = item
      const found = orNotFound("draft", draft_id, Effect.succeed(views.get(draft_id)))
      const decided = yield* Effect.result(Effect.flatMap(found, (view) => decideApproval(view, choiceOf(item))))
      if (decided._tag === "Failure") {
        const { code, entry, message } = decided.failure
        // A store that does not answer refuses no draft: it undoes the run.
        if (entry.kind === "Unavailable") return yield* decided.failure
        refusals.set(draft_id, { code, message })
        continue
      }
      const approval = decided.success
      const text = approval?.row.selectedBodyText ?? ""
      if (approval !== undefined) approvals.push(approval)
      if (text.length > DraftInput.recommendedLength) {
        yield* warn(
          `long_message: items[${index}] has ${text.length} characters; LinkedIn may refuse more than ${DraftInput.recommendedLength}.`
        )
      }
    }
    for (const view of yield* storeApprovals(approvals, false)) views.set(view.row.id, view)
    return {
      results: ids.map((draft_id): typeof ApprovalResult.Type => {
        const view = views.get(draft_id)
        const error = refusals.get(draft_id) ?? null
        const ok = view !== undefined && error === null
        return { draft_id, ok, draft: ok ? draftOf(view) : null, error }
      })
    }
  })
})
