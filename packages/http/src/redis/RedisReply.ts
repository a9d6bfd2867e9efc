/** The protocol of Redis (RESP 2): requests as bytes, and replies out of bytes that come in pieces. */

/** A refusal by the server, as a value: other replies may follow it. */
export interface RedisRefusal {
  readonly refusal: string
}

/** What a server answers. */
export type RedisReply = string | number | null | RedisRefusal | ReadonlyArray<RedisReply>

/** A reply with the place after it; nothing yet when more bytes must come. */
export type Parsed = { readonly reply: RedisReply; readonly next: number } | "partial" | "broken"

/** Arrays in arrays, more than any command here answers. */
const deepest = 8

/** The longest text and the most entries, more than any command here answers. */
const longest = 1_000_000

const partial = "partial"
const broken = "broken"

const lengthOf = (text: string): number | undefined =>
  text === "-1" || /^[0-9]{1,7}$/.test(text) ? Number(text) : undefined

const parseBulk = (bytes: Buffer, start: number, length: number): Parsed => {
  if (length === -1) return { reply: null, next: start }
  if (bytes.length < start + length + 2) return partial
  return { reply: bytes.toString("utf8", start, start + length), next: start + length + 2 }
}

const parseArray = (bytes: Buffer, start: number, length: number, depth: number): Parsed => {
  if (length === -1) return { reply: null, next: start }
  const entries: Array<RedisReply> = []
  let next = start
  for (let index = 0; index < length; index++) {
    const entry = parseReply(bytes, next, depth + 1)
    if (entry === partial || entry === broken) return entry
    entries.push(entry.reply)
    next = entry.next
  }
  return { reply: entries, next }
}

/** Reads the reply that begins at a place. Says so when it is not one. */
export const parseReply = (bytes: Buffer, from = 0, depth = 0): Parsed => {
  const end = bytes.indexOf("\r\n", from)
  if (end === -1) return bytes.length - from > longest ? broken : partial
  const line = bytes.toString("utf8", from + 1, end)
  const start = end + 2
  const length = lengthOf(line)
  switch (String.fromCharCode(bytes[from] ?? 0)) {
    case "+":
      return { reply: line, next: start }
    case "-":
      return { reply: { refusal: line }, next: start }
    case ":":
      return /^-?[0-9]{1,16}$/.test(line) ? { reply: Number(line), next: start } : broken
    case "$":
      return length === undefined || length > longest ? broken : parseBulk(bytes, start, length)
    case "*":
      return length === undefined || length > longest || depth > deepest
        ? broken
        : parseArray(bytes, start, length, depth)
    default:
      return broken
  }
}

/** A command as bytes. */
export const requestOf = (parts: ReadonlyArray<string>): string =>
  `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join("")}`
