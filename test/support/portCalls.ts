/** Which methods of the ports of a store were called. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Methods by their name, such as `@svc/core/offers/OffersRepo.find`, and whether each was called. */
export const portCalls = new Map<string, boolean>()

const recorded = (port: string, service: object): object =>
  Object.fromEntries(
    Object.entries(service).map(([name, member]: [string, unknown]) => {
      const isEffect = Effect.isEffect(member)
      if (!isEffect && typeof member !== "function") return [name, member]
      const method = `${port}.${name}`
      if (!portCalls.has(method)) portCalls.set(method, false)
      const call = () => portCalls.set(method, true)
      if (isEffect) return [name, Effect.andThen(Effect.sync(call), member)]
      return [name, (...given: ReadonlyArray<unknown>) => call() && member(...given)]
    })
  )

/** The same store, whose calls {@link portCalls} has. */
export const recordingCalls = <A, E, R>(store: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.map(Layer.build(store), (context) => {
      const services = [...context.mapUnsafe].map(([key, service]): [string, unknown] =>
        key.startsWith("@svc/core/") && typeof service === "object" ? [key, recorded(key, service)] : [key, service]
      )
      return Context.makeUnsafe<A>(new Map(services))
    })
  )
