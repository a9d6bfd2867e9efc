/** Resources about the service itself: its status, commands, error codes, limits and how to work with it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe } from "../Catalog.ts"
import type { AnyCommand } from "../Command.ts"
import { describeFailure, type FailureCode, failureTable } from "../Failure.ts"
import { canonicalJson, sha256Hex } from "../Hash.ts"
import { jsonSchemaOf } from "../JsonSchema.ts"
import * as Resource from "../Resource.ts"
import { GetWorkspaceStatus } from "../status/commands/GetWorkspaceStatus.ts"
import { version } from "../Version.ts"
import { guide } from "./guide.ts"
import { limits } from "./limits.ts"

const text = Schema.String

/** `svc://status`. */
export const statusResource = Resource.make({
  uri: "svc://status",
  name: "status",
  title: "Workspace status",
  summary: "Counts by state, LinkedIn accounts, warnings and version.",
  description:
    "How the whole workspace stands: offers, leads, missions, drafts, messages on their way and imports by state, the " +
    "health of the LinkedIn accounts, and what a person should look at.",
  category: "workspace",
  scope: GetWorkspaceStatus.scope,
  relatedCommands: ["workspace.status", "linkedin.draft.list", "import.list"],
  params: Resource.noParams,
  example: {},
  payload: GetWorkspaceStatus.output,
  read: () => GetWorkspaceStatus.run({})
})

const CatalogPayload = Schema.Struct({
  version: text,
  catalog_hash: text.annotate({ description: "Changes whenever a command, a text or a schema changes" }),
  categories: Schema.Array(
    Schema.Struct({
      category: text,
      commands: Schema.Array(Schema.Struct({ command_id: text, title: text, summary: text, risk: text }))
    })
  )
})

/** `svc://catalog`, over the commands that are listed. */
export const catalogResource = (commands: ReadonlyArray<AnyCommand>) => {
  const categories = [...new Set(commands.map(({ category }) => category))].sort()
  const payload = () => ({
    version,
    catalog_hash: sha256Hex(
      canonicalJson(
        commands.map((command) => [describe(command), jsonSchemaOf(command.input), jsonSchemaOf(command.output)])
      )
    ),
    categories: categories.map((category) => ({
      category,
      commands: commands
        .filter((command) => command.category === category)
        .map(({ id, risk, summary, title }) => ({ command_id: id, title, summary, risk }))
    }))
  })
  // The commands are fixed, so the document is made once, when it is first asked for.
  let known: ReturnType<typeof payload> | undefined
  return Resource.make({
    uri: "svc://catalog",
    name: "catalog",
    title: "Command catalogue",
    summary: "All commands by category, with their risk, the version and a hash.",
    description: "What the service can do: every command with its summary and risk. Schemas are read per command.",
    category: "workspace",
    scope: "offers:read",
    relatedCommands: ["workspace.status"],
    params: Resource.noParams,
    example: {},
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
  summary: "Every error code with its HTTP status, exit code, meaning and next step.",
  description: "The table of failures: what each code means, whether trying again can help, and what to do.",
  category: "workspace",
  scope: "offers:read",
  relatedCommands: ["workspace.status"],
  params: Resource.noParams,
  example: {},
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
    )
  }),
  read: () =>
    Effect.succeed({
      errors: codes.map(describeFailure).map(({ exitCode, ...entry }) => ({ ...entry, exit_code: exitCode }))
    })
})

/** `svc://limits`. */
export const limitsResource = Resource.make({
  uri: "svc://limits",
  name: "limits",
  title: "Limits",
  summary: "Sizes, lengths, page sizes and rates that requests must keep.",
  description: "How much fits into a request, a page, a field and a minute; what is over a limit is refused.",
  category: "workspace",
  scope: "offers:read",
  relatedCommands: ["workspace.status"],
  params: Resource.noParams,
  example: {},
  payload: Schema.Struct({
    limits: Schema.Array(Schema.Struct({ name: text, value: Schema.Finite, unit: text, description: text }))
  }),
  read: () => Effect.succeed({ limits })
})

/** `svc://guide`. */
export const guideResource = Resource.make({
  uri: "svc://guide",
  name: "guide",
  title: "How to prospect with this service",
  summary: "The way from an offer to a sent message, step by step, with the command of each step.",
  description: "A short guide for people and programs that use the service for the first time.",
  category: "workspace",
  scope: "offers:read",
  relatedCommands: ["offer.create", "mission.create", "lead.upsert", "linkedin.draft.create"],
  params: Resource.noParams,
  example: {},
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
