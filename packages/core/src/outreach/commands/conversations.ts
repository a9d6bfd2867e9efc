import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { orNotFound } from "../../kernel/command/Execution.ts"
import { ContentChanged, InvalidCursor, InvalidInput, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { Instant } from "../../kernel/schema/IdsAndTime.ts"
import { NextCursor, pageFields, readPage } from "../../kernel/schema/Page.ts"
import { snakeKeys } from "../../kernel/schema/snakeCase.ts"
import { isoDateTime, nonEmptyLine, nonEmptyMessage } from "../../kernel/schema/TextFields.ts"
import { DraftInFlight, DraftOpen, LeadSuppressed, lookupFailures, SendOutcomeUnknown } from "../../leads/failures.ts"
import { leadIdField } from "../../leads/Lead.ts"
import { LeadsRepo } from "../../leads/LeadsRepo.ts"
import { draftRequestOf, ProspectContext } from "../../leads/ProspectContext.ts"
import { MissionArchived } from "../../missions/failures.ts"
import { requestDraft, snoozeConversation } from "../conversations/reviewConversation.ts"
import { syncConversation } from "../conversations/syncConversation.ts"
import { ExpectedProfile, InvitationNote } from "../DraftInput.ts"
import * as Failures from "../failures.ts"
import { invitee, SentInvitation, sendInvitation } from "../invitations/sendInvitation.ts"
import { WithdrawalResult, withdrawInvitation } from "../settle.ts"

/** Failures of asking the provider with the account of an agent. */
const accountFailures = [
  Failures.AccountDisconnected,
  Failures.GatewayError,
  Failures.GatewayRejected,
  Failures.NoLinkedinAccount,
  Failures.UsageLimit
] as const

const compactContent = 280

const cut = (text: string): string =>
  text.length > compactContent ? `${[...text].slice(0, compactContent).join("")}…` : text

/** `linkedin.conversation.get`: reads what was written on LinkedIn with a lead. */
export const GetConversation = Command.make({
  id: "linkedin.conversation.get",
  title: "Get a LinkedIn conversation",
  summary: "List LinkedIn messages with a lead, newest first",
  description:
    "Returns a page of stored messages, from any agent; LinkedIn is not contacted. Pass next_cursor as cursor for " +
    "the next page; it is null on the last page.",
  whenToUse: "Before drafting a reply. If messages may be missing, run linkedin.conversation.sync first.",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({ lead_id: leadIdField, ...pageFields }),
  output: Schema.Struct({
    messages: Schema.Array(
      Schema.Struct({
        message_id: Schema.String,
        direction: Schema.Literals(["inbound", "outbound"]).annotate({ description: "inbound: from the lead" }),
        content: Schema.String.annotate({ description: "Empty for a message without text, such as a picture" }),
        date: Instant,
        sender_name: Schema.NullOr(Schema.String),
        external_id: Schema.NullOr(Schema.String).annotate({ description: "The provider's id, or null" })
      })
    ),
    next_cursor: NextCursor
  }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["linkedin.conversation.sync", "lead.timeline", "linkedin.draft.create"],
  relatedResources: ["svc://prospects/{id}", "svc://inbox"],
  examples: [{ title: "The latest messages", input: { lead_id: "ld_SAMPLE00000000000000000001" } }],
  compact: ({ messages, next_cursor }) => ({
    output: { messages: messages.map((message) => ({ ...message, content: cut(message.content) })), next_cursor },
    warnings: messages.some(({ content }) => cut(content) !== content)
      ? [`compact: messages are cut to ${compactContent} characters; use response_profile full for the rest`]
      : []
  }),
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* LeadsRepo
    const { items, next_cursor } = yield* readPage("conversation", input, (organizationId, page) =>
      orNotFound("lead", input.lead_id, repo.conversation(organizationId, input.lead_id, "LINKEDIN", page))
    )
    return {
      messages: items.map(({ id, mail: _, ...message }) => ({ message_id: id, ...snakeKeys(message) })),
      next_cursor
    }
  })
})

/** `linkedin.conversation.sync`: reads the conversation with a lead from LinkedIn. */
export const SyncConversation = Command.make({
  id: "linkedin.conversation.sync",
  title: "Sync a LinkedIn conversation",
  summary: "Read the relation and new messages from LinkedIn",
  description:
    "Asks the provider whether the agent and the lead are connected and reads their conversation. New messages are " +
    "handled as if they had just arrived: a reply moves the lead to Replied and stops messages that are not sent " +
    "yet, and an opt-out suppresses the lead. Known messages change nothing.",
  whenToUse: "Before drafting to somebody the agent wrote to elsewhere, and when a reply seems to be missing.",
  risk: "mutate",
  scope: "linkedin:draft",
  effects: { does: ["reads", "drafts"], channels: ["linkedin"] },
  input: Schema.Struct({
    lead_id: leadIdField,
    agent_handle: Schema.optionalKey(nonEmptyLine(200, "Handle or id of the agent; required when there are several"))
  }),
  output: Schema.Struct({
    synced: Schema.Boolean.annotate({ description: "True when a conversation was found and read" }),
    chat_id: Schema.NullOr(Schema.String).annotate({ description: "The provider's id of the conversation, or null" }),
    messages_added: Schema.Int,
    relation: Schema.Struct({
      connected: Schema.Boolean,
      invitation: Schema.Literals(["none", "pending"]).annotate({
        description: "Whether an invitation from us is open"
      })
    })
  }),
  failures: [...lookupFailures, ...accountFailures, Failures.GatewayUnconfigured],
  riskNotes: ["Sends nothing. A reply may cancel messages to the lead that are not sent yet."],
  relatedCommands: ["linkedin.conversation.get", "linkedin.draft.create", "lead.message.record"],
  relatedResources: ["svc://prospects/{id}", "svc://inbox"],
  outward: true,
  examples: [{ title: "One lead", input: { lead_id: "ld_SAMPLE00000000000000000001", agent_handle: "ada-martin" } }],
  run: Effect.fnUntraced(function* ({ agent_handle, lead_id }) {
    const { added, relation } = yield* syncConversation(lead_id, agent_handle)
    const { chatId, connected, invitation } = relation
    return { synced: chatId !== null, chat_id: chatId, messages_added: added, relation: { connected, invitation } }
  })
})

