/** `svc backup` and `svc restore`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { json, toggle } from "./flags.ts"

const work = Effect.promise(() => import("../backupWork.ts"))

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
