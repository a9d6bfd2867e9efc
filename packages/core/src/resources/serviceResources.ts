/** Resources about the service itself: status, commands, error codes, limits and the guide. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe } from "../kernel/command/Catalog.ts"
import type { AnyCommand } from "../kernel/command/Command.ts"
import { codesOf, describeFailure } from "../kernel/failure/Failure.ts"
import { commonFailures } from "../kernel/failure/failures.ts"
import { type FailureCode, failureTable } from "../kernel/failure/failureTable.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import { canonicalJson, sha256Hex } from "../kernel/schema/Hash.ts"
import { jsonSchemaOf } from "../kernel/schema/JsonSchema.ts"
import { defaultLimit } from "../kernel/schema/Page.ts"
import { maxDepth } from "../kernel/schema/plainJson.ts"
import { version } from "../kernel/schema/Version.ts"
import { reasonTable } from "../outreach/reasons.ts"

/** Every limit that a caller can reach. */
const limits = (
  [
    ["body", 1_048_576, "bytes", "JSON body of a request"],
    ["leads_body", 5_242_880, "bytes", "JSON body of POST /missions/{missionHandle}/leads"],
    ["leads", 1_000, "items", "Leads in one POST /missions/{missionHandle}/leads"],
    ["lead_ids", 1_000, "items", "Leads in one lead.mission.add or lead.mission.remove"],
    ["suppression_check", 500, "items", "Identifiers in one lead.suppression.check"],
    ["note", 4_000, "characters", "Text of a note on a lead"],
    ["depth", maxDepth, "levels", "Nesting of a JSON body"],
    ["idempotency_key", 255, "characters", "Length of Idempotency-Key, printable ASCII"],
    ["idempotency_record", 24, "hours", "Minimum time a response is kept under an idempotency key"],
    ["page_default", defaultLimit, "items", "Default page size"],
    ["page_maximum", 100, "items", "Maximum page size"],
    ["requests", 300, "requests per minute", "Requests per key, unless the operator changed it"],
    ["variations", 3, "items", "Variations of a LinkedIn draft"],
    ["linkedin_message", 8_000, "UTF-16 units", "Text of a LinkedIn message; over 1,900 causes a warning"],
    ["invitation_note", 300, "UTF-16 units", "Note of an invitation; at most 200 with a free account"],
    ["search_people", 2_500, "people", "People per Sales Navigator search"],
    ["search_url", 8_000, "characters", "URL of a Sales Navigator search"],
    ["name", 200, "characters", "Names and titles"],
    ["url", 2_048, "characters", "URLs"],
    ["array", 100, "items", "Items of an array, such as references of an offer"]
  ] as const
).map(([name, value, unit, description]) => ({ name, value, unit, description }))

const text = Schema.String

/** What these resources have in common. */
const ofService = { category: "workspace", scope: "offers:read", relatedCommands: ["workspace.status"] } as const

const CatalogPayload = Schema.Struct({
  version: text,
  catalog_hash: text.annotate({ description: "Changes whenever a command, a text or a schema changes" }),
  common_failures: Schema.Array(text).annotate({ description: "Error codes that every command can return" }),
  categories: Schema.Array(
    Schema.Struct({
      category: text,
      commands: Schema.Array(
        Schema.Struct({
          command_id: text,
          title: text,
          summary: text,
          risk: text,
          failures: Schema.Array(text).annotate({ description: "Further error codes that it can return" })
        })
      )
    })
  )
})

/** `svc://catalog`, for the public commands. */
export const catalogResource = (commands: ReadonlyArray<AnyCommand>) => {
  const categories = [...new Set(commands.map(({ category }) => category))].sort()
  const payload = () => ({
    version,
    catalog_hash: sha256Hex(
      canonicalJson(
        commands.map((command) => [
          describe(command),
          codesOf(command.failures),
          jsonSchemaOf(command.input),
          jsonSchemaOf(command.output)
        ])
      )
    ),
    common_failures: codesOf(commonFailures),
    categories: categories.map((category) => ({
      category,
      commands: commands
        .filter((command) => command.category === category)
        .map(({ failures, id, risk, summary, title }) => ({
          command_id: id,
          title,
          summary,
          risk,
          failures: codesOf(failures)
        }))
    }))
  })
  // The commands are fixed, so the document is built once, on the first read.
  let known: ReturnType<typeof payload> | undefined
  return Resource.make({
    uri: "svc://catalog",
    name: "catalog",
    title: "Command catalogue",
    summary: "All commands by category, with risk, version and a hash",
    description: "What the service can do: every command with its summary and risk. Read schemas per command.",
    ...ofService,
    payload: CatalogPayload,
    read: () =>
      Effect.sync(() => {
        known ??= payload()
        return known
      })
  })
}

const codes = Object.keys(failureTable).filter((code): code is FailureCode => code in failureTable)

