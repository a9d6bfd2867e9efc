import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { Execution } from "../../Execution.ts"
import { fail } from "../../Failure.ts"
import { requireScope } from "../../Policy.ts"
import { ApproveOutput } from "../ApproveOutput.ts"
import { approveHeld } from "../approveDraft.ts"
import { ApprovedText, DraftIdText, InvitationNote } from "../DraftInput.ts"
import { draftOf } from "../DraftView.ts"
import { holdDraft } from "../readDraft.ts"
import { sendDraft } from "../sending/sendDraft.ts"

const optional = Schema.optionalKey
const noByDefault = (description: string) =>
  Schema.Boolean.annotate({ description, default: false }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

/** `linkedin.draft.approve`: approves one text of a draft and, with send_now, sends it. */
export const ApproveDraft = Command.make({
  id: "linkedin.draft.approve",
  title: "Approve a LinkedIn draft",
  summary: "Approve one variation of a draft and, if wanted, send it at once.",
  description:
    "Marks one text of the draft as ready to send; the dispatcher sends it a little later. With send_now it is sent right " +
    "away, past usage limits and working hours: meant for leads whose conversation is synced. The answer says whether the " +
    "message was sent, is queued, or waits until the person is connected.",
  whenToUse: "After a person read the draft. Send content_hash to approve exactly what was read.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:approve",
  input: Schema.Struct({
    draft_id: DraftIdText,
    send_now: noByDefault("True sends at once; needs the scope linkedin:send"),
    variation_index: optional(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })).annotate({
        description: "Position of the variation, from 0; needed when the draft has several"
      })
    ),
    body_text: optional(ApprovedText),
    content_hash: optional(
      Schema.String.check(Schema.isPattern(/^[0-9a-fA-F]{64}$/u, { expected: "64 hexadecimal digits" })).annotate({
        description: "The content_hash that was read with the draft: refuses the approval if the draft changed since"
      })
    ),
    send_invitation: noByDefault("With send_now: true invites a person who is not connected"),
    invitation_note: optional(InvitationNote)
  }),
  output: ApproveOutput,
  riskNotes: [
    "With send_now a real message may reach a real person, past usage limits and working hours.",
    "Without send_now the dispatcher sends the message later, unless the draft is changed or cancelled before."
  ],
  outputNotes: [
    "mode is approved without send_now, and sent with it, also when the message is queued or waits.",
    "Only a draft in DISPATCHED was confirmed by the provider."
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
  examples: [
    {
      title: "Approve the first variation",
      input: { draft_id: "drf_SAMPLE00000000000000000001", variation_index: 0 }
    }
  ],
  run: Effect.fnUntraced(function* (input) {
    const { body_text, content_hash, draft_id, invitation_note, send_invitation, send_now, variation_index } = input
    const choice = {
      variationIndex: variation_index,
      bodyText: body_text,
      contentHash: content_hash?.toLowerCase()
    }
    if (!send_now) {
      if (send_invitation || invitation_note !== undefined) {
        return yield* fail(
          "INVALID_INPUT",
          "send_invitation and invitation_note: go with send_now only. Add send_now: true, or leave them out."
        )
      }
      const execution = yield* Execution
      const approval = Effect.gen(function* () {
        const view = yield* approveHeld(yield* holdDraft(draft_id), choice, false)
        return { draft: draftOf(view), dispatch_result: null, mode: "approved" as const }
      })
      return yield* execution.finish(approval)
    }
    yield* requireScope("linkedin:send", "send_now")
    if (invitation_note !== undefined && !send_invitation) {
      return yield* fail(
        "INVALID_INPUT",
        "invitation_note: needs send_invitation: true. Add it, or leave the note out."
      )
    }
    const note = invitation_note ?? null
    return yield* sendDraft({ draftId: draft_id, choice, invite: send_invitation, note })
  })
})
