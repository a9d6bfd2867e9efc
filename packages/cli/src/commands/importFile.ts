/** `svc import csv FILE --mission HANDLE`: sends a file of any size, and reports what became of its rows. */

import { Transform } from "node:stream"
import { delimiters } from "@svc/core/internal"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { inFlags, targetWithFlags } from "../cliTerms.ts"
import { CliExit, note, out, outJson } from "../Output.ts"
import { dataOf, objectsOf, queryOf, type Reply, sendCommand, type Target } from "../Target.ts"
import { drawLine, findRunning, followImport, linesIn, type SourceFile, sourceFile } from "../upload/followImport.ts"
import { baseUrl, dryRun, json, optionalText, toggle } from "./flags.ts"
import { needsApproval, printReply, withTarget } from "./runCommand.ts"

const text = (value: unknown): string => String(value ?? "").replaceAll(/\p{Cc}/gu, " ")
const whole = (value: unknown): string => Number(value ?? 0).toLocaleString("en")

/** Number of rejected rows shown. */
const maxRejected = 5

const importOf = (reply: Reply): Readonly<Record<string, unknown>> => Object(dataOf(reply)["import"])

const isRunning =
  "Another upload of this file is running, or its process stopped less than 15 seconds ago. Retry in a moment."

const messageOf = ({ message, state }: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  if (state === "running") return [isRunning]
  return message == null ? [] : [inFlags(text(message), [{ name: "again", flag: "again" }])]
}

/** What the report needs to know besides the reply. */
interface ReportOptions {
  readonly label: string
  /** Known people whom the import added to the mission; undefined if that is unknown. */
  readonly enrolled: number | undefined
  readonly dryRun: boolean
}

const people = (count: number): string => (count === 1 ? "1 known person" : `${whole(count)} known people`)

/** The rows that were rejected: the first ones, how many more there are, and how to get all of them. */
const rejectedLines = (found: Readonly<Record<string, unknown>>, dryRun: boolean): ReadonlyArray<string> => {
  const rejected = objectsOf(found["refused_rows"])
  const shown = rejected.slice(0, maxRejected)
  const more = Math.max(rejected.length, Number(found["invalid_count"] ?? 0)) - shown.length
  const all = `svc import leads list ${text(found["import_id"])} --outcome refused --all --jsonl > rejected.jsonl`
  return [
    ...shown.map(({ message, reason, row }) => `  row ${whole(row)}: ${text(reason)} ${text(message)}`),
    ...(more > 0 ? [`  … ${whole(more)} more`] : []),
    ...(rejected.length > 0 && !dryRun ? [`Write every rejected row to a file: ${all}`] : [])
  ]
}

/** The id of the import in a reply. */
const importId = (reply: Reply): string => text(importOf(reply)["import_id"])

/** The report. A dry run has no import that could be looked up later. */
const importReport = (reply: Reply, { dryRun, enrolled = 0, label }: ReportOptions): string => {
  const found = importOf(reply)
  const target = `${label} into ${text(Object(found["mission"]).name)}`
  const count = (name: string) => whole(found[`${name}_count`])
  const added = enrolled === 0 ? "" : ` ${people(enrolled)} ${enrolled === 1 ? "was" : "were"} added to the mission.`
  const rest = `${count("skipped")} not changed, ${count("invalid")} invalid`
  return [
    dryRun
      ? `Dry run of ${target}: ${count("created")} would be created, ${count("updated")} updated, ${rest}. Nothing was saved.`
      : `${target}: ${count("created")} created, ${count("updated")} updated, ${rest} ` +
        `(${text(found["state"])}, ${importId(reply)}).${added}`,
    ...messageOf(found),
    ...rejectedLines(found, dryRun)
  ].join("\n")
}

const partial = 8
const wrongState = 5
const codes: Readonly<Record<string, number>> = {
  running: wrongState,
  paused: wrongState,
  cancelled: wrongState,
  undone: wrongState,
  interrupted: 6,
  failed: 1
}

/** 0 if every row was imported, 8 if some were rejected, another code if the import is not complete. */
const importExitCode = (reply: Reply): number => {
  const found = importOf(reply)
  const code = codes[String(found["state"])] ?? 0
  if (code !== 0) return code
  return objectsOf(found["refused_rows"]).length > 0 || Number(found["invalid_count"]) > 0 ? partial : 0
}

/** Parameters of the upload that are flags of the same name. */
const fieldFlags = ["name", "context", "mapping", "delimiter", "again"].map((name) => ({ name, flag: name }))

const flags = {
  mission: Flag.String("mission").pipe(Flag.withDescription("Handle or id of the mission to add the leads to")),
  name: optionalText("name", "Name of the import; default the file name"),
  context: optionalText("context", "Your note about the import"),
  mapping: optionalText("mapping", 'Column names and lead fields as JSON, such as \'{"Contact mail":"email"}\''),
  delimiter: Flag.Literals("delimiter", [...delimiters, "tab"]).pipe(
    Flag.withDescription("Cell delimiter; detected when omitted"),
    Flag.withDefault(undefined)
  ),
  again: toggle("again", "Import a file again that was already imported completely"),
  dryRun
}

type Given = Command.Command.Config.Infer<typeof flags>

const targetPath = ({ again, dryRun, mission, ...texts }: Given, file: SourceFile): string => {
  const name = texts.name ?? (file.digest === undefined ? undefined : file.label)
  const query = queryOf({ ...texts, name, again: again || undefined, dry_run: dryRun || undefined })
  return `/api/v1/missions/${encodeURIComponent(mission)}/imports${query}`
}

