import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../Page.ts"
import { DuplicateReason, DuplicatesRepo, shownDuplicates } from "../duplicates/DuplicatesRepo.ts"

/** `lead.duplicates`: lists leads that may be one person. */
export const ListDuplicates = Command.make({
  id: "lead.duplicates",
  title: "Find possible duplicates",
  summary: "List groups of leads that may be the same person, with the reason.",
  description:
    "Leads never share an identifier, but may share what only hints at a person: an e-mail address but for dots and +tag, " +
    "name and company, or a phone number. Answers a page of such groups; look at them before merging. Pass next_cursor as " +
    "cursor for the next page; it is null on the last one.",
  whenToUse: "After imports from several sources, before people are written to twice.",
  category: "leads",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({
    groups: Schema.Array(
      Schema.Struct({
        reason: DuplicateReason,
        lead_ids: Schema.Array(Schema.String).annotate({ description: `Oldest first, at most ${shownDuplicates}` }),
        count: Schema.Int.annotate({ description: "How many leads are in the group" })
      })
    ),
    next_cursor: NextCursor
  }),
  relatedCommands: ["lead.merge", "lead.get", "lead.search"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "The first groups", input: { limit: 10 } }],
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
