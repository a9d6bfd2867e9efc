/** Texts encrypted with AES-256-GCM: `v1.KEY_ID.BASE64URL`, of nonce, ciphertext and tag. Pure but for the nonce. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import * as Redacted from "effect/Redacted"

const nonceBytes = 12
const tagBytes = 16

const bytesOf = (key: Redacted.Redacted): Buffer => Buffer.from(Redacted.value(key), "base64url")

/** Tells keys apart without telling them. */
export const keyId = (key: Redacted.Redacted): string =>
  createHash("sha256").update("svc key id\n").update(bytesOf(key)).digest("hex").slice(0, 8)

/** Encrypts a text. Only the same `purpose` decrypts it, so it cannot be moved to another place. */
export const seal = (key: Redacted.Redacted, purpose: string, text: string): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", bytesOf(key), nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
  return `v1.${keyId(key)}.${sealed.toString("base64url")}`
}

/** The id of the key that a text was encrypted with; undefined if it is plain. */
export const sealedWith = (text: string): string | undefined => /^v1\.([0-9a-f]{8})\.[\w-]+$/.exec(text)?.[1]

/** Decrypts a text; undefined with another key, for another purpose, or after a change. */
export const unseal = (key: Redacted.Redacted, purpose: string, text: string): string | undefined => {
  const sealed = Buffer.from(text.slice(text.lastIndexOf(".") + 1), "base64url")
  const body = sealed.subarray(nonceBytes, -tagBytes)
  try {
    const decipher = createDecipheriv("aes-256-gcm", bytesOf(key), sealed.subarray(0, nonceBytes))
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(sealed.subarray(-tagBytes))
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8")
  } catch {
    return undefined
  }
}
