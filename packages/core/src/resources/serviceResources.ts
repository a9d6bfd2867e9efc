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
import { maxDepth } from "../kernel/schema/Json.ts"
import { jsonSchemaOf } from "../kernel/schema/JsonSchema.ts"
import { defaultLimit } from "../kernel/schema/Page.ts"
import { version } from "../kernel/schema/Version.ts"
import { reasonTable } from "../outreach/transmission/reasons.ts"
import { GetWorkspaceStatus } from "../reports/status/WorkspaceStatus.ts"
import { guide } from "./guide.ts"

/** One limit. `unit` says what `value` counts. */
interface LimitEntry {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly description: string
}

const entry = (name: string, value: number, unit: string, description: string): LimitEntry => ({
  name,
  value,
  unit,
  description
})

/** Every limit that a caller can reach. */
const limits: ReadonlyArray<LimitEntry> = [
  entry("body", 1_048_576, "bytes", "JSON body of a request"),
  entry("leads_body", 5_242_880, "bytes", "JSON body of POST /missions/{missionHandle}/leads"),
  entry("leads", 1_000, "items", "Leads in one POST /missions/{missionHandle}/leads"),
  entry("lead_ids", 1_000, "items", "Leads in one lead.mission.add or lead.mission.remove"),
  entry("suppression_check", 500, "items", "Identifiers in one lead.suppression.check"),
  entry("note", 4_000, "characters", "Text of a note on a lead"),
  entry("depth", maxDepth, "levels", "Nesting of a JSON body"),
  entry("idempotency_key", 255, "characters", "Length of Idempotency-Key, printable ASCII"),
  entry("idempotency_record", 24, "hours", "Minimum time a response is kept under an idempotency key"),
  entry("page_default", defaultLimit, "items", "Default page size"),
  entry("page_maximum", 100, "items", "Maximum page size"),
  entry("requests", 300, "requests per minute", "Requests per key, unless the operator changed it"),
  entry("variations", 3, "items", "Variations of a LinkedIn draft"),
  entry("linkedin_message", 8_000, "UTF-16 units", "Text of a LinkedIn message; over 1,900 causes a warning"),
  entry("invitation_note", 300, "UTF-16 units", "Note of an invitation; at most 200 with a free account"),
  entry("search_people", 2_500, "people", "People per Sales Navigator search"),
  entry("search_url", 8_000, "characters", "URL of a Sales Navigator search"),
  entry("name", 200, "characters", "Names and titles"),
  entry("url", 2_048, "characters", "URLs"),
  entry("array", 100, "items", "Items of an array, such as references of an offer")
]

const text = Schema.String

/** `svc://status`. */
export const statusResource = Resource.ofCommand(GetWorkspaceStatus, {
  uri: "svc://status",
  name: "status",
  title: "Workspace status",
  summary: "Counts by state, LinkedIn accounts, warnings and version",
  description:
    "State of the workspace: offers, leads, missions, drafts, queued messages and imports by state, the health of " +
    "LinkedIn accounts, and what needs a person.",
  relatedCommands: ["workspace.status", "linkedin.draft.list", "import.list"],
  input: () => ({})
})

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
    category: "workspace",
    scope: "offers:read",
    relatedCommands: ["workspace.status"],
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
  category: "workspace",
  scope: "offers:read",
  relatedCommands: ["workspace.status"],
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
    reasons: Schema.Array(Schema.Struct({ code: text, text, who: text, command: Schema.NullOr(text) })).annotate({
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
  category: "workspace",
  scope: "offers:read",
  relatedCommands: ["workspace.status"],
  payload: Schema.Struct({
    limits: Schema.Array(Schema.Struct({ name: text, value: Schema.Finite, unit: text, description: text }))
  }),
  read: () => Effect.succeed({ limits })
})

/** `svc://guide`. */
export const guideResource = Resource.make({
  uri: "svc://guide",
  name: "guide",
  title: "Getting started",
  summary: "Step by step from an offer to a sent message, with commands",
  description: "A short guide for people and AI agents who are new to the service.",
  category: "workspace",
  scope: "offers:read",
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
