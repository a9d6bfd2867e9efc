/**
 * Digests, and the canonical JSON text that they are taken over.
 *
 * Canonical JSON follows RFC 8785: members sorted by UTF-16 code units, no white space, numbers as ECMAScript prints
 * them. Two inputs that mean the same have one text and so one hash.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"

/** Lower-case hexadecimal SHA-256 of bytes, or of a text in UTF-8. */
export const sha256Hex = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex")

/** Base64url HMAC-SHA-256 of the UTF-8 text. */
export const hmacBase64Url = (key: string, text: string): string =>
  createHmac("sha256", key).update(text, "utf8").digest("base64url")

/** Compares two texts of the same length in constant time; texts of different length are unequal. */
export const constantTimeEqual = (left: string, right: string): boolean => {
  const a = Buffer.from(left, "utf8")
  const b = Buffer.from(right, "utf8")
  return a.length === b.length && timingSafeEqual(a, b)
}

/** RFC 8785 text of a JSON value. Members whose value is undefined are left out, as JSON.stringify does. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`
  if (typeof value === "object" && value !== null) {
    const members: Array<string> = []
    for (const [key, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
      if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
    }
    return `{${members.join(",")}}`
  }
  return JSON.stringify(value) ?? "null"
}
