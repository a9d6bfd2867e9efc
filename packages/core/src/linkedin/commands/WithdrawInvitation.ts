import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { fail } from "../../Failure.ts"
import { leadIdField } from "../../leads/index.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { Withdrawn, withdrawInvitation } from "../invitations/withdrawInvitation.ts"

const optional = Schema.optionalKey

/** `linkedin.invitation.withdraw`: takes an invitation back. */
export const WithdrawInvitation = Command.make({
  id: "linkedin.invitation.withdraw",
  title: "Take an invitation back",
  summary: "Take an invitation to connect back that was not accepted, or that has not left yet.",
  description:
    "One that is queued is dropped; one that is open is withdrawn at LinkedIn, within the account's daily limit. The person " +
    "can be invited again after 21 days. A message that waits for the connection goes on waiting.",
  whenToUse: "When a person should not be asked after all, or has not answered for weeks.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:send",
  input: Schema.Struct({
    lead_id: optional(leadIdField),
    invitation_id: optional(nonEmptyLine(64, "Id of the invitation; or send lead_id")),
    agent_handle: optional(nonEmptyLine(200, "With lead_id: handle or id of the agent, needed when several invited"))
  }),
  output: Withdrawn,
  riskNotes: ["LinkedIn refuses another invitation to the same person for 21 days."],
  relatedCommands: ["linkedin.invitation.send", "linkedin.queue.list", "linkedin.queue.cancel"],
  relatedResources: ["svc://linkedin/queue"],
  outward: true,
  examples: [{ title: "By the lead", input: { lead_id: "ld_SAMPLE00000000000000000003" } }],
  run: Effect.fnUntraced(function* ({ agent_handle, invitation_id, lead_id }) {
    if ((lead_id === undefined) === (invitation_id === undefined)) {
      return yield* fail("INVALID_INPUT", "lead_id, invitation_id: exactly one of them is required. Send one.")
    }
    if (invitation_id !== undefined && agent_handle !== undefined) {
      return yield* fail("INVALID_INPUT", "agent_handle: goes with lead_id only. Leave it out.")
    }
    const request =
      invitation_id === undefined ? { leadId: lead_id ?? "", agent: agent_handle } : { invitationId: invitation_id }
    return yield* withdrawInvitation(request)
  })
})
