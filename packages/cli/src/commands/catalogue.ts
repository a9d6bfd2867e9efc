/** `svc commands …`, `svc resources …`, `svc whoami`: the spec's client. Source: spec; contract 2. */
import { type Failure, fail } from "@svc/core/Failure"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Ask } from "../ask.ts"
import { readInputJson } from "../InputJson.ts"
import { type CliExit, out, outJson, refuse } from "../Output.ts"
import { findTarget, type Reply, type Target } from "../Target.ts"
import { printReply } from "./answer.ts"
import { baseUrl, json, toggle } from "./flags.ts"

interface Common {
  readonly baseUrl: Option.Option<string>
  readonly json: boolean
}

/** Finds the service, does something with it, and prints a failure of either. */
export const withTarget = (
  { baseUrl: url, json: asJson }: Common,
  use: (target: Target) => Effect.Effect<void, CliExit | Failure>
): Effect.Effect<void, CliExit> =>
  Effect.flatMap(findTarget(process.env, Option.getOrUndefined(url)), use).pipe(
    Effect.scoped,
    Effect.catchTag("Failure", (failure) => refuse(failure, asJson))
  )

const asked = (common: Common, ask: Ask): Effect.Effect<void, CliExit> =>
  withTarget(common, (target) => Effect.flatMap(target.ask(ask), (reply) => printReply(reply, common.json)))

const dataOf = (reply: Reply, name: string): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const list: unknown = Object(Object(reply.body).data)[name]
  return Array.isArray(list) ? list : []
}

/** Prints a list as aligned columns for people, and the body as it is with `--json`. */
const listed = (common: Common, path: string, name: string, columns: ReadonlyArray<string>) =>
  withTarget(
    common,
    Effect.fnUntraced(function* (target: Target) {
      const reply = yield* target.ask({ method: "GET", path })
      if (common.json || reply.status >= 400) return yield* printReply(reply, common.json)
      const rows = dataOf(reply, name).map((row) => columns.map((column) => String(row[column] ?? "")))
      const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
      for (const row of rows) {
        yield* out(
          row
            .map((cell, index) => cell.padEnd(widths[index] ?? 0))
            .join("  ")
            .trimEnd()
        )
      }
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
    profile: Flag.String("response-profile").pipe(Flag.withDescription("full or compact"), Flag.optional),
    dryRun: toggle("dry-run", "Answer what would result and change nothing"),
    idempotencyKey: Flag.String("idempotency-key").pipe(
      Flag.withDescription("Repeating the run with the same key has one effect"),
      Flag.optional
    ),
    baseUrl,
    json
  },
  ({ dryRun, id: command, idempotencyKey, input: given, profile, ...common }) =>
    withTarget(
      common,
      Effect.fnUntraced(function* (target: Target) {
        const input = yield* readInputJson(given)
        const query = new URLSearchParams({
          ...(Option.isSome(profile) ? { response_profile: profile.value } : {}),
          ...(dryRun ? { dry_run: "true" } : {})
        })
        const headers = Option.isSome(idempotencyKey) ? { "idempotency-key": idempotencyKey.value } : {}
        if (Object.values(headers).some((value) => !/^[\x20-\x7e]{1,255}$/.test(value))) {
          return yield* fail("INVALID_INPUT", "--idempotency-key must be 1 to 255 printable ASCII characters.")
        }
        const path = `/api/v1/commands/${encodeURIComponent(command)}${query.size === 0 ? "" : `?${query}`}`
        yield* printReply(yield* target.ask({ method: "POST", path, json: input, headers }), common.json)
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
    profile: Flag.String("response-profile").pipe(Flag.withDescription("full or compact"), Flag.optional),
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
        ...Object(Object(reply.body).data)
      }
      yield* outJson(found, common.json)
    })
  )
).pipe(Command.withDescription("Show which service is asked, and as whom"))
