/** `svc lead upsert …`, `svc offer list …`: every command of the catalogue as a subcommand with its own flags. */
import { type AnyCommand, type Failure, InvalidInput, type JsonSchema, jsonSchemaOf } from "@svc/core"
import { commands as catalogue } from "@svc/core/commands"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { targetWithFlags } from "../cliTerms.ts"
import { argumentsOf, quoteForShell } from "../generated/commandLine.ts"
import { type FlagValue, flagOf, inputOf, nestedFields, type PlainField, plainFields } from "../generated/flagsOf.ts"
import { listIn, type Shape, show } from "../generated/show.ts"
import { readInputJson } from "../InputJson.ts"
import { note } from "../Output.ts"
import type { Subcommand } from "../Subcommand.ts"
import { dataOf, type Reply, type Target } from "../Target.ts"
import { stdoutSurface } from "../table.ts"
import { baseUrl, json, optionalText, toggle } from "./flags.ts"
import { noteWarnings, printReply } from "./printReply.ts"
import { dryRun, idempotencyKey, profile, type RunOptions, runCommand } from "./runCommand.ts"
import { type Common, withTarget } from "./withTarget.ts"

const required = (schema: JsonSchema): ReadonlyArray<string> => {
  const names: unknown = schema["required"]
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : []
}

/** The only required id or handle, which may also be given as an argument. */
const subjectOf = (schema: JsonSchema, fields: ReadonlyArray<PlainField>): PlainField | undefined => {
  const subjects = fields.filter(
    ({ name, type }) => type === "string" && /(^|_)(id|handle)$/.test(name) && required(schema).includes(name)
  )
  return subjects.length === 1 ? subjects[0] : undefined
}

const inputJson = (nested: ReadonlyArray<string>) =>
  optionalText(
    "input-json",
    `The input as JSON: a literal, @FILE, or - for stdin. Flags win over it.${
      nested.length === 0 ? "" : ` The only way to give ${nested.join(", ")}.`
    }`
  )

const fieldsFlag = optionalText(
  "fields",
  "Columns to show, comma-separated; use a path such as brief.tone_instructions for nested fields"
)

const jsonl = toggle("jsonl", "Output one JSON value per line, one per list row")
const all = toggle("all", "Fetch all pages")

const objectOf = (text: string): Effect.Effect<Readonly<Record<string, unknown>>, Failure> => {
  const value: unknown = JSON.parse(text)
  return Predicate.isObject(value)
    ? Effect.succeed({ ...value })
    : Effect.fail(new InvalidInput({ message: "--input-json must be a JSON object." }))
}

const shapeOf = (fields: Option.Option<string>, lines: boolean, asJson: boolean): Effect.Effect<Shape, Failure> => {
  const names = Option.isSome(fields) ? fields.value.split(",").map((name) => name.trim()) : []
  if (names.includes(""))
    return Effect.fail(new InvalidInput({ message: "--fields: empty name. Example: --fields name,status" }))
  if (asJson && (names.length > 0 || lines)) {
    return Effect.fail(
      new InvalidInput({ message: "--json prints the complete result. Use --jsonl with --fields, or neither." })
    )
  }
  return Effect.succeed({ fields: names, jsonl: lines, surface: stdoutSurface() })
}

const cursorOf = (reply: Reply): string | undefined => {
  const cursor = dataOf(reply)["next_cursor"]
  return typeof cursor === "string" ? cursor : undefined
}

/** The rows of all pages as one reply, or the first error. */
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

interface GeneratedOptions extends RunOptions {
  readonly inputJson: Option.Option<string>
  readonly given: Readonly<Record<string, FlagValue>>
  readonly fields: Option.Option<string>
  readonly jsonl: boolean
  readonly all: boolean
}

const runGenerated = (id: string, plain: ReadonlyArray<PlainField>, options: GeneratedOptions, common: Common) =>
  withTarget(
    common,
    Effect.fnUntraced(function* (target: Target) {
      const shape = yield* shapeOf(options.fields, options.jsonl, common.json)
      if (options.all && common.json) {
        return yield* new InvalidInput({ message: "--all returns several pages. Use --all --jsonl instead of --json." })
      }
      const base = Option.isSome(options.inputJson)
        ? yield* objectOf(yield* readInputJson(options.inputJson.value))
        : {}
      const input = inputOf(plain, options.given, base)
      // A field given as JSON is named as it was given.
      const flags = plain.filter(
        ({ flag, name }) => Option.isSome(options.given[flag] ?? Option.none()) || !(name in base)
      )
      const spoken = targetWithFlags(target, flags)
      const run = (value: unknown) => runCommand(spoken, id, JSON.stringify(value), options)
      const first = yield* run(input)
      const reply = options.all ? yield* everyPage(first, (cursor) => run({ ...input, cursor })) : first
      if (common.json || reply.status >= 400 || Object(reply.body).ok === false) {
        return yield* printReply(reply, common.json)
      }
      yield* noteWarnings(reply)
      yield* show(dataOf(reply), shape)
      const cursor = cursorOf(reply)
      if (cursor !== undefined)
        yield* note(`svc: more results available; add --cursor ${quoteForShell(cursor)}, or --all.`)
    })
  )

