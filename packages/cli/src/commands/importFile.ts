/** `svc import csv FILE --mission HANDLE`: sends a file of any size, and reports what became of its rows. */

import { Readable, Transform } from "node:stream"
import { quote } from "@svc/core"
import { delimiters, lawfulBases } from "@svc/core/internal"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { targetWithFlags } from "../cliTerms.ts"
import { confirmed } from "../confirmations.ts"
import { CliExit, invalid, isInteractive, note, outJson, outProse } from "../Output.ts"
import { queryOf, sendCommand, type Target } from "../Target.ts"
import { drawLine, findRunning, followImport, linesIn, type SourceFile, sourceFile } from "../upload/followImport.ts"
import * as Report from "../upload/importReport.ts"
import { baseUrl, dryRun, json, optionalText, optionalWord, toggle } from "./flags.ts"
import { needsApproval, printReply, withTarget } from "./runCommand.ts"

/** Parameters of the upload that are flags of the same name. */
const fieldFlags = ({ map }: Given) =>
  ["name", "context", "source", "lawful_basis", "mapping", "delimiter", "again"].map((name) => ({
    name,
    flag: name === "mapping" && map.length > 0 ? "map" : name.replace("_", "-")
  }))

const flags = {
  mission: Flag.String("mission").pipe(Flag.withDescription("Handle or id of the mission to add the leads to")),
  name: optionalText("name", "Name of the import; default the file name"),
  context: optionalText("context", "Your note about the import"),
  source: optionalText("source", "Where the leads come from; of leads that have no source"),
  lawful_basis: optionalWord("lawful-basis", lawfulBases, "Lawful basis (GDPR, article 6) of leads that have none"),
  mapping: optionalText("mapping", 'Column names and lead fields as JSON, such as \'{"Contact mail":"email"}\''),
  map: Flag.String("map").pipe(
    Flag.atLeast(0),
    Flag.withDescription(
      'Column name and lead field, such as "Contact mail=email"; no field ignores the column. Repeatable.'
    )
  ),
  delimiter: optionalWord("delimiter", [...delimiters, "tab"], "Cell delimiter; detected when omitted"),
  yes: toggle("yes", "Do not ask about columns that are guessed or ignored"),
  again: toggle("again", "Import a file again that was already imported completely"),
  dryRun
}

type Given = Command.Command.Config.Infer<typeof flags>

/** The mapping of the request: that of `--map`, otherwise that of `--mapping`. Fails with INVALID_INPUT. */
const mappingOf = ({ map, mapping }: Given) => {
  if (map.length === 0) return Effect.succeed(mapping)
  if (mapping !== undefined) return invalid("--map and --mapping do the same. Use one of them.")
  const wrong = map.find((one) => one.lastIndexOf("=") < 1)
  if (wrong !== undefined) {
    return invalid(`--map: ${quote(wrong, 60)} must be COLUMN=FIELD, such as "Contact mail=email".`)
  }
  // A column name may contain "=", a field does not.
  const pairs = map.map((one) => [
    one.slice(0, one.lastIndexOf("=")),
    one.slice(one.lastIndexOf("=") + 1).trim() || null
  ])
  return Effect.succeed(JSON.stringify(Object.fromEntries(pairs)))
}

const targetPath = ({ again, dryRun, map: _, mission, yes: __, ...texts }: Given, file: SourceFile): string => {
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
  const pausing = sendCommand(target, "import.pause", { import_id: running?.id })
  const reply = running && (yield* Effect.orElseSucceed(pausing, () => undefined))
  if (reply !== undefined && reply.status < 400) {
    const { seen } = Object(Report.importOf(reply)["progress"])
    return yield* asJson ? outJson(reply.body, true) : note(`svc: Paused after ${seen} rows. ${resumeHint}`)
  }
  const error = { code: "UNAVAILABLE", message: `Stopped before the end. ${resumeHint}` }
  yield* asJson ? outJson({ error }, true) : note(`svc: ${error.message}`)
})

/** Known people whom an import added to its mission; 0 if the key may not read it. */
const enrolledIn = (target: Target, id: string): Effect.Effect<number> =>
  sendCommand(target, "import.get", { import_id: id }).pipe(
    Effect.map((reply) => Number(Report.importOf(reply)["enrolled_count"] ?? 0)),
    Effect.orElseSucceed(() => 0)
  )

/** Says, when the person does not wait for the pause, what continues on the service and how to stop it. */
const leaveAtOnce = Effect.fnUntraced(function* (target: Target, mission: string, file: SourceFile, asJson: boolean) {
  let id: string | undefined
  const leave = () => {
    const stop = id === undefined ? "Find it with svc import list" : `Stop it with svc import pause ${id}`
    const undo = id === undefined ? "" : `, or svc import cancel ${id}`
    const message =
      `Stopped without waiting. The rows sent so far are stored, and the import may still be running. ${stop}${undo}. ` +
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

/**
 * Shows a person what becomes of each column, by a dry run of the first rows, and asks before some are guessed or ignored.
 * Returns whether it could. What is wrong with the file is left to the import itself. A script reads it afterwards: imports
 * have a rate limit of their own.
 */
const showColumns = Effect.fnUntraced(function* (target: Target, given: Given, file: SourceFile, asJson: boolean) {
  const { head, label } = file
  if (head === undefined || given.dryRun || !isInteractive(asJson)) return false
  const path = targetPath({ ...given, dryRun: true }, file)
  const body = Readable.from([head])
  const reply = yield* target.send({ method: "POST", path, body, headers: { "content-type": "text/csv" } })
  const lines = Report.columnLines(Report.importOf(reply))
  if (lines.length === 0) return false
  yield* note(`Columns of ${label}:\n${lines.join("\n")}`)
  if (!given.yes && !Report.isPlain(Report.importOf(reply))) yield* confirmed("Import it like this?", true)
  return true
})

const send = Effect.fnUntraced(function* (target: Target, flags: Given, path: string, asJson: boolean) {
  const given = { ...flags, mapping: yield* mappingOf(flags) }
  const file = yield* sourceFile(path)
  const isShown = yield* showColumns(target, given, file, asJson)
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
    const enrolled = given.dryRun ? 0 : yield* enrolledIn(target, Report.importId(reply))
    const found = Report.importOf(reply)
    const lines = isShown || (Report.isPlain(found) && !given.dryRun) ? [] : Report.columnLines(found)
    yield* note([...lines, Report.columnCounts(found)].join("\n"))
    yield* outProse(Report.importReport(reply, { label: file.label, enrolled, dryRun: given.dryRun }))
  }
  const exitCode = Report.importExitCode(reply)
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
    withTarget({ baseUrl }, (target) => send(targetWithFlags(target, fieldFlags(given)), given, file, asJson))
).pipe(
  Command.withDescription(
    "Import a CSV file of any size into a mission. Ctrl-C pauses; run the same command again to resume. Exit code 8 " +
      "means that rows were rejected"
  ),
  Command.withShortDescription("Import a CSV file of any size into a mission"),
  Command.withExamples([
    { command: "svc import csv people.csv --mission spring-outreach", description: "Columns are recognized" },
    {
      command: 'svc import csv people.csv --mission spring-outreach --dry-run --map "LinkedIn Profil URL=linkedin_url"',
      description: "Preview, with a column of another name"
    },
    { command: "gunzip -c people.csv.gz | svc import csv - --mission spring-outreach", description: "From a pipe" }
  ])
)
