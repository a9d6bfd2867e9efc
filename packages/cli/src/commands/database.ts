/** `svc db …`, the schema of the database and moving it; `svc backup` and `svc restore`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { json, textOr, toggle } from "./flags.ts"

const work = Effect.promise(() => import("../databaseWork.ts"))

const ofMigrations = (
  name: string,
  run: "showMigrations" | "planMigrations" | "migrateDatabase",
  description: string
) =>
  Command.make(name, { json }, ({ json: asJson }) => Effect.flatMap(work, (loaded) => loaded[run](asJson))).pipe(
    Command.withDescription(description)
  )

const status = ofMigrations("status", "showMigrations", "Show applied and pending migrations")
const plan = ofMigrations("plan", "planMigrations", "Print the SQL that migrate would run")
const migrate = ofMigrations("migrate", "migrateDatabase", "Apply pending migrations")

const roles = Command.make(
  "roles",
  { role: textOr("role", "svc_service", "Role of svc serve and svc worker; default svc_service"), json },
  ({ json: asJson, role }) => Effect.flatMap(work, ({ showRole }) => showRole(role, asJson))
).pipe(
  Command.withDescription("Print SQL for a least-privilege role, for svc serve and svc worker"),
  Command.withShortDescription("Print SQL for a least-privilege role"),
  Command.withExamples([
    { command: "svc db roles | psql ADMIN_URL", description: "Create the role, or grant it what is missing" }
  ])
)

const move = Command.make(
  "move",
  {
    to: Flag.String("to").pipe(
      Flag.withDescription("URL of an empty database: postgres://…, pglite:FOLDER, or - to read it from standard input")
    ),
    json
  },
  ({ json: asJson, to }) => Effect.flatMap(work, ({ moveTo }) => moveTo(to, asJson))
).pipe(
  Command.withDescription("Copy all data to an empty database, embedded or PostgreSQL, and verify the copy"),
  Command.withShortDescription("Copy all data to another database and verify it"),
  Command.withExamples([
    { command: "svc db move --to - < url-file", description: "From ./.svc/data to PostgreSQL, with the URL in a file" },
    { command: "svc db move --to pglite:./copy", description: "To another folder" }
  ])
)

const distribute = Command.make("distribute", { json }, ({ json: asJson }) =>
  Effect.flatMap(work, (loaded) => loaded.distribute(asJson))
).pipe(
  Command.withDescription(
    "Distribute the tables over the nodes of a Citus cluster, by organization. Stop every process first"
  ),
  Command.withShortDescription("Distribute the tables over a Citus cluster")
)

/** `svc db`. */
export const db = Command.make("db").pipe(
  Command.withDescription("Manage the database schema, and move the database"),
  Command.withSubcommands([status, plan, migrate, roles, move, distribute])
)

const folder = (description: string) => Argument.String("folder").pipe(Argument.withDescription(description))

/** `svc backup`. */
export const backup = Command.make(
  "backup",
  { folder: folder("New or empty folder to write to"), json },
  ({ folder, json: asJson }) => Effect.flatMap(work, (loaded) => loaded.backup(folder, asJson))
).pipe(
  Command.withDescription(
    "Back up the database of SVC_DATABASE_URL, embedded or PostgreSQL, into a folder, and read it again to verify it. Servers may run meanwhile"
  ),
  Command.withShortDescription("Back up the database into a folder, verified"),
  Command.withExamples([
    { command: "svc backup ./backup-monday", description: "The database of ./.svc, or of SVC_DATABASE_URL" }
  ])
)

/** `svc restore`. */
export const restore = Command.make(
  "restore",
  {
    folder: folder("Folder that svc backup wrote"),
    replace: toggle("replace", "Delete what the database has first"),
    yes: toggle("yes", "Do not ask before --replace deletes"),
    json
  },
  ({ folder, ...options }) => Effect.flatMap(work, (loaded) => loaded.restore(folder, options))
).pipe(
  Command.withDescription(
    "Restore a backup into the database of SVC_DATABASE_URL, embedded or PostgreSQL, whichever it was made of. It is checked before and after. Sending is then held until svc sending release"
  ),
  Command.withShortDescription("Restore a backup, and hold sending"),
  Command.withExamples([
    { command: "svc restore ./backup-monday", description: "Into an empty database" },
    { command: "svc restore ./backup-monday --replace", description: "Over the present data" }
  ])
)
