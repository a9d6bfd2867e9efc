import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor } from "../../Page.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { Email } from "../Email.ts"
import { EmailStates } from "../emailFields.ts"
import { listEmails } from "../listEmails.ts"

const optional = Schema.optionalKey

/** `email.list`: reads e-mails, newest first. */
export const ListEmails = Command.make({
  id: "email.list",
  title: "List e-mails",
  summary: "Read e-mails and what became of them, newest first.",
  description: "Answers a page of e-mails. Pass next_cursor as cursor for the next page; it is null on the last one.",
  whenToUse:
    "To see what was written to a lead or for a mission, what waits, and what needs somebody (state ambiguous).",
  category: "email",
  risk: "read",
  scope: "email:read",
  input: Schema.Struct({
    state: optional(EmailStates.annotate({ description: "Only e-mails in one of these states; leave it out for all" })),
    lead_id: optional(nonEmptyLine(64, "Only e-mails to this lead")),
    mission_id: optional(nonEmptyLine(64, "Only e-mails of this mission, by id or handle")),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ emails: Schema.Array(Email), next_cursor: NextCursor }),
  relatedCommands: ["email.send", "email.cancel", "email.resolve"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "What nobody knows the outcome of", input: { state: ["ambiguous"] } }],
  run: (input) => {
    const filter = { states: input.state ?? [], leadId: input.lead_id, mission: input.mission_id, reviewed: false }
    return Effect.map(listEmails("emails", filter, input), ({ items, next_cursor }) => ({ emails: items, next_cursor }))
  }
})
