import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { fail } from "../../Failure.ts"
import { line, nonEmptyLine } from "../../TextFields.ts"
import { leadIdField } from "../LeadInput.ts"
import { eraseLead } from "../privacy/eraseLead.ts"

/** `lead.erase`: removes a person for good. */
export const EraseLead = Command.make({
  id: "lead.erase",
  title: "Erase a person",
  summary: "Remove a person and everything held on them, for good.",
  description:
    "Deletes the lead, leads that were merged into it, identifiers, notes, messages, drafts and queue; events, imports and " +
    "audit keep ids and states that name nobody. Of each identifier a keyed hash stays, so that the person is not imported " +
    "or created again by mistake. Fails while a message to the person is being transmitted.",
  whenToUse: "When a person demands it. Hand out lead.export first if they ask for their data.",
  category: "leads",
  risk: "approval",
  scope: "privacy:manage",
  input: Schema.Struct({
    lead_id: leadIdField,
    confirm: nonEmptyLine(64, "The lead id once more, as this cannot be undone"),
    reason: Schema.optionalKey(line(500, "Why, in words that do not name the person; kept in the event"))
  }),
  output: Schema.Struct({
    erased: Schema.Array(Schema.String).annotate({
      description: "Ids that lead nowhere any more: the lead and those that were merged into it"
    }),
    tombstones: Schema.Int.annotate({ description: "Hashes that keep the person from coming back" })
  }),
  riskNotes: [
    "Cannot be undone.",
    "Texts about the person elsewhere, such as in notes on other leads or the words of a mission, are not found."
  ],
  relatedCommands: ["lead.export", "lead.suppression.check", "lead.suppression.lift"],
  relatedResources: ["svc://suppressions"],
  examples: [
    {
      title: "A demand of the person",
      input: {
        lead_id: "ld_SAMPLE00000000000000000004",
        confirm: "ld_SAMPLE00000000000000000004",
        reason: "Demanded by letter"
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ confirm, lead_id, reason }) {
    if (confirm !== lead_id) {
      return yield* fail("INVALID_INPUT", "confirm: must repeat lead_id. Nothing was erased.")
    }
    const { leadIds, tombstones } = yield* eraseLead(lead_id, reason || undefined)
    return { erased: leadIds, tombstones }
  })
})
