/**
 * `svc lead upsert …`, `svc offer list …`: every command of the catalogue as a subcommand with flags of its own.
 *
 * Source: contract 2; issue "generated flags for every command".
 */
import type { AnyCommand } from "@svc/core/Command"
import { commands as catalogue } from "@svc/core/commands"
import { type Failure, fail } from "@svc/core/Failure"
import { type JsonSchema, jsonSchemaOf } from "@svc/core/JsonSchema"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { argumentsOf, quoteForShell } from "../generated/commandLine.ts"
import { flagOf, type Given, inputOf, nestedFields, type PlainField, plainFields } from "../generated/flagsOf.ts"
import { listIn, type Shape, show } from "../generated/show.ts"
import { readInputJson } from "../InputJson.ts"
import { note } from "../Output.ts"
import type { Room } from "../Room.ts"
import { dataOf, type Reply, type Target } from "../Target.ts"
import { stdoutSurface } from "../table.ts"
import { noteWarnings, printReply } from "./answer.ts"
import { baseUrl, json, toggle } from "./flags.ts"
import { dryRun, idempotencyKey, profile, type RunOptions, runCommand } from "./runCommand.ts"
import { withTarget } from "./withTarget.ts"

const required = (schema: JsonSchema): ReadonlyArray<string> => {
  const names: unknown = schema["required"]
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : []
}

/** The field that names what the command is about, when it always needs one: it may be given as a word of its own. */
const subjectOf = (schema: JsonSchema, fields: ReadonlyArray<PlainField>): PlainField | undefined => {
  const subjects = fields.filter(
    ({ name, type }) => type === "string" && /(^|_)(id|handle)$/.test(name) && required(schema).includes(name)
  )
  return subjects.length === 1 ? subjects[0] : undefined
}

const inputJson = (nested: ReadonlyArray<string>) =>
  Flag.String("input-json").pipe(
    Flag.withDescription(
      `The input as JSON: a literal, @FILE, or - for stdin. Flags win over it.${
        nested.length === 0 ? "" : ` The only way to give ${nested.join(", ")}.`
      }`
    ),
    Flag.optional
  )

const fieldsFlag = Flag.String("fields").pipe(
  Flag.withDescription("Columns to show, separated by commas; a path such as brief.tone_instructions reaches inside"),
  Flag.optional
)

const jsonl = toggle("jsonl", "Print one JSON value a line: each row of a list")
const all = toggle("all", "Read every page")

const objectOf = (text: string): Effect.Effect<Readonly<Record<string, unknown>>, Failure> => {
  const value: unknown = JSON.parse(text)
  return Predicate.isObject(value) && !Array.isArray(value)
    ? Effect.succeed({ ...value })
    : Effect.fail(fail("INVALID_INPUT", "--input-json must be one JSON object."))
}

const shapeOf = (fields: Option.Option<string>, lines: boolean, asJson: boolean): Effect.Effect<Shape, Failure> => {
  const names = Option.isSome(fields) ? fields.value.split(",").map((name) => name.trim()) : []
  if (names.includes(""))
    return Effect.fail(fail("INVALID_INPUT", "--fields: a name is empty. Write --fields name,status."))
  if (asJson && (names.length > 0 || lines)) {
    return Effect.fail(fail("INVALID_INPUT", "--json prints the whole answer. Use --jsonl with --fields, or neither."))
  }
  return Effect.succeed({ fields: names, jsonl: lines, surface: stdoutSurface() })
}

const cursorOf = (reply: Reply): string | undefined => {
  const cursor = dataOf(reply)["next_cursor"]
  return typeof cursor === "string" ? cursor : undefined
}

/** The rows of all pages as one answer. The first refusal is the answer. */
const everyPage = Effect.fnUntraced(function* (first: Reply, next: (cursor: string) => Effect.Effect<Reply, Failure>) {
  let last = first
  const list = listIn(dataOf(first))
  if (list === undefined) return first
  const rows = [...list.rows]
  for (let cursor = cursorOf(first); cursor !== undefined; cursor = cursorOf(last)) {
    last = yield* next(cursor)
    if (last.status >= 400) return last
    rows.push(...(listIn(dataOf(last))?.rows ?? []))
  }
  return { status: 200, body: { ok: true, data: { [list.name]: rows } } }
})

interface Common {
  readonly baseUrl: Option.Option<string>
  readonly json: boolean
}

interface Asked extends RunOptions {
  readonly inputJson: Option.Option<string>
  readonly given: Readonly<Record<string, Given>>
  readonly fields: Option.Option<string>
  readonly jsonl: boolean
  readonly all: boolean
}

