/**
 * What is known of every run of a command, and of everything that the worker does by itself: it is counted, timed and a
 * span of a trace. Spans carry ids and codes, never what somebody wrote. Source: contract 3 (observability).
 */
import * as Effect from "effect/Effect"
import type { Answer, Call } from "./Dispatch.ts"
import { commandEnded } from "./instruments.ts"

/** An effect as a span; work that nobody asked for begins a trace of its own. */
export const traced = <A, E, R>(
  name: `work ${string}`,
  organizationId: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.useSpan(name, { root: true, attributes: { "svc.organization_id": organizationId } }, (span) =>
    Effect.withParentSpan(effect, span, { captureStackTrace: false })
  )

/** A run that is counted and traced. `id` is undefined when the catalogue has no such command. */
export const observed = (
  id: string | undefined,
  { actor, requestId }: Call,
  run: Effect.Effect<Answer>
): Effect.Effect<Answer> => {
  const name = id ?? "unknown"
  return Effect.useSpan(`command ${name}`, (span) =>
    Effect.clockWith((clock) => {
      const began = clock.currentTimeNanosUnsafe()
      return Effect.tap(Effect.withParentSpan(run, span, { captureStackTrace: false }), ({ envelope }) => {
        const outcome = envelope.ok ? "ok" : envelope.error.code
        span.attribute("svc.command", name)
        span.attribute("svc.command_hash", envelope.meta.command_hash)
        span.attribute("svc.organization_id", actor.organizationId)
        span.attribute("svc.actor_kind", actor.kind)
        span.attribute("svc.outcome", outcome)
        if (requestId !== undefined) span.attribute("svc.request_id", requestId)
        return commandEnded(name, outcome, Number(clock.currentTimeNanosUnsafe() - began) / 1e9)
      })
    })
  )
}
