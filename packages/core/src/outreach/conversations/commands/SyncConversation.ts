import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { lookupFailures } from "../../../leads/failures.ts"
import { leadIdField } from "../../../leads/LeadInput.ts"
import {
  AccountDisconnected,
  GatewayError,
  GatewayRejected,
  GatewayUnconfigured,
  NoLinkedinAccount,
  UsageLimit
} from "../../failures.ts"
import { syncConversation } from "../syncConversation.ts"

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
