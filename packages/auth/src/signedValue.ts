/** Values that a browser keeps for the service and cannot change: signed for a purpose, until an instant. */
import { constantTimeEqual } from "@svc/core"
import { hmacBase64Url } from "@svc/core/internal"
import { parseJson } from "@svc/http"
import * as Result from "effect/Result"

const markOf = (secret: string, purpose: string, body: string): string => hmacBase64Url(secret, `${purpose}\n${body}`)

/** A JSON value as a text of URL-safe characters; `until` in milliseconds since 1970. */
export const signedValue = (secret: string, purpose: string, value: unknown, until: number): string => {
  const body = Buffer.from(JSON.stringify({ until, value })).toString("base64url")
  return `${body}.${markOf(secret, purpose, body)}`
}

/** The value of a text that was signed for the purpose and still holds; undefined for any other. */
export const valueOfSigned = (secret: string, purpose: string, text: string, now: number): unknown => {
  const [body = "", mark = "", ...rest] = text.split(".")
  if (rest.length > 0 || !constantTimeEqual(mark, markOf(secret, purpose, body))) return undefined
  const { until, value } = Object(
    Result.getOrUndefined(parseJson(Buffer.from(body, "base64url").toString("utf8"))) ?? {}
  )
  return typeof until === "number" && now < until ? value : undefined
}
