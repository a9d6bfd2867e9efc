import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { leadIdField } from "../../leads/index.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { syncConversation } from "../syncConversation.ts"

/** `linkedin.conversation.sync`: reads the conversation with a lead from LinkedIn. */
export const SyncConversation = Command.make({
  id: "linkedin.conversation.sync",
  title: "Read a conversation from LinkedIn",
  summary: "Look how an agent and a lead stand on LinkedIn, and store the messages that are not known yet.",
  description:
    "Asks the provider whether the two are connected and reads their conversation. Messages are stored as if they had " +
    "just come in: an answer moves the lead to Replied and holds back what waits to be sent to it, and words that ask for " +
    "no further contact suppress it. Known messages change nothing.",
  whenToUse: "Before drafting to somebody the agent wrote with elsewhere, and when an answer seems to be missing.",
  category: "linkedin",
  risk: "mutate",
  scope: "linkedin:draft",
  input: Schema.Struct({
    lead_id: leadIdField,
    agent_handle: Schema.optionalKey(nonEmptyLine(200, "Handle or id of the agent; needed when there are several"))
  }),
  output: Schema.Struct({
    synced: Schema.Boolean.annotate({ description: "True when there is a conversation and it was read" }),
    chat_id: Schema.NullOr(Schema.String).annotate({ description: "The provider's id of the conversation, else null" }),
    messages_added: Schema.Int,
    relation: Schema.Struct({
      connected: Schema.Boolean,
      invitation: Schema.Literals(["none", "pending"]).annotate({
        description: "Whether an invitation of ours is open"
      })
    })
  }),
  riskNotes: ["Sends nothing. An answer that is found may cancel what waits to be sent to the lead."],
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
