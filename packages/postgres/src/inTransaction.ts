/**
 * A transaction of a client. The client merges the context around it with the one inside of it, which copies the services of the
 * whole process three times. So around it is only what it uses, and inside the whole context is back, with what the client adds.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { TracerEnabled } from "effect/References"
import { Reactivity } from "effect/reactivity/Reactivity"
import { Scheduler } from "effect/Scheduler"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { ParentSpan, Tracer } from "effect/Tracer"

const used: ReadonlyArray<Context.Key<unknown, unknown>> = [
  Clock.Clock,
  ParentSpan,
  Reactivity,
  Scheduler,
  Tracer,
  TracerEnabled
]

/** Runs an effect in a transaction of its own, where none is open. */
export const inTransaction = <A, E, R>(
  sql: SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.contextWith((whole: Context.Context<R>) => {
    const around = new Map<string, unknown>()
    for (const service of used) {
      const given = Context.getOrUndefined(whole, service)
      if (given !== undefined) around.set(service.key, given)
    }
    const restored = Effect.updateContext(effect, (inside: Context.Context<never>) => {
      let context = whole
      inside.mapUnsafe.forEach((service, key) => {
        if (around.get(key) !== service) context = Context.addUnsafe(context, key, service)
      })
      return context
    })
    return Effect.updateContext(sql.withTransaction(restored), () => Context.makeUnsafe<never>(around))
  })
