/**
 * Traces and counts every run of a command, and traces the work of the background worker. Spans contain ids and codes,
 * never texts that somebody wrote.
 */

import * as Effect from "effect/Effect"
import type { Call, CommandResult } from "../command/Call.ts"
import type { OrganizationId } from "../schema/RecordIds.ts"
import { countCommand } from "./instruments.ts"

/** Runs background work as the root span of its own trace. */
export const traceWork = <A, E, R>(
  name: `work ${string}`,
  organizationId: OrganizationId,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.useSpan(name, { root: true, attributes: { "svc.organization_id": organizationId } }, (span) =>
    Effect.withParentSpan(effect, span, { captureStackTrace: false })
  )

/** Traces and counts a run. `id` is undefined if the command is unknown. */
export const traceCommand = (
  id: string | undefined,
  { actor, requestId }: Call,
  run: Effect.Effect<CommandResult>
): Effect.Effect<CommandResult> => {
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
        return countCommand(name, outcome, Number(clock.currentTimeNanosUnsafe() - began) / 1e9)
      })
    })
  )
}
