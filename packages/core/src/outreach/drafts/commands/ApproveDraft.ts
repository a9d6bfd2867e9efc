import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { requireScope } from "../../../kernel/command/Policy.ts"
import { ContentChanged, InvalidInput, NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { LeadSuppressed } from "../../../leads/failures.ts"
import { MissionArchived } from "../../../missions/failures.ts"
import {
  AccountDisconnected,
  changeFailures,
  DisclosureRequired,
  DraftEmpty,
  EvidenceRequired,
  GatewayRejected,
  NoLinkedinAccount,
  VariationRequired
} from "../../failures.ts"
import { sendDraft } from "../../transmission/sendDraft.ts"
import { ApproveOutput } from "../ApproveOutput.ts"
import { approveHeld, pinApproval } from "../approveDraft.ts"
import { ApprovedText, ContentHash, DraftIdText, ExpectedProfile, InvitationNote } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { holdDraft } from "../readDraft.ts"
import type { ApprovalChoice } from "../VariationChoice.ts"

const optional = Schema.optionalKey
const noByDefault = (description: string) =>
  Schema.Boolean.annotate({ description, default: false }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

/** How a caller names the text: also of an item of `linkedin.draft.approve-many`. */
export const choiceOf = (input: {
  readonly variation_index?: number
  readonly body_text?: string
  readonly content_hash?: string
  readonly profile_url?: string
}): ApprovalChoice => ({
  variationIndex: input.variation_index,
  bodyText: input.body_text,
  contentHash: input.content_hash?.toLowerCase(),
  profileUrl: input.profile_url
})

/** `linkedin.draft.approve`: approves one text of a draft and, with send_now, sends it. */
export const ApproveDraft = Command.make({
  id: "linkedin.draft.approve",
  title: "Approve a LinkedIn draft",
  summary: "Approve a draft variation and optionally send it",
  description:
    "Marks one text of the draft as ready to send; the dispatcher sends it a little later. send_now sends it " +
    "immediately, bypassing usage limits and working hours: use it for leads whose conversation is synced. Returns " +
    "whether the message was sent, is queued, or waits until the person is connected.",
  whenToUse: "After a person has read the draft. Send content_hash to approve exactly what was read.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:approve",
  unlisted: ["send_invitation", "invitation_note", "profile_url"],
  effects: { does: ["approves", "sends"], channels: ["linkedin"] },
  includes: ({ send_invitation, send_now }) =>
    send_now && send_invitation ? { "linkedin.invitation.send": "send_invitation" } : {},
  input: Schema.Struct({
    draft_id: DraftIdText,
    send_now: noByDefault("True sends now; requires scope linkedin:send"),
    variation_index: optional(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })).annotate({
        description: "Position of the variation. It starts at 0; required when the draft has several"
      })
    ),
    body_text: optional(ApprovedText),
    content_hash: ContentHash,
    profile_url: ExpectedProfile,
    send_invitation: noByDefault(
      "With send_now: true, invites a person who is not connected; obeys policies for linkedin.invitation.send"
    ),
    invitation_note: optional(InvitationNote)
  }),
  output: ApproveOutput,
  failures: [
    ...changeFailures,
    AccountDisconnected,
    ContentChanged,
    DisclosureRequired,
    DraftEmpty,
    EvidenceRequired,
    GatewayRejected,
    LeadSuppressed,
    MissionArchived,
    NoLinkedinAccount,
    NotFound,
    VariationRequired,
    WrongState
  ],
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
