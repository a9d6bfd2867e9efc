import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { InvalidInput, WrongState } from "../../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { DraftInFlight, lookupFailures } from "../../../leads/failures.ts"
import { leadIdField } from "../../../leads/LeadInput.ts"
import { AccountDisconnected, GatewayError, GatewayRejected, NoLinkedinAccount, UsageLimit } from "../../failures.ts"
import { WithdrawalResult, withdrawInvitation } from "../invitations/withdrawInvitation.ts"

const optional = Schema.optionalKey

/** `linkedin.invitation.withdraw`: takes an invitation back. */
export const WithdrawInvitation = Command.make({
  id: "linkedin.invitation.withdraw",
  title: "Withdraw an invitation",
  summary: "Withdraw an open or queued LinkedIn invitation",
  description:
    "Cancels a queued invitation; withdraws an open one on LinkedIn, within the account's daily limit. The person " +
    "can be invited again after 21 days. A message that waits for the connection keeps waiting.",
  whenToUse: "When a person should not be invited after all, or has not accepted for weeks.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:send",
  effects: { does: ["sends"], channels: ["linkedin"] },
  input: Schema.Struct({
    lead_id: optional(leadIdField),
    invitation_id: optional(nonEmptyLine(64, "Id of the invitation; or send lead_id")),
    agent_handle: optional(
      nonEmptyLine(200, "With lead_id: handle or id of the agent; required when several agents invited the lead")
    )
  }),
  output: WithdrawalResult,
  failures: [
    ...lookupFailures,
    AccountDisconnected,
    DraftInFlight,
    GatewayError,
    GatewayRejected,
    NoLinkedinAccount,
    UsageLimit,
    WrongState
  ],
  riskNotes: ["LinkedIn refuses another invitation to the same person for 21 days."],
  relatedCommands: ["linkedin.invitation.send", "linkedin.queue.list", "linkedin.queue.cancel"],
  relatedResources: ["svc://linkedin/queue"],
  outward: true,
  examples: [{ title: "By lead", input: { lead_id: "ld_SAMPLE00000000000000000003" } }],
  run: Effect.fnUntraced(function* ({ agent_handle, invitation_id, lead_id }) {
    if ((lead_id === undefined) === (invitation_id === undefined)) {
      return yield* new InvalidInput({ message: "lead_id, invitation_id: exactly one of them is required. Send one." })
    }
    if (invitation_id !== undefined && agent_handle !== undefined) {
      return yield* new InvalidInput({ message: "agent_handle: goes with lead_id only. Leave it out." })
    }
    const request =
      invitation_id === undefined ? { leadId: lead_id ?? "", agent: agent_handle } : { invitationId: invitation_id }
    return yield* withdrawInvitation(request)
  })
})
