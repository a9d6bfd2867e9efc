/**
 * Every migration of the schema, in the order in which they run. A new one goes to the end, with the next id; one that
 * was released never changes, since databases remember its checksum.
 *
 * SQL stays at the PostgreSQL 15 level and needs no extension: it runs on PostgreSQL and on PGlite. Source: contract 4.
 */
import type { Migration } from "../Migrator.ts"
import { workspace } from "./0001_workspace.ts"
import { offers } from "./0002_offers.ts"

/** The schema's history. */
export const migrations: ReadonlyArray<Migration> = [workspace, offers]
