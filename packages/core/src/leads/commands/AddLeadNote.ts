import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { emit } from "../../kernel/command/Execution.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { Ids } from "../../kernel/schema/Ids.ts"
import { nonEmptyBody } from "../../kernel/schema/TextFields.ts"
import { changedAt, now } from "../../kernel/schema/Time.ts"
import { LeadHistoryRepo } from "../history/LeadHistoryRepo.ts"
import { holdLead } from "../holdLead.ts"
import { leadIdField } from "../LeadInput.ts"

/** `lead.note.add`: adds a note to a lead. */
export const AddLeadNote = Command.make({
  id: "lead.note.add",
  title: "Add a note to a lead",
  summary: "Add a note to a lead",
  description:
    "Adds a note, which lead.timeline shows with its author and time. Notes cannot be changed and are never sent.",
  whenToUse: "To keep what you learned or decided about a person for the next time somebody writes to them.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({ lead_id: leadIdField, text: nonEmptyBody(4_000, "The note, at most 4,000 characters") }),
  output: Schema.Struct({ note_id: Schema.String, lead_id: Schema.String }),
  failures: [NotFound],
  riskNotes: ["Adds one note; sends nothing."],
  relatedCommands: ["lead.timeline", "lead.get", "lead.status.set"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    {
      title: "What the person said",
      input: { lead_id: "ld_SAMPLE00000000000000000001", text: "Closes the books on the fifth; call after that." }
    }
  ],
  run: Effect.fnUntraced(function* ({ lead_id, text }) {
    const { kind, organizationId, userId } = yield* Actor
    const { row } = yield* holdLead(lead_id)
    const id = yield* (yield* Ids).next("nte")
    const createdAt = yield* now
    const note = { id, organizationId, leadId: row.id, text, userId, actorKind: kind, createdAt }
    yield* (yield* LeadHistoryRepo).addNote(note, changedAt(row.updatedAt, createdAt))
    yield* emit({ type: "lead.updated", subject: { type: "lead", id: row.id }, data: { changed: ["notes"] } })
    return { note_id: id, lead_id: row.id }
  })
})
