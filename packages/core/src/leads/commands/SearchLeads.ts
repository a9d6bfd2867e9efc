import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor, InvalidEmail, NotFound } from "../../kernel/failure/failures.ts"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import { Instant, now } from "../../kernel/schema/IdsAndTime.ts"
import { NextCursor, pageFields, readPage } from "../../kernel/schema/Page.ts"
import { camelKeys, snakeKeys } from "../../kernel/schema/snakeCase.ts"
import { described } from "../../kernel/schema/TextFields.ts"
import { thousands } from "../../kernel/schema/TextRules.ts"
import { refuseUnknownMission } from "../../missions/MissionsRepo.ts"
import { type ListedLead, maxLabelTotal, maxTotal, searchFields } from "../history/LeadHistory.ts"
import { lastInteractionOf } from "../Lead.ts"
import { LeadStatus } from "../LeadStatus.ts"
import { LeadsRepo } from "../LeadsRepo.ts"
import { leadFields } from "../leadFields.ts"
import { ActionKind } from "../NextAction.ts"
import { labelsOf, OwnValues } from "../ownFields.ts"
import { asStored, checkKeys, ownFieldsFor } from "../ownValues.ts"
import { listedFieldsOf } from "../projectFields.ts"
import { filterName, readFilter } from "./savedFilters.ts"

const text = Schema.String

/** A lead as lists show it. */
const ShortLead = Schema.Struct({
  lead_id: text,
  name: text,
  ...listedFieldsOf(leadFields),
  email: Schema.NullOr(text),
  linkedin_url: text,
  status: LeadStatus,
  last_interaction: Schema.NullOr(Instant),
  next_action: Schema.NullOr(ActionKind),
  tags: Schema.Array(text),
  fields: OwnValues,
  created_at: Instant,
  updated_at: Instant
})

const shortLeadOf = ({ action, id, ownFields: fields, ...lead }: ListedLead): typeof ShortLead.Type => ({
  lead_id: id,
  ...snakeKeys(Struct.omit(lead, ["lastInboundAt", "lastOutboundAt"])),
  email: lead.email === "" ? null : lead.email,
  last_interaction: lastInteractionOf(lead),
  next_action: action,
  fields
})

/** `lead.search`: searches leads. */
export const SearchLeads = Command.make({
  id: "lead.search",
  title: "Search leads",
  summary: "Search leads by text, status, mission, score or action",
  description:
    "Returns a page of short leads that match all filters. Text matching ignores case. With saved_filter, filters that you " +
    `send win over its own. count is the total number of matches, up to ${thousands(maxTotal)}, or ${maxLabelTotal} with ` +
    "tags or fields. Pass next_cursor as cursor for the next page; it is null on the last page. A page looks at 20,000 " +
    "leads at most, fewer with tags or fields, so it may hold fewer leads than limit before the last page.",
  whenToUse: "To find a person, to work through a mission, or, with sort action, to see what to do next.",
  risk: "read",
  scope: "leads:read",
  annotations: {
    unlisted: [
      "first_name",
      "last_name",
      "email",
      "is_flagged",
      "has_email",
      "has_conversation",
      "relation",
      "fields",
      "created_after",
      "updated_after"
    ]
  },
  input: Schema.Struct({
    ...searchFields,
    saved_filter: Schema.optionalKey(described(filterName, "Name of a saved filter")),
    sort: Schema.Literals(["action", "score", "recent", "name"])
      .annotate({
        description:
          "action: most urgent first; recent: latest change first (default). Equally urgent leads come by score",
        default: "recent"
      })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("recent" as const))),
    ...pageFields
  }),
  output: Schema.Struct({
    leads: Schema.Array(ShortLead),
    count: Schema.Int.annotate({
      description:
        `Total number of matches, up to ${maxTotal}, with tags or fields up to ${maxLabelTotal}; of several filters that ` +
        "each match many, those among 50000 leads, with tags or fields at least those of the page"
    }),
    next_cursor: NextCursor
  }),
  failures: [InvalidCursor, InvalidEmail, NotFound],
  relatedCommands: ["lead.get", "lead.upsert", "linkedin.draft.create"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    { title: "Next actions", input: { sort: "action", needs_action: true, limit: 10 } },
    { title: "The best with a tag", input: { tags: ["vip"], sort: "score" } },
    { title: "New leads of a mission", input: { mission_id: "spring-outreach", status: ["New"] } }
  ],
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* LeadsRepo
    const { cursor: _cursor, limit: _limit, saved_filter, sort, ...given } = input
    const saved: typeof given = saved_filter === undefined ? {} : yield* readFilter(saved_filter)
    const { email, fields, mission_id: mission, status: statuses, tags, ...others } = { ...saved, ...given }
    const own = yield* ownFieldsFor([{ fields }])
    yield* Effect.fromResult(checkKeys(own, given.fields))
    const wanted = labelsOf({ tags, ownFields: asStored(own, fields) })
    const labels = wanted.length === 0 ? undefined : wanted
    const address =
      email === undefined
        ? undefined
        : yield* Effect.fromResult(
            Result.mapError(normalizeEmail(email), (failure) => failure.withMessage(`email: ${failure.message}`))
          )
    const filter = { ...camelKeys(others), email: address?.key, labels, mission, statuses }
    const at = yield* now
    const page = yield* readPage("leads", input, (organizationId, request) =>
      repo.search(organizationId, filter, sort, request, at)
    )
    yield* refuseUnknownMission(mission, page.items)
    return { leads: page.items.map(shortLeadOf), count: page.total, next_cursor: page.next_cursor }
  })
})
