/** Finding the import of a file that is being sent, and telling how far it has come. */
import type { Failure } from "@svc/core/Failure"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { note } from "../Output.ts"
import type { Screen } from "../report/charts.ts"
import { dataOf, type Reply, type Target } from "../Target.ts"
import { progressBar, progressLine, type Sample, withSample } from "./progressText.ts"
import type { SourceFile } from "./SourceFile.ts"

/** A running import. */
export interface RunningImport {
  readonly id: string
  readonly rows: number
}

const importsIn = (reply: Reply): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const list: unknown = dataOf(reply)["imports"]
  return Array.isArray(list) ? list : []
}

/** The running import of a file into a mission; undefined when there is none, or nobody may look. */
export const findRunning = (
  target: Target,
  mission: string,
  { digest }: SourceFile
): Effect.Effect<RunningImport | undefined> => {
  if (digest === undefined) return Effect.succeed(undefined)
  const path = `/api/v1/missions/${encodeURIComponent(mission)}/imports?type=CSV&state=running&limit=20`
  const wanted = digest.toString("hex")
  return target.ask({ method: "GET", path }).pipe(
    Effect.map((reply) => {
      const found = importsIn(reply).find((one) => one["content_sha256"] === wanted)
      if (found === undefined) return undefined
      return { id: String(found["import_id"]), rows: Number(Object(found["progress"]).seen) }
    }),
    Effect.catch((_: Failure) => Effect.succeed(undefined))
  )
}

/** How often the service is asked, and how often a log is told. */
const pause = "1 second"
const quietMillis = 10_000

/** Writes over the line that is there; undefined clears it. */
export const drawLine = (text: string | undefined): Effect.Effect<void> =>
  Effect.sync(() => {
    process.stderr.write(`\r\u001b[2K${text ?? ""}`)
  })

/**
 * Tells how far an import has come until it is interrupted: on a terminal as a bar that is drawn over, else as a line
 * every ten seconds. `sent` answers how many lines were sent so far, where the service cannot be asked for its rows.
 */
export const followImport = Effect.fnUntraced(function* (
  target: Target,
  mission: string,
  file: SourceFile,
  { screen, sent }: { readonly screen: Screen | undefined; readonly sent: () => number }
) {
  let samples: ReadonlyArray<Sample> = []
  let told = yield* Clock.currentTimeMillis
  for (;;) {
    yield* Effect.sleep(pause)
    const running = yield* findRunning(target, mission, file)
    const millis = yield* Clock.currentTimeMillis
    const rows = running?.rows ?? (file.digest === undefined ? sent() : undefined)
    if (rows === undefined) continue
    samples = withSample(samples, { rows, millis })
    const progress = { label: file.label, total: file.rows, samples }
    if (screen !== undefined) yield* drawLine(progressBar(progress, screen))
    else if (millis - told >= quietMillis) {
      told = millis
      yield* note(progressLine(progress))
    }
  }
})
