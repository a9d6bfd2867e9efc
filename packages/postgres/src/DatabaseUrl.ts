/** `SVC_DATABASE_URL` as a value: PostgreSQL, a PGlite folder, or memory only. */

import { type Failure, InvalidInput, parseUrl } from "@svc/core"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/**
 * A PostgreSQL server. `url` holds the password; `label` (`postgres://host:port/database`) is safe to show. `isPooled`: a
 * pooler gives each transaction another session (`?pooler=transaction`).
 */
export interface PostgresUrl {
  readonly _tag: "Postgres"
  readonly url: Redacted.Redacted<string>
  readonly isPooled: boolean
  /** The schema of the tables (`?schema=`). */
  readonly schema?: string
  readonly label: string
}

/** A PGlite folder, as written: relative folders are resolved against the working directory by the layer. */
export interface PgliteUrl {
  readonly _tag: "Pglite"
  readonly directory: string
  readonly label: string
}

/** Nothing is kept after the process ends. */
interface MemoryUrl {
  readonly _tag: "Memory"
  readonly label: string
}

export type DatabaseUrl = PostgresUrl | PgliteUrl | MemoryUrl

/** The default of `SVC_DATABASE_URL`. */
export const defaultDatabaseUrl = "pglite:./.svc/data"

const usage = "Use postgres://user:password@host:5432/database, pglite:FOLDER or memory:."

const invalid = (why: string): Result.Result<never, Failure> =>
  Result.fail(new InvalidInput({ message: `SVC_DATABASE_URL ${why} ${usage}` }))

/** The part before the first colon, at most 20 characters of it: never a password. */
const schemeOf = (text: string): string => {
  const colon = text.indexOf(":")
  return JSON.stringify(colon === -1 ? "" : text.slice(0, Math.min(colon, 20)))
}

/** Whether a schema may have this name. */
export const isSchemaName = (name: string): boolean => /^[A-Za-z_][\w-]{0,62}$/.test(name) && !/^pg_/i.test(name)

const parsePostgres = (text: string): Result.Result<DatabaseUrl, Failure> => {
  const url = parseUrl(text)
  if (url === undefined)
    return invalid("is not a valid PostgreSQL URL (percent-encode special characters, e.g. %40 for @).")
  const host = url.searchParams.get("host") ?? url.hostname
  if (host === "") return invalid("has no host.")
  const database = url.searchParams.get("dbname") ?? url.pathname.slice(1)
  if (database === "") return invalid("has no database name.")
  const port = url.searchParams.get("port") ?? url.port
  const pooler = url.searchParams.get("pooler")
  if (pooler !== null && pooler !== "transaction")
    return invalid("has an unknown pooler. Set pooler=transaction, or leave it out.")
  const schema = url.searchParams.get("schema")
  if (schema !== null && !isSchemaName(schema))
    return invalid("has an unusable schema. Name it with at most 63 letters, digits, _ and -, or leave it out.")
  return Result.succeed({
    _tag: "Postgres",
    url: Redacted.make(text, { label: "SVC_DATABASE_URL" }),
    isPooled: pooler !== null,
    ...(schema === null ? {} : { schema }),
    label: `postgres://${host}${port === "" ? "" : `:${port}`}/${database}`
  })
}

const parsePglite = (rest: string): Result.Result<DatabaseUrl, Failure> => {
  const directory = rest.startsWith("///") ? rest.slice(2) : rest
  if (directory === "") return invalid("has no folder.")
  if (directory.startsWith("//")) return invalid("has a host where a folder is expected.")
  return Result.succeed({ _tag: "Pglite", directory, label: `pglite:${directory}` })
}

/**
 * Reads a database URL. Surrounding white space is ignored. Fails with INVALID_INPUT, without quoting the value,
 * which may hold a password.
 */
export const parseDatabaseUrl = (value: string): Result.Result<DatabaseUrl, Failure> => {
  const text = value.trim()
  if (text === "") return invalid("is empty.")
  if (text.length > 4096 || text.includes("\0")) return invalid("is longer than 4096 characters or contains a NUL.")
  if (text === "memory:") return Result.succeed({ _tag: "Memory", label: text })
  if (text.startsWith("postgres://") || text.startsWith("postgresql://")) return parsePostgres(text)
  if (text.startsWith("pglite:")) return parsePglite(text.slice("pglite:".length))
  return invalid(`has the unknown scheme ${schemeOf(text)}.`)
}
