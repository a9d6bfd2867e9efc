/** Runs a generated command and prints its result. */
import { type Failure, InvalidInput } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { targetWithFlags } from "../cliTerms.ts"
import { noteWarnings, printReply } from "../commands/printReply.ts"
import { type RunOptions, runCommand } from "../commands/runCommand.ts"
import { type Common, withTarget } from "../commands/withTarget.ts"
import { confirmed } from "../confirmation.ts"
import { readInputJson } from "../InputJson.ts"
import { note, orRefuse, out, outJson } from "../Output.ts"
import { type OutputChoice, type OutputFlags, outputChoice } from "../outputChoice.ts"
import { noteWait, patientTarget } from "../patientTarget.ts"
import { dataOf, type Reply, type Target } from "../Target.ts"
import { stdoutSurface } from "../table.ts"
import { quoteForShell } from "./commandLine.ts"
import { type FlagValue, inputOf, type PlainField } from "./flagsOf.ts"
import { identifierOf } from "./Listed.ts"
import { withMissionStates } from "./missionStates.ts"
import { cursorOf, readPages } from "./readPages.ts"
import { select, show } from "./show.ts"

type Input = Readonly<Record<string, unknown>>

/** The flags of a generated command. */
export interface GeneratedOptions extends RunOptions, Omit<OutputFlags, "json"> {
  readonly inputJson: Option.Option<string>
  readonly given: Readonly<Record<string, FlagValue>>
  readonly all: boolean
  readonly yes: boolean
}

const largestPage = 100

const objectOf = (text: string): Effect.Effect<Input, Failure> => {
  const value: unknown = JSON.parse(text)
  return Predicate.isObject(value)
    ? Effect.succeed({ ...value })
    : Effect.fail(new InvalidInput({ message: "--input-json must be a JSON object." }))
}

/** The input, with a lead that was given by its email or LinkedIn URL in the field that the command has for it. */
const withLead = Effect.fnUntraced(function* (target: Target, input: Input, fields: ReadonlyArray<PlainField>) {
  const { lead_id: given, ...rest } = input
  const name = typeof given === "string" ? identifierOf(given) : "lead_id"
  if (name === "lead_id") return input
  if (fields.some((field) => field.name === name)) return { ...rest, [name]: given }
  const options = { profile: Option.none(), dryRun: false, idempotencyKey: Option.none() }
  const reply = yield* runCommand(target, "lead.get", JSON.stringify({ [name]: given }), options)
  const { lead_id } = dataOf(reply)
  return reply.status < 400 && typeof lead_id === "string" ? { ...rest, lead_id } : reply
})

const isReply = (found: Input | Reply): found is Reply => "status" in found && "body" in found

const filtered = (value: unknown, { jq }: OutputChoice & { readonly _tag: "Value" }) =>
  Effect.gen(function* () {
    if (jq === undefined) return yield* outJson(value, true)
    const { runJq } = yield* Effect.promise(() => import("../jqFilter.ts"))
    return yield* out(yield* runJq(value, jq))
  })

const print = Effect.fnUntraced(function* (target: Target, id: string, found: Reply, choice: OutputChoice) {
  if (choice._tag === "Body") return yield* printReply(found, true)
  yield* noteWarnings(found)
  const reply = id.startsWith("mission.") ? yield* withMissionStates(target, found) : found
  if (choice._tag === "Value") {
    const value = choice.fields.length === 0 ? reply.body : yield* select(dataOf(reply), choice.fields)
    return yield* filtered(value, choice)
  }
  yield* show(dataOf(reply), { fields: choice.fields, jsonl: choice._tag === "Lines", surface: stdoutSurface() })
})

/** Reads all pages and prints them; what was read before an error as well. */
const printAll = Effect.fnUntraced(function* (
  target: Target,
  id: string,
  first: Reply,
  choice: OutputChoice,
  next: (cursor: string) => Effect.Effect<Reply, Failure>
) {
  const atOnce = choice._tag === "Lines"
  const { refused, reply, rows } = yield* readPages(first, next, (page) =>
    atOnce ? print(target, id, page, choice) : Effect.void
  )
  if (!atOnce) yield* print(target, id, reply, choice)
  if (refused === undefined) return
  const cursor = cursorOf(reply)
  yield* note(`svc: ${rows} rows were read before this error. Continue with --cursor ${quoteForShell(cursor ?? "")}.`)
  yield* printReply(refused, false)
})

/** Runs the command with the input from `--input-json` and its flags. */
export const runGenerated = (id: string, plain: ReadonlyArray<PlainField>, options: GeneratedOptions, common: Common) =>
  orRefuse(
    common.json,
    Effect.gen(function* () {
      const choice = yield* outputChoice({ ...options, json: common.json })
      if (options.all && choice._tag === "Body") {
        return yield* new InvalidInput({
          message: "--all returns several pages. Use --all --jsonl, or --json with fields, instead of --json."
        })
      }
      const base = Option.isSome(options.inputJson)
        ? yield* objectOf(yield* readInputJson(options.inputJson.value))
        : {}
      const asked = inputOf(plain, options.given, base)
      yield* confirmed(id, asked, { json: common.json, yes: options.yes || options.dryRun })
      // A field given as JSON is named as it was given.
      const flags = plain.filter(
        ({ flag, name }) => Option.isSome(options.given[flag] ?? Option.none()) || !(name in base)
      )
      yield* withTarget(
        common,
        Effect.fnUntraced(function* (found: Target) {
          const target = options.all ? patientTarget(found, noteWait) : found
          const spoken = targetWithFlags(target, flags)
          const input = yield* withLead(spoken, asked, plain)
          if (isReply(input)) return yield* printReply(input, common.json)
          const run = (value: unknown) => runCommand(spoken, id, JSON.stringify(value), options)
          const paged = options.all ? { limit: largestPage, ...input } : input
          const first = yield* run(paged)
          if (first.status >= 400 || Object(first.body).ok === false) return yield* printReply(first, common.json)
          if (options.all) return yield* printAll(target, id, first, choice, (cursor) => run({ ...paged, cursor }))
          yield* print(target, id, first, choice)
          const cursor = cursorOf(first)
          if (cursor !== undefined && (choice._tag === "Text" || choice._tag === "Lines")) {
            yield* note(`svc: more results available; add --cursor ${quoteForShell(cursor)}, or --all.`)
          }
        })
      )
    })
  )
