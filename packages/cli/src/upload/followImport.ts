/** Finds the running import of an upload, and shows its progress. */

import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import type { Readable } from "node:stream"
import { type Failure, InvalidInput } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { note } from "../Output.ts"
import { dataOf, objectsOf, type Target } from "../Target.ts"

/** A file to send. Of a pipe, which can be read only once, no more than its name is known before. */
export interface SourceFile {
  /** Its name. */
  readonly label: string
  /** In bytes. */
  readonly size?: number
  /** SHA-256, as bytes. */
  readonly digest?: Buffer
  /** Approximate rows: its lines without the header. */
  readonly rows?: number
  /** Whole rows from its beginning, which tell what its columns are. */
  readonly head?: Buffer | undefined
  /** Opens it for sending, once. */
  readonly open: () => Readable
}

const newline = 0x0a

/** The number of line ends in a piece of a file. */
export const linesIn = (bytes: Buffer): number => {
  let lines = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines++
  return lines
}

const unreadable = (path: string, error: unknown): Failure => {
  const code = String(Reflect.get(Object(error), "code"))
  const why =
    code === "ENOENT" ? "File not found" : code === "EISDIR" ? "Not a file (it is a folder)" : "Can't read file"
  return new InvalidInput({ message: `${why}: ${path.slice(0, 100)}. Use a CSV file, or - for standard input.` })
}

const headLength = 32 * 1024
const quoteMark = 0x22

/** The whole rows in the first bytes of a file: up to the last line end outside of quotes; undefined if there is none. */
const headOf = (bytes: Buffer): Buffer | undefined => {
  let end = bytes.length < headLength ? bytes.length : 0
  let quotes = 0
  for (const [at, byte] of bytes.subarray(0, headLength).entries()) {
    if (byte === quoteMark) quotes++
    if (byte === newline && quotes % 2 === 0) end = Math.max(end, at + 1)
  }
  return end === 0 ? undefined : bytes.subarray(0, end)
}

const inspect = async (path: string): Promise<SourceFile> => {
  const found = await stat(path)
  if (!found.isFile() && !found.isDirectory()) return { label: basename(path), open: () => createReadStream(path) }
  const hash = createHash("sha256")
  let lines = 0
  let size = 0
  let last = newline
  let head: Buffer | undefined
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const bytes: Buffer = piece
    hash.update(bytes)
    if (size === 0) head = headOf(bytes)
    size += bytes.length
    last = bytes.at(-1) ?? last
    lines += linesIn(bytes)
  }
  const rows = Math.max(0, lines + (last === newline ? 0 : 1) - 1)
  // Sends only what was hashed, even if the file has grown.
  const open = () => createReadStream(path, size === 0 ? {} : { end: size - 1, highWaterMark: 256 * 1024 })
  return { label: basename(path), size, digest: hash.digest(), rows, head, open }
}

/** The file at a path; `-` is standard input. Fails with INVALID_INPUT. */
export const sourceFile = (path: string): Effect.Effect<SourceFile, Failure> =>
  path === "-"
    ? Effect.succeed({ label: "standard input", open: () => process.stdin })
    : Effect.tryPromise({ try: () => inspect(path), catch: (error) => unreadable(path, error) })

/** The number of rows at a time, in milliseconds. */
export interface Sample {
  readonly rows: number
  readonly millis: number
}

/** A running import. `total` is an estimate. */
interface Progress {
  readonly label: string
  readonly total: number | undefined
  /** Samples in order, as many as the rate needs. */
  readonly samples: ReadonlyArray<Sample>
}

const rateWindow = 10_000

/** Adds a sample, and drops those outside the rate window. */
export const withSample = (samples: ReadonlyArray<Sample>, sample: Sample): ReadonlyArray<Sample> => {
  const kept = samples.filter(({ millis }) => sample.millis - millis <= rateWindow)
  const [oldest] = kept.length > 0 ? [] : samples.slice(-1)
  return [...(oldest === undefined ? [] : [oldest]), ...kept, sample]
}

/** Rows per second between the first and the last sample; undefined with fewer than two. */
export const rateOf = (samples: ReadonlyArray<Sample>): number | undefined => {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.millis <= first.millis) return undefined
  return ((last.rows - first.rows) * 1_000) / (last.millis - first.millis)
}

const whole = (value: number): string => Math.round(value).toLocaleString("en")

const two = (value: number): string => String(value).padStart(2, "0")

/** Seconds as `m:ss`, or `h:mm:ss`. */
export const duration = (seconds: number): string => {
  const all = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, all % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const parts = ({ samples, total }: Progress): ReadonlyArray<string> => {
  const rows = samples.at(-1)?.rows ?? 0
  const rate = rateOf(samples)
  // Lines inside quotes count as rows before the file is read.
  const known = total === undefined ? undefined : Math.max(total, rows)
  const left = known === undefined || rate === undefined || rate <= 0 ? undefined : (known - rows) / rate
  return [
    ...(known === undefined || known === 0 ? [] : [`${Math.floor((rows / known) * 100)}%`]),
    known === undefined ? `${whole(rows)} rows` : `${whole(rows)} of ${whole(known)} rows`,
    ...(rate === undefined ? [] : [`${whole(rate)} rows/s`]),
    ...(left === undefined ? [] : [`${duration(left)} left`])
  ]
}

/** The line for a terminal of this many columns; without the name where both do not fit. */
export const terminalLine = (progress: Progress, columns: number): string => {
  const numbers = parts(progress).join("  ")
  const line = `${progress.label}  ${numbers}`
  return line.length < columns ? line : numbers.slice(0, Math.max(20, columns - 1))
}

/** The line for a log. */
export const progressLine = (progress: Progress): string => `${progress.label}: ${parts(progress).join(", ")}`

/** The running import of a file into a mission; undefined if there is none, or the key may not read it. */
export const findRunning = (target: Target, mission: string, { digest }: SourceFile) => {
  if (digest === undefined) return Effect.succeed(undefined)
  const path = `/api/v1/missions/${encodeURIComponent(mission)}/imports?type=CSV&state=running&limit=20`
  const wanted = digest.toString("hex")
  return target.send({ method: "GET", path }).pipe(
    Effect.map((reply) => {
      const found = objectsOf(dataOf(reply)["imports"]).find((one) => one["content_sha256"] === wanted)
      if (found === undefined) return undefined
      return { id: String(found["import_id"]), rows: Number(Object(found["progress"]).seen) }
    }),
    Effect.orElseSucceed(() => undefined)
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
