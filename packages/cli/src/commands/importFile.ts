/** `svc import csv FILE --mission HANDLE`: sends a file of any size. */
import { Transform } from "node:stream"
import type { Failure } from "@svc/core"
import { delimiters } from "@svc/core/imports"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { commandRequest } from "../callCommand.ts"
import { targetWithFlags } from "../cliTerms.ts"
import { CliExit, note, out, outJson } from "../Output.ts"
import { dataOf, type Reply, type Target } from "../Target.ts"
import { drawLine, findRunning, followImport } from "../upload/followImport.ts"
import { importExitCode, importId, importReport } from "../upload/importReport.ts"
import { type SourceFile, sourceFile } from "../upload/SourceFile.ts"
import { baseUrl, json, optionalText, toggle } from "./flags.ts"
import { needsApproval, printReply } from "./runCommand.ts"
import { withTarget } from "./withTarget.ts"

/** Parameters of the upload that are flags of the same name. */
const fieldFlags = ["name", "context", "mapping", "delimiter", "again"].map((name) => ({ name, flag: name }))

interface Given {
  readonly mission: string
  readonly name: Option.Option<string>
  readonly context: Option.Option<string>
  readonly mapping: Option.Option<string>
  readonly delimiter: Option.Option<string>
  readonly again: boolean
  readonly dryRun: boolean
}

const targetPath = ({ again, dryRun, mission, ...texts }: Given, file: SourceFile): string => {
  const named = Option.orElse(texts.name, () => (file.digest === undefined ? Option.none() : Option.some(file.label)))
  const query = new URLSearchParams({
    ...Object.fromEntries(
      Object.entries({ ...texts, name: named }).flatMap(([name, value]) =>
        Option.isSome(value) ? [[name, value.value]] : []
      )
    ),
    ...(again ? { again: "true" } : {}),
    ...(dryRun ? { dry_run: "true" } : {})
  })
  return `/api/v1/missions/${encodeURIComponent(mission)}/imports${query.size === 0 ? "" : `?${query}`}`
}

const newline = 0x0a

/** A stream that counts the lines that pass through it. */
const lineCounter = () => {
  let lines = 0
  const stream = new Transform({
    transform: (bytes: Buffer, _, done) => {
      for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines++
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
      : yield* target
          .send(commandRequest("import.pause", JSON.stringify({ import_id: running.id })))
          .pipe(Effect.catch((_: Failure) => Effect.succeed(undefined)))
  const seen = Object(Object(Object(Object(reply?.body).data).import).progress).seen
  if (reply !== undefined && reply.status < 400) {
    return yield* asJson ? outJson(reply.body, true) : note(`svc: Paused after ${seen} rows. ${resumeHint}`)
  }
  const error = { code: "UNAVAILABLE", message: `Stopped before the end. ${resumeHint}` }
  yield* asJson ? outJson({ error }, true) : note(`svc: ${error.message}`)
})

/** Known people whom an import added to its mission; undefined if the key may not read it. */
const enrolledIn = (target: Target, id: string): Effect.Effect<number | undefined> =>
  target.send(commandRequest("import.get", JSON.stringify({ import_id: id }))).pipe(
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
    mission: Flag.String("mission").pipe(Flag.withDescription("Handle or id of the mission to add the leads to")),
    name: optionalText("name", "Name of the import; default the file name"),
    context: optionalText("context", "Your note about the import"),
    mapping: optionalText("mapping", 'Column names and lead fields as JSON, such as \'{"Contact mail":"email"}\''),
    delimiter: Flag.Literals("delimiter", [...delimiters, "tab"]).pipe(
      Flag.withDescription("Cell delimiter; detected when omitted"),
      Flag.optional
    ),
    again: toggle("again", "Import a file again that was already imported completely"),
    dryRun: toggle("dry-run", "Preview without saving"),
    baseUrl,
    json
  },
  ({ baseUrl: url, file, json: asJson, ...given }) =>
    withTarget({ baseUrl: url, json: asJson }, (target) =>
      send(targetWithFlags(target, fieldFlags), given, file, asJson)
    )
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
