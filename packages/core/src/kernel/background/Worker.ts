/**
 * Background work: repeated rounds, workers that share what is due, leases, and transactions that the service runs on its own.
 *
 * Leases keep two processes from working on one record. Leasing a record raises its fence, so a write by an earlier holder has no
 * effect. A holder renews its lease while it works; when a process dies, its leases expire. Leases are timed by the database's
 * clock, so a wrong process clock cannot steal one.
 *
 * What the service runs on its own has events in its own name. The rules of commands run there unchanged; warnings, which have no
 * caller to go to, are dropped.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { Actor, Execution, succeedOrFail } from "../command/Execution.ts"
import type { Failure } from "../failure/Failure.ts"
import type { StoreEffect } from "../failure/failures.ts"
import { type NewEvent, stampEvents } from "../journal/Event.ts"
import { Journal, type JournalFailure, Tenant, Transaction } from "../journal/Journal.ts"
import { type Ids, type InstantText, isoFromMillis, now, type OrganizationId } from "../schema/IdsAndTime.ts"
import { type DueKind, DueWork } from "./DueWork.ts"

/** Repeats a round until the scope closes. A failed round is logged under `name`, and the next one follows. */
export const repeatRound = <E, R>(
  name: string,
  round: Effect.Effect<unknown, E, R>,
  interval: Duration.Input
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.asVoid(
    Effect.forkScoped(
      Effect.repeat(
        Effect.catchCause(round, (cause) => Effect.logError(`A round of ${name} failed`, cause)),
        Schedule.spaced(interval)
      )
    )
  )

/** On interruption, waits up to 8 seconds for the effect to finish instead of cutting it off. */
export const finishOnInterrupt = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(effect), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () => Effect.timeoutOption(Fiber.await(fiber), "8 seconds"))
  )

/**
 * Workers that each take one item at a time, so that no item waits while leased; returns how many, and for how many `work` was
 * true.
 * `take` is asked for at most `limit` items in all: first for one per worker, then one by one.
 */
export const shareWork = <Taken, E, R, E2, R2>(
  options: { readonly workers: number; readonly limit: number },
  take: (max: number) => Effect.Effect<ReadonlyArray<Taken>, E, R>,
  work: (taken: Taken) => Effect.Effect<boolean, E2, R2>
): Effect.Effect<{ readonly taken: number; readonly done: number }, E | E2, R | R2> =>
  Effect.gen(function* () {
    let left = options.limit
    let count = 0
    let done = 0
    const next = (max: number) => {
      const most = Math.min(max, left)
      left -= most
      return most <= 0 ? Effect.succeed<ReadonlyArray<Taken>>([]) : take(most)
    }
    const worker = Effect.fnUntraced(function* (first: Taken) {
      for (let taken: Taken | undefined = first; taken !== undefined; [taken] = yield* next(1)) {
        count++
        if (yield* work(taken)) done++
      }
    })
    yield* Effect.forEach(yield* next(options.workers), worker, { concurrency: "unbounded", discard: true })
    return { taken: count, done }
  })

/** Which organizations a round serves, all by default, and how much it does at most. */
export interface Round {
  readonly organizationId?: OrganizationId | undefined
  /** Items of all organizations: at most so many. */
  readonly limit?: number
  /** Items at the same time. */
  readonly concurrency?: number
}

/** How a round is shared out. */
interface Turns extends Round {
  /** Items of one turn for each worker; the limit of the round by default. */
  readonly batch?: number
  /** Seconds until an organization is looked at again whose due work could not be done. */
  readonly recheckSeconds?: number
}

/** What one organization may use in its turn: workers, and items. */
export interface Share {
  readonly concurrency: number
  readonly limit: number
}

/** Turns of a round in which nothing was done. */
const maxIdle = 100

/**
 * Works in the organizations that have work of a kind, the one due longest first; returns how many items were done. `work` returns
 * it for one organization, which is last in line again after each turn and is left alone for the rest of the round once it had
 * none. Where it fails, so does the round, but the next one begins with the others.
 */
