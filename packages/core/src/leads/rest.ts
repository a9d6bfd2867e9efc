/**
 * The REST operations of leads, as internal commands: camelCase in and out, path parameters among the fields.
 *
 * Source: catalogue 4.3; G28, G30 (200 for leads, as an upsert may change one that exists).
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../Command.ts"
import { CursorText, Limit, NextCursor } from "../Page.ts"
import { line, nonEmptyLine } from "../TextFields.ts"
import { Instant } from "../Time.ts"
import { SearchLeads } from "./commands/SearchLeads.ts"
import { readLead } from "./findLead.ts"
import { Lead } from "./Lead.ts"
import { LeadUpsertInput } from "./LeadInput.ts"
import { LeadStatus } from "./LeadStatus.ts"
import { compactLead, leadOf } from "./leadOf.ts"
import { readLeadItem } from "./readLeadItem.ts"
import { upsertLead } from "./upsertLead.ts"

const text = Schema.String
const fields = LeadUpsertInput.fields

/** A lead as REST lists show it: fields of the whole lead, alone. */
const ListedLead = Schema.Struct({
  id: text,
  name: text,
  title: text,
  jobTitle: text,
  company: text,
  email: Schema.NullOr(text),
  linkedinUrl: text,
  avatarUrl: text,
  score: Schema.Finite,
  status: LeadStatus,
  isFlagged: Schema.Boolean,
  lastInteraction: Schema.NullOr(Instant),
  addedDate: Instant,
  updatedAt: Instant
})

const compactOne = ({ lead }: { readonly lead: Lead }) => {
  const { output, warnings } = compactLead(lead)
  return { output: { lead: output }, warnings }
}

/** GET /api/v1/leads. */
export const RestListLeads = Command.make({
  id: "rest.leads.list",
  title: "List leads",
  summary: "Read leads, latest change first, or those that match.",
  description: "A page of short leads. Pass nextCursor as cursor for the next page; it is null on the last one.",
  whenToUse: "From programs that speak REST; lead.search is the command, with more filters.",
  category: "leads",
  risk: "read",
  visibility: "internal",
  scope: "leads:read",
  input: Schema.Struct({
    query: Schema.optionalKey(line(200, "Part of name, headline, job title, company or e-mail")),
    status: Schema.optionalKey(LeadStatus.annotate({ description: "Where the leads stand" })),
    mission: Schema.optionalKey(nonEmptyLine(64, "Handle or id of a mission that the leads are in")),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ leads: Schema.Array(ListedLead), count: Schema.Int, nextCursor: NextCursor }),
  relatedCommands: ["lead.search"],
  examples: [{ title: "Leads of a mission", input: { mission: "spring-outreach", limit: 10 } }],
  run: Effect.fnUntraced(function* ({ mission, status, ...rest }) {
    const found = yield* SearchLeads.run({
      ...rest,
      ...(mission === undefined ? {} : { mission_id: mission }),
      ...(status === undefined ? {} : { status: [status] }),
      sort: "recent"
    })
    return {
      leads: found.leads.map((lead) => ({
        id: lead.lead_id,
        name: lead.name,
        title: lead.headline || lead.job_title,
        jobTitle: lead.job_title,
        company: lead.company,
        email: lead.email,
        linkedinUrl: lead.linkedin_url,
        avatarUrl: lead.avatar_url,
        score: lead.score,
        status: lead.status,
        isFlagged: lead.is_flagged,
        lastInteraction: lead.last_interaction,
        addedDate: lead.created_at,
        updatedAt: lead.updated_at
      })),
      count: found.count,
      nextCursor: found.next_cursor
    }
  })
})

/** POST /api/v1/leads. */
export const RestUpsertLead = Command.make({
  id: "rest.leads.upsert",
  title: "Create or change a lead",
  summary: "Store a person, matched by any identifier you have.",
  description:
    "Finds the lead by any identifier and changes it, or creates it; fields that are sent are written, absent ones stay, null " +
    "or an empty text clears, arrays replace. The same body again changes nothing.",
  whenToUse: "From programs that speak REST; lead.upsert is the command.",
  category: "leads",
  risk: "mutate",
  visibility: "internal",
  scope: "leads:write",
  input: Schema.Struct({
    leadId: fields.lead_id,
    email: fields.email,
    customId: fields.custom_id,
    linkedinUrl: fields.linkedin_url,
    linkedinId: fields.linkedin_id,
    salesNavId: fields.sales_nav_id,
    name: fields.name,
    firstName: fields.first_name,
    lastName: fields.last_name,
    headline: fields.headline,
    title: fields.title,
    jobTitle: fields.job_title,
    company: fields.company,
    location: fields.location,
    phone: fields.phone,
    timezone: fields.timezone,
    avatarUrl: fields.avatar_url,
    companyWebsite: fields.company_website,
    companyLinkedinUrl: fields.company_linkedin_url,
    companyLogoUrl: fields.company_logo_url,
    companyHeadline: fields.company_headline,
    companyIndustry: fields.company_industry,
    companySize: fields.company_size,
    personalWebsite: fields.personal_website,
    description: fields.description,
    experience: fields.experience,
    education: fields.education,
    skills: fields.skills,
    recentPosts: fields.recent_posts,
    status: fields.status,
    isFlagged: fields.is_flagged,
    score: fields.score,
    source: fields.source,
    missionHandle: Schema.optionalKey(nonEmptyLine(64, "Handle of a mission to add the lead to"))
  }),
  output: Schema.Struct({ lead: Lead }),
  relatedCommands: ["lead.upsert"],
  examples: [{ title: "By e-mail", input: { email: "linus@example.com", name: "Linus Lindt", jobTitle: "CFO" } }],
  compact: compactOne,
  run: Effect.fnUntraced(function* ({ missionHandle, ...item }) {
    const input = yield* Effect.fromResult(readLeadItem(item))
    const { stored } = yield* upsertLead(input, { source: "user", mission: missionHandle })
    return { lead: leadOf(stored) }
  })
})

/** GET /api/v1/leads/{leadId}. */
export const RestGetLead = Command.make({
  id: "rest.leads.get",
  title: "Read a lead",
  summary: "Read one person by id.",
  description: "Answers the lead of an id; the id of a lead that was merged answers the one that it went into.",
  whenToUse: "From programs that speak REST; lead.get is the command, with what surrounds the lead.",
  category: "leads",
  risk: "read",
  visibility: "internal",
  scope: "leads:read",
  input: Schema.Struct({ leadId: nonEmptyLine(64, "Id of the lead") }),
  output: Schema.Struct({ lead: Lead }),
  relatedCommands: ["lead.get"],
  examples: [{ title: "The sample lead", input: { leadId: "ld_SAMPLE00000000000000000001" } }],
  compact: compactOne,
  run: ({ leadId }) => Effect.map(readLead({ lead_id: leadId }), (view) => ({ lead: leadOf(view) }))
})

/** The REST operations of this domain. */
export const restCommands = [RestListLeads, RestUpsertLead, RestGetLead] as const
