/** Where telemetry goes: `SVC_OTLP_URL`. */
import { decodePercent, parseUrl } from "@svc/core"
import * as Redacted from "effect/Redacted"
import type { Read } from "./Variable.ts"

/** An OTLP endpoint over HTTP. `label` is safe to show. */
export interface OtlpTarget {
  /** Without a trailing slash; `/v1/traces` and `/v1/metrics` are appended. */
  readonly url: string
  readonly label: string
  /** Value of the Authorization header, from a user and password in the URL. */
  readonly authorization: Redacted.Redacted | undefined
}

const problem = { problem: "must be an http or https URL such as http://127.0.0.1:4318, without query" }

/** Parses the URL. A user and password in it become Basic authorization. */
export const readOtlpTarget: Read<OtlpTarget> = (text) => {
  const url = parseUrl(text)
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") return problem
  const [user, password] = [decodePercent(url.username), decodePercent(url.password)]
  if (user === undefined || password === undefined) return problem
  url.username = ""
  url.password = ""
  const plain = url.href.replace(/\/+$/, "")
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
  return {
    url: plain,
    label: plain,
    authorization: user + password === "" ? undefined : Redacted.make(basic, { label: "SVC_OTLP_URL" })
  }
}
