// Writes src/migrations/generated.ts, the text of src/sql as a module, so that a bundled program needs no files beside it.
// `npm run build` and the tests run it; it writes only what has changed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"

const folder = (name) => new URL(`src/sql/${name}/`, import.meta.url)
const files = (name) => (existsSync(folder(name)) ? readdirSync(folder(name)).sort() : [])
const text = (name, file) => readFileSync(new URL(file, folder(name)), "utf8")
const whole = (name) => files(name).map((file) => text(name, file))

const schema = [...whole("schema"), ...whole("functions")].join("\n")
const frozen = files("migrations").map((file) => ({
  id: Number(file.slice(0, 4)),
  name: file.slice(5, -".sql".length),
  sql: text("migrations", file)
}))
// Until the first release freezes it as migrations/0001-schema.sql, migration 1 is the present schema.
const migrations = frozen[0]?.id === 1 ? frozen : [{ id: 1, name: "schema", sql: schema }, ...frozen]

const module = `/** Made by sqlModule.js from the files in src/sql. */
import type { Migration } from "../Migration.ts"

export const schema: string = ${JSON.stringify(schema)}
export const migrations: ReadonlyArray<Migration> = ${JSON.stringify(migrations, undefined, 2)}
`
const place = new URL("src/migrations/generated.ts", import.meta.url)
if (!existsSync(place) || readFileSync(place, "utf8") !== module) writeFileSync(place, module)
