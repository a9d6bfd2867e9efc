// Writes migrations.lock.json, the list of migrations that have landed. Run after `npm run build`:
//
//   node packages/postgres/lockMigrations.js            adds new migrations; fails when a listed one has changed
//   node packages/postgres/lockMigrations.js --accept   takes changed ones too, as long as no release has them
//
// A release sets `released` to the id of its newest migration. From then on nobody changes it or one before it.
import { readFile, writeFile } from "node:fs/promises"
import { checksumOf } from "./dist/Migrator.js"
import { migrations } from "./dist/migrations/index.js"

const path = new URL("migrations.lock.json", import.meta.url)
const lock = JSON.parse(await readFile(path, "utf8"))
const current = migrations.map((migration) => ({
  id: migration.id,
  name: migration.name,
  checksum: checksumOf(migration)
}))

const isSame = (listed) =>
  current.some(
    ({ checksum, id, name }) => `${id} ${name} ${checksum}` === `${listed.id} ${listed.name} ${listed.checksum}`
  )
const changed = lock.migrations.filter((listed) => !isSame(listed))
const refused = changed.filter(({ id }) => id <= lock.released || !process.argv.includes("--accept"))
if (refused.length > 0) {
  const names = refused.map(({ id, name }) => `${id} (${name})`).join(", ")
  const accept = refused.every(({ id }) => id > lock.released) ? ", or run this again with --accept" : ""
  console.error(`Migration ${names} has changed since it landed. Put the change into a new migration${accept}.`)
  process.exit(1)
}
await writeFile(path, `${JSON.stringify({ ...lock, migrations: current }, undefined, 2)}\n`)
