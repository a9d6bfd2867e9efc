/**
 * The in-memory database: tables of immutable rows with real transactions.
 *
 * It is the executable specification of every repository, so it rolls back, isolates and serializes as a database does:
 * the whole state is one persistent value; a transaction works on its own copy and publishes it when it succeeds.
 * Transactions and single writes run one after another; reads outside a transaction see what was last published. Tables
 * are kept per organization, so a row of another organization cannot be reached by mistake.
 */

import {
  cutPage,
  JoinsTransaction,
  type OrganizationId,
  type Page,
  type PageRequest,
  type Position,
  Transaction
} from "@svc/core"
import { compareText } from "@svc/core/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"

/** Names a table and the type of its rows. The rows of a global one belong to no organization. */
export interface Table<Row> {
  readonly name: string
  readonly isGlobal: boolean
  readonly rowType?: Row
}

/** Declares a table whose rows belong to organizations. */
export const table = <Row>(name: string): Table<Row> => ({ name, isGlobal: false })

/** Declares a table whose rows belong to none. */
export const globalTable = <Row>(name: string): Table<Row> => ({ name, isGlobal: true })

/** The organization of those who read global tables only, and whose rows are theirs. */
export const everywhere = "*"

/** The tables of one organization, and the global ones, as one read or write sees them. */
export interface Tables {
  readonly organizationId: OrganizationId
  /** The row of a key; undefined without one. */
  readonly get: <Row>(table: Table<Row>, key: string | null | undefined) => Row | undefined
  readonly all: <Row>(table: Table<Row>) => ReadonlyArray<Row>
  readonly where: {
    <Row, Some extends Row>(table: Table<Row>, matches: (row: Row) => row is Some): ReadonlyArray<Some>
    <Row>(table: Table<Row>, matches: (row: Row) => boolean): ReadonlyArray<Row>
  }
  readonly set: <Row>(table: Table<Row>, key: string, row: Row) => void
  readonly remove: (table: Table<unknown>, key: string) => void
  /** Removes and returns the rows that match. */
  readonly removeWhere: <Row>(table: Table<Row>, matches: (row: Row) => boolean) => ReadonlyArray<Row>
  /** Replaces the rows that match under their keys, and returns them as they were. */
  readonly updateWhere: <Row>(
    table: Table<Row>,
    matches: (row: Row) => boolean,
    change: (row: Row) => Row
  ) => ReadonlyArray<Row>
  /** The tables of another organization. */
  readonly of: (organizationId: OrganizationId) => Tables
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
const tablesOf = (cell: Values, organizationId: OrganizationId): Tables => {
  const slot = ({ isGlobal, name }: Table<unknown>): string => `${name}/${isGlobal ? everywhere : organizationId}`
  // The only place that trusts a table's declared row type: rows enter through `set` of the same table.
  const rowsOf = <Row>(t: Table<Row>) =>
    Option.getOrElse(HashMap.get(cell.state, slot(t)), () => noRows) as HashMap.HashMap<string, Row>
  const replace = <Row>(t: Table<Row>, rows: HashMap.HashMap<string, Row>): void => {
    cell.state = HashMap.set(cell.state, slot(t), rows)
  }
  const entriesOf = <Row>(t: Table<Row>, matches: (row: Row) => boolean) =>
    HashMap.toEntries(rowsOf(t)).filter(([, row]) => matches(row))
  const all: Tables["all"] = (t) => HashMap.toValues(rowsOf(t))
  return {
    organizationId,
    get: (t, key) => (key == null ? undefined : Option.getOrUndefined(HashMap.get(rowsOf(t), key))),
    all,
    where: <Row>(t: Table<Row>, matches: (row: Row) => boolean) => all(t).filter(matches),
    set: (t, key, row) => replace(t, HashMap.set(rowsOf(t), key, row)),
    remove: (t, key) => replace(t, HashMap.remove(rowsOf(t), key)),
    removeWhere: (t, matches) => {
      const removed = entriesOf(t, matches)
      for (const [key] of removed) replace(t, HashMap.remove(rowsOf(t), key))
      return removed.map(([, row]) => row)
    },
    updateWhere: (t, matches, change) => {
      const changed = entriesOf(t, matches)
      for (const [key, row] of changed) replace(t, HashMap.set(rowsOf(t), key, change(row)))
      return changed.map(([, row]) => row)
    },
    of: (id) => tablesOf(cell, id)
  }
}

/** Makes a method of a port of a function of the tables: the method takes the organization before its other arguments. */
type Method = <Args extends ReadonlyArray<unknown>, A>(
  f: (tables: Tables, ...args: Args) => A
) => (organizationId: OrganizationId, ...args: Args) => Effect.Effect<A>

/** The store. The functions given to it run synchronously; a failed `tryWrite` changes nothing. */
export class MemoryStore extends Context.Service<
  MemoryStore,
  {
    readonly read: <A>(organizationId: OrganizationId, f: (tables: Tables) => A) => Effect.Effect<A>
    readonly write: <A>(organizationId: OrganizationId, f: (tables: Tables) => A) => Effect.Effect<A>
    readonly tryWrite: <A, E>(
      organizationId: OrganizationId,
      f: (tables: Tables) => Result.Result<A, E>
    ) => Effect.Effect<A, E>
    readonly reading: Method
    readonly writing: Method
    /** The published state: rows by key, by `table/partition`. The same value until something is written. */
    readonly published: Effect.Effect<State>
  }
>()("@svc/core/MemoryStore") {}

const attempt = <A, E>(
  cell: Values,
  organizationId: OrganizationId,
  f: (tables: Tables) => Result.Result<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const before = cell.state
    try {
      const done = f(tablesOf(cell, organizationId))
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

    const tryWrite: MemoryStore["Service"]["tryWrite"] = (id, f) =>
      Effect.flatMap(CurrentCell, (cell) =>
        cell === undefined ? mutex.withPermits(1)(attempt(root, id, f)) : attempt(cell, id, f)
      )
    const read: MemoryStore["Service"]["read"] = (id, f) =>
      Effect.flatMap(CurrentCell, (cell) =>
        attempt({ state: (cell ?? root).state }, id, (tables) => Result.succeed(f(tables)))
      )
    const write: MemoryStore["Service"]["write"] = (id, f) => tryWrite(id, (tables) => Result.succeed(f(tables)))
    const store = MemoryStore.of({
      read,
      write,
      tryWrite,
      reading:
        (f) =>
        (id, ...args) =>
          read(id, (tables) => f(tables, ...args)),
      writing:
        (f) =>
        (id, ...args) =>
          write(id, (tables) => f(tables, ...args)),
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

/** Notes that a record was used at an instant that is later than the last one. */
export const touchLastUsed = <Row extends { readonly lastUsedAt: string | null }>(
  tables: Tables,
  table: Table<Row>,
  key: string,
  at: string
): void => {
  const row = tables.get(table, key)
  if (row !== undefined && (row.lastUsedAt ?? "") < at) tables.set(table, key, { ...row, lastUsedAt: at })
}

const compareParts = (a: string | number, b: string | number): number =>
  typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b))

/** Orders positions part by part: numbers by size, texts by their code points. */
const comparePositions = (a: Position, b: Position): number =>
  a.reduce<number>((order, part, index) => order || compareParts(part, b[index] ?? ""), 0)

/** A page of items in the order of their positions, ascending or descending. */
export const pageBy = <A>(
  items: ReadonlyArray<A>,
  direction: "asc" | "desc",
  positionOf: (item: A) => Position,
  { after, limit }: PageRequest
): Page<A> => {
  const sign = direction === "asc" ? 1 : -1
  const rest = items
    .filter((item) => after === undefined || sign * comparePositions(positionOf(item), after) > 0)
    .toSorted((a, b) => sign * comparePositions(positionOf(a), positionOf(b)))
  return cutPage(rest, limit, positionOf)
}

/** A repository in the store, made in two calls: what it is made of is typed by its port. */
export const repository =
  <I, S>(port: Context.Key<I, S>) =>
  (make: (store: MemoryStore["Service"]) => S): Layer.Layer<I, never, MemoryStore> =>
    Layer.effect(port, Effect.map(MemoryStore, make))
