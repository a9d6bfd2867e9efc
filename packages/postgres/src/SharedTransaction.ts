/**
 * Runs of one command that share a transaction, so that many requests cost the database little more than one.
 *
 * A run begins at once where few are running; those that come meanwhile wait, and share the next transaction. Statements
 * made with {@link shared} wait until every run of the transaction waits for one or has ended, and are then made as one;
 * any other statement of a run is made on the same connection, for itself.
 *
 * Nobody notices: a run that cannot share (it names the lead of another run, or would wait for a lock) leaves and runs again
 * alone; when a run fails after it wrote something, everything is rolled back and all of them run again alone. No run ends
 * before the transaction has.
 */
import { VersionConflict } from "@svc/core"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { SerializationConflict } from "./SqlFailure.ts"

/** How many transactions of one kind may be open at once: while the database works for one, this process works for the other. */
const openAtOnce = 2

/** How many runs must wait before a second one opens: shared by few, it would cost more than they win. */
const fewestRuns = 8

/** How many runs may share a transaction. */
const mostRuns = 64

/** The answer of a shared statement to a run that has to run alone. */
export const alone = Symbol("alone")

type Answers = Effect.Effect<ReadonlyArray<unknown>, unknown>
type Many = (inputs: ReadonlyArray<unknown>, isShared: boolean) => Answers

interface Asked {
  readonly many: Many
  readonly input: unknown
  readonly answer: (exit: Exit.Exit<unknown, unknown>) => void
}

class Aborted extends Data.TaggedError("Aborted") {}

const conflict = Exit.die(new SerializationConflict({ cause: undefined }))

/** Whether others changed what a run read, so that it has to run again. */
const isOutdated = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some((reason) =>
    Cause.isDieReason(reason)
      ? reason.defect instanceof SerializationConflict
      : Cause.isFailReason(reason) && reason.error instanceof VersionConflict
  )

/** A transaction, and what its runs wait for. */
class Shared {
  /** Undefined if the transaction could not begin. */
  readonly connection = Deferred.makeUnsafe<Connection | undefined>()
  /** How it ended: committed, or rolled back if {@link isAborted}, or with the failure of the commit. */
  readonly end = Deferred.makeUnsafe<Exit.Exit<void, SqlError>>()
  isAborted = false
  readonly #runs: number
  #busy: number
  #asked: Array<Asked> = []
  #onIdle: (() => void) | undefined

  constructor(runs: number) {
    this.#runs = runs
    this.#busy = runs
  }

  #change(by: 1 | -1): void {
    this.#busy += by
    if (this.#busy === 0) this.#onIdle?.()
  }

  ask(many: Many, input: unknown): Effect.Effect<unknown, unknown> {
    return Effect.callback<unknown, unknown>((resume) => {
      let isWaiting = true
      const goOn = (): boolean => {
        if (!isWaiting) return false
        isWaiting = false
        this.#busy++
        return true
      }
      this.#asked.push({ many, input, answer: (exit) => void (goOn() && resume(exit)) })
      this.#change(-1)
      return Effect.sync(goOn)
    })
  }

  /** A run has ended; `isDirty` if it wrote. */
  leave(exit: Exit.Exit<unknown, unknown>, isDirty: boolean): void {
    if (isDirty && Exit.isFailure(exit)) this.isAborted = true
    this.#change(-1)
  }

  readonly #idle = Effect.callback<void>((resume) => {
    this.#onIdle = () => resume(Effect.void)
    if (this.#busy === 0) this.#onIdle()
  })

  /** Makes, as one, the statements that wait for the one that was asked for first. */
  #answer(many: Many): Effect.Effect<void> {
    const asked = this.#asked.filter((one) => one.many === many)
    this.#asked = this.#asked.filter((one) => one.many !== many)
    const inputs = asked.map(({ input }) => input)
    return Effect.map(Effect.exit(many(inputs, this.#runs > 1)), (exit) => {
      if (Exit.isFailure(exit)) this.isAborted = true
      asked.forEach(({ answer }, index) => {
        if (Exit.isFailure(exit)) answer(exit)
        else answer(exit.value[index] === alone ? conflict : Exit.succeed(exit.value[index]))
      })
    })
  }

  /** Serves the runs until the last one has ended. Fails to roll back. */
  readonly serve: Effect.Effect<void, Aborted> = Effect.flatMap(this.#idle, () => {
    this.#onIdle = undefined
    const [first] = this.#asked
    if (first === undefined) return this.isAborted ? new Aborted() : Effect.void
    return Effect.andThen(this.#answer(first.many), this.serve)
  })
}

/** The place of a run in a shared transaction. */
class Seat {
  isDirty = false
  readonly #shared: Shared
  constructor(shared: Shared) {
    this.#shared = shared
  }

  ask(many: Many, input: unknown, isWrite: (answer: unknown) => boolean): Effect.Effect<unknown, unknown> {
    return Effect.map(this.#shared.ask(many, input), (answer) => {
      if (isWrite(answer)) this.isDirty = true
      return answer
    })
  }

  /** The connection for statements of this run alone. */
  own(connection: Connection): Connection {
    const noted = (): Connection => {
      this.isDirty = true
      return connection
    }
    return {
      execute: (...args) => noted().execute(...args),
      executeRaw: (...args) => noted().executeRaw(...args),
      executeValues: (...args) => noted().executeValues(...args),
      executeValuesUnprepared: (...args) => noted().executeValuesUnprepared(...args),
      executeUnprepared: (...args) => noted().executeUnprepared(...args),
      executeStream: (...args) => noted().executeStream(...args)
    }
  }
}

