/**
 * What was read of keys and policies is kept for half a second, so that a burst of requests needs only one lookup: other processes
 * see a change within a second. In the process that makes a change it holds from the answer on: whatever was read, or began to
 * be, before the transaction of the change ended is read again.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OrganizationPolicies } from "../../kernel/command/Policy.ts"
import type { StoreEffect } from "../../kernel/failure/failures.ts"
import { afterTransaction, Transaction, withEndings } from "../../kernel/journal/Journal.ts"
import { Workspaces } from "../Workspaces.ts"

/** How long it is kept, in milliseconds. */
export const keptMillis = 500
/** Maximum kept values of one kind; then all are dropped. */
export const capacity = 10_000

/** How often keys and policies were changed in this process. */
export const RightsVersion = Context.Reference<() => number>("@svc/core/workspace/RightsVersion", {
  defaultValue: () => () => 0
})

/** A value with when, and at which version, its read began. */
interface Kept<A> {
  readonly value: A
  readonly readAt: number
  readonly version: number
}

/** A read whose values are kept. */
export const recent = <A>(version: () => number, find: (id: string) => StoreEffect<A | undefined>) => {
  const kept = new Map<string, Kept<A>>()
  const known = (id: string, now: number): Kept<A> | undefined => {
    const one = kept.get(id)
    const isKept = one !== undefined && one.version === version() && now >= one.readAt
    return isKept && now - one.readAt < keptMillis ? one : undefined
  }
  return {
    /** What is kept at a time in milliseconds. */
    known,
    forget: (id: string): boolean => kept.delete(id),
    read: Effect.fnUntraced(function* (id: string, now: number) {
      const one = known(id, now)
      if (one !== undefined) return one.value
      const before = version()
      const value = yield* find(id)
      if (value === undefined) return undefined
      if (kept.size >= capacity) kept.clear()
      kept.set(id, { value, readAt: now, version: before })
      return value
    })
  }
}

/** Counts changes of rights, and looks up the policies of organizations for actors without a key. */
export const layer: Layer.Layer<Workspaces | Transaction, never, Workspaces | Transaction> = Layer.effectContext(
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    let version = 0
    const changing = <A>(change: StoreEffect<A>): StoreEffect<A> =>
      Effect.ensuring(
        change,
        afterTransaction(() => {
          version++
        })
      )
    const policies = recent(() => version, workspaces.organizationPolicy)
    return Context.make(Workspaces, {
      ...workspaces,
      updateKey: (key) => changing(workspaces.updateKey(key)),
      changePolicy: (...change) => changing(workspaces.changePolicy(...change))
    }).pipe(
      Context.add(Transaction, withEndings(yield* Transaction)),
      Context.add(RightsVersion, () => version),
      Context.add(OrganizationPolicies, (organizationId: string) =>
        Effect.map(
          Effect.flatMap(Clock.currentTimeMillis, (now) => policies.read(organizationId, now)),
          (policy) => policy ?? {}
        )
      )
    )
  })
)
