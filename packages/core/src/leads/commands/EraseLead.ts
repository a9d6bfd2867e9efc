import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import { line, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { DraftInFlight } from "../failures.ts"
import { leadIdField } from "../LeadInput.ts"
import { eraseLead } from "../privacy/eraseLead.ts"

/** `lead.erase`: erases a person. */
export const EraseLead = Command.make({
  id: "lead.erase",
  title: "Erase a person",
  summary: "Erase a person and all their data permanently",
  description:
    "Deletes the lead, leads merged into it, identifiers, notes, messages, drafts and queue items; events, imports " +
    "and audit rows keep only ids and states. A keyed hash of each identifier stays, so that the person is not " +
    "created again by mistake. Fails while a message to the person is being sent.",
  whenToUse: "When a person asks for erasure. If they also ask for their data, run lead.export first.",
  category: "leads",
  risk: "approval",
  scope: "privacy:manage",
  input: Schema.Struct({
    lead_id: leadIdField,
    confirm: nonEmptyLine(64, "The lead id again, to confirm: this cannot be undone"),
    reason: Schema.optionalKey(line(500, "The reason, without naming the person; kept in the event"))
  }),
  output: Schema.Struct({
    erased: Schema.Array(Schema.String).annotate({
      description: "Ids that no longer exist: the lead and those merged into it"
    }),
    tombstones: Schema.Int.annotate({ description: "Number of hashes that keep the person from being created again" })
  }),
  failures: [DraftInFlight, NotFound],
  riskNotes: [
    "Cannot be undone.",
    "Texts that mention the person elsewhere, such as notes on other leads or mission briefs, are not found, nor is a " +
      "name alone."
  ],
  relatedCommands: ["lead.export", "lead.suppression.check", "lead.suppression.lift"],
  relatedResources: ["svc://suppressions"],
  examples: [
    {
      title: "At the person's request",
      input: {
        lead_id: "ld_SAMPLE00000000000000000004",
        confirm: "ld_SAMPLE00000000000000000004",
        reason: "Requested by letter"
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ confirm, lead_id, reason }) {
    if (confirm !== lead_id) {
      return yield* new InvalidInput({ message: "confirm: must repeat lead_id. Nothing was erased." })
    }
    const { leadIds, tombstones } = yield* eraseLead(lead_id, reason || undefined)
    return { erased: leadIds, tombstones }
  })
})