const Seated = Context.Reference<Seat | undefined>("@svc/postgres/Seated", { defaultValue: () => undefined })

/**
 * A statement for the inputs of many runs, which answers in their order, or {@link alone}. `isShared`: it must not wait for
 * locks, since others would wait with it. `isWrite` says from its answer whether a run that fails afterwards leaves something
 * to undo. Outside of a shared transaction it is made for one.
 */
export const shared = <In, Out, E>(
  isWrite: (answer: Out) => boolean,
  many: (inputs: ReadonlyArray<In>, isShared: boolean) => Effect.Effect<ReadonlyArray<Out | typeof alone>, E>
): ((input: In) => Effect.Effect<Out, E>) => {
  // A seat hands every input to the function that it came with, and its answers back.
  const erased = many as (inputs: ReadonlyArray<unknown>, isShared: boolean) => Answers
  const erasedIsWrite = isWrite as (answer: unknown) => boolean
  return (input) =>
    Effect.flatMap(
      Seated,
      (seat) =>
        (seat === undefined
          ? Effect.map(many([input], false), ([answer]) => answer)
          : seat.ask(erased, input, erasedIsWrite)) as Effect.Effect<Out, E>
    )
}

/** A statement that changes nothing, whatever it answers. */
export const readsOnly = (): boolean => false

/** A statement that changes something, whatever it answers. */
export const alwaysWrites = (): boolean => true

/** The transactions of one key that are open, and the runs that wait for the next one. */
interface Queue {
  open: number
  readonly waiting: Array<(joined: Joined) => void>
}

/** The first run of a transaction opens it. */
interface Joined {
  readonly shared: Shared
  readonly isFirst: boolean
}

type RunShared = <A, E, R, E2>(
  key: string,
  effect: Effect.Effect<A, E, R>,
  retried: Effect.Effect<A, E2, R>
) => Effect.Effect<A, E | E2 | SqlError, R>

/** Runs effects in shared transactions of a client. The key says which may share; `retried` runs an effect alone. */
export const makeShared = (sql: SqlClient): RunShared => {
  const queues = new Map<string, Queue>()

  /** Lets the waiting runs begin, if it is their turn. */
  const begin = (queue: Queue): void => {
    const { open, waiting } = queue
    if (waiting.length === 0 || open === openAtOnce || (open > 0 && waiting.length < fewestRuns)) return
    queue.open++
    const runs = waiting.splice(0, mostRuns)
    const shared = new Shared(runs.length)
    runs.forEach((run, index) => {
      run({ shared, isFirst: index === 0 })
    })
  }

  const join = (key: string): Effect.Effect<Joined> =>
    Effect.callback((resume) => {
      const queue = queues.get(key) ?? { open: 0, waiting: [] }
      queues.set(key, queue)
      queue.waiting.push((joined) => resume(Effect.succeed(joined)))
      begin(queue)
    })

  const next = (key: string): void => {
    const queue = queues.get(key)
    if (queue === undefined) return
    queue.open--
    begin(queue)
    if (queue.open === 0) queues.delete(key)
  }

  const open = (key: string, shared: Shared): Effect.Effect<void> => {
    const served = Effect.flatMap(Effect.serviceOption(sql.transactionService), (begun) => {
      Deferred.doneUnsafe(shared.connection, Exit.succeed(Option.getOrUndefined(begun)?.[0]))
      return shared.serve
    })
    const ended = Effect.catchTag(sql.withTransaction(served), "Aborted", () => Effect.void)
    return Effect.flatMap(Effect.exit(ended), (exit) =>
      Effect.sync(() => {
        Deferred.doneUnsafe(shared.connection, Exit.succeed(undefined))
        Deferred.doneUnsafe(shared.end, Exit.succeed(exit))
        next(key)
      })
    )
  }

  const take = Effect.fnUntraced(function* <A, E, R, E2>(
    restore: <A2, E3, R2>(effect: Effect.Effect<A2, E3, R2>) => Effect.Effect<A2, E3, R2>,
    key: string,
    effect: Effect.Effect<A, E, R>,
    retried: Effect.Effect<A, E2, R>
  ): Effect.fn.Return<A, E | E2 | SqlError, R> {
    const { isFirst, shared } = yield* join(key)
    if (isFirst) yield* Effect.forkDetach(open(key, shared))
    const connection = yield* Deferred.await(shared.connection)
    if (connection === undefined) {
      const begun = yield* Deferred.await(shared.end)
      return yield* Exit.isFailure(begun) ? Effect.failCause(begun.cause) : restore(retried)
    }
    const seat = new Seat(shared)
    const seated = Effect.updateContext(effect, (context: Context.Context<R>) =>
      Context.add(Context.add(context, sql.transactionService, [seat.own(connection), 0]), Seated, seat)
    )
    const exit = yield* Effect.exit(restore(seated))
    shared.leave(exit, seat.isDirty)
    const end = yield* Deferred.await(shared.end)
    if (shared.isAborted || isOutdated(end) || isOutdated(exit)) return yield* restore(retried)
    return Exit.isFailure(end) ? yield* Effect.failCause(end.cause) : yield* exit
  })

  return (key, effect, retried) => Effect.uninterruptibleMask((restore) => take(restore, key, effect, retried))
}
