/** Backups of PostgreSQL databases, made and restored with the tools that come with the server. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { promisify } from "node:util"
import { findPostgres, postgresTool } from "./PostgresCluster.ts"

const run = promisify(execFile)

/** An argument with the URL of the server in place of that of the pooler, if there is one: tools need a session. */
const direct = (argument: string): string => {
  const { SVC_TEST_DATABASE_URL: server, SVC_TEST_POOLER_PORT: pooler } = process.env
  if (server === undefined || pooler === undefined) return argument
  return argument.replace(`127.0.0.1:${pooler}`, new URL(server).host).replace("?pooler=transaction", "")
}

/** Runs a tool of the server, named first, with its arguments. */
export const tool = ([name = "", ...args]: ReadonlyArray<string>) => run(postgresTool(name), args.map(direct))

/** Whether the tools of backups are installed beside the server. */
export const hasTools = (): boolean => findPostgres() !== undefined && existsSync(postgresTool("pg_dump"))

/** The commands of a backup and of its restoration, and the URL of what is restored. */
export interface BackupWay {
  readonly backup: ReadonlyArray<string>
  readonly restore: ReadonlyArray<ReadonlyArray<string>>
  readonly restored: string
}

/** Leaves the tables, without their rows. */
const emptyAll = `do $$ declare names text; begin
  select string_agg(format('%I.%I', schemaname, tablename), ', ') into names from pg_tables where schemaname = 'svc';
  execute 'truncate ' || names; end $$`

/** How a backup is made, and how it is brought back into an empty database or over what is there. */
export const backupWays: Readonly<Record<string, (url: string, file: string, empty: string) => BackupWay>> = {
  "a dump into another database": (url: string, file: string, empty: string) => ({
    backup: ["pg_dump", "--format=custom", `--file=${file}`, url],
    restore: [["pg_restore", "--no-owner", `--dbname=${empty}`, file]],
    restored: empty
  }),
  "a dump over the same database": (url: string, file: string) => ({
    backup: ["pg_dump", "--format=custom", `--file=${file}`, url],
    restore: [["pg_restore", "--no-owner", "--clean", "--if-exists", `--dbname=${url}`, file]],
    restored: url
  }),
  "the rows alone, into the same tables": (url: string, file: string) => ({
    backup: ["pg_dump", "--format=plain", "--data-only", "--disable-triggers", `--file=${file}`, url],
    restore: [
      ["psql", "-q", "-d", url, "-c", emptyAll],
      ["psql", "-q", "-d", url, "-v", "ON_ERROR_STOP=1", "-f", file]
    ],
    restored: url
  })
}
