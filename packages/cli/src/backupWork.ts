/** What `svc backup` and `svc restore` do. Loaded on use: the words of the command line need no database. */
import { resolve } from "node:path"
import { WrongState } from "@svc/core"
import {
  backupDatabase,
  databaseLayer,
  hasDatabase,
  parseDeploymentKeys,
  readBackup,
  restoreDatabase
} from "@svc/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { confirmed } from "./confirmations.ts"
import { openedWhole, persistentDatabase } from "./databaseWork.ts"
import { isInteractive, note, outJson } from "./Output.ts"
import { ownerOrOpen } from "./ownerOrOpen.ts"
import { throughOwner } from "./runOperator.ts"

const sumOf = (tables: unknown): number =>
  Array.isArray(tables) ? tables.reduce((sum, table) => sum + Number(Object(table).rows), 0) : 0

/** What is inside, and what a restoration needs beside it. */
const keyNote = (key: unknown): string =>
  key === null
    ? "Inside: all data. Not inside: SVC_DEPLOYMENT_KEY, if you set one. Keep it elsewhere: a restore needs it."
    : "Inside: all data and the deployment key (svc.key)."

/** Backs the database up, through the process that has its folder open, if one has. */
export const backup = Effect.fnUntraced(function* (given: string, asJson: boolean) {
  const url = yield* persistentDatabase
  const folder = resolve(given)
  if (url._tag === "Pglite" && !(yield* hasDatabase(resolve(url.directory)))) {
    return yield* new WrongState({ message: `There is no database in ${url.directory}. Set SVC_DATABASE_URL.` })
  }
  const found = yield* ownerOrOpen(url, Layer.build(databaseLayer(url, { maxConnections: 2 })))
  const manifest =
    found._tag === "Owner"
      ? yield* throughOwner(found.owner, "database.backup", { folder })
      : { ...(yield* Effect.provideContext(backupDatabase(folder), found.value)) }
  const rows = sumOf(manifest["tables"])
  if (asJson) return yield* outJson({ folder, database: url.label, rows, verified: true, ...manifest }, true)
  yield* note(`svc: backed up ${rows} rows of ${url.label} to ${folder}, read them again and compared.`)
  yield* note(`svc: ${keyNote(manifest["key_sha256"])} Keep it private. Settings and profiles are not in it.`)
}, Effect.scoped)

/** Restores a backup into the database, which is created if it is missing. `replace` deletes what it has. */
export const restore = Effect.fnUntraced(function* (
  given: string,
  { json: asJson, replace, yes }: { readonly json: boolean; readonly replace: boolean; readonly yes: boolean }
) {
  const url = yield* persistentDatabase
  const folder = resolve(given)
  const { key, manifest } = yield* readBackup(folder)
  if (replace && !yes && isInteractive(asJson)) {
    yield* confirmed(`Delete everything in ${url.label}, and restore the backup of ${manifest.created_at}?`)
  }
  const { context, keys: target } = yield* openedWhole(url, "replaced")
  const keys = { source: [...((key && parseDeploymentKeys(key)) || []), ...target], target }
  yield* Effect.provideContext(restoreDatabase(folder, manifest, keys, replace), context)
  const rows = sumOf(manifest.tables)
  const { created_at } = manifest
  if (asJson)
    return yield* outJson({ folder, database: url.label, rows, created_at, verified: true, sending_held: true }, true)
  yield* note(`svc: restored ${rows} rows of ${created_at} into ${url.label}, and compared them.`)
  yield* note("svc: sending is held. Look through what was approved, then run svc sending release.")
}, Effect.scoped)
