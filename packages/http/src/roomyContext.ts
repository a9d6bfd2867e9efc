/** The context that requests begin with. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** More services than any request adds to its context. */
const mostAdded = 32

/** The same context, to which a request may add its services without all of them being copied. */
export const roomyContext = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map(context.mapUnsafe), { maxDepth: mostAdded })

/** Runs an effect whose context requests begin with. */
export const inRoomyContext = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(effect, (context: Context.Context<R>) => roomyContext(context))
