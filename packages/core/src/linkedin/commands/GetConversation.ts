import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { notFound } from "../../Failure.ts"
import { LeadHistoryRepo, leadIdField } from "../../leads/index.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../Page.ts"
import { Instant } from "../../Time.ts"

const compactContent = 280

const cut = (text: string): string =>
  text.length > compactContent ? `${[...text].slice(0, compactContent).join("")}…` : text

/** `linkedin.conversation.get`: reads what was written on LinkedIn with a lead. */
export const GetConversation = Command.make({
  id: "linkedin.conversation.get",
  title: "Read a LinkedIn conversation",
  summary: "Read the LinkedIn messages to and from one lead, newest first.",
  description:
    "Answers a page of the messages that are stored, of whatever agent; LinkedIn is not asked. Pass next_cursor as cursor " +
    "for the next page; it is null on the last one.",
  whenToUse: "Before an answer is drafted. Run linkedin.conversation.sync first where messages may be missing.",
  category: "linkedin",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({ lead_id: leadIdField, cursor: CursorText, limit: Limit }),
  output: Schema.Struct({
    messages: Schema.Array(
      Schema.Struct({
        message_id: Schema.String,
        direction: Schema.Literals(["inbound", "outbound"]).annotate({ description: "inbound: the lead wrote" }),
        content: Schema.String.annotate({ description: "Empty for a message without text, such as a picture" }),
        date: Instant,
        sender_name: Schema.NullOr(Schema.String),
        external_id: Schema.NullOr(Schema.String).annotate({ description: "The provider's id, null when it gave none" })
      })
    ),
    next_cursor: NextCursor
  }),
  relatedCommands: ["linkedin.conversation.sync", "lead.timeline", "linkedin.draft.create"],
  relatedResources: ["svc://prospects/{id}", "svc://inbox"],
  examples: [{ title: "The latest messages", input: { lead_id: "ld_SAMPLE00000000000000000001" } }],
  compact: ({ messages, next_cursor }) => ({
    output: { messages: messages.map((message) => ({ ...message, content: cut(message.content) })), next_cursor },
    warnings: messages.some(({ content }) => cut(content) !== content)
      ? [`compact: messages are cut after ${compactContent} characters; ask for response_profile full`]
      : []
  }),
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* LeadHistoryRepo
    const { items, nextCursor } = yield* readPage(organizationId, "conversation", input, (page) =>
      Effect.flatMap(repo.conversation(organizationId, input.lead_id, "LINKEDIN", page), (found) =>
        found === undefined ? Effect.fail(notFound("lead", input.lead_id)) : Effect.succeed(found)
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
