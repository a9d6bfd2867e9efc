/** Runs a generated command and prints its result. */

import type { Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { targetWithFlags } from "../cliTerms.ts"
import {
  type Common,
  identifierOf,
  leadIdOf,
  noteWarnings,
  printReply,
  type RunOptions,
  readInputJson,
  runCommand,
  withTarget
} from "../commands/runCommand.ts"
import { confirmedInput } from "../confirmations.ts"
import { invalid, type Json, note, outJq, outJson, Refused, refuse } from "../Output.ts"
import { readSecret } from "../readSecret.ts"
import {
  callCommand,
  dataOf,
  get,
  noteWait,
  objectsOf,
  patientTarget,
  queryOf,
  type Reply,
  type Target
} from "../Target.ts"
import { stdoutSurface } from "../table.ts"
import { inputOf, type PlainField, quoteForShell } from "./flagsOf.ts"
import { listIn, select, show } from "./show.ts"

/** The output that was asked for. */
interface OutputChoice {
  /**
   * The body of the service, exactly; text for a person, or tab-separated values; a JSON value per row; or the chosen fields as one
   * JSON value, without fields the body, which `jq` may filter.
   */
  readonly form: "body" | "text" | "lines" | "value"
  readonly fields: ReadonlyArray<string>
  readonly jq: string | undefined
}

/** The choice. Fails with INVALID_INPUT for flags that exclude each other. */
const outputChoice = (flags: GeneratedOptions): Effect.Effect<OutputChoice, Failure> => {
  const { jq, json, jsonl } = flags
  const fields = flags.fields?.split(",").map((name) => name.trim()) ?? []
  if (fields.includes("")) return invalid("--fields: empty name. Example: --fields name,status")
  if (jsonl && (json || jq !== undefined)) {
    return invalid("--jsonl prints one value per line. Leave out --json and --jq.")
  }
  if (jsonl) return Effect.succeed({ form: "lines", fields, jq })
  if (jq !== undefined || (json && fields.length > 0)) return Effect.succeed({ form: "value", fields, jq })
  return Effect.succeed({ form: json ? "body" : "text", fields, jq })
}

/** Pages that are read to find the missions of a result. */
const mostPages = 20

const withFacts = (mission: Json, known: ReadonlyMap<string, Json>): Json => {
  const { handle, status } = known.get(String(mission["id"])) ?? {}
  if (handle === undefined) return mission
  const { id, name, status: _, ...rest } = mission
  return { id, name, handle, state: status, ...rest }
}

/** The reply, with `handle` and `state` in place of the coarser `status` of each mission. */
const withMissionStates = Effect.fnUntraced(function* (target: Target, reply: Reply) {
  const data = dataOf(reply)
  const { mission } = data
  const missions = mission === undefined ? objectsOf(data["missions"]) : [Object(mission)]
  const wanted = new Set(missions.map(({ id }) => String(id)))
  const known = new Map<string, Json>()
  let cursor: unknown = ""
  for (let page = 0; page < mostPages && wanted.size > 0 && typeof cursor === "string"; page++) {
    const [only] = wanted.size === 1 ? wanted : []
    const query = queryOf({ limit: 100, cursor: cursor || undefined })
    const found = dataOf(
      yield* get(target, `/api/v1/missions${only === undefined ? query : `/${encodeURIComponent(only)}`}`)
    )
    for (const row of found["mission"] === undefined ? objectsOf(found["missions"]) : [Object(found["mission"])]) {
      if (wanted.delete(String(row["id"]))) known.set(String(row["id"]), row)
    }
    cursor = found["nextCursor"]
  }
  const changed =
    mission === undefined
      ? { missions: missions.map((one) => withFacts(one, known)) }
      : { mission: withFacts(Object(mission), known) }
  return { ...reply, body: { ...Object(reply.body), data: { ...data, ...changed } } }
})

/** The cursor of the next page; undefined on the last one. */
const cursorOf = (reply: Reply): string | undefined => {
  const cursor = dataOf(reply)["next_cursor"]
  return typeof cursor === "string" ? cursor : undefined
}

/**
 * Reads the pages after the first one. `onPage` gets each page as it arrives. Returns the rows of all as one reply. An error
 * (`refused`) keeps what was read before it; the reply then has the cursor to continue with.
 */
export const readPages = Effect.fnUntraced(function* <E>(
  first: Reply,
  next: (cursor: string) => Effect.Effect<Reply, Failure>,
  onPage: (page: Reply) => Effect.Effect<void, E>
) {
  const list = listIn(dataOf(first))
  if (list === undefined) return { reply: first, rows: 0, refused: undefined }
  const rows = [...list.rows]
  let cursor = cursorOf(first)
  let refused: Reply | undefined
  yield* onPage(first)
  while (cursor !== undefined && refused === undefined) {
    const page = yield* next(cursor)
    if (page.status >= 400) refused = page
    else {
      yield* onPage(page)
      for (const row of listIn(dataOf(page))?.rows ?? []) rows.push(row)
      cursor = cursorOf(page)
    }
  }
  const data = { [list.name]: rows, next_cursor: cursor ?? null }
  return { reply: { status: 200, body: { ...Object(first.body), data } }, rows: rows.length, refused }
})

/** The flags of a generated command. */
export interface GeneratedOptions extends RunOptions, Common {
  readonly fields: string | undefined
  readonly jsonl: boolean
  readonly jq: string | undefined
  readonly inputJson: string | undefined
  readonly given: Json
  readonly all?: boolean
  readonly yes?: boolean
  /** Whether the secret is on standard input. */
  readonly secretStdin?: boolean
}

const largestPage = 100

/** Fields that name a person. */
const identifiers = ["lead_id", "email", "linkedin_url", "linkedin_id", "sales_nav_id", "custom_id"]

const objectOf = (text: string): Effect.Effect<Json, Failure> => {
  const value: unknown = JSON.parse(text)
  return Predicate.isObject(value) ? Effect.succeed({ ...value }) : invalid("--input-json must be a JSON object.")
}

/** The input, with a lead that was given by its email or LinkedIn URL in the field that the command has for it. */
const withLead = Effect.fnUntraced(function* (target: Target, input: Json, fields: ReadonlyArray<PlainField>) {
  const { lead_id: given, ...rest } = input
  const name = typeof given === "string" ? identifierOf(given) : "lead_id"
  if (name === "lead_id") return input
  if (fields.some((field) => field.name === name)) return { ...rest, [name]: given }
  return { ...rest, lead_id: yield* leadIdOf(target, String(given)) }
})

/** The input; working hours given as a text leave the agent's holidays, and what else no text tells, as they are. */
const withHours = Effect.fnUntraced(function* (target: Target, id: string, input: Json, given: Json) {
  if (id !== "agent.update" || given["hours"] === undefined) return input
  const { agent_handle } = input
  const { agent } = yield* callCommand(target, "agent.get", { agent_handle })
  const { holidays, useLeadTimezone } = Object(Object(agent).workingHours)
  return { ...input, working_hours: { holidays, useLeadTimezone, ...Object(input["working_hours"]) } }
})

const print = Effect.fnUntraced(function* (target: Target, id: string, found: Reply, choice: OutputChoice) {
  if (choice.form === "body") return yield* printReply(found, true)
  yield* noteWarnings(found)
  const reply = id.startsWith("mission.") ? yield* withMissionStates(target, found) : found
  if (choice.form === "value") {
    const value = choice.fields.length === 0 ? reply.body : yield* select(dataOf(reply), choice.fields)
    return yield* choice.jq === undefined ? outJson(value, true) : outJq(value, choice.jq)
  }
  yield* show(dataOf(reply), { fields: choice.fields, jsonl: choice.form === "lines", surface: stdoutSurface() })
})

/** Reads all pages and prints them; what was read before an error as well. */
const printAll = Effect.fnUntraced(function* (
  target: Target,
  id: string,
  first: Reply,
  choice: OutputChoice,
  next: (cursor: string) => Effect.Effect<Reply, Failure>
) {
  const atOnce = choice.form === "lines"
  const { refused, reply, rows } = yield* readPages(first, next, (page) =>
    atOnce ? print(target, id, page, choice) : Effect.void
  )
  if (!atOnce) yield* print(target, id, reply, choice)
  if (refused === undefined) return
  const cursor = cursorOf(reply)
  yield* note(`svc: ${rows} rows were read before this error. Continue with --cursor ${quoteForShell(cursor ?? "")}.`)
  yield* refuse(new Refused(refused), false)
})

/** Runs the command with the input from `--input-json` and its flags. */
export const runGenerated = Effect.fnUntraced(function* (
  id: string,
  plain: ReadonlyArray<PlainField>,
  options: GeneratedOptions,
  secret?: PlainField
) {
  const { all = false, dryRun = false, given, inputJson, json, secretStdin = false, yes = false } = options
  const choice = yield* outputChoice(options)
  if (all && choice.form === "body") {
    return yield* invalid("--all returns several pages. Use --all --jsonl, or --json with fields, instead of --json.")
  }
  const base = inputJson === undefined ? {} : yield* objectOf(yield* readInputJson(inputJson))
  const plainly = inputOf(plain, given, base)
  const kept = secret && !(secret.name in base) && (yield* readSecret(secret, secretStdin, json))
  const asked = secret && kept ? { ...plainly, [secret.name]: kept } : plainly
  // A field given as JSON is named as it was given.
  const flags = plain.filter(({ flag, name }) => given[flag] !== undefined || !(name in base))
  yield* withTarget(options, function* (service) {
    const target = all ? patientTarget(service, noteWait) : service
    const person = identifiers.map((name) => asked[name]).find((value) => typeof value === "string")
    const spoken = targetWithFlags(target, flags, person?.slice(0, 200))
    const found = yield* withHours(spoken, id, yield* withLead(spoken, asked, plain), given)
    const asking = { json, typed: asked["lead_id"], yes: yes || dryRun }
    const input = yield* confirmedInput(spoken, id, found, asking)
    const run = (value: unknown) => runCommand(spoken, id, JSON.stringify(value), options)
    const paged = all ? { limit: largestPage, ...input } : input
    const first = yield* run(paged)
    if (first.status >= 400 || Object(first.body).ok === false) return yield* new Refused(first)
    if (all) return yield* printAll(target, id, first, choice, (cursor) => run({ ...paged, cursor }))
    yield* print(target, id, first, choice)
    const cursor = cursorOf(first)
    if (cursor !== undefined && (choice.form === "text" || choice.form === "lines")) {
      yield* note(`svc: more results available; add --cursor ${quoteForShell(cursor)}, or --all.`)
    }
  })
})
