/**
 * A tracer that lets only harmless facts pass to the one it wraps.
 *
 * What libraries note down may hold personal data and secrets: addresses with queries, messages of databases with the
 * values they refused. So attributes are let through by name, events and links not at all, and of an error its code alone.
 * Source: reliability research, threat 26 (allow-list of fields).
 */
import { Failure } from "@svc/core/Failure"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** The attributes that leave the process. Statement texts hold placeholders, never what was put in their places. */
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

/** The most characters of an attribute. */
const longest = 2_000

/** The name of what went wrong, which no caller can choose. */
const kindOf = (error: unknown): string => {
  if (error instanceof Failure) return error.code
  if (typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string")
    return error._tag
  return error instanceof Error ? error.constructor.name : "unknown"
}

const harmless = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) return Exit.void
  if (Cause.hasInterruptsOnly(exit.cause)) return exit
  const said = new Error(kindOf(Cause.squash(exit.cause)))
  said.stack = said.message
  return Exit.fail(said)
}

/** Whether a span without a parent begins a trace: a request, a command, or the worker's work, but not its looking around. */
const begins = (name: string, kind: Tracer.SpanKind): boolean => kind === "server" || /^(?:command|work) /.test(name)

/** Wraps a tracer. */
export const carefulTracer = (inner: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const isWanted = Option.isSome(options.parent) || begins(options.name, options.kind)
      const span = inner.span({ ...options, links: [], sampled: options.sampled && isWanted })
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (!allowed.has(key)) return
          attribute(key, typeof value === "string" ? value.slice(0, longest).replaceAll(/\s+/g, " ").trim() : value)
        },
        end: (time: bigint, exit: Exit.Exit<unknown, unknown>) => end(time, harmless(exit)),
        event: () => undefined,
        addLinks: () => undefined
      })
    }
  })
