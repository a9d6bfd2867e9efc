import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { orNotFound, ownRecord } from "../../kernel/command/Execution.ts"
import { InvalidEmail, InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import { Instant, type LeadId, now } from "../../kernel/schema/IdsAndTime.ts"
import { line, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import {
  DraftInFlight,
  DraftOpen,
  IdentifierRequired,
  LastIdentifier,
  lookupFailures,
  NotAProfileUrl,
  SendOutcomeUnknown
} from "../failures.ts"
import { holdLead, readLead } from "../findLead.ts"
import { identifierFields } from "../identity/IdentityInput.ts"
import { Lead, leadIdField } from "../Lead.ts"
import type { StoredLead } from "../LeadsRepo.ts"
import { mergeInto, removeIdentifier } from "../mergeLeads.ts"
import { leadOf, ofOneLead } from "../ProspectContext.ts"
import { eraseLead } from "../privacy/eraseLead.ts"
import { LeadRecords, PrivacyRepo } from "../privacy/PrivacyRepo.ts"

/** `lead.identifier.remove`: removes a wrong identifier from a lead. */
export const RemoveLeadIdentifier = Command.make({
  id: "lead.identifier.remove",
  title: "Remove an identifier from a lead",
  summary: "Remove a wrong identifier from a lead",
  description:
    "Removes the one identifier you send, in any usual spelling, and what was derived from it: a member id goes with every token " +
    "that contains it, and a derived one with its last token. If it was shown, another one of its kind is shown " +
    "instead, if any. It no longer matches this lead, so another lead can have it. Suppressions stay.",
  whenToUse: "When an email address, a profile or an id turns out to belong to somebody else.",
  ...ofOneLead,
  input: Schema.Struct({ lead_id: leadIdField, ...identifierFields }),
  failures: [
    DraftInFlight,
    IdentifierRequired,
    InvalidEmail,
    LastIdentifier,
    NotAProfileUrl,
    NotFound,
    SendOutcomeUnknown
  ],
  riskNotes: [
    "Changes one lead; sends nothing.",
    "Removing a LinkedIn identifier returns approved drafts to review and ends queued and pending invitations; removing an email " +
      "address cancels unsent emails to it."
  ],
  outputNotes: ["A lead keeps at least one identifier."],
  relatedCommands: ["lead.get", "lead.upsert", "lead.merge", "lead.erase"],
  examples: [
    {
      title: "An email address of somebody else",
      input: { lead_id: "ld_SAMPLE00000000000000000005", email: "barbara@example.com" }
    }
  ],
  run: Effect.fnUntraced(function* ({ lead_id, ...fields }) {
    const stored = yield* removeIdentifier(lead_id, fields)
    return { lead_id: stored.row.id, lead: leadOf(stored) }
  })
})

/** `lead.merge`: merges leads. */
export const MergeLeads = Command.make({
  id: "lead.merge",
  title: "Merge leads",
  summary: "Merge several leads of the same person into one",
  description:
    "Moves identifiers, missions, messages, notes, drafts and history of the losing leads to the winner, whose id " +
    "stays; the other ids then resolve to the winner. Only one draft per agent stays open. The winner's custom id is " +
    "kept.",
  whenToUse: "When lead.duplicates or an identity conflict shows leads that you know to be the same person.",
  ...ofOneLead,
  risk: "approval",
  scope: "leads:merge",
  input: Schema.Struct({
    winner_lead_id: nonEmptyLine(64, "Id of the lead to keep"),
    loser_lead_ids: Schema.Array(nonEmptyLine(64))
      .check(Schema.isBetweenLength(1, 50))
      .annotate({ description: "Ids of the leads to merge into it, 1 to 50" }),
    field_policy: Schema.Literals(["winner", "latest"])
      .annotate({
        description:
          "Which values win: winner keeps the winner's and fills its gaps (default); latest takes those of the lead " +
          "changed last",
        default: "winner"
      })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("winner" as const)))
  }),
  output: Schema.Struct({
    lead_id: Schema.String,
    lead: Lead,
    merged: Schema.Array(Schema.String).annotate({ description: "Leads merged by this call" })
  }),
  failures: [...lookupFailures, DraftInFlight, DraftOpen, SendOutcomeUnknown],
  riskNotes: ["Cannot be undone.", "Leads with different LinkedIn member ids are never merged."],
  outputNotes: ["meta.warnings names custom ids that were dropped."],
  relatedCommands: ["lead.duplicates", "lead.get", "lead.upsert"],
  examples: [
    {
      title: "Two leads of one person",
      input: { winner_lead_id: "ld_SAMPLE00000000000000000001", loser_lead_ids: ["ld_SAMPLE00000000000000000005"] }
    }
  ],
  run: Effect.fnUntraced(function* ({ field_policy, loser_lead_ids, winner_lead_id }) {
    const { merged, winnerId } = yield* mergeInto(winner_lead_id, loser_lead_ids, field_policy)
    return { lead_id: winnerId, lead: leadOf(yield* readLead({ lead_id: winnerId })), merged }
  })
})

/** `lead.export`: exports all data about a person. */
export const ExportLead = Command.make({
  id: "lead.export",
  title: "Export a person's data",
  summary: "Export all data about a person as JSON",
  description:
    "Returns every record about a lead: all fields with their sources, identifiers, missions, messages, notes, " +
    "drafts, queue items, transmissions, relations, imports, suppressions and events, including those of merged " +
    "leads; and, of requests for approval and kept responses that name the person, the part about the person.",
  whenToUse: "To answer a person who asks what data you hold about them, and before lead.erase.",
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
    const file = yield* ownRecord("lead", lead_id, (yield* PrivacyRepo).readFile)
    const [{ id }] = file.leads
    const leads = file.leads.map((row) => ({ ...row }))
    return { export: { lead_id: id, exported_at: yield* now, leads, ...file.records } }
  })
})

/** Shorter parts of a name are not searched for. */
const minNameLength = 4

/** Whether the reason, which is kept, contains a name or an identifier of the person. */
const namesPerson = ({ identities, row }: StoredLead, reason: string): boolean => {
  const text = reason.toLowerCase()
  const names = `${row.name} ${row.firstName} ${row.lastName}`.split(" ").filter((name) => name.length >= minNameLength)
  return [...names, row.email, row.phone, row.linkedinUrl, ...identities.map(({ value }) => value)].some(
    (own) => own !== "" && text.includes(own.toLowerCase())
  )
}

/** Fails with NOT_FOUND, INVALID_INPUT and DRAFT_IN_FLIGHT. */
const eraseNamed = Effect.fnUntraced(function* (leadId: LeadId, reason: string | undefined) {
  const lead = yield* holdLead(leadId)
  if (reason !== undefined && namesPerson(lead, reason)) {
    const message = "reason: contains the person's name, but is kept after the erasure. Leave the name out."
    return yield* new InvalidInput({ message })
  }
  return yield* orNotFound("lead", leadId, eraseLead(lead.row, reason))
})

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
    const { leadIds, tombstones } = yield* eraseNamed(lead_id, reason || undefined)
    return { erased: leadIds, tombstones }
  })
})
