import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor, emit } from "../../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import { changedAt, Ids, now } from "../../kernel/schema/IdsAndTime.ts"
import { line, nonEmptyBody, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { MissionArchived } from "../../missions/failures.ts"
import * as Failures from "../failures.ts"
import { holdLead } from "../findLead.ts"
import { IdentityOptions } from "../identity/Identity.ts"
import { LeadUpsertInput, leadIdField } from "../Lead.ts"
import { storeLead } from "../LeadConsequences.ts"
import { LeadStatus, setManually } from "../LeadStatus.ts"
import { LeadsRepo } from "../LeadsRepo.ts"
import { ownFieldsFor } from "../ownValues.ts"
import { leadOf, ofOneLead } from "../ProspectContext.ts"
import { plainFields } from "../projectFields.ts"
import { identifyLead, type UpsertItem, upsertLeads, withConsequences } from "../upsertLeads.ts"

const UpsertInput = Schema.Struct({
  ...LeadUpsertInput.fields,
  mission_id: Schema.optionalKey(nonEmptyLine(64, "Mission to add the lead to. Its id")),
  mission_handle: Schema.optionalKey(nonEmptyLine(64, "Mission to add the lead to. Its handle")),
  on_conflict: Schema.optionalKey(
    Schema.Literals(["error", "prefer_strongest", "merge"]).annotate({
      description:
        "What to do if the identifiers belong to several leads. Refuse (default), update the lead with the strongest " +
        "identifier, or merge them into it (requires scope leads:merge and obeys policies for lead.merge)"
    })
  )
})

/** The inputs of calls, each with its caller. */
type Calls = ReadonlyArray<Pick<UpsertItem, "context"> & { readonly input: typeof UpsertInput.Type }>

/** What became of each call; undefined if it must run alone. */
const upsertAll = Effect.fnUntraced(function* (calls: Calls, locks: "wait" | "skip") {
  const tokens = yield* IdentityOptions
  const fields = yield* ownFieldsFor(calls.map(({ input }) => input))
  const items = calls.map(({ context, input: { mission_handle, mission_id, on_conflict, ...input } }) => {
    if (mission_id !== undefined && mission_handle !== undefined && mission_id !== mission_handle) {
      return Result.fail(new InvalidInput({ message: "mission_id and mission_handle are aliases. Send one of them." }))
    }
    const options = { source: "user" as const, onConflict: on_conflict, mission: mission_id ?? mission_handle }
    return Result.map(identifyLead(input, tokens, fields), (lead): UpsertItem => ({ ...lead, options, context }))
  })
  const written = yield* upsertLeads(items, { locks, after: withConsequences })
  return written.map(
    (one) => one && Result.map(one, ({ leadId, stored }) => ({ lead_id: leadId, lead: leadOf(stored) }))
  )
})

/** `lead.upsert`: creates or updates a lead. */
export const UpsertLead = Command.make({
  id: "lead.upsert",
  title: "Create or update a lead",
  summary: "Create or update a lead, matched by any identifier",
  description:
    "Finds the lead by lead_id, email, LinkedIn profile, member id or token, Sales Navigator lead, or your " +
    "custom_id, in any usual spelling. Creates a lead if none matches; otherwise updates it: fields you send are " +
    "written, others stay, null or an empty text clears, arrays are replaced. A cleared identifier is removed from " +
    "the lead. Repeating the call changes nothing. If the identifiers belong to different leads, nothing is written " +
    "unless on_conflict says what to do.",
  whenToUse: "To add a person, or to save what you learn about one: job, company, posts, status, score, mission.",
  ...ofOneLead,
  includes: ({ on_conflict }) => (on_conflict === "merge" ? { "lead.merge": "on_conflict merge" } : {}),
  annotations: {
    unlisted: [
      "custom_id",
      "linkedin_id",
      "sales_nav_id",
      "first_name",
      "last_name",
      ...plainFields.flatMap(({ key, listed }) => (listed === false ? [key] : [])),
      "status",
      "mission_handle",
      "on_conflict"
    ]
  },
  input: UpsertInput,
  failures: [
    ...Failures.lookupFailures,
    Failures.DraftInFlight,
    Failures.DraftOpen,
    Failures.LastIdentifier,
    Failures.LeadSuppressed,
    MissionArchived,
    Failures.SendOutcomeUnknown
  ],
  riskNotes: [
    "Changes one lead; sends nothing.",
    "Clearing an identifier withdraws what is approved or queued for it, as lead.identifier.remove does.",
    "Status NotInterested cancels messages that are not sent yet; DoNotContact also cancels drafts and cannot be " +
      "reversed here.",
    "on_conflict merge cannot be undone."
  ],
  outputNotes: [
    "name, title, company, avatarUrl and linkedinUrl are empty strings when unknown.",
    "meta.warnings names identifiers that moved or stayed with another lead."
  ],
  relatedCommands: ["lead.get", "lead.search", "lead.identifier.remove", "linkedin.draft.create"],
  examples: [
    {
      title: "A person by email",
      input: { email: "grace@example.com", job_title: "Head of Finance", company: "Example Corp" }
    },
    {
      title: "A person by LinkedIn profile, added to a mission",
      input: {
        linkedin_url: "https://www.linkedin.com/in/ada-lovelace",
        name: "Ada Lovelace",
        mission_handle: "spring-outreach"
      }
    }
  ],
  runMany: (calls) => upsertAll(calls, "skip"),
  run: (input) =>
    Effect.flatMap(upsertAll([{ input }], "wait"), ([written]) =>
      written === undefined ? Effect.die("a single lead is never left out") : Effect.fromResult(written)
    )
})

/** `lead.status.set`: sets the status of a lead. */
export const SetLeadStatus = Command.make({
  id: "lead.status.set",
  title: "Set a lead's status",
  summary: "Set a lead's status",
  description:
    "Sets any status, whatever it was before. NotInterested cancels messages that are not sent yet. DoNotContact " +
    "also cancels drafts and suppresses every identifier of the lead, so that imports skip it; only " +
    "lead.suppression.lift reverses it.",
  whenToUse: "After a call, a meeting or a reply outside the service; immediately when a person opts out.",
  ...ofOneLead,
  input: Schema.Struct({
    lead_id: leadIdField,
    status: LeadStatus.annotate({ description: "The new status" }),
    reason: Schema.optionalKey(line(500, "The reason; stored with the change"))
  }),
  failures: [Failures.LeadSuppressed, NotFound],
  riskNotes: [
    "Changes one lead; sends nothing.",
    "NotInterested and DoNotContact cancel messages that are not sent yet; DoNotContact also cancels drafts."
  ],
  outputNotes: ["Setting the same status again changes nothing."],
  relatedCommands: ["lead.get", "lead.upsert", "lead.suppress", "lead.suppression.lift"],
  examples: [
    {
      title: "After agreeing on a meeting",
      input: { lead_id: "ld_SAMPLE00000000000000000001", status: "MeetingBooked", reason: "Agreed on the phone" }
    }
  ],
  run: Effect.fnUntraced(function* ({ lead_id, reason, status }) {
    const lead = yield* holdLead(lead_id)
    const next = yield* Effect.fromResult(setManually(lead.row.status, status))
    const stored = next === lead.row.status ? lead : yield* storeLead(lead, { status: next }, reason || undefined)
    return { lead_id: stored.row.id, lead: leadOf(stored) }
  })
})

/** `lead.note.add`: adds a note to a lead. */
export const AddLeadNote = Command.make({
  id: "lead.note.add",
  title: "Add a note to a lead",
  summary: "Add a note to a lead",
  description:
    "Adds a note, which lead.timeline shows with its author and time. Notes cannot be changed and are never sent.",
  whenToUse: "To keep what you learned or decided about a person for the next time somebody writes to them.",
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
    yield* (yield* LeadsRepo).addNote(note, changedAt(row.updatedAt, createdAt))
    yield* emit({ type: "lead.updated", subject: { type: "lead", id: row.id }, data: { changed: ["notes"] } })
    return { note_id: id, lead_id: row.id }
  })
})