/** A command as a subcommand needs it, of this program's catalogue or as a service lists it. */
export interface Listed {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly whenToUse: string
  readonly writes: boolean
  readonly schema: () => JsonSchema
  readonly examples: ReadonlyArray<{ readonly title: string; readonly input: Readonly<Record<string, unknown>> }>
}

/** A command of a catalogue. */
export const listedOf = ({ input, risk, ...command }: AnyCommand): Listed => ({
  ...command,
  writes: risk !== "read",
  schema: () => jsonSchemaOf(input)
})

const exampleLines = (command: Listed, plain: ReadonlyArray<PlainField>, subject: PlainField | undefined) =>
  command.examples.map(({ input, title }) => ({
    command: ["svc", ...wordsOf(command), ...argumentsOf(plain, input, subject?.name).map(quoteForShell)].join(" "),
    description: title
  }))

/** The words of a command: `linkedin draft approve` for `linkedin.draft.approve`. */
const wordsOf = ({ id }: Pick<Listed, "id">): ReadonlyArray<string> => id.split(".")

const leaf = (command: Listed) => {
  const schema = command.schema()
  const plain = plainFields(schema)
  const subject = subjectOf(schema, plain)
  const { writes } = command
  const paged = plain.some(({ name }) => name === "cursor")
  return Command.make(
    wordsOf(command).at(-1) ?? command.id,
    {
      ...(subject === undefined
        ? {}
        : {
            subject: Argument.String(subject.flag).pipe(
              Argument.withDescription(`${subject.description || "The object"}; same as --${subject.flag}`),
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
      readonly given: Readonly<Record<string, FlagValue>>
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
      const options: GeneratedOptions = {
        ...config,
        given,
        all: config.all ?? false,
        dryRun: config.dryRun ?? false,
        idempotencyKey: config.idempotencyKey ?? Option.none()
      }
      return runGenerated(command.id, plain, options, config)
    }
  ).pipe(
    Command.withDescription(`${command.description}\n\n${command.whenToUse}`),
    Command.withShortDescription(command.summary),
    Command.withExamples(exampleLines(command, plain, subject))
  )
}

interface Branch {
  readonly leaves: Map<string, Listed>
  readonly branches: Map<string, Branch>
}

const newBranch = (): Branch => ({ leaves: new Map(), branches: new Map() })

const treeOf = (commands: ReadonlyArray<Listed>): Branch => {
  const tree = newBranch()
  for (const command of commands) {
    const words = wordsOf(command)
    let at = tree
    for (const word of words.slice(0, -1)) {
      const next = at.branches.get(word) ?? newBranch()
      at.branches.set(word, next)
      at = next
    }
    at.leaves.set(words.at(-1) ?? command.id, command)
  }
  return tree
}

const listed = catalogue.map(listedOf)
const tree = treeOf(listed)

const subcommandsOf = (branch: Branch, more: ReadonlyArray<Subcommand>): ReadonlyArray<Subcommand> => [
  ...more,
  ...[...branch.leaves].filter(([word]) => more.every(({ name }) => name !== word)).map(([, command]) => leaf(command)),
  ...[...branch.branches].map(([word, inner]) => grow(word, inner))
]

const grow = (word: string, branch: Branch, more: ReadonlyArray<Subcommand> = []): Subcommand => {
  const subcommands = subcommandsOf(branch, more)
  return Command.make(word).pipe(
    Command.withDescription(subcommands.map(({ name }) => name).join(", ")),
    Command.withSubcommands(subcommands)
  )
}

/** The first words of the commands in the catalogue. */
export const generatedWords: ReadonlyArray<string> = [...tree.branches.keys()]

/** What words lead to in the catalogue: a command, with its arguments; a group of commands; or nothing. */
export const placeOf = (words: ReadonlyArray<string>): "command" | "group" | "nothing" => {
  let at: Branch | undefined = tree
  for (const word of words) {
    if (at?.leaves.has(word)) return "command"
    at = at?.branches.get(word)
  }
  return at === undefined ? "nothing" : "group"
}

/** The subcommand of a first word. `more` are added, and replace those of the same name; so are commands of a host. */
export const generated = (word: string, more: ReadonlyArray<Subcommand> = [], own: ReadonlyArray<Listed> = []) => {
  const all = own.length === 0 ? tree : treeOf([...listed, ...own])
  return grow(word, all.branches.get(word) ?? newBranch(), more)
}
