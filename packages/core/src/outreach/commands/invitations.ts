import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { ContentChanged, InvalidInput, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { DraftInFlight, LeadSuppressed, lookupFailures, SendOutcomeUnknown } from "../../leads/failures.ts"
import { leadIdField } from "../../leads/LeadInput.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { ExpectedProfile, InvitationNote } from "../drafts/DraftInput.ts"
import {
  AccountDisconnected,
  DisclosureRequired,
  DraftFinal,
  GatewayError,
  GatewayRejected,
  NoLinkedinAccount,
  UsageLimit
} from "../failures.ts"
import { invitee, SentInvitation, sendInvitation } from "../transmission/invitations/sendInvitation.ts"
import { WithdrawalResult, withdrawInvitation } from "../transmission/invitations/withdrawInvitation.ts"

/** `linkedin.invitation.send`: asks a lead to connect. */
export const SendInvitation = Command.make({
  id: "linkedin.invitation.send",
  title: "Invite a lead on LinkedIn",
  summary: "Invite a lead to connect on LinkedIn",
  description:
    "Sends an invitation, with or without a note, within the account's limits and the agent's working hours; outside " +
    "of them it is queued. A person who is connected or already invited is not invited again. A message that waits " +
    "for the connection is sent when the person accepts.",
  whenToUse: "Before writing to somebody who is not connected with the agent.",
  category: "linkedin",
  risk: "approval",
  scope: "linkedin:send",
  effects: { does: ["sends"], channels: ["linkedin"] },
  input: Schema.Struct({
    lead_id: leadIdField,
    agent_handle: Schema.optionalKey(nonEmptyLine(200, "Handle or id of the agent; required when there are several")),
    note: Schema.optionalKey(InvitationNote),
    profile_url: ExpectedProfile
  }),
  annotations: { unlisted: ["profile_url"] },
  output: SentInvitation,
  failures: [
    AccountDisconnected,
    ContentChanged,
    DisclosureRequired,
    DraftFinal,
    GatewayRejected,
    LeadSuppressed,
    MissionArchived,
    NoLinkedinAccount,
    NotFound,
    SendOutcomeUnknown,
    WrongState
  ],
  riskNotes: ["Sends a real invitation to a real person.", "LinkedIn restricts accounts that invite too many people."],
  outputNotes: [
    "already_connected and already_pending do not count against the account's limits.",
    "A note may have 200 characters with a free account, otherwise 300."
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
  pin: ({ lead_id, profile_url }) =>
    Effect.map(invitee(lead_id, profile_url), ({ linkedinUrl }) => ({ profile_url: linkedinUrl })),
  run: ({ agent_handle, lead_id, profile_url, note }) =>
    sendInvitation({ leadId: lead_id, linkedinUrl: profile_url, agent: agent_handle, note: note ?? null })
})

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
