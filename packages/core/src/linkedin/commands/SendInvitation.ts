import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { leadIdField } from "../../leads/index.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { InvitationNote } from "../DraftInput.ts"
import { SentInvitation, sendInvitation } from "../invitations/sendInvitation.ts"

/** `linkedin.invitation.send`: asks a lead to connect. */
export const SendInvitation = Command.make({
  id: "linkedin.invitation.send",
  title: "Invite a lead on LinkedIn",
  summary: "Ask a lead to connect with an agent's LinkedIn account, with or without a note.",
  description:
    "Sends the invitation within the account's limits and the agent's working hours; outside of them it is queued and " +
    "leaves by itself. A person who is connected, or invited already, is not invited again. A message that waits for the " +
    "connection leaves when the person accepts.",
  whenToUse: "Before writing to somebody who is not connected with the agent.",
  category: "linkedin",
  risk: "approval",
  scope: "linkedin:send",
  input: Schema.Struct({
    lead_id: leadIdField,
    agent_handle: Schema.optionalKey(nonEmptyLine(200, "Handle or id of the agent; needed when there are several")),
    note: Schema.optionalKey(InvitationNote)
  }),
  output: SentInvitation,
  riskNotes: ["A real person may get a real invitation.", "LinkedIn restricts accounts that invite too many people."],
  outputNotes: [
    "already_connected and already_pending cost nothing of the account's limits.",
    "A note may have 200 characters with a free account, else 300."
  ],
  relatedCommands: [
    "linkedin.invitation.withdraw",
    "linkedin.queue.list",
    "linkedin.usage.get",
    "linkedin.draft.approve"
  ],
  relatedResources: ["svc://linkedin/queue", "svc://linkedin/usage"],
  outward: true,
  examples: [{ title: "One lead", input: { lead_id: "ld_SAMPLE00000000000000000003", agent_handle: "ada-martin" } }],
  run: Effect.fnUntraced(function* ({ agent_handle, lead_id, note }) {
    const request = { leadId: lead_id, agent: agent_handle, note: note ?? null }
    return yield* sendInvitation(request)
  })
})
