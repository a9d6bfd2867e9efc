/** `svc commands …`, `svc resources …`, `svc whoami`. */
import type { Failure } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { readInputJson } from "../InputJson.ts"
import type { CliExit } from "../Output.ts"
import { outPaged } from "../pager.ts"
import { dataOf, objectsOf, type Reply, type Target } from "../Target.ts"
import { renderTable, stdoutSurface } from "../table.ts"
import { baseUrl, json } from "./flags.ts"
import { dryRun, idempotencyKey, outData, printReply, profile, runCommand } from "./runCommand.ts"
import { type Common, withTarget } from "./withTarget.ts"

type Json = Readonly<Record<string, unknown>>

/** The failures of a command in the catalogue; undefined if the key may not read it. */
const failuresOf = (catalog: Reply, id: unknown): string | undefined => {
  const payload = Object(Object(dataOf(catalog)["resource"]).payload)
  const commands = objectsOf(payload.categories).flatMap((category) => objectsOf(Object(category).commands))
  const found: Json | undefined = commands.map(Object).find(({ command_id }) => command_id === id)
  if (found === undefined) return undefined
  const codes = objectsOf(found["failures"])
  return `Can fail with: ${codes.length === 0 ? "no code of its own" : codes.join(", ")}\nEvery command can also fail with: ${objectsOf(payload.common_failures).join(", ")}`
}

/** The text, from the schema endpoint of the command and `svc://catalog`. */
export const schemaText = (reply: Reply, catalog: Reply): string => {
  const { command_id, description, input_schema, output_schema, risk, summary, when_to_use }: Json = Object(
    dataOf(reply)["command"]
  )
  const failures = failuresOf(catalog, command_id)
  return [
    `${command_id}: ${summary}. Risk: ${risk}.`,
    `${description} ${when_to_use}`,
    ...(failures === undefined ? [] : [failures]),
    `Input: ${JSON.stringify(input_schema, undefined, 2)}`,
    `Output: ${JSON.stringify(output_schema, undefined, 2)}`
  ].join("\n\n")
}

/** As {@link withTarget}; `--json` prints the service's bodies exactly. */
const withBodies = (common: Common, use: (target: Target) => Effect.Effect<void, CliExit | Failure>) =>
  withTarget(common, use, common.json)

/** Prints a list as a table; with `--json` the body. */
const listed = (common: Common, path: string, name: string, columns: ReadonlyArray<string>) =>
  withBodies(
    common,
    Effect.fnUntraced(function* (target: Target) {
      const reply = yield* target.send({ method: "GET", path })
      if (common.json || reply.status >= 400) return yield* printReply(reply, common.json)
      const rows = objectsOf(dataOf(reply)[name]).map((row) => columns.map((column) => row[column]))
      yield* outPaged(renderTable(columns, rows, stdoutSurface(), { prose: true }))
    })
  )

const list = Command.make("list", { baseUrl, json }, (input) =>
  listed(input, "/api/v1/commands", "commands", ["command_id", "risk", "summary"])
).pipe(Command.withDescription("List the commands"))

const id = Argument.String("id").pipe(Argument.withDescription("Command id, such as lead.upsert"))

const schema = Command.make("schema", { id, baseUrl, json }, (input) =>
  withBodies(
    input,
    Effect.fnUntraced(function* (target: Target) {
      const path = `/api/v1/commands/${encodeURIComponent(input.id)}/schema`
      const reply = yield* target.send({ method: "GET", path })
      if (input.json || reply.status >= 400) return yield* printReply(reply, input.json)
      const catalog = yield* target.send({ method: "GET", path: "/api/v1/resources/read?uri=svc://catalog" })
      yield* outPaged(schemaText(reply, catalog))
    })
  )
).pipe(Command.withDescription("Show a command and its input and output schemas"))

const run = Command.make(
  "run",
  {
    id,
    input: Flag.String("input-json").pipe(
      Flag.withDescription("Input as JSON, @FILE, or - for stdin"),
      Flag.withDefault("{}")
    ),
    profile,
    dryRun,
    idempotencyKey,
    baseUrl,
    json
  },
  ({ id: command, input: given, ...common }) =>
    withBodies(
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

const uri = Argument.String("uri").pipe(Argument.withDescription("Resource URI, such as svc://status"))

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
    return withBodies(common, (target) =>
      Effect.flatMap(target.send({ method: "GET", path: `/api/v1/resources/read?${query}` }), (reply) =>
        printReply(reply, common.json)
      )
    )
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
      const reply = yield* target.send({ method: "GET", path: "/api/v1/me" })
      if (reply.status >= 400) return yield* printReply(reply, common.json)
      const found = {
        service: target.place,
        key_source: target.key?.source ?? null,
        ...dataOf(reply)
      }
      yield* outData(found, common.json)
    })
  )
).pipe(Command.withDescription("Show the service, organization and key in use"))
