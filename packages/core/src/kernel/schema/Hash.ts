/**
 * Digests and canonical JSON.
 *
 * Canonical JSON follows RFC 8785: members sorted by UTF-16 code units, no white space, numbers as ECMAScript prints
 * them. So equal values have the same text and the same hash.
 */
import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto"

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

const markOf = (secret: string, purpose: string, body: string, length: number): string =>
  hmacBase64Url(secret, `${purpose}\n${body}`).slice(0, length)

/** A JSON value as URL-safe text, signed for a purpose. `length` cuts the signature, of 43 characters, for a short text. */
export const writeSigned = (secret: string, purpose: string, value: unknown, length = 43): string => {
  const body = Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${body}.${markOf(secret, purpose, body, length)}`
}

/** The value of a text that {@link writeSigned} made with the same secret, purpose and length; undefined for any other. */
export const readSigned = <A>(secret: string, purpose: string, text: string, length = 43): A | undefined => {
  const [body = "", mark = "", ...rest] = text.split(".", 3)
  return rest.length === 0 && constantTimeEqual(mark, markOf(secret, purpose, body, length))
    ? JSON.parse(Buffer.from(body, "base64url").toString("utf8"))
    : undefined
}

const sealKey = (secret: string): Buffer => createHmac("sha256", secret).update("sealed").digest()

/** Encrypts a text (AES-256-GCM), as `sealed.…`, for places that others read. */
export const seal = (secret: string, text: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", sealKey(secret), nonce)
  const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]
  return `sealed.${Buffer.concat(parts).toString("base64url")}`
}

/** The text that {@link seal} encrypted with the same secret; any other text as it is. */
export const unseal = (secret: string, text: string): string => {
  if (!text.startsWith("sealed.")) return text
  const sealed = Buffer.from(text.slice("sealed.".length), "base64url")
  try {
    const decipher = createDecipheriv("aes-256-gcm", sealKey(secret), sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(-16))
    return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString("utf8")
  } catch {
    return text
  }
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
