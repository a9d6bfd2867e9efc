import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor, NotFound } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor } from "../../kernel/schema/Page.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { Email } from "../Email.ts"
import { EmailStates } from "../emailFields.ts"
import { listEmails } from "../listEmails.ts"

const optional = Schema.optionalKey

/** `email.list`: reads e-mails, newest first. */
export const ListEmails = Command.make({
  id: "email.list",
  title: "List emails",
  summary: "List emails and their status, newest first",
  description: "Returns a page of emails. Pass next_cursor as cursor for the next page; it is null on the last page.",
  whenToUse:
    "To see what was written to a lead or for a mission, what is waiting, and what needs attention (state ambiguous).",
  category: "email",
  risk: "read",
  scope: "email:read",
  input: Schema.Struct({
    state: optional(EmailStates.annotate({ description: "Only emails in these states; omit for all" })),
    lead_id: optional(nonEmptyLine(64, "Only emails to this lead")),
    mission_id: optional(nonEmptyLine(64, "Only emails of this mission, by id or handle")),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ emails: Schema.Array(Email), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["email.send", "email.cancel", "email.resolve"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "Emails with an unknown outcome", input: { state: ["ambiguous"] } }],
  run: (input) => {
    const filter = { states: input.state ?? [], leadId: input.lead_id, mission: input.mission_id, reviewed: false }
    return Effect.map(listEmails("emails", filter, input), ({ items, next_cursor }) => ({ emails: items, next_cursor }))
  }
})
