/** Finds the running import of an upload, and shows its progress. */
import type { Failure } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { note } from "../Output.ts"
import { dataOf, objectsOf, type Target } from "../Target.ts"
import { progressLine, type Sample, terminalLine, withSample } from "./progressText.ts"
import type { SourceFile } from "./SourceFile.ts"

/** A running import. */
interface RunningImport {
  readonly id: string
  readonly rows: number
}

/** The running import of a file into a mission; undefined if there is none, or the key may not read it. */
export const findRunning = (
  target: Target,
  mission: string,
  { digest }: SourceFile
): Effect.Effect<RunningImport | undefined> => {
  if (digest === undefined) return Effect.succeed(undefined)
  const path = `/api/v1/missions/${encodeURIComponent(mission)}/imports?type=CSV&state=running&limit=20`
  const wanted = digest.toString("hex")
  return target.send({ method: "GET", path }).pipe(
    Effect.map((reply) => {
      const found = objectsOf(dataOf(reply)["imports"]).find((one) => one["content_sha256"] === wanted)
      if (found === undefined) return undefined
      return { id: String(found["import_id"]), rows: Number(Object(found["progress"]).seen) }
    }),
    Effect.catch((_: Failure) => Effect.succeed(undefined))
  )
}

/** Polling interval, and the interval of log lines. */
const pause = "1 second"
const logInterval = 10_000

/** Overwrites the current line; undefined clears it. */
export const drawLine = (text: string | undefined): Effect.Effect<void> =>
  Effect.sync(() => {
    process.stderr.write(`\r\u001b[2K${text ?? ""}`)
  })

/**
 * Shows the progress of an import until it is interrupted: on a terminal of `columns` as one line that is kept
 * up to date, otherwise as a line every ten seconds. `sent` returns the number of lines sent, for files whose import cannot be found.
 */
export const followImport = Effect.fnUntraced(function* (
  target: Target,
  mission: string,
  file: SourceFile,
  { columns, sent }: { readonly columns: number | undefined; readonly sent: () => number }
) {
  let samples: ReadonlyArray<Sample> = []
  let loggedAt = yield* Clock.currentTimeMillis
  for (;;) {
    yield* Effect.sleep(pause)
    const running = yield* findRunning(target, mission, file)
    const millis = yield* Clock.currentTimeMillis
    const rows = running?.rows ?? (file.digest === undefined ? sent() : undefined)
    if (rows === undefined) continue
    samples = withSample(samples, { rows, millis })
    const progress = { label: file.label, total: file.rows, samples }
    if (columns !== undefined) yield* drawLine(terminalLine(progress, columns))
    else if (millis - loggedAt >= logInterval) {
      loggedAt = millis
      yield* note(progressLine(progress))
    }
  }
})
