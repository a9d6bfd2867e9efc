import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { DuplicateReason, DuplicatesRepo, shownDuplicates } from "../duplicates/DuplicatesRepo.ts"

/** `lead.duplicates`: lists possible duplicates. */
export const ListDuplicates = Command.make({
  id: "lead.duplicates",
  title: "Find possible duplicates",
  summary: "List groups of leads that may be the same person",
  description:
    "Leads never share an identifier, but they may share hints: an email address apart from dots and +tag, name and " +
    "company, or a phone number. Returns a page of groups with the reason; review them before merging. Pass " +
    "next_cursor as cursor for the next page; it is null on the last page.",
  whenToUse: "After imports from several sources, before people are contacted twice.",
  category: "leads",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({
    groups: Schema.Array(
      Schema.Struct({
        reason: DuplicateReason,
        lead_ids: Schema.Array(Schema.String).annotate({ description: `Oldest first, at most ${shownDuplicates}` }),
        count: Schema.Int.annotate({ description: "Number of leads in the group" })
      })
    ),
    next_cursor: NextCursor
  }),
  failures: [InvalidCursor],
  relatedCommands: ["lead.merge", "lead.get", "lead.search"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "The first page", input: { limit: 10 } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* DuplicatesRepo
    const { items, nextCursor } = yield* readPage(organizationId, "duplicates", input, (page) =>
      repo.groups(organizationId, page)
    )
    return {
      groups: items.map(({ count, leadIds, reason }) => ({ reason, lead_ids: leadIds, count })),
      next_cursor: nextCursor
    }
  })
})
