/** Connections of the peer: pipelined, so that several requests share one without waiting for each other's round trips. */
import pg from "pg"

/** Named statements are prepared once a connection. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Sends a statement; rows are as the type parameter says. */
export type Query = <Row extends pg.QueryResultRow>(
  statement: Statement,
  values: ReadonlyArray<unknown>
) => Promise<Array<Row>>

/** `2026-11-23 05:12:53.89+00` as `2026-11-23T05:12:53.890Z`; sessions are in UTC. */
const instantOf = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, "0")}Z`

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.TIMESTAMPTZ ? instantOf : pg.types.getTypeParser(oid, format)
}

/** Connects. Every statement is a transaction; it goes to the connection with the fewest that are unanswered. */
export const connect = async (url: string, size: number): Promise<Query> => {
  const options = "-c plan_cache_mode=force_generic_plan -c timezone=UTC -c jit=off -c random_page_cost=1.1"
  const connections = Array.from({ length: size }, () => ({
    client: new pg.Client({ connectionString: url, pipeline: true, options, types }),
    open: 0
  }))
  await Promise.all(connections.map(({ client }) => client.connect()))
  return async (statement, values) => {
    let best = connections[0]
    for (const one of connections) if (best === undefined || one.open < best.open) best = one
    if (best === undefined) throw new Error("The pool is empty.")
    best.open++
    try {
      return (await best.client.query({ ...statement, values: [...values] })).rows
    } finally {
      best.open--
    }
  }
}

/** Whether a statement failed since a unique value was taken meanwhile; with the name of a table, of that one only. */
export const isTaken = (cause: unknown, table?: string): boolean =>
  cause instanceof pg.DatabaseError && cause.code === "23505" && (table === undefined || cause.table === table)
