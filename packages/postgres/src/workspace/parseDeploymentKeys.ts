/** The keys of a deployment as a text: read with the other settings, before any database is. */
import * as Redacted from "effect/Redacted"

/** The keys in a text, separated by commas; undefined unless each has 32 bytes in Base64 or base64url. */
export const parseDeploymentKeys = (text: string): ReadonlyArray<Redacted.Redacted> | undefined => {
  const keys = text.split(",").map((part) => {
    const isKey = /^[A-Za-z0-9+/_-]{43}=?$/.test(part.trim())
    return isKey ? Buffer.from(part.trim(), "base64").toString("base64url") : undefined
  })
  return keys.every((key) => key !== undefined)
    ? keys.map((key) => Redacted.make(key, { label: "SVC_DEPLOYMENT_KEY" }))
    : undefined
}