/** A stream that counts the lines that pass through it. */
const lineCounter = () => {
  let lines = 0
  const stream = new Transform({
    transform: (bytes: Buffer, _, done) => {
      lines += linesIn(bytes)
      done(null, bytes)
    }
  })
  return { stream, lines: () => Math.max(0, lines - 1) }
}

/** The columns of a terminal whose line can be kept up to date; undefined if there is none. */
const terminalColumns = (): number | undefined =>
  process.stderr.isTTY === true && process.env["TERM"] !== "dumb" ? process.stderr.columns || 80 : undefined

const resumeHint = "Run the same command again to resume."

/** Pauses the import, so that the same command resumes it. */
const pause = Effect.fnUntraced(function* (target: Target, mission: string, file: SourceFile, asJson: boolean) {
  const running = yield* findRunning(target, mission, file)
  const reply: Reply | undefined =
    running === undefined
      ? undefined
      : yield* Effect.orElseSucceed(sendCommand(target, "import.pause", { import_id: running.id }), () => undefined)
  const seen = Object(Object(Object(Object(reply?.body).data).import).progress).seen
  if (reply !== undefined && reply.status < 400) {
    return yield* asJson ? outJson(reply.body, true) : note(`svc: Paused after ${seen} rows. ${resumeHint}`)
  }
  const error = { code: "UNAVAILABLE", message: `Stopped before the end. ${resumeHint}` }
  yield* asJson ? outJson({ error }, true) : note(`svc: ${error.message}`)
})

/** Known people whom an import added to its mission; undefined if the key may not read it. */
const enrolledIn = (target: Target, id: string): Effect.Effect<number | undefined> =>
  sendCommand(target, "import.get", { import_id: id }).pipe(
    Effect.map((reply) => {
      const count: unknown = Object(dataOf(reply)["import"]).enrolled_count
      return typeof count === "number" ? count : undefined
    }),
    Effect.orElseSucceed(() => undefined)
  )

/** Says, when the person does not wait for the pause, what continues on the service and how to stop it. */
const leaveAtOnce = (target: Target, mission: string, file: SourceFile, asJson: boolean) =>
  Effect.gen(function* () {
    let id: string | undefined
    const leave = () => {
      const stop = id === undefined ? "Find it with svc import list" : `Stop it with svc import pause ${id}`
      const undo = id === undefined ? "" : `, or svc import cancel ${id}`
      const message =
        `Left at once. The service stores the rows that it has received; the import may still be running. ${stop}${undo}. ` +
        "The same command resumes it."
      process.stderr.write(asJson ? `${message}\n` : `\nsvc: ${message}\n`)
      process.exit(interruptedExit)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => process.once("SIGINT", leave)),
      () => Effect.sync(() => process.off("SIGINT", leave))
    )
    if (!asJson) yield* note("svc: pausing the import; press Ctrl-C again to leave at once.")
    id = (yield* findRunning(target, mission, file))?.id
  })

const interruptedExit = 130

const send = Effect.fnUntraced(function* (target: Target, given: Given, path: string, asJson: boolean) {
  const file = yield* sourceFile(path)
  const { lines, stream } = lineCounter()
  const columns = asJson ? undefined : terminalColumns()
  const source = file.open()
  source.once("error", (error) => stream.destroy(error))
  const digest = file.digest === undefined ? {} : { "content-digest": `sha-256=:${file.digest.toString("base64")}:` }
  const length = file.size === undefined ? {} : { "content-length": String(file.size) }
  const uploading = yield* Effect.forkChild(
    target.send({
      method: "POST",
      path: targetPath(given, file),
      body: source.pipe(stream),
      headers: { "content-type": "text/csv", ...digest, ...length }
    })
  )
  const following = asJson
    ? undefined
    : yield* Effect.forkChild(followImport(target, given.mission, file, { columns, sent: lines }))
  const clear = Effect.gen(function* () {
    if (following !== undefined) yield* Fiber.interrupt(following)
    if (columns !== undefined) yield* drawLine(undefined)
  })
  const reply = yield* Fiber.join(uploading).pipe(
    Effect.onInterrupt(() =>
      Effect.gen(function* () {
        yield* clear
        yield* leaveAtOnce(target, given.mission, file, asJson)
        yield* Effect.timeoutOption(pause(target, given.mission, file, asJson), "6 seconds")
        // The service closes the upload once the import is paused.
        yield* Effect.timeoutOption(Fiber.await(uploading), "2 seconds")
      }).pipe(Effect.scoped)
    ),
    Effect.onExit(() => clear)
  )
  if (asJson || reply.status >= 400 || needsApproval(reply)) yield* printReply(reply, asJson)
  else {
    const enrolled = given.dryRun ? undefined : yield* enrolledIn(target, importId(reply))
    yield* out(importReport(reply, { label: file.label, enrolled, dryRun: given.dryRun }))
  }
  const exitCode = importExitCode(reply)
  if (exitCode !== 0) return yield* new CliExit({ exitCode })
})

/** `svc import csv`. */
export const csv = Command.make(
  "csv",
  {
    file: Argument.String("file").pipe(Argument.withDescription("File path, or - for standard input")),
    ...flags,
    baseUrl,
    json
  },
  ({ baseUrl, file, json: asJson, ...given }) =>
    withTarget({ baseUrl }, (target) => send(targetWithFlags(target, fieldFlags), given, file, asJson))
).pipe(
  Command.withDescription(
    "Import a CSV file of any size into a mission. Ctrl-C pauses; run the same command again to resume. Exit code 8 " +
      "means that rows were rejected"
  ),
  Command.withShortDescription("Import a CSV file of any size into a mission"),
  Command.withExamples([
    { command: "svc import csv people.csv --mission spring-outreach", description: "Columns are recognized" },
    { command: "gunzip -c people.csv.gz | svc import csv - --mission spring-outreach", description: "From a pipe" }
  ])
)