export const eachDue = Effect.fnUntraced(function* <E, R>(
  kind: DueKind,
  { batch = Number.POSITIVE_INFINITY, concurrency = 1, limit = 100, organizationId, recheckSeconds = 5 }: Turns,
  work: (organizationId: OrganizationId, share: Share) => Effect.Effect<number, E, R>
) {
  const { find, settle } = yield* DueWork
  /** Those that have their turn, or had no work. */
  const passed = new Set<OrganizationId>()
  let left = limit
  const take = Effect.fnUntraced(function* (max: number) {
    if (left <= 0) return []
    const found = organizationId === undefined ? yield* find(kind, yield* now, max + passed.size) : [organizationId]
    const turns = found.filter((id) => !passed.has(id)).slice(0, Math.min(max, left))
    return turns.map((id, index) => {
      const workers = Math.max(1, Math.floor(max / turns.length))
      const share = Math.min(batch * workers, Math.ceil(left / (turns.length - index)))
      passed.add(id)
      left -= share
      return { id, share: { concurrency: workers, limit: share } }
    })
  })
  yield* shareWork({ workers: concurrency, limit: limit + maxIdle }, take, ({ id, share }) =>
    Effect.gen(function* () {
      const at = yield* now
      const exit = yield* Effect.exit(work(id, share))
      const done = Exit.isSuccess(exit) ? exit.value : 0
      left += share.limit - done
      const again = done > 0 ? at : isoFromMillis(Date.parse(at) + recheckSeconds * 1_000)
      yield* settle(id, kind, { at, again })
      if (done > 0) passed.delete(id)
      yield* exit
      return true
    })
  )
  return limit - left
})

/** A leased record. `fence` tells this lease from any later one. */
export interface Lease {
  readonly organizationId: OrganizationId
  readonly id: string
  readonly fence: number
}

/** What to lease, and for how long. `now` is ISO 8601. */
export interface LeaseRequest {
  readonly organizationId: OrganizationId
  readonly now: string
  readonly leaseSeconds: number
  readonly limit: number
}

/** A store that leases records. */
export interface Leases {
  /** Renews a lease; returns false if it is lost. */
  readonly renew: (lease: Lease, leaseSeconds: number) => StoreEffect<boolean>
}

/**
 * Runs an effect while renewing its lease three times per lease period. A renewal that fails is tried again next time;
 * if the lease is lost anyway, the fence rejects the outcome.
 */
export const keepLease = <A, E, R>(
  leases: Leases,
  lease: Lease,
  leaseSeconds: number,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const pause = `${Math.ceil((leaseSeconds * 1_000) / 3)} millis` as const
    const renewing = Effect.ignore(leases.renew(lease, leaseSeconds))
    const heartbeat = yield* Effect.forkChild(Effect.delay(Effect.repeat(renewing, Schedule.spaced(pause)), pause))
    return yield* Effect.ensuring(effect, Fiber.interrupt(heartbeat))
  })

/** The actor of the service's own events. */
const dispatcher = { kind: "SYSTEM", id: "dispatcher" } as const

const executionOf = (emitted: Array<NewEvent>): Execution["Service"] => ({
  dryRun: false,
  emit: (event) => Effect.sync(() => void emitted.push(event)),
  warn: () => Effect.void,
  commit: (step) => step,
  finish: (step) => Effect.flatMap(step, succeedOrFail)
})

/** Runs an effect with the service itself as the actor, for rules that need one. */
export const asService = <A, E, R>(
  organizationId: OrganizationId,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, Actor>> =>
  Effect.provideService(Effect.provideService(effect, Tenant, organizationId), Actor, {
    organizationId,
    userId: dispatcher.id,
    kind: "USER",
    mode: "full",
    scopes: [],
    keyId: null
  })

/** Appends events in the name of the service itself. */
export const appendOwn = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  emitted: ReadonlyArray<NewEvent>,
  createdAt: InstantText
) {
  if (emitted.length === 0) return
  const events = yield* stampEvents(emitted, { organizationId, actor: dispatcher, keyId: null, createdAt })
  yield* (yield* Journal).append(organizationId, [{ events, audit: undefined, idempotency: undefined }])
})

/** What a step run by {@link runAsService} needs from its caller. */
export type SystemNeeds<R> = Exclude<Exclude<R, Execution>, Actor> | Transaction | Journal | Ids

/** Runs a step in its own transaction, which also stores its events. */
export const runAsService = <A, E extends Failure, R>(
  organizationId: OrganizationId,
  step: Effect.Effect<A, E, R>
): Effect.Effect<A, E | JournalFailure, SystemNeeds<R>> =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    const run = transaction.run(
      Effect.gen(function* () {
        const emitted: Array<NewEvent> = []
        const result = yield* asService(organizationId, Effect.provideService(step, Execution, executionOf(emitted)))
        yield* appendOwn(organizationId, emitted, yield* now)
        return result
      })
    )
    return yield* Effect.provideService(run, Tenant, organizationId)
  })
