import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { orNotFound, ownRecord } from "../../kernel/command/Execution.ts"
import { InvalidCursor, NotFound } from "../../kernel/failure/failures.ts"
import { compacted } from "../../kernel/schema/compact.ts"
import { Instant, now } from "../../kernel/schema/IdsAndTime.ts"
import { NextCursor, pageFields, readPage } from "../../kernel/schema/Page.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { shorten, shortLength } from "../../kernel/schema/TextRules.ts"
import { OffersRepo } from "../../offers/Offer.ts"
import { approvalRules } from "../../workspace/approvals/Policies.ts"
import { lookupFailures } from "../failures.ts"
import { readLead } from "../findLead.ts"
import { DuplicateReason, shownDuplicates, TimelineEntry } from "../history/LeadHistory.ts"
import { contentOf, Lead, leadIdentifierFields, leadIdField } from "../Lead.ts"
import { LeadsRepo } from "../LeadsRepo.ts"
import { OwnValues } from "../ownFields.ts"
import { compactLead, contextOf, leadOf, ProspectContext } from "../ProspectContext.ts"
import { keptUntil } from "../privacy/eraseLead.ts"
import { LeadScorer, ScorePart } from "../score/estimateParts.ts"

const compactMessages = 3

const textOrNull = Schema.NullOr(Schema.String)

/** `lead.get`: reads one lead with its context. */
export const GetLead = Command.make({
  id: "lead.get",
  title: "Get a lead",
  summary: "Get a lead with its messages, draft and next action",
  description:
    "Returns the lead with this lead_id or any other identifier, with its latest messages, its LinkedIn relation to " +
    "your accounts, the open draft, its missions with their briefs and the offers' proof, and the next action; the values of " +
    "your own fields, and tags; and where the lead comes from, on which lawful basis it is kept, and until when.",
  whenToUse: "Before writing to a person, and to see why a lead is in its current status.",
  risk: "read",
  scope: "leads:read",
  annotations: { unlisted: ["custom_id", "linkedin_id", "sales_nav_id"] },
  input: Schema.Struct(leadIdentifierFields),
  output: Schema.Struct({
    lead_id: Schema.String,
    lead: Lead,
    prospect_context: ProspectContext,
    basis: Schema.Struct({
      source: textOrNull.annotate({ description: "Where the lead comes from" }),
      lawful_basis: textOrNull.annotate({ description: "The lawful basis for keeping and contacting the person" }),
      kept_until: Schema.NullOr(Instant).annotate({
        description: "When the lead is erased unless it changes or a message is exchanged; null if it is kept"
      })
    }),
    fields: OwnValues,
    tags: Schema.Array(Schema.String)
  }),
  failures: lookupFailures,
  outputNotes: ["The id of a merged lead returns the lead it was merged into."],
  relatedCommands: ["lead.search", "lead.upsert", "linkedin.draft.create"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "By email", input: { email: "grace@example.com" } }],
  compact: ({ lead, prospect_context, ...rest }) => {
    const { output, warnings } = compactLead(lead)
    const conversation = prospect_context.conversation.slice(-compactMessages)
    const missions = prospect_context.missions.map((mission) => ({
      ...mission,
      proof: mission.proof.map((item) => ({ ...item, content: shorten(item.content) }))
    }))
    const context = { ...prospect_context, conversation, missions }
    return { output: { ...rest, lead: output, prospect_context: context }, warnings }
  },
  run: Effect.fnUntraced(function* (input) {
    const view = yield* readLead(input)
    const { id, lawfulBasis, ownFields, source, tags } = view.row
    const kept_until = keptUntil(view.row, yield* approvalRules)
    const basis = { source: source || null, lawful_basis: lawfulBasis || null, kept_until }
    const context = contextOf(view, yield* now)
    return { lead_id: id, lead: leadOf(view), prospect_context: context, basis, fields: ownFields, tags }
  })
})

const cut = (value: unknown): unknown => (typeof value === "string" ? shorten(value) : value)

