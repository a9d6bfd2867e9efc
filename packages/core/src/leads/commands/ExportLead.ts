import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { notFound } from "../../Failure.ts"
import { Instant, now } from "../../Time.ts"
import { leadIdField } from "../LeadInput.ts"
import { LeadRecords } from "../privacy/LeadFile.ts"
import { PrivacyRepo } from "../privacy/PrivacyRepo.ts"

/** `lead.export`: hands out everything that is held on one person. */
export const ExportLead = Command.make({
  id: "lead.export",
  title: "Export a person's data",
  summary: "Get everything that is held on one person, as one JSON document.",
  description:
    "Answers every record about a lead: all fields with where they come from, identifiers, missions, messages, notes, drafts, " +
    "queue, transmissions, relations, imports, suppressions and events, those of merged leads included.",
  whenToUse: "To answer a person who asks what you hold on them, and before lead.erase.",
  category: "leads",
  risk: "read",
  scope: "privacy:manage",
  input: Schema.Struct({ lead_id: leadIdField }),
  output: Schema.Struct({
    export: Schema.Struct({
      lead_id: Schema.String,
      exported_at: Instant,
      leads: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotate({
        description: "Every stored field of the lead, and of leads that were merged into it"
      }),
      ...LeadRecords.fields
    })
  }),
  riskNotes: ["The answer is personal data; hand it to nobody but the person."],
  outputNotes: ["Not shortened by response_profile compact, so that nothing is missing."],
  relatedCommands: ["lead.erase", "lead.get", "lead.timeline"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "One person", input: { lead_id: "ld_SAMPLE00000000000000000002" } }],
  run: Effect.fnUntraced(function* ({ lead_id }) {
    const { organizationId } = yield* Actor
    const file = yield* (yield* PrivacyRepo).read(organizationId, lead_id)
    if (file === undefined) return yield* notFound("lead", lead_id)
    const [{ id }] = file.leads
    const leads = file.leads.map((row) => ({ ...row }))
    return { export: { lead_id: id, exported_at: yield* now, leads, ...file.records } }
  })
})
