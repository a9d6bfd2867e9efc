/** Responses: JSON, the error object, and which failures of the command endpoint use which. */
import { type Envelope, type EnvelopeMeta, type Failure, type FailureEnvelope, writeJson } from "@svc/core"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A response with a JSON value. */
export const json = (value: unknown, status = 200): HttpServerResponse.HttpServerResponse => {
  const body = writeJson(value)
  const options = { status, contentType: "application/json" }
  return typeof body === "string"
    ? HttpServerResponse.text(body, options)
    : HttpServerResponse.uint8Array(body, options)
}

const withRetryAfter = (response: HttpServerResponse.HttpServerResponse, seconds: number | undefined) =>
  seconds === undefined ? response : HttpServerResponse.setHeader(response, "retry-after", String(Math.ceil(seconds)))

/** The error object of a command that failed. */
export const envelopeFailureResponse = (
  { error: { code, message }, status }: Pick<FailureEnvelope, "error" | "status">,
  retryAfterSeconds?: number
): HttpServerResponse.HttpServerResponse => {
  const response = withRetryAfter(json({ error: { message, code } }, status), retryAfterSeconds)
  if (status === 401) return HttpServerResponse.setHeader(response, "www-authenticate", "Bearer")
  // The unread rest of a body must not be taken for the next request.
  return status === 413 ? HttpServerResponse.setHeader(response, "connection", "close") : response
}

/** The error object of a failure. */
export const failureResponse = (failure: Failure): HttpServerResponse.HttpServerResponse =>
  envelopeFailureResponse({ error: failure, status: failure.entry.status }, failure.retryAfterSeconds)

/** Marks the stored response of an earlier request with the same idempotency key. */
export const replayedHeader = { "idempotency-replayed": "true" } as const

/** The header of warnings, if there are any: a JSON array in printable ASCII. */
export const warningsHeader = (warnings: ReadonlyArray<string>): Record<string, string> =>
  warnings.length === 0
    ? {}
    : {
        "svc-warnings": JSON.stringify(warnings.slice(0, 10).map((text) => text.slice(0, 300))).replaceAll(
          /[^\x20-\x7e]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
        )
      }

/** The REST response to a call that a policy holds for approval. */
export const approvalResponse = (
  { data, meta }: { readonly data: unknown; readonly meta: EnvelopeMeta },
  replayed: boolean
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(json({ data }, 202), {
    "svc-approval-request-id": meta.approval_request_id,
    ...(replayed ? replayedHeader : {})
  })

const envelopeStatuses = new Set([400, 404, 409, 502])

/** The command endpoint's response: the envelope, or the error object for a failure that is not the command's own. */
export const commandResponse = (
  envelope: Envelope<unknown>,
  retryAfterSeconds?: number
): HttpServerResponse.HttpServerResponse => {
  if (envelope.ok) return json(envelope, envelope.status)
  return envelopeStatuses.has(envelope.status)
    ? withRetryAfter(json(envelope, envelope.status), retryAfterSeconds)
    : envelopeFailureResponse(envelope, retryAfterSeconds)
}

/** Markup. */
export interface Html {
  readonly markup: string
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** The text with nothing that HTML understands. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

type Part = Html | string | number | undefined | ReadonlyArray<Html>

const markupOf = (part: Part): string => {
  if (part === undefined) return ""
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part))
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("")
}

/** Markup with values in it. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  markup: texts.map((text, index) => text + markupOf(parts[index])).join("")
})

/** Prose with `code` in backticks, one paragraph for each blank line. */
export const prose = (text: string): ReadonlyArray<Html> =>
  text
    .split(/\n\n+/)
    .map(
      (paragraph) =>
        html`<p>${paragraph.split("`").map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}</p>`
    )
