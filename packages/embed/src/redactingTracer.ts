/**
 * A tracer that passes only harmless data on to another one.
 *
 * Spans of libraries may hold personal data and secrets, such as URLs with queries. So attributes are allowed by name,
 * events and links are dropped, and of an error only its code is kept.
 */
import { Failure } from "@svc/core"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** The attributes that are exported. SQL texts hold placeholders, never values. */
const allowed: ReadonlySet<string> = new Set([
  "db.client.connection.wait_time",
  "db.operation.name",
  "db.query.text",
  "db.system.name",
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "svc.actor_kind",
  "svc.command",
  "svc.command_hash",
  "svc.organization_id",
  "svc.outcome",
  "svc.request_id"
])

/** Maximum length of an attribute, in characters. */
const maxLength = 2_000

/** The kind of an error, which callers cannot influence. */
const kindOf = (error: unknown): string => {
  if (error instanceof Failure) return error.code
  if (typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string")
    return error._tag
  return error instanceof Error ? error.constructor.name : "unknown"
}

const redactedExit = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) return Exit.void
  if (Cause.hasInterruptsOnly(exit.cause)) return exit
  const redacted = new Error(kindOf(Cause.squash(exit.cause)))
  redacted.stack = redacted.message
  return Exit.fail(redacted)
}

/** Whether a span without a parent starts a trace: a request, a command, or a job of the worker, but not its polling. */
const startsTrace = (name: string, kind: Tracer.SpanKind): boolean =>
  kind === "server" || /^(?:command|work) /.test(name)

/** Wraps a tracer. */
export const redactingTracer = (inner: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const isSampled = Option.isSome(options.parent) || startsTrace(options.name, options.kind)
      const span = inner.span({ ...options, links: [], sampled: options.sampled && isSampled })
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (!allowed.has(key)) return
          attribute(key, typeof value === "string" ? value.slice(0, maxLength).replaceAll(/\s+/g, " ").trim() : value)
        },
        end: (time: bigint, exit: Exit.Exit<unknown, unknown>) => end(time, redactedExit(exit)),
        event: () => undefined,
        addLinks: () => undefined
      })
    }
  })
