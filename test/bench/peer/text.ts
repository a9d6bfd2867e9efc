/** Ids, hashes and canonical JSON of the peer. */
import { createHash, randomBytes } from "node:crypto"

/** Lower-case hexadecimal SHA-256. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** JSON with members in order of their names. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  let text = ""
  for (const name of Object.keys(value).sort()) {
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson(Reflect.get(value, name))}`
  }
  return `{${text}}`
}

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
let lastMillis = 0
let timePart = ""
let random = Buffer.alloc(0)
let used = 0

/** A prefix and a ULID. */
export const makeId = (prefix: string): string => {
  const millis = Date.now()
  if (millis !== lastMillis) {
    lastMillis = millis
    timePart = ""
    for (let rest = millis, digit = 0; digit < 10; digit++, rest = Math.floor(rest / 32)) {
      timePart = alphabet.charAt(rest % 32) + timePart
    }
  }
  if (used + 16 > random.length) {
    random = randomBytes(4_096)
    used = 0
  }
  let text = `${prefix}_${timePart}`
  for (const end = used + 16; used < end; used++) text += alphabet.charAt((random[used] ?? 0) & 31)
  return text
}
