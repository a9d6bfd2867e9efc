/**
 * The in-memory database: tables of immutable rows with real transactions.
 *
 * It is the executable specification of every repository, so it rolls back, isolates and serializes as a database does:
 * the whole state is one persistent value; a transaction works on its own copy and publishes it when it succeeds.
 * Transactions and single writes run one after another; reads outside a transaction see what was last published. Tables
 * are kept per organization, so a row of another organization cannot be reached by mistake.
 */

import { JoinsTransaction, Transaction } from "@svc/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"

/** Names a table and the type of its rows. */
export interface Table<Row> {
  readonly name: string
  readonly rowType?: Row
}

/** Declares a table. */
export const table = <Row>(name: string): Table<Row> => ({ name })

/** The partition of tables that belong to no organization. */
export const globalPartition = "*"

/** The tables as one read or write sees them. `partition` is the organization, or {@link globalPartition}. */
export interface Tables {
  readonly get: <Row>(table: Table<Row>, partition: string, key: string) => Row | undefined
  readonly all: <Row>(table: Table<Row>, partition: string) => ReadonlyArray<Row>
  readonly set: <Row>(table: Table<Row>, partition: string, key: string, row: Row) => void
  readonly remove: <Row>(table: Table<Row>, partition: string, key: string) => void
  /** Removes and returns the rows that match. */
  readonly removeWhere: <Row>(
    table: Table<Row>,
    partition: string,
    matches: (row: Row) => boolean
  ) => ReadonlyArray<Row>
  /** Replaces the rows that match under their keys, and returns them as they were. */
  readonly updateWhere: <Row>(
    table: Table<Row>,
    partition: string,
    matches: (row: Row) => boolean,
    change: (row: Row) => Row
  ) => ReadonlyArray<Row>
  /** The partitions in which the table ever had a row. */
  readonly partitions: (table: Table<unknown>) => ReadonlyArray<string>
}

type Rows = HashMap.HashMap<string, unknown>

/** All tables at one moment. */
export type State = HashMap.HashMap<string, Rows>

interface Values {
  state: State
}

/** The tables of the store, or of a transaction. */
interface Cell extends Values {
  /** Taken by each command of a host's transaction. */
  readonly turn: Semaphore.Semaphore
}

const noRows: Rows = HashMap.empty()
const slot = (name: string, partition: string): string => `${name}/${partition}`

const tablesOf = (cell: Values): Tables => {
  // The only place that trusts a table's declared row type: rows enter through `set` of the same table.
  const rowsOf = <Row>({ name }: Table<Row>, partition: string) =>
    Option.getOrElse(HashMap.get(cell.state, slot(name, partition)), () => noRows) as HashMap.HashMap<string, Row>
  const replace = <Row>({ name }: Table<Row>, partition: string, rows: HashMap.HashMap<string, Row>): void => {
    cell.state = HashMap.set(cell.state, slot(name, partition), rows)
  }
  const entriesOf = <Row>(t: Table<Row>, partition: string, matches: (row: Row) => boolean) =>
    HashMap.toEntries(rowsOf(t, partition)).filter(([, row]) => matches(row))
  return {
    get: (t, partition, key) => Option.getOrUndefined(HashMap.get(rowsOf(t, partition), key)),
    all: (t, partition) => HashMap.toValues(rowsOf(t, partition)),
    set: (t, partition, key, row) => replace(t, partition, HashMap.set(rowsOf(t, partition), key, row)),
    remove: (t, partition, key) => replace(t, partition, HashMap.remove(rowsOf(t, partition), key)),
    removeWhere: (t, partition, matches) => {
      const removed = entriesOf(t, partition, matches)
      for (const [key] of removed) replace(t, partition, HashMap.remove(rowsOf(t, partition), key))
      return removed.map(([, row]) => row)
    },
    updateWhere: (t, partition, matches, change) => {
      const changed = entriesOf(t, partition, matches)
      for (const [key, row] of changed) replace(t, partition, HashMap.set(rowsOf(t, partition), key, change(row)))
      return changed.map(([, row]) => row)
    },
    partitions: ({ name }) =>
      Array.from(HashMap.keys(cell.state)).flatMap((key) =>
        key.startsWith(slot(name, "")) ? [key.slice(slot(name, "").length)] : []
      )
  }
}

/** The store. The functions given to it run synchronously; a failed `tryWrite` changes nothing. */
export class MemoryStore extends Context.Service<
  MemoryStore,
  {
    readonly read: <A>(f: (tables: Tables) => A) => Effect.Effect<A>
    readonly write: <A>(f: (tables: Tables) => A) => Effect.Effect<A>
    readonly tryWrite: <A, E>(f: (tables: Tables) => Result.Result<A, E>) => Effect.Effect<A, E>
    /** The published state: rows by key, by `table/partition`. The same value until something is written. */
    readonly published: Effect.Effect<State>
  }
>()("@svc/core/MemoryStore") {}

const attempt = <A, E>(cell: Values, f: (tables: Tables) => Result.Result<A, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const before = cell.state
    try {
      const done = f(tablesOf(cell))
      if (Result.isFailure(done)) cell.state = before
      return Effect.fromResult(done)
    } catch (error) {
      cell.state = before
      return Effect.die(error)
    }
  })

const CurrentCell = Context.Reference<Cell | undefined>("@svc/core/MemoryStore/CurrentCell", {
  defaultValue: () => undefined
})

/** An empty store and its transactions. */
export const layer: Layer.Layer<MemoryStore | Transaction> = Layer.effectContext(
  Effect.sync(() => {
    const mutex = Semaphore.makeUnsafe(1)
    const root: Cell = { state: HashMap.empty(), turn: mutex }

    const tryWrite: MemoryStore["Service"]["tryWrite"] = (f) =>
      Effect.flatMap(CurrentCell, (cell) =>
        cell === undefined ? mutex.withPermits(1)(attempt(root, f)) : attempt(cell, f)
      )
    const store = MemoryStore.of({
      read: (f) =>
        Effect.flatMap(CurrentCell, (cell) =>
          attempt({ state: (cell ?? root).state }, (tables) => Result.succeed(f(tables)))
        ),
      write: (f) => tryWrite((tables) => Result.succeed(f(tables))),
      tryWrite,
      published: Effect.sync(() => root.state)
    })

    const transaction = Transaction.of({
      isOpen: Effect.map(CurrentCell, (cell) => cell !== undefined),
      run: (effect) =>
        Effect.flatMap(Effect.all([CurrentCell, JoinsTransaction]), ([outer, joins]) => {
          if (outer !== undefined) {
            const undoable = Effect.suspend(() => {
              const before = outer.state
              return Effect.onError(Effect.provideService(effect, JoinsTransaction, false), () =>
                Effect.sync(() => {
                  outer.state = before
                })
              )
            })
            return joins ? outer.turn.withPermits(1)(undoable) : undoable
          }
          return mutex.withPermits(1)(
            Effect.suspend(() => {
              const cell: Cell = { state: root.state, turn: Semaphore.makeUnsafe(1) }
              return Effect.tap(Effect.provideService(effect, CurrentCell, cell), () =>
                Effect.sync(() => {
                  root.state = cell.state
                })
              )
            })
          )
        })
    })

    return Context.make(MemoryStore, store).pipe(Context.add(Transaction, transaction))
  })
)

/** A repository in the store. */
export const repository = <I, S>(
  port: Context.Key<I, S>,
  make: (store: MemoryStore["Service"]) => NoInfer<S>
): Layer.Layer<I, never, MemoryStore> => Layer.effect(port, Effect.map(MemoryStore, make))
