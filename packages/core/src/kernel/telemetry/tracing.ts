/**
 * Traces and counts every run of a command, and traces the work of the background worker. Spans contain ids and codes,
 * never texts that somebody wrote.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { TracerEnabled } from "effect/References"
import { nativeTracer, Tracer } from "effect/Tracer"
import type { Call, CommandResult } from "../command/Delegation.ts"
import { Tenant } from "../journal/Journal.ts"
import type { OrganizationId } from "../schema/IdsAndTime.ts"
import { countCommand } from "./instruments.ts"

/** Runs background work for an organization as the root span of its own trace. */
export const traceWork = <A, E, R>(
  name: `work ${string}`,
  organizationId: OrganizationId,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.useSpan(name, { root: true, attributes: { "svc.organization_id": organizationId } }, (span) =>
    Effect.withParentSpan(Effect.provideService(effect, Tenant, organizationId), span, { captureStackTrace: false })
  )

/** Whether somebody records the spans of a fiber. */
export const isRecorded = (context: Context.Context<never>): boolean =>
  Context.get(context, TracerEnabled) && Context.get(context, Tracer) !== nativeTracer

/** Traces and counts a run, which works for the organization of its actor. `id` is undefined if the command is unknown. */
export const traceCommand = (
  id: string | undefined,
  { actor, requestId }: Call,
  run: Effect.Effect<CommandResult>
): Effect.Effect<CommandResult> => {
  const name = id ?? "unknown"
  const counted = Effect.contextWith((context: Context.Context<never>) => {
    const clock = Context.get(context, Clock.Clock)
    const began = clock.currentTimeNanosUnsafe()
    return Effect.map(Effect.provideService(run, Tenant, actor.organizationId), (result) => {
      const { envelope } = result
      const seconds = Number(clock.currentTimeNanosUnsafe() - began) / 1e9
      countCommand(context, name, envelope.ok ? "ok" : envelope.error.code, seconds)
      return result
    })
  })
  const traced = Effect.useSpan(`command ${name}`, (span) =>
    Effect.map(Effect.withParentSpan(counted, span, { captureStackTrace: false }), (result) => {
      const { envelope } = result
      span.attribute("svc.command", name)
      span.attribute("svc.command_hash", envelope.meta.command_hash)
      span.attribute("svc.organization_id", actor.organizationId)
      span.attribute("svc.actor_kind", actor.kind)
      span.attribute("svc.outcome", envelope.ok ? "ok" : envelope.error.code)
      if (requestId !== undefined) span.attribute("svc.request_id", requestId)
      return result
    })
  )
  return Effect.contextWith((context: Context.Context<never>) => (isRecorded(context) ? traced : counted))
}
