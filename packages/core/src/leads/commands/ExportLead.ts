import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { Instant, now } from "../../kernel/schema/Time.ts"
import { leadIdField } from "../LeadInput.ts"
import { LeadRecords } from "../privacy/LeadFile.ts"
import { PrivacyRepo } from "../privacy/PrivacyRepo.ts"

/** `lead.export`: exports all data about a person. */
export const ExportLead = Command.make({
  id: "lead.export",
  title: "Export a person's data",
  summary: "Export all data about a person as JSON",
  description:
    "Returns every record about a lead: all fields with their sources, identifiers, missions, messages, notes, " +
    "drafts, queue items, transmissions, relations, imports, suppressions and events, including those of merged " +
    "leads.",
  whenToUse: "To answer a person who asks what data you hold about them, and before lead.erase.",
  category: "leads",
  risk: "read",
  scope: "privacy:manage",
  input: Schema.Struct({ lead_id: leadIdField }),
  output: Schema.Struct({
    export: Schema.Struct({
      lead_id: Schema.String,
      exported_at: Instant,
      leads: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotate({
        description: "Every stored field of the lead and of leads merged into it"
      }),
      ...LeadRecords.fields
    })
  }),
  failures: [NotFound],
  riskNotes: ["The result is personal data; give it only to that person."],
  outputNotes: ["response_profile compact does not shorten it."],
  relatedCommands: ["lead.erase", "lead.get", "lead.timeline"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "One person", input: { lead_id: "ld_SAMPLE00000000000000000002" } }],
  run: Effect.fnUntraced(function* ({ lead_id }) {
    const { organizationId } = yield* Actor
    const file = yield* (yield* PrivacyRepo).read(organizationId, lead_id)
    if (file === undefined) return yield* new NotFound({ kind: "lead", id: lead_id })
    const [{ id }] = file.leads
    const leads = file.leads.map((row) => ({ ...row }))
    return { export: { lead_id: id, exported_at: yield* now, leads, ...file.records } }
  })
})
