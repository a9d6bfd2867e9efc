import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { fail } from "../../Failure.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { Lead } from "../Lead.ts"
import { LeadUpsertInput } from "../LeadInput.ts"
import { compactLead, leadOf } from "../leadOf.ts"
import { upsertLead } from "../upsertLead.ts"

/** `lead.upsert`: creates a lead or changes the one that the identifiers mean. */
export const UpsertLead = Command.make({
  id: "lead.upsert",
  title: "Create or change a lead",
  summary: "Store a person, matched by any identifier you have.",
  description:
    "Finds the lead by lead_id, e-mail, LinkedIn profile, member id or token, Sales Navigator lead, or your custom_id, in " +
    "any usual spelling. Creates it when nobody matches, and changes it otherwise: fields that are sent are written, absent " +
    "ones stay, null or an empty text clears, arrays replace. The same call again changes nothing. When identifiers belong " +
    "to different leads nothing is written unless on_conflict says what to do.",
  whenToUse: "To add a person, or to keep what you learn about one: job, company, posts, status, score, mission.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    ...LeadUpsertInput.fields,
    mission_id: Schema.optionalKey(nonEmptyLine(64, "Id of a mission to add the lead to")),
    mission_handle: Schema.optionalKey(nonEmptyLine(64, "Handle of a mission to add the lead to")),
    on_conflict: Schema.optionalKey(
      Schema.Literals(["error", "prefer_strongest", "merge"]).annotate({
        description:
          "When the identifiers belong to several leads: refuse (default), change the lead of the strongest identifier, or " +
          "merge them into it (needs the scope leads:merge)"
      })
    )
  }),
  output: Schema.Struct({ lead_id: Schema.String, lead: Lead }),
  riskNotes: [
    "Writes one lead; sends nothing.",
    "Status NotInterested cancels messages that wait to be sent; DoNotContact cancels drafts too and cannot be taken back here.",
    "on_conflict merge cannot be undone."
  ],
  outputNotes: [
    "name, title, company, avatarUrl and linkedinUrl are empty texts when they are not known.",
    "meta.warnings name identifiers that moved or that stay with another lead."
  ],
  relatedCommands: ["lead.get", "lead.search", "linkedin.draft.create"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    {
      title: "A person by e-mail",
      input: { email: "grace@example.com", job_title: "Head of Finance", company: "Example Corp" }
    },
    {
      title: "A person by LinkedIn profile, into a mission",
      input: {
        linkedin_url: "https://www.linkedin.com/in/ada-lovelace",
        name: "Ada Lovelace",
        mission_handle: "spring-outreach"
      }
    }
  ],
  compact: ({ lead, lead_id }) => {
    const { output, warnings } = compactLead(lead)
    return { output: { lead_id, lead: output }, warnings }
  },
  run: Effect.fnUntraced(function* ({ mission_handle, mission_id, on_conflict, ...input }) {
    if (mission_id !== undefined && mission_handle !== undefined && mission_id !== mission_handle) {
      return yield* fail("INVALID_INPUT", "mission_id and mission_handle name one mission. Send one of them.")
    }
    const { leadId, stored } = yield* upsertLead(input, {
      source: "user",
      onConflict: on_conflict,
      mission: mission_id ?? mission_handle
    })
    return { lead_id: leadId, lead: leadOf(stored) }
  })
})
