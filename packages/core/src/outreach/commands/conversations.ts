import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { InvalidCursor, NotFound } from "../../kernel/failure/failures.ts"
import { Instant } from "../../kernel/schema/IdsAndTime.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { lookupFailures } from "../../leads/failures.ts"
import { leadIdField } from "../../leads/LeadInput.ts"
import { LeadsRepo } from "../../leads/LeadsRepo.ts"
import { syncConversation } from "../conversations/syncConversation.ts"
import {
  AccountDisconnected,
  GatewayError,
  GatewayRejected,
  GatewayUnconfigured,
  NoLinkedinAccount,
  UsageLimit
} from "../failures.ts"

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
  category: "linkedin",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({ lead_id: leadIdField, cursor: CursorText, limit: Limit }),
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
    const { organizationId } = yield* Actor
    const repo = yield* LeadsRepo
    const { items, nextCursor } = yield* readPage(organizationId, "conversation", input, (page) =>
      Effect.flatMap(repo.conversation(organizationId, input.lead_id, "LINKEDIN", page), (found) =>
        found === undefined ? Effect.fail(new NotFound({ kind: "lead", id: input.lead_id })) : Effect.succeed(found)
      )
    )
    return {
      messages: items.map(({ content, date, direction, externalId, id, senderName }) => ({
        message_id: id,
        direction,
        content,
        date,
        sender_name: senderName,
        external_id: externalId
      })),
      next_cursor: nextCursor
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
  category: "linkedin",
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
  failures: [
    ...lookupFailures,
    AccountDisconnected,
    GatewayError,
    GatewayRejected,
    GatewayUnconfigured,
    NoLinkedinAccount,
    UsageLimit
  ],
  riskNotes: ["Sends nothing. A reply may cancel messages to the lead that are not sent yet."],
  relatedCommands: ["linkedin.conversation.get", "linkedin.draft.create", "lead.message.record"],
  relatedResources: ["svc://prospects/{id}", "svc://inbox"],
  outward: true,
  examples: [{ title: "One lead", input: { lead_id: "ld_SAMPLE00000000000000000001", agent_handle: "ada-martin" } }],
  run: Effect.fnUntraced(function* ({ agent_handle, lead_id }) {
    const { added, relation } = yield* syncConversation(lead_id, agent_handle)
    const { chatId, connected, invitation } = relation
    return {
      synced: chatId !== null,
      chat_id: chatId,
      messages_added: added,
      relation: { connected, invitation }
    }
  })
})
