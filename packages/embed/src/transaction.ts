/** Transactions that a host shares with the service. */

import { type Failure, InvalidInput, JoinsTransaction, type Transaction } from "@svc/core"
import { databaseIdentity, HostConnection, inHostTransaction } from "@svc/postgres"
import type { HostClient } from "@svc/postgres/host"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { svcErrorOf } from "./hostFailure.ts"
import { inPlace, type Life, makeRunning, misplaced } from "./life.ts"
import type { Services } from "./workers.ts"

/** A row of a host's own statement. */
type Row = Readonly<Record<string, unknown>>

/** What a transaction has beside the commands. `C` is the type of the host's client. */
export interface TransactionApi<C = HostClient> {
  /**
   * Runs a statement of the host in the transaction, with `$1`, `$2`, … for its values, and resolves with the rows. Rejects with
   * the error of PostgreSQL, whose `code` is its SQLSTATE. `svc.` before a name stands for the schema of the service.
   */
  readonly query: <R extends object = Row>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<R>>
  /** The client of `pg` that has the transaction, for Drizzle, Kysely and the like, if the service has the host's pool. */
  readonly client: C
}

/** A transaction in which calls run. */
export interface Inside {
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly api: TransactionApi
  /** Why nothing more can run in it; undefined while something can. */
  readonly ended: () => Failure | undefined
  /** Runs something that ending waits for. */
  readonly during: <A>(run: () => Promise<A>) => Promise<A>
}

/** The transactions of a store, for hosts. */
export interface HostTransactions {
  /** Runs in the transaction of the fiber, if it has one. */
  readonly joined: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>
  /** The failure of a call that a transaction is waiting for without being part of it. */
  readonly misplaced: () => Failure | undefined
  /** Begins a transaction, ends it with the function, and gives what the function gives. */
  readonly run: <A>(begin: (inside: Inside) => Promise<A>) => Promise<A>
  /** The transaction that the host has begun on its client. */
  readonly join: (client: HostClient) => Inside
}

interface TransactionParts {
  readonly catalog: object
  readonly life: Life
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, Failure>
  readonly transaction: Transaction["Service"]
  /** The client of the database; none in memory. */
  readonly sql: Option.Option<SqlClient>
  /** Whether the database is a server's, which a host's own clients can reach too. */
  readonly isServer: boolean
  /** Which database it is. */
  readonly identity: string | undefined
}

class Abandoned extends Data.TaggedError("Abandoned")<{ readonly cause: unknown }> {}

const refused = (message: string) => new InvalidInput({ message })

const joining = Effect.provideService(JoinsTransaction, true)

/** A transaction in which the given context has effects run, until it is ended. */
const insideOf = ({ runtime, sql }: TransactionParts, run: Inside["run"], client: () => HostClient) => {
  const { during, settled } = makeRunning()
  let isOver = false
  const ended = () => (isOver ? refused("The transaction has ended.") : undefined)
  const joined: Inside["run"] = (effect) => run(joining(effect))
  const api: TransactionApi = {
    query: async <R extends object>(text: string, values: ReadonlyArray<unknown> = []) => {
      const failure = ended() ?? (Option.isNone(sql) ? refused("A service in memory has no SQL.") : undefined)
      if (failure !== undefined || Option.isNone(sql)) throw svcErrorOf(failure)
      const statement = Effect.result(sql.value.unsafe<R>(text, values))
      const rows = await during(() => runtime.runPromise(joined(statement)))
      if (Result.isSuccess(rows)) return rows.success
      throw isSqlError(rows.failure) ? rows.failure.reason.cause : rows.failure
    },
    get client() {
      return client()
    }
  }
  const end = async () => {
    isOver = true
    await settled()
  }
  return { inside: { run: joined, api, ended, during }, end, isOpen: () => !isOver }
}

/** Transactions over a running service. */
export const hostTransactions = (parts: TransactionParts): HostTransactions => {
  const { catalog, identity, isServer, life, runtime, sql, transaction } = parts
  const clientIn = (context: Context.Context<never>) => (): HostClient => {
    const [connection] = Option.isSome(sql)
      ? Option.getOrElse(Context.getOption(context, sql.value.transactionService), () => [undefined] as const)
      : []
    if (connection instanceof HostConnection) return connection.client
    throw svcErrorOf(
      refused("The service has connections of its own: use query, or give it your pool with database.client.")
    )
  }
  return {
    joined: (effect) => Effect.flatMap(transaction.isOpen, (isOpen) => (isOpen ? joining(effect) : effect)),
    misplaced: () => misplaced(catalog),
    run: async (begin) => {
      const ended = life.ended()
      if (ended !== undefined) throw svcErrorOf(ended)
      const work = Effect.flatMap(Effect.context<never>(), (context) => {
        const { end, inside, isOpen } = insideOf(parts, Effect.provideContext(context), clientIn(context))
        return Effect.tryPromise({
          try: () =>
            inPlace({ catalog, what: "svc.transaction", instead: "its argument", isOpen }, () => begin(inside)).finally(
              end
            ),
          catch: (cause) => new Abandoned({ cause })
        })
      })
      const done = await life.during(() => runtime.runPromise(Effect.result(transaction.run(work))))
      if (Result.isSuccess(done)) return done.success
      throw done.failure instanceof Abandoned ? done.failure.cause : svcErrorOf(done.failure)
    },
    join: (client) => {
      if (!isServer)
        throw svcErrorOf(refused("Joining a transaction needs PostgreSQL: an embedded database has no other clients."))
      // The client of the database is among the runtime's services.
      const run = inHostTransaction(client) as Inside["run"]
      const elsewhere = refused("The client is of another database than the service. Join one of the same database.")
      const known = run(databaseIdentity as Effect.Effect<string | undefined>)
      let isChecked = false
      const checked: Inside["run"] = (effect) =>
        Effect.flatMap(isChecked ? Effect.succeed(identity) : known, (found) => {
          const isSame = found === undefined || identity === undefined || found === identity
          if (!isSame) return Effect.die(svcErrorOf(elsewhere))
          isChecked = true
          return run(effect)
        })
      return insideOf(parts, checked, () => client).inside
    }
  }
}
