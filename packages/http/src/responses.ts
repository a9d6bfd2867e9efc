/** Responses: JSON, the error object, which failures of the command endpoint use which, and small pages. */
import { createHash } from "node:crypto"
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

interface PageOptions {
  readonly meta?: Html
  readonly status?: number
  readonly target?: string
}

/** Pages of one style, which say or ask one thing. They run no script, load nothing and cannot be framed. */
export const styledPage = (style: string, referrerPolicy: "no-referrer" | "same-origin") => {
  const styleHash = createHash("sha256").update(style).digest("base64")
  /** A page; forms may be sent here, and on to `target`. */
  return (title: string, content: Html, { meta, status = 200, target = "" }: PageOptions = {}) =>
    HttpServerResponse.text(
      html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${meta}<title>${title}</title><style>${{ markup: style }}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`
        .markup,
      {
        status,
        contentType: "text/html; charset=utf-8",
        headers: {
          "cache-control": "no-store",
          "content-security-policy": [
            "default-src 'none'",
            `style-src 'sha256-${styleHash}'`,
            `form-action 'self' ${target}`.trim(),
            "base-uri 'none'",
            "frame-ancestors 'none'"
          ].join("; "),
          "permissions-policy": "camera=(), geolocation=(), microphone=()",
          "referrer-policy": referrerPolicy,
          "x-frame-options": "DENY"
        }
      }
    )
}

/** Prose with `code` in backticks, one paragraph for each blank line. */
export const prose = (text: string): ReadonlyArray<Html> =>
  text
    .split(/\n\n+/)
    .map(
      (paragraph) =>
        html`<p>${paragraph.split("`").map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}</p>`
    )
