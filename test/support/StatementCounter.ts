/**
 * Counts the SQL statements that reach the database, so that tests can hold commands to their budget of round trips.
 */

import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { inSchema, schemaOf } from "#postgres/inSchema.ts"

/** What was counted. `control` are BEGIN, COMMIT, ROLLBACK and savepoints; `texts` are the statements, in order. */
export interface StatementCount {
  readonly statements: number
  readonly control: number
  readonly texts: ReadonlyArray<string>
}

/** Reads and resets the count. `of` counts one effect: what others do meanwhile is counted too. */
export class StatementCounter extends Context.Service<
  StatementCounter,
  {
    readonly read: Effect.Effect<StatementCount>
    readonly reset: Effect.Effect<void>
    readonly of: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<readonly [A, StatementCount], E, R>
  }
>()("@svc/test/StatementCounter") {}

const isControl = (text: string): boolean => {
  const word = text.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? ""
  return ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"].includes(word)
}

const counting = (connection: Connection, count: (text: string) => void): Connection => {
  const counted =
    <Rest extends ReadonlyArray<unknown>, A, E, R>(run: (text: string, ...rest: Rest) => Effect.Effect<A, E, R>) =>
    (text: string, ...rest: Rest): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        count(text)
        return run(text, ...rest)
      })
  return {
    execute: counted((...args) => connection.execute(...args)),
    executeRaw: counted((...args) => connection.executeRaw(...args)),
    executeValues: counted((...args) => connection.executeValues(...args)),
    executeValuesUnprepared: counted((...args) => connection.executeValuesUnprepared(...args)),
    executeUnprepared: counted((...args) => connection.executeUnprepared(...args)),
    executeStream: (text, params, transformRows) =>
      Stream.suspend(() => {
        count(text)
        return connection.executeStream(text, params, transformRows)
      })
  }
}

/** Puts a counter in front of the client below it. */
export const layer: Layer.Layer<StatementCounter | SqlClient.SqlClient | PgClient.PgClient, never, PgClient.PgClient> =
  Layer.effectContext(
    Effect.gen(function* () {
      const inner = yield* PgClient.PgClient
      const texts: Array<string> = []
      const acquirer = Effect.map(inner.reserve, (connection) => counting(connection, (text) => void texts.push(text)))
      const client = yield* SqlClient.make({
        acquirer,
        compiler: PgClient.makeCompiler(),
        driver: inner.driver,
        prepareTransactionControls: true,
        releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
        spanAttributes: []
      })
      const pg: PgClient.PgClient = Object.assign(client, {
        [PgClient.TypeId]: PgClient.TypeId,
        config: inner.config,
        json: inner.json,
        listen: inner.listen,
        notify: inner.notify
      })
      const counted = inSchema(pg, schemaOf(inner))
      const read = Effect.sync(() => {
        const control = texts.filter(isControl).length
        return { statements: texts.length - control, control, texts: [...texts] }
      })
      const reset = Effect.sync(() => {
        texts.length = 0
      })
      return Context.make(PgClient.PgClient, counted).pipe(
        Context.add(SqlClient.SqlClient, counted),
        Context.add(StatementCounter, {
          read,
          reset,
          of: (effect) =>
            Effect.andThen(
              reset,
              Effect.flatMap(effect, (value) => Effect.map(read, (count) => [value, count] as const))
            )
        })
      )
    })
  ).pipe(Layer.provide(Reactivity.layer))
