/** `svc commands …`, `svc resources …`, `svc whoami`: the spec's client. Source: spec; contract 2. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Ask } from "../ask.ts"
import { readInputJson } from "../InputJson.ts"
import { type CliExit, outJson } from "../Output.ts"
import { outPaged } from "../pager.ts"
import { dataOf, type Reply, type Target } from "../Target.ts"
import { renderTable, stdoutSurface } from "../table.ts"
import { printReply } from "./answer.ts"
import { baseUrl, json } from "./flags.ts"
import { dryRun, idempotencyKey, profile, runCommand } from "./runCommand.ts"
import { type Common, withTarget } from "./withTarget.ts"

const asked = (common: Common, ask: Ask): Effect.Effect<void, CliExit> =>
  withTarget(common, (target) => Effect.flatMap(target.ask(ask), (reply) => printReply(reply, common.json)))

const listOf = (reply: Reply, name: string): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const list: unknown = dataOf(reply)[name]
  return Array.isArray(list) ? list : []
}

/** Prints a list as a table, and the body as it is with `--json`. */
const listed = (common: Common, path: string, name: string, columns: ReadonlyArray<string>) =>
  withTarget(
    common,
    Effect.fnUntraced(function* (target: Target) {
      const reply = yield* target.ask({ method: "GET", path })
      if (common.json || reply.status >= 400) return yield* printReply(reply, common.json)
      const rows = listOf(reply, name).map((row) => columns.map((column) => row[column]))
      yield* outPaged(renderTable(columns, rows, stdoutSurface()))
    })
  )

const list = Command.make("list", { baseUrl, json }, (input) =>
  listed(input, "/api/v1/commands", "commands", ["command_id", "risk", "summary"])
).pipe(Command.withDescription("List the commands"))

const id = Argument.String("id").pipe(Argument.withDescription("Id of a command, such as lead.upsert"))

const schema = Command.make("schema", { id, baseUrl, json }, (input) =>
  asked(input, { method: "GET", path: `/api/v1/commands/${encodeURIComponent(input.id)}/schema` })
).pipe(Command.withDescription("Show a command with the schemas of its input and output"))

const run = Command.make(
  "run",
  {
    id,
    input: Flag.String("input-json").pipe(
      Flag.withDescription("The input as JSON: a literal, @FILE, or - for stdin"),
      Flag.withDefault("{}")
    ),
    profile,
    dryRun,
    idempotencyKey,
    baseUrl,
    json
  },
  ({ id: command, input: given, ...common }) =>
    withTarget(
      common,
      Effect.fnUntraced(function* (target: Target) {
        const input = yield* readInputJson(given)
        yield* printReply(yield* runCommand(target, command, input, common), common.json)
      })
    )
).pipe(
  Command.withDescription("Run a command"),
  Command.withExamples([
    { command: `svc commands run offer.list --input-json '{"limit":5}' --json`, description: "The newest five offers" }
  ])
)

/** `svc commands`. */
export const commands = Command.make("commands").pipe(
  Command.withDescription("List, describe and run commands"),
  Command.withSubcommands([list, schema, run])
)

const uri = Argument.String("uri").pipe(Argument.withDescription("URI of a resource, such as svc://status"))

const read = Command.make(
  "read",
  {
    uri,
    profile,
    baseUrl,
    json
  },
  ({ profile, uri: wanted, ...common }) => {
    const query = new URLSearchParams({
      uri: wanted,
      ...(Option.isSome(profile) ? { response_profile: profile.value } : {})
    })
    return asked(common, { method: "GET", path: `/api/v1/resources/read?${query}` })
  }
).pipe(Command.withDescription("Read a resource"))

const listResources = Command.make("list", { baseUrl, json }, (input) =>
  listed(input, "/api/v1/resources", "resources", ["uri", "summary"])
).pipe(Command.withDescription("List the resources"))

/** `svc resources`. */
export const resources = Command.make("resources").pipe(
  Command.withDescription("List and read resources"),
  Command.withSubcommands([listResources, read])
)

/** `svc whoami`. */
export const whoami = Command.make("whoami", { baseUrl, json }, (common) =>
  withTarget(
    common,
    Effect.fnUntraced(function* (target: Target) {
      const reply = yield* target.ask({ method: "GET", path: "/api/v1/me" })
      if (reply.status >= 400) return yield* printReply(reply, common.json)
      const found = {
        service: target.place,
        key_source: target.key?.source ?? null,
        ...dataOf(reply)
      }
      yield* outJson(found, common.json)
    })
  )
).pipe(Command.withDescription("Show which service is asked, and as whom"))
