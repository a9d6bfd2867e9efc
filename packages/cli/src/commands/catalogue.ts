/** `svc commands …`, `svc resources …`, `svc whoami`, and `svc api METHOD PATH`: any request to the service. */

import type { Failure } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { CliExit, invalid, type Json, outJq, outJson, Refused } from "../Output.ts"
import { dataOf, get, getData, objectsOf, orFail, queryOf, type Reply } from "../Target.ts"
import { outPaged, outTable } from "../table.ts"
import { baseUrl, dryRun, idempotencyKey, jq, json, optionalText, profile, textOr, wordArgument } from "./flags.ts"
import { type Common, outData, printReply, readInputJson, runCommand, withTarget } from "./runCommand.ts"

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

/** The service, whose bodies `--json` prints exactly. */
const bodiesOf = ({ baseUrl, json }: Common) => ({ baseUrl, verbatim: json })

/** Prints a list as a table; with `--json` the body. */
const listed = (common: Common, path: string, name: string, columns: ReadonlyArray<string>) =>
  withTarget(bodiesOf(common), function* (target) {
    const reply = yield* orFail(get(target, path))
    if (common.json) return yield* printReply(reply, true)
    const rows = objectsOf(dataOf(reply)[name]).map((row) => columns.map((column) => row[column]))
    yield* outTable(columns, rows)
  })

const list = Command.make("list", { baseUrl, json }, (input) =>
  listed(input, "/api/v1/commands", "commands", ["command_id", "risk", "summary"])
).pipe(Command.withDescription("List the commands"), Command.withAlias("ls"))

const id = Argument.String("id").pipe(Argument.withDescription("Command id, such as lead.upsert"))

const schema = Command.make("schema", { id, baseUrl, json }, (input) =>
  withTarget(bodiesOf(input), function* (target) {
    const reply = yield* orFail(get(target, `/api/v1/commands/${encodeURIComponent(input.id)}/schema`))
    if (input.json) return yield* printReply(reply, true)
    const catalog = yield* get(target, "/api/v1/resources/read?uri=svc://catalog")
    yield* outPaged(schemaText(reply, catalog))
  })
).pipe(Command.withDescription("Show a command and its input and output schemas"))

const run = Command.make(
  "run",
  {
    id,
    input: textOr("input-json", "{}", "Input as JSON, @FILE, or - for stdin"),
    profile,
    dryRun,
    idempotencyKey,
    baseUrl,
    json
  },
  ({ id: command, input: given, ...common }) =>
    withTarget(bodiesOf(common), function* (target) {
      const input = yield* readInputJson(given)
      yield* printReply(yield* runCommand(target, command, input, common), common.json)
    })
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

const read = Command.make("read", { uri, profile, baseUrl, json }, ({ profile, uri: wanted, ...common }) =>
  withTarget(bodiesOf(common), function* (target) {
    const path = `/api/v1/resources/read${queryOf({ uri: wanted, response_profile: profile })}`
    yield* printReply(yield* get(target, path), common.json)
  })
).pipe(Command.withDescription("Read a resource"))

const listResources = Command.make("list", { baseUrl, json }, (input) =>
  listed(input, "/api/v1/resources", "resources", ["uri", "summary"])
).pipe(Command.withDescription("List the resources"), Command.withAlias("ls"))

/** `svc resources`. */
export const resources = Command.make("resources").pipe(
  Command.withDescription("List and read resources"),
  Command.withSubcommands([listResources, read])
)

/** `svc whoami`. */
export const whoami = Command.make("whoami", { baseUrl, json }, (common) =>
  withTarget(common, function* (target) {
    const me = yield* getData(target, "/api/v1/me")
    const key_source = target.key?.source ?? null
    yield* outData({ service: target.place, key_source, ...me }, common.json)
  })
).pipe(Command.withDescription("Show the service, organization and key in use"))

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const

/** The path below the base URL; `/api/v1` may be left out. Fails with INVALID_INPUT for a URL. */
const pathOf = (text: string): Effect.Effect<string, Failure> => {
  if (/^[a-z]+:|^\/\//i.test(text)) {
    return invalid("<path> must be a path such as /api/v1/offers. Use --base-url for another service.")
  }
  const path = text.startsWith("/") ? text : `/${text}`
  return Effect.succeed(/^\/(api|healthz|readyz|metrics|docs)\b/.test(path) ? path : `/api/v1${path}`)
}

const print = Effect.fnUntraced(function* (reply: Reply, filter: string | undefined, asJson: boolean) {
  const { body, status } = reply
  yield* filter !== undefined && status < 400 ? outJq(body, filter) : outJson(body, asJson)
  if (status >= 400) return yield* new CliExit({ exitCode: new Refused(reply).entry.exitCode })
})

/** `svc api`. */
export const api = Command.make(
  "api",
  {
    method: wordArgument("method", methods).pipe(Argument.withDescription("Method of the request")),
    path: Argument.String("path").pipe(Argument.withDescription("Path, such as /offers?limit=5")),
    input: optionalText("input-json", "Body as JSON, @FILE, or - for stdin"),
    jq,
    baseUrl,
    json
  },
  ({ input, jq: filter, method, path: given, ...common }) =>
    withTarget({ ...common, verbatim: true }, function* (target) {
      const path = yield* pathOf(given)
      const body = input === undefined ? {} : { json: yield* readInputJson(input) }
      yield* print(yield* target.send({ method, path, ...body }), filter, common.json)
    })
).pipe(
  Command.withDescription("Send any request to the service and print the body of its response"),
  Command.withShortDescription("Send a request to the API"),
  Command.withExamples([
    { command: "svc api GET '/missions?limit=5' --jq '.data.missions[].handle'", description: "Handles of missions" },
    { command: `svc api PATCH /offers/sample-offer --input-json '{"name":"New name"}'`, description: "Change an offer" }
  ])
)