/** `linkedin.conversation.snooze`: puts a conversation aside until a time. */
export const SnoozeConversation = Command.make({
  id: "linkedin.conversation.snooze",
  title: "Snooze a conversation",
  summary: "Hide a reply until a time, without a status change",
  description:
    "Takes the lead out of the replies that wait until the given time, or puts it back with null. The next message in " +
    "either direction ends it. The lead's status stays, and messages that are queued are sent.",
  whenToUse: "When a reply has to wait, for example because the person asked to be written to next month.",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    lead_id: leadIdField,
    until: Schema.NullOr(isoDateTime).annotate({
      description: "When to show it again, with UTC offset, at most a year ahead; null for now"
    })
  }),
  output: Schema.Struct({ lead_id: Schema.String, snoozed_until: Schema.NullOr(Instant) }),
  failures: [NotFound, WrongState],
  riskNotes: ["Until then, neither review.list nor mission.next-actions shows the reply as waiting."],
  relatedCommands: ["review.list", "linkedin.draft.create", "lead.status.set"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "Show it again now", input: { lead_id: "ld_SAMPLE00000000000000000001", until: null } }],
  run: ({ lead_id, until }) =>
    Effect.map(snoozeConversation(lead_id, until), ({ id, snoozedUntil }) => ({
      lead_id: id,
      snoozed_until: snoozedUntil
    }))
})

/** `linkedin.conversation.request-draft`: asks the writers for a draft. */
export const RequestDraft = Command.make({
  id: "linkedin.conversation.request-draft",
  title: "Request a draft to a lead",
  summary: "Ask the writers for a draft to a lead",
  description:
    "Keeps the instructions with the lead until a draft or an email is written or a message is sent, and emits draft.requested. " +
    "Writers see the request first in mission.next-actions, and the instructions in lead.get. Send null to withdraw it.",
  whenToUse:
    "When an AI agent or a colleague should write the answer. For another text of an open draft, use linkedin.draft.request-rewrite.",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    lead_id: leadIdField,
    mission_id: Schema.optionalKey(nonEmptyLine(64, "Mission of the draft, by id or handle")),
    instructions: Schema.NullOr(nonEmptyMessage(2_000, "What to write, for the writer")).annotate({
      description: "What to write, for the writer; null to withdraw the request"
    })
  }),
  output: Schema.Struct({ lead_id: Schema.String, draft_request: ProspectContext.fields.draft_request }),
  failures: [DraftOpen, LeadSuppressed, MissionArchived, NotFound],
  riskNotes: ["Writes and sends nothing by itself."],
  relatedCommands: ["mission.next-actions", "lead.get", "linkedin.draft.create", "linkedin.draft.request-rewrite"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    {
      title: "An answer to a question",
      input: { lead_id: "ld_SAMPLE00000000000000000001", instructions: "Thank her, and propose Thursday at ten." }
    }
  ],
  run: ({ instructions, lead_id, mission_id }) =>
    Effect.map(requestDraft({ leadId: lead_id, mission: mission_id, instructions }), (row) => ({
      lead_id: row.id,
      draft_request: draftRequestOf(row)
    }))
})

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
  scope: "linkedin:send",
  risk: "approval",
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
    Failures.AccountDisconnected,
    ContentChanged,
    Failures.DisclosureRequired,
    Failures.DraftFinal,
    Failures.GatewayRejected,
    LeadSuppressed,
    MissionArchived,
    Failures.NoLinkedinAccount,
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

/** `linkedin.invitation.withdraw`: takes an invitation back. */
export const WithdrawInvitation = Command.make({
  id: "linkedin.invitation.withdraw",
  title: "Withdraw an invitation",
  summary: "Withdraw an open or queued LinkedIn invitation",
  description:
    "Cancels a queued invitation; withdraws an open one on LinkedIn, within the account's daily limit. The person " +
    "can be invited again after 21 days. A message that waits for the connection keeps waiting.",
  whenToUse: "When a person should not be invited after all, or has not accepted for weeks.",
  risk: "mutate",
  scope: "linkedin:send",
  effects: { does: ["sends"], channels: ["linkedin"] },
  input: Schema.Struct({
    lead_id: Schema.optionalKey(leadIdField),
    invitation_id: Schema.optionalKey(nonEmptyLine(64, "Id of the invitation; or send lead_id")),
    agent_handle: Schema.optionalKey(
      nonEmptyLine(200, "With lead_id: handle or id of the agent; required when several agents invited the lead")
    )
  }),
  output: WithdrawalResult,
  failures: [...lookupFailures, ...accountFailures, DraftInFlight, WrongState],
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
