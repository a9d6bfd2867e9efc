/**
 * Digests and canonical JSON.
 *
 * Canonical JSON follows RFC 8785: members sorted by UTF-16 code units, no white space, numbers as ECMAScript prints
 * them. So equal values have the same text and the same hash.
 */
import { createHmac, hash, timingSafeEqual } from "node:crypto"

/** Lower-case hexadecimal SHA-256 of bytes, or of a text in UTF-8. */
export const sha256Hex = (content: string | Uint8Array): string => hash("sha256", content, "hex")

/** HMAC-SHA256 of a UTF-8 text, in lower-case hexadecimal. */
export const hmacHex = (key: string, text: string): string =>
  createHmac("sha256", key).update(text, "utf8").digest("hex")

/** HMAC-SHA256 of a UTF-8 text, in base64url. */
export const hmacBase64Url = (key: string, text: string): string =>
  createHmac("sha256", key).update(text, "utf8").digest("base64url")

/** Compares two texts in constant time, unless their lengths differ. */
export const constantTimeEqual = (left: string, right: string): boolean => {
  const a = Buffer.from(left, "utf8")
  const b = Buffer.from(right, "utf8")
  return a.length === b.length && timingSafeEqual(a, b)
}

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null

/** RFC 8785 text of a JSON value. Members with the value undefined are omitted, as by JSON.stringify. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) {
    if (value.every(isScalar)) return JSON.stringify(value)
    return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`
  }
  if (typeof value === "object" && value !== null) {
    const members: Array<string> = []
    for (const key of Object.keys(value).sort()) {
      const member: unknown = Reflect.get(value, key)
      if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
    }
    return `{${members.join(",")}}`
  }
  return JSON.stringify(value) ?? "null"
}