/** `lead.timeline`: lists what happened with a lead. */
export const ReadLeadTimeline = Command.make({
  id: "lead.timeline",
  title: "Get a lead's timeline",
  summary: "List everything that happened with a lead, newest first",
  description:
    "Returns a page of messages, notes, status changes, drafts, invitations and other events of a lead, including " +
    "those of leads merged into it. Pass next_cursor as cursor for the next page; it is null on the last page.",
  whenToUse: "To understand a lead's current status, and what was said and noted.",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({ lead_id: leadIdField, ...pageFields }),
  output: Schema.Struct({
    events: Schema.Array(TimelineEntry),
    next_cursor: NextCursor
  }),
  failures: [InvalidCursor, NotFound],
  outputNotes: ["For a message, data holds direction, channel, content and sender_name; for a note, text."],
  relatedCommands: ["lead.get", "lead.note.add", "lead.message.record"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "The latest ten", input: { lead_id: "ld_SAMPLE00000000000000000001", limit: 10 } }],
  compact: ({ events, next_cursor }) => {
    const shortened = events.map(({ data, ...event }) => ({
      ...event,
      data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cut(value)]))
    }))
    const isCut = events.some(({ data }) => Object.values(data).some((value) => cut(value) !== value))
    const warning = `texts are cut to ${shortLength} characters; use response_profile full for the rest`
    return compacted({ events: shortened, next_cursor }, isCut, warning)
  },
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* LeadsRepo
    const { items, next_cursor } = yield* readPage("timeline", input, (organizationId, page) =>
      orNotFound("lead", input.lead_id, repo.timeline(organizationId, input.lead_id, page))
    )
    return { events: items, next_cursor }
  })
})

/** `lead.duplicates`: lists possible duplicates. */
export const ListDuplicates = Command.make({
  id: "lead.duplicates",
  title: "Find possible duplicates",
  summary: "List groups of leads that may be the same person",
  description:
    "Leads never share an identifier, but they may share hints: an email address apart from dots and +tag, name and " +
    "company, or a phone number. Returns a page of groups with the reason; review them before merging. Pass " +
    "next_cursor as cursor for the next page; it is null on the last page. A page compares 20,000 leads at most, so it may " +
    "hold fewer groups than limit before the last page.",
  whenToUse: "After imports from several sources, before people are contacted twice.",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({ ...pageFields }),
  output: Schema.Struct({
    groups: Schema.Array(
      Schema.Struct({
        reason: DuplicateReason,
        lead_ids: Schema.Array(Schema.String).annotate({ description: `Oldest first, at most ${shownDuplicates}` }),
        count: Schema.Int.annotate({ description: "Number of leads in the group" })
      })
    ),
    next_cursor: NextCursor
  }),
  failures: [InvalidCursor],
  relatedCommands: ["lead.merge", "lead.get", "lead.search"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "The first page", input: { limit: 10 } }],
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* LeadsRepo
    const { items, next_cursor } = yield* readPage("duplicates", input, repo.duplicates)
    return {
      groups: items.map(({ count, leadIds, reason }) => ({ reason, lead_ids: leadIds, count })),
      next_cursor
    }
  })
})

/** `lead.score.explain`: explains how well a lead fits. */
export const ExplainScore = Command.make({
  id: "lead.score.explain",
  title: "Explain a lead's score",
  summary: "Compare a lead's score with an explained estimate",
  description:
    "Returns the stored score and an estimate based on known data: completeness of the profile, seniority, activity " +
    "and, for an offer, fit. The parts add up to the estimate. The same data always gives the same estimate, and " +
    "nothing is saved.",
  whenToUse: "To decide who to write to first, or what to find out before; save your own score with lead.upsert.",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({
    lead_id: leadIdField,
    offer_id: Schema.optionalKey(nonEmptyLine(64, "Id of an offer to compare the lead with"))
  }),
  output: Schema.Struct({
    lead_id: Schema.String,
    score: Schema.Finite.annotate({ description: "The stored score; 0 when the lead has none" }),
    estimate: Schema.Finite.annotate({ description: "0 to 100: the sum of the parts" }),
    parts: Schema.Array(ScorePart)
  }),
  failures: lookupFailures,
  relatedCommands: ["lead.upsert", "lead.get", "lead.search"],
  relatedResources: ["svc://prospects/{id}", "svc://offers/{id}"],
  examples: [
    {
      title: "Fit to an offer",
      input: { lead_id: "ld_SAMPLE00000000000000000001", offer_id: "sample-offer" }
    }
  ],
  run: Effect.fnUntraced(function* ({ lead_id, offer_id }) {
    const { row } = yield* readLead({ lead_id })
    const offer = offer_id === undefined ? undefined : yield* ownRecord("offer", offer_id, (yield* OffersRepo).find)
    const scorer = yield* LeadScorer
    const parts = scorer({ content: contentOf(row), hasReplied: row.lastInboundAt !== null, offer })
    const estimate = parts.reduce((sum, { points }) => sum + points, 0)
    return { lead_id: row.id, score: row.score, estimate, parts }
  })
})
