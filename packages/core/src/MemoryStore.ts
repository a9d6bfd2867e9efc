/**
 * The in-memory database: tables of immutable rows with real transactions.
 *
 * It is the executable specification of every repository, so it rolls back, isolates and serialises as a database does:
 * the whole state is one persistent value; a transaction works on its own copy and publishes it when it ends well.
 * Transactions and single writes take turns; reads outside a transaction see what was last published. Tables are kept
 * per organization, so a row of another organization cannot be reached by mistake.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { Failure } from "./Failure.ts"
import { Transaction } from "./Transaction.ts"

/** Names a table and the type of its rows. */
export interface Table<Row> {
  readonly name: string
  readonly rowType?: Row
}

/** Declares a table. */
export const table = <Row>(name: string): Table<Row> => ({ name })

/** The tables as one read or write sees them. `partition` is the organization, or any fixed word for global tables. */
export interface Tables {
  readonly get: <Row>(table: Table<Row>, partition: string, key: string) => Row | undefined
  readonly all: <Row>(table: Table<Row>, partition: string) => ReadonlyArray<Row>
  readonly set: <Row>(table: Table<Row>, partition: string, key: string, row: Row) => void
  readonly remove: <Row>(table: Table<Row>, partition: string, key: string) => void
}

type Rows = HashMap.HashMap<string, unknown>

/** All tables at one moment. */
export type State = HashMap.HashMap<string, Rows>

interface Cell {
  state: State
}

const noRows: Rows = HashMap.empty()
const slot = (name: string, partition: string): string => `${name}/${partition}`

const tablesOf = (cell: Cell): Tables => {
  const rows = (name: string, partition: string): Rows =>
    Option.getOrElse(HashMap.get(cell.state, slot(name, partition)), () => noRows)
  return {
    // The only place that trusts a table's declared row type: rows enter through `set` of the same table.
    get: <Row>(t: Table<Row>, partition: string, key: string) =>
      Option.getOrUndefined(HashMap.get(rows(t.name, partition), key)) as Row | undefined,
    all: <Row>(t: Table<Row>, partition: string) => Array.from(HashMap.values(rows(t.name, partition))) as Array<Row>,
    set: (t, partition, key, row) => {
      cell.state = HashMap.set(cell.state, slot(t.name, partition), HashMap.set(rows(t.name, partition), key, row))
    },
    remove: (t, partition, key) => {
      cell.state = HashMap.set(cell.state, slot(t.name, partition), HashMap.remove(rows(t.name, partition), key))
    }
  }
}

/** The store. A function given to `read` or `write` runs at once and may throw a {@link Failure}, which undoes it. */
export class MemoryStore extends Context.Service<
  MemoryStore,
  {
    readonly read: <A>(f: (tables: Tables) => A) => Effect.Effect<A, Failure>
    readonly write: <A>(f: (tables: Tables) => A) => Effect.Effect<A, Failure>
    /** What is published now: rows by key, by `table/partition`. The same value as long as nothing is written. */
    readonly published: Effect.Effect<State>
  }
>()("@svc/core/MemoryStore") {}

const attempt = <A>(cell: Cell, f: (tables: Tables) => A): Effect.Effect<A, Failure> =>
  Effect.suspend(() => {
    const before = cell.state
    try {
      return Effect.succeed(f(tablesOf(cell)))
    } catch (error) {
      cell.state = before
      return error instanceof Failure ? Effect.fail(error) : Effect.die(error)
    }
  })

const CurrentCell = Context.Reference<Cell | undefined>("@svc/core/MemoryStore/CurrentCell", {
  defaultValue: () => undefined
})

/** An empty store and its transactions. */
export const layer: Layer.Layer<MemoryStore | Transaction> = Layer.effectContext(
  Effect.sync(() => {
    const root: Cell = { state: HashMap.empty() }
    const turn = Semaphore.makeUnsafe(1)

    const store = MemoryStore.of({
      read: (f) => Effect.flatMap(CurrentCell, (cell) => attempt({ state: (cell ?? root).state }, f)),
      write: (f) =>
        Effect.flatMap(CurrentCell, (cell) =>
          cell === undefined ? turn.withPermits(1)(attempt(root, f)) : attempt(cell, f)
        ),
      published: Effect.sync(() => root.state)
    })

    const transaction = Transaction.of({
      run: (effect) =>
        Effect.flatMap(CurrentCell, (outer) => {
          if (outer !== undefined) {
            const before = outer.state
            return Effect.onError(effect, () =>
              Effect.sync(() => {
                outer.state = before
              })
            )
          }
          return turn.withPermits(1)(
            Effect.suspend(() => {
              const cell: Cell = { state: root.state }
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