const runGenerated = (id: string, plain: ReadonlyArray<PlainField>, asked: Asked, common: Common) =>
  withTarget(
    common,
    Effect.fnUntraced(function* (target: Target) {
      const shape = yield* shapeOf(asked.fields, asked.jsonl, common.json)
      if (asked.all && common.json) {
        return yield* fail("INVALID_INPUT", "--all has no one answer to print with --json. Use --all --jsonl.")
      }
      const base = Option.isSome(asked.inputJson) ? yield* objectOf(yield* readInputJson(asked.inputJson.value)) : {}
      const input = inputOf(plain, asked.given, base)
      const run = (value: unknown) => runCommand(target, id, JSON.stringify(value), asked)
      const first = yield* run(input)
      const reply = asked.all ? yield* everyPage(first, (cursor) => run({ ...input, cursor })) : first
      if (common.json || reply.status >= 400 || Object(reply.body).ok === false) {
        return yield* printReply(reply, common.json)
      }
      yield* noteWarnings(reply)
      yield* show(dataOf(reply), shape)
      const cursor = cursorOf(reply)
      if (cursor !== undefined) yield* note(`svc: there is more; add --cursor ${quoteForShell(cursor)}, or --all.`)
    })
  )

const exampleLines = (command: AnyCommand, plain: ReadonlyArray<PlainField>, subject: PlainField | undefined) =>
  command.examples.map(({ input, title }) => ({
    command: ["svc", ...wordsOf(command), ...argumentsOf(plain, input, subject?.name).map(quoteForShell)].join(" "),
    description: title
  }))

/** The words of a command's id: `linkedin.draft.approve` is said `linkedin draft approve`. */
const wordsOf = ({ id }: Pick<AnyCommand, "id">): ReadonlyArray<string> => id.split(".")

const leaf = (command: AnyCommand) => {
  const schema = jsonSchemaOf(command.input)
  const plain = plainFields(schema)
  const subject = subjectOf(schema, plain)
  const writes = command.risk !== "read"
  const paged = plain.some(({ name }) => name === "cursor")
  return Command.make(
    wordsOf(command).at(-1) ?? command.id,
    {
      ...(subject === undefined
        ? {}
        : {
            subject: Argument.String(subject.flag).pipe(
              Argument.withDescription(`${subject.description || "What it is about"}; or --${subject.flag}`),
              Argument.optional
            )
          }),
      given: Object.fromEntries(plain.map((field) => [field.flag, flagOf(field)])),
      inputJson: inputJson(nestedFields(schema)),
      fields: fieldsFlag,
      jsonl,
      ...(paged ? { all } : {}),
      profile,
      ...(writes ? { dryRun, idempotencyKey } : {}),
      baseUrl,
      json
    },
    (config: {
      readonly subject?: Option.Option<string>
      readonly given: Readonly<Record<string, Given>>
      readonly inputJson: Option.Option<string>
      readonly fields: Option.Option<string>
      readonly jsonl: boolean
      readonly all?: boolean
      readonly profile: Option.Option<string>
      readonly dryRun?: boolean
      readonly idempotencyKey?: Option.Option<string>
      readonly baseUrl: Option.Option<string>
      readonly json: boolean
    }) => {
      const word = config.subject ?? Option.none()
      const given =
        subject !== undefined && Option.isSome(word) ? { ...config.given, [subject.flag]: word } : config.given
      const asked: Asked = {
        ...config,
        given,
        all: config.all ?? false,
        dryRun: config.dryRun ?? false,
        idempotencyKey: config.idempotencyKey ?? Option.none()
      }
      return runGenerated(command.id, plain, asked, config)
    }
  ).pipe(
    Command.withDescription(`${command.description}\n\n${command.whenToUse}`),
    Command.withShortDescription(command.summary),
    Command.withExamples(exampleLines(command, plain, subject))
  )
}

interface Branch {
  readonly leaves: Map<string, AnyCommand>
  readonly branches: Map<string, Branch>
}

const newBranch = (): Branch => ({ leaves: new Map(), branches: new Map() })

const tree: Branch = newBranch()
for (const command of catalogue) {
  const words = wordsOf(command)
  let at = tree
  for (const word of words.slice(0, -1)) {
    const next = at.branches.get(word) ?? newBranch()
    at.branches.set(word, next)
    at = next
  }
  at.leaves.set(words.at(-1) ?? command.id, command)
}

const subcommandsOf = (branch: Branch, more: ReadonlyArray<Room>): ReadonlyArray<Room> => [
  ...more,
  ...[...branch.leaves].filter(([word]) => more.every(({ name }) => name !== word)).map(([, command]) => leaf(command)),
  ...[...branch.branches].map(([word, inner]) => grow(word, inner))
]

const grow = (word: string, branch: Branch, more: ReadonlyArray<Room> = []): Room => {
  const subcommands = subcommandsOf(branch, more)
  return Command.make(word).pipe(
    Command.withDescription(subcommands.map(({ name }) => name).join(", ")),
    Command.withSubcommands(subcommands)
  )
}

/** The first words of the commands in the catalogue. */
export const generatedWords: ReadonlyArray<string> = [...tree.branches.keys()]

/** The room of a first word, with commands beside the catalogue's own, and in place of those of the same word. */
export const generated = (word: string, more: ReadonlyArray<Room> = []) =>
  grow(word, tree.branches.get(word) ?? newBranch(), more)
