/** The database of a host, as it names it. */
import { type Check, isOptions, isText, isWhole, must, required } from "@svc/core/names"
import { isSchemaName } from "@svc/postgres"
import type { HostPool } from "@svc/postgres/host"
import type * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { foreignLayer } from "./effectCopies.ts"

/** `pglite:FOLDER`, `postgres://…` or `memory:`; or with the schema of the tables; or the host's own connections. */
export type DatabaseOption = string | DatabaseUrlOption | DatabaseClientOption

interface DatabaseUrlOption {
  /** `pglite:FOLDER`, `postgres://…` or `memory:`. */
  readonly url: string
  /**
   * The schema of all tables, created if it is missing; default the one that has them already, then `svc`. An embedded database
   * has no other tables, so there it means nothing.
   */
  readonly schema?: string
  /** Connections to PostgreSQL, 1 to 1,000; default `SVC_DB_POOL`, then 16. */
  readonly pool?: number
}

interface DatabaseClientOption {
  /**
   * The host's own connections, which it closes itself: a `Pool` of `pg`, or a client of `@effect/sql-pg`, itself or as a layer.
   * The service needs PostgreSQL 15 or newer.
   */
  readonly client: HostPool | SqlClient | Layer.Layer<never, unknown>
  /** As with a URL. */
  readonly schema?: string
}

const hasFunction = (value: object, name: string): boolean => typeof Reflect.get(value, name) === "function"

const isClient: Check = (client, path) => {
  const value = Object(client)
  if (hasFunction(value, "escapeLiteral"))
    return `${path}: a single Client of pg, which only one can use at a time. Give a Pool.`
  if (hasFunction(value, "connect") || "~@effect/sql-pg/PgClient" in value) return undefined
  if (hasFunction(value, "build")) return foreignLayer(path, value)
  return `${path}: not a Pool of pg, nor a client or layer of @effect/sql-pg.`
}

const isSchema = must(
  "a name of at most 63 letters, digits, _ and -",
  (schema) => typeof schema === "string" && isSchemaName(schema)
)

const isUrlOption = isOptions<DatabaseUrlOption>({ url: required(isText), schema: isSchema, pool: isWhole(1, 1000) })
const isClientOption = isOptions<DatabaseClientOption>({ client: required(isClient), schema: isSchema })

/** Whether a database can be used. */
export const isDatabase: Check = (database, path) => {
  if (typeof database === "string" && database.trim() !== "") return undefined
  if (typeof database !== "object" || database === null || !("url" in database !== "client" in database))
    return `${path}: not a URL, { url, schema, pool } or { client, schema }.`
  return ("client" in database ? isClientOption : isUrlOption)(database, path)
}

/** The parts of the database that were given. New tables of a host are in a schema of their own, away from the host's. */
export const databaseOf = (database: DatabaseOption | undefined) => {
  const given: Partial<DatabaseUrlOption & DatabaseClientOption> =
    typeof database === "string" ? { url: database } : { ...database }
  const { client: connections, ...rest } = given
  return { ...rest, connections, newSchema: "svc" }
}
