import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { fail } from "../../Failure.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../Page.ts"
import { isoDateTime, line, nonEmptyLine } from "../../TextFields.ts"
import { Instant, now } from "../../Time.ts"
import { normalizeEmail } from "../identity/Email.ts"
import { lastInteractionOf } from "../Lead.ts"
import { type LeadPage, type ListedLead, largestTotal } from "../LeadSearch.ts"
import { LeadStatus } from "../LeadStatus.ts"
import { LeadsRepo } from "../LeadsRepo.ts"
import { ActionKind } from "../NextAction.ts"

const optional = Schema.optionalKey
const flag = (description: string) => optional(Schema.Boolean.annotate({ description }))
const instant = (description: string) => optional(isoDateTime.pipe(Schema.annotateEncoded({ description })))
const text = Schema.String

/** A lead as lists show it. */
const ShortLead = Schema.Struct({
  lead_id: text,
  name: text,
  headline: text,
  job_title: text,
  company: text,
  email: Schema.NullOr(text),
  linkedin_url: text,
  avatar_url: text,
  score: Schema.Finite,
  status: LeadStatus,
  is_flagged: Schema.Boolean,
  last_interaction: Schema.NullOr(Instant),
  next_action: Schema.NullOr(ActionKind),
  created_at: Instant,
  updated_at: Instant
})

const shortLeadOf = (lead: ListedLead): typeof ShortLead.Type => ({
  lead_id: lead.id,
  name: lead.name,
  headline: lead.headline,
  job_title: lead.jobTitle,
  company: lead.company,
  email: lead.email === "" ? null : lead.email,
  linkedin_url: lead.linkedinUrl,
  avatar_url: lead.avatarUrl,
  score: lead.score,
  status: lead.status,
  is_flagged: lead.isFlagged,
  last_interaction: lastInteractionOf(lead),
  next_action: lead.action,
  created_at: lead.createdAt,
  updated_at: lead.updatedAt
})

/** `lead.search`: reads leads by what is known of them. */
export const SearchLeads = Command.make({
  id: "lead.search",
  title: "Search leads",
  summary: "Find leads by text, status, mission, score or what waits to be done.",
  description:
    "Answers a page of short leads that match every filter sent. Texts match in any case. count says how many match in all, " +
    `counted to ${largestTotal.toLocaleString("en")}. Pass next_cursor as cursor for the next page; it is null on the last one.`,
  whenToUse: "To find a person, to work through a mission, or, with sort action, to see what to do next.",
  category: "leads",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({
    query: optional(line(200, "Part of name, headline, job title, company or e-mail")),
    first_name: optional(line(100, "The name begins with it")),
    last_name: optional(line(100, "The name ends with it")),
    company: optional(line(200, "Part of the company's name")),
    job_title: optional(line(200, "Part of the job title")),
    email: optional(nonEmptyLine(500, "E-mail address that the lead has")),
    status: optional(
      Schema.Array(LeadStatus)
        .check(Schema.isMinLength(1), Schema.isMaxLength(8))
        .annotate({ description: "Any of these statuses" })
    ),
    mission_id: optional(nonEmptyLine(64, "Id or handle of a mission that the lead is in")),
    import_id: optional(nonEmptyLine(64, "Id of an import that brought or changed the lead")),
    score_min: optional(
      Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({ description: "Lowest score" })
    ),
    is_flagged: flag("Only marked leads, or only others"),
    has_email: flag("Only leads with an e-mail address, or only others"),
    has_conversation: flag("Only leads with whom messages were exchanged, or only others"),
    relation: optional(
      Schema.Literals(["connected", "invited", "none"]).annotate({
        description: "How a LinkedIn account and the lead stood when it was last looked at"
      })
    ),
    needs_action: flag("Only leads for whom something waits to be done, or only others"),
    created_after: instant("Added after this instant"),
    updated_after: instant("Changed after this instant"),
    sort: Schema.Literals(["action", "score", "recent", "name"])
      .annotate({
        description:
          "action: most urgent, then best score; score: best first; recent: latest change first (default); name: A to Z",
        default: "recent"
      })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("recent" as const))),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({
    leads: Schema.Array(ShortLead),
    count: Schema.Int.annotate({ description: `How many leads match in all, counted to ${largestTotal}` }),
    next_cursor: NextCursor
  }),
  relatedCommands: ["lead.get", "lead.upsert", "linkedin.draft.create"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    { title: "What to do next", input: { sort: "action", needs_action: true, limit: 10 } },
    { title: "New leads of a mission", input: { mission_id: "spring-outreach", status: ["New"] } }
  ],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* LeadsRepo
    const email =
      input.email === undefined
        ? undefined
        : yield* Effect.fromResult(
            Result.mapError(normalizeEmail(input.email), ({ code, message }) => fail(code, `email: ${message}`))
          )
    const filter = {
      query: input.query,
      firstName: input.first_name,
      lastName: input.last_name,
      company: input.company,
      jobTitle: input.job_title,
      email: email?.key,
      statuses: input.status,
      mission: input.mission_id,
      importId: input.import_id,
      scoreMin: input.score_min,
      isFlagged: input.is_flagged,
      hasEmail: input.has_email,
      hasConversation: input.has_conversation,
      relation: input.relation,
      needsAction: input.needs_action,
      createdAfter: input.created_after,
      updatedAfter: input.updated_after
    }
    const at = yield* now
    let total = 0
    const page = yield* readPage(organizationId, "leads", input, (request) =>
      Effect.map(repo.search(organizationId, filter, input.sort, request, at), (found: LeadPage) => {
        total = found.total
        return found
      })
    )
    return { leads: page.items.map(shortLeadOf), count: total, next_cursor: page.nextCursor }
  })
})
