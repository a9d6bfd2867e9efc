/** The file of `svc import csv`: read once to hash and count it, and again to send it. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import type { Readable } from "node:stream"
import { type Failure, InvalidInput } from "@svc/core"
import * as Effect from "effect/Effect"

/** A file to send. For standard input, unknown values are undefined. */
export interface SourceFile {
  /** Its name. */
  readonly label: string
  /** In bytes. */
  readonly size: number | undefined
  /** SHA-256, as bytes. */
  readonly digest: Buffer | undefined
  /** Approximate rows: its lines without the header. */
  readonly rows: number | undefined
  /** Opens it for sending, once. */
  readonly open: () => Readable
}

const newline = 0x0a

const unreadable = (path: string, error: unknown): Failure => {
  const code = String(Reflect.get(Object(error), "code"))
  const why =
    code === "ENOENT" ? "File not found" : code === "EISDIR" ? "Not a file (it is a folder)" : "Can't read file"
  return new InvalidInput({ message: `${why}: ${path.slice(0, 100)}. Use a CSV file, or - for standard input.` })
}

const inspect = async (path: string): Promise<SourceFile> => {
  const found = await stat(path)
  // A pipe can be read only once.
  const isOnce = !found.isFile() && !found.isDirectory()
  if (isOnce) {
    return {
      label: basename(path),
      size: undefined,
      digest: undefined,
      rows: undefined,
      open: () => createReadStream(path)
    }
  }
  const hash = createHash("sha256")
  let lines = 0
  let size = 0
  let last = newline
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const bytes: Buffer = piece
    hash.update(bytes)
    size += bytes.length
    last = bytes.at(-1) ?? last
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines++
  }
  const rows = Math.max(0, lines + (last === newline ? 0 : 1) - 1)
  // Sends only what was hashed, even if the file has grown.
  const open = () => createReadStream(path, size === 0 ? {} : { end: size - 1, highWaterMark: 256 * 1024 })
  return { label: basename(path), size, digest: hash.digest(), rows, open }
}

/** The file at a path; `-` is standard input. Fails with INVALID_INPUT. */
export const sourceFile = (path: string): Effect.Effect<SourceFile, Failure> =>
  path === "-"
    ? Effect.succeed({
        label: "standard input",
        size: undefined,
        digest: undefined,
        rows: undefined,
        open: () => process.stdin
      })
    : Effect.tryPromise({ try: () => inspect(path), catch: (error) => unreadable(path, error) })
