import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor, NotFound } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { Instant } from "../../kernel/schema/Time.ts"
import { LeadHistoryRepo } from "../history/LeadHistoryRepo.ts"
import { leadIdField } from "../LeadInput.ts"

const compactText = 280

const cut = (value: unknown): unknown =>
  typeof value === "string" && value.length > compactText ? `${[...value].slice(0, compactText).join("")}…` : value

/** `lead.timeline`: lists what happened with a lead. */
export const ReadLeadTimeline = Command.make({
  id: "lead.timeline",
  title: "Get a lead's timeline",
  summary: "List everything that happened with a lead, newest first",
  description:
    "Returns a page of messages, notes, status changes, drafts, invitations and other events of a lead, including " +
    "those of leads merged into it. Pass next_cursor as cursor for the next page; it is null on the last page.",
  whenToUse: "To understand a lead's current status, and what was said and noted.",
  category: "leads",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({ lead_id: leadIdField, cursor: CursorText, limit: Limit }),
  output: Schema.Struct({
    events: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        type: Schema.String.annotate({ description: "message, note, or an event type" }),
        at: Instant,
        actor: Schema.NullOr(Schema.Struct({ kind: Schema.String, id: Schema.String })),
        data: Schema.Record(Schema.String, Schema.Unknown)
      })
    ),
    next_cursor: NextCursor
  }),
  failures: [InvalidCursor, NotFound],
  outputNotes: ["For a message, data holds direction, channel, content and sender_name; for a note, text."],
  relatedCommands: ["lead.get", "lead.note.add", "lead.message.record"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "The latest ten", input: { lead_id: "ld_SAMPLE00000000000000000001", limit: 10 } }],
  compact: ({ events, next_cursor }) => {
    const shortened = events.map(({ data, ...event }) => ({
      ...event,
      data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cut(value)]))
    }))
    const isCut = events.some(({ data }) => Object.values(data).some((value) => cut(value) !== value))
    return {
      output: { events: shortened, next_cursor },
      warnings: isCut
        ? [`compact: texts are cut to ${compactText} characters; use response_profile full for the rest`]
        : []
    }
  },
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* LeadHistoryRepo
    const { items, nextCursor } = yield* readPage(organizationId, "timeline", input, (page) =>
      Effect.flatMap(repo.timeline(organizationId, input.lead_id, page), (found) =>
        found === undefined ? Effect.fail(new NotFound({ kind: "lead", id: input.lead_id })) : Effect.succeed(found)
      )
    )
    return { events: items, next_cursor: nextCursor }
  })
})
