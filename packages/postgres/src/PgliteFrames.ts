/**
 * The few frames of PostgreSQL's wire protocol (version 3) that the in-process bridge to PGlite reads or writes itself.
 */
import { Buffer } from "node:buffer"

/** A client's first frame, which has no type byte. `Cancel` names another connection. */
export type Greeting =
  | { readonly _tag: "Startup" }
  | { readonly _tag: "Encryption" }
  | { readonly _tag: "Cancel"; readonly pid: number; readonly secret: number }
  | { readonly _tag: "Unknown" }

const maxFrameLength = 0x3fffffff

/**
 * Cuts a byte stream into frames. `greeting` frames (the first of a connection) have no type byte. `push` throws a
 * RangeError on an invalid length.
 */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)
  #greeting: boolean

  constructor(greeting: boolean) {
    this.#greeting = greeting
  }

  /** Adds bytes and returns every complete frame. */
  push(chunk: Uint8Array): ReadonlyArray<Buffer> {
    const added = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let rest = this.#rest.length === 0 ? added : Buffer.concat([this.#rest, added])
    const frames: Array<Buffer> = []
    for (;;) {
      const header = this.#greeting ? 0 : 1
      if (rest.length < header + 4) break
      const length = rest.readUInt32BE(header)
      if (length < 4 || length > maxFrameLength) throw new RangeError("A protocol frame has an invalid length.")
      const end = header + length
      if (rest.length < end) break
      frames.push(rest.subarray(0, end))
      rest = rest.subarray(end)
      // Encryption is refused, and then the client greets again.
      if (this.#greeting && greetingOf(frames[frames.length - 1])._tag !== "Encryption") this.#greeting = false
    }
    this.#rest = rest
    return frames
  }
}

/** Reads the first frame of a connection. */
export const greetingOf = (frame: Buffer | undefined): Greeting => {
  const code = frame !== undefined && frame.length >= 8 ? frame.readUInt32BE(4) : 0
  if (code === 196608) return { _tag: "Startup" }
  if (code === 80877103) return { _tag: "Encryption" }
  return code === 80877102 && frame?.length === 16
    ? { _tag: "Cancel", pid: frame.readInt32BE(8), secret: frame.readInt32BE(12) }
    : { _tag: "Unknown" }
}

/** The type letter of a frame. */
export const typeOf = (frame: Uint8Array): string => String.fromCharCode(frame[0] ?? 0)

/** The zero-terminated text that starts at `offset`. */
export const textAt = (frame: Buffer, offset: number): string => {
  const end = frame.indexOf(0, offset)
  return frame.toString("utf8", offset, end === -1 ? frame.length : end)
}

const frame = (type: string, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const header = Buffer.alloc(5, type)
  header.writeUInt32BE(4 + parts.reduce((sum, part) => sum + part.length, 0), 1)
  return Buffer.concat([header, ...parts])
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`)

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** Refuses encryption. */
export const refuseEncryption: Buffer = Buffer.from("N")

/** The session is ready for a command, outside a transaction. */
export const readyWhenIdle: Buffer = frame("Z", Buffer.from("I"))

/** Accepts a connection. */
export const welcome = (pid: number, secret: number): Buffer =>
  Buffer.concat([
    frame("R", int32(0)),
    frame("S", text("client_encoding"), text("UTF8")),
    frame("S", text("integer_datetimes"), text("on")),
    frame("S", text("standard_conforming_strings"), text("on")),
    frame("K", int32(pid), int32(secret)),
    readyWhenIdle
  ])

/** The response to a statement that was cancelled before it started. */
export const cancelled: Buffer = Buffer.concat([
  frame(
    "E",
    text("SERROR"),
    text("VERROR"),
    text("C57014"),
    text("Mcanceling statement due to user request"),
    Buffer.alloc(1)
  ),
  readyWhenIdle
])

/** A simple query. */
export const query = (sql: string): Buffer => frame("Q", text(sql))

/** Closes prepared statements, and syncs. */
export const closeStatements = (names: Iterable<string>): Buffer =>
  Buffer.concat([...Array.from(names, (name) => frame("C", Buffer.from("S"), text(name))), frame("S")])
