/**
 * Every migration of the schema, in the order in which they run. The first makes the whole schema of an empty database;
 * each later one is a file beside this one, goes to the end with the next id, and never changes once it has landed:
 * databases remember its checksum, and `migrations.lock.json` lists it.
 *
 * SQL stays at the PostgreSQL 15 level and needs no extension: it runs on PostgreSQL and on PGlite. One is used where it is
 * there: `pg_trgm`, for pieces of texts.
 */
import type { Migration } from "../Migration.ts"
import { schema } from "../schema/index.ts"

/** The schema's history. */
export const migrations: ReadonlyArray<Migration> = [{ id: 1, name: "schema", sql: schema }]