/** `svc://errors`. */
export const errorsResource = Resource.make({
  uri: "svc://errors",
  name: "errors",
  title: "Error codes",
  summary: "Every error code and reason, its meaning and next step",
  description:
    "All error codes: what each means, whether a retry can help, and what to do; and all reasons of the queue.",
  ...ofService,
  payload: Schema.Struct({
    errors: Schema.Array(
      Schema.Struct({
        code: text,
        kind: text,
        status: Schema.Int,
        exit_code: Schema.Int,
        retryable: Schema.Boolean,
        summary: text,
        hint: text
      })
    ),
    reasons: Schema.Array(
      Schema.Struct({ code: text, text, who: text, command: Schema.NullOr(text), can_change: text })
    ).annotate({
      description: "Why something waits, was not sent or returned to review; who can change it, and with which command"
    })
  }),
  read: () =>
    Effect.succeed({
      reasons: reasonTable,
      errors: codes.map(describeFailure).map(({ exitCode, ...entry }) => ({ ...entry, exit_code: exitCode }))
    })
})

/** `svc://limits`. */
export const limitsResource = Resource.make({
  uri: "svc://limits",
  name: "limits",
  title: "Limits",
  summary: "Maximum sizes, lengths, page sizes and rates of requests",
  description: "Limits of requests, pages, fields and rates; anything above is refused.",
  ...ofService,
  payload: Schema.Struct({
    limits: Schema.Array(Schema.Struct({ name: text, value: Schema.Finite, unit: text, description: text }))
  }),
  read: () => Effect.succeed({ limits })
})

/** The guide to prospecting with this service. */
export const guide = {
  steps: [
    {
      title: "Check the status",
      text: "Start with the status: it counts everything and shows what needs a person.",
      commands: ["workspace.status", "mission.next-actions"],
      resources: ["svc://status", "svc://actions/today"]
    },
    {
      title: "Describe your offer",
      text: "Create an offer with its proof. Messages may only claim what the offer says.",
      commands: ["offer.list", "offer.create", "offer.check", "offer.publish"],
      resources: ["svc://offers"]
    },
    {
      title: "Create the sender",
      text: "Create an agent: the sender persona, with tone, signature and working hours.",
      commands: ["agent.list", "agent.create", "linkedin.account.list"],
      resources: ["svc://agents", "svc://linkedin/accounts"]
    },
    {
      title: "Plan the mission",
      text: "A mission combines agent, offer and brief: who the leads are, why you write, what they should do.",
      commands: ["mission.create", "mission.update", "mission.stats"],
      resources: ["svc://missions"]
    },
    {
      title: "Find leads",
      text: "Explain a Sales Navigator search, import it, or add single leads by any identifier.",
      commands: ["import.sales-nav.parse", "import.sales-nav.search", "import.get", "lead.upsert"],
      resources: ["svc://imports/{id}"]
    },
    {
      title: "Draft a message",
      text: "Read the prospect, then draft up to three variations that fit the person and the offer's proof.",
      commands: ["lead.search", "lead.get", "linkedin.draft.create", "linkedin.draft.check"],
      resources: ["svc://prospects/{id}"]
    },
    {
      title: "Review and send",
      text: "Approve one variation. Approval alone sends nothing immediately; send_now tries to send now.",
      commands: [
        "linkedin.draft.list",
        "linkedin.draft.update",
        "linkedin.draft.approve",
        "linkedin.draft.approve-many",
        "linkedin.draft.cancel"
      ],
      resources: ["svc://linkedin/drafts/pending", "svc://linkedin/drafts/{id}"]
    }
  ].map((step, index) => ({ step: index + 1, ...step })),
  rules: [
    "Nothing is sent without an approval, and only what the provider confirmed is reported as sent.",
    "Repeating a call with the same input changes nothing.",
    "Leads with status DoNotContact are never contacted.",
    "After SEND_OUTCOME_UNKNOWN, check the conversation on LinkedIn before anything else.",
    "When approving a draft, send the content_hash you read, so that only that text is approved.",
    "response_profile compact saves tokens but removes details that good messages need; prefer full."
  ]
}

/** `svc://guide`. */
export const guideResource = Resource.make({
  uri: "svc://guide",
  name: "guide",
  title: "Getting started",
  summary: "Step by step from an offer to a sent message, with commands",
  description: "A short guide for people and AI agents who are new to the service.",
  ...ofService,
  relatedCommands: ["offer.create", "mission.create", "lead.upsert", "linkedin.draft.create"],
  payload: Schema.Struct({
    steps: Schema.Array(
      Schema.Struct({
        step: Schema.Int,
        title: text,
        text,
        commands: Schema.Array(text),
        resources: Schema.Array(text)
      })
    ),
    rules: Schema.Array(text)
  }),
  read: () => Effect.succeed(guide)
})
