/**
 * A client whose statements find the tables of one schema, whatever the `search_path` of its connections is.
 *
 * Statements are written with the schema `svc`: `select … from svc.leads`. Where the tables are in another schema, its name
 * takes the place of `svc`. So the connections of a host, with a search path of their own, serve as well.
 */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { SqlClient } from "effect/sql/SqlClient"
import { remembered } from "./remembered.ts"

/** The schema in which statements are written. */
export const writtenSchema = "svc"

const schemas = new WeakMap<SqlClient, string>()

/** The schema of the tables that a client finds. */
export const schemaOf = (sql: SqlClient): string => schemas.get(sql) ?? writtenSchema

/** An identifier of PostgreSQL, quoted. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The schema before a name, `svc.leads` or `svc."leads"`; not part of one, as in `svc_leads`. */
const qualifier = /\bsvc\.(?=[a-z"])/g

/** The same client for tables in `schema`. A transaction of one is a transaction of both. */
export const inSchema = (client: PgClient, schema: string): PgClient => {
  const replaced = (text: string) =>
    schema === writtenSchema ? text : text.replaceAll(qualifier, () => `${quoted(schema)}.`)
  const literals = new Map<string, string>()
  // The strings of a template are one object for all runs of its statement.
  const templates = new WeakMap<TemplateStringsArray, TemplateStringsArray>()
  const inTemplate = (strings: TemplateStringsArray) =>
    remembered(templates, strings, ({ raw }) => Object.assign(strings.map(replaced), { raw }))
  const tag = (first: TemplateStringsArray | string, ...rest: Array<unknown>) =>
    typeof first === "string" ? client(first) : client(inTemplate(first), ...rest)
  const made = Object.assign(tag, client, {
    literal: (text: string) => client.literal(remembered(literals, text, replaced)),
    unsafe: (text: string, params?: ReadonlyArray<unknown>) => client.unsafe(replaced(text), params)
  }) as PgClient
  schemas.set(made, schema)
  return made
}
