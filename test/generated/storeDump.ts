/** All that a store holds, as text: every column of every table of the database, every row in memory, and what is encoded in them. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { MemoryStore } from "#memory/MemoryStore.ts"

const latin1 = new TextDecoder("latin1")
const wide = ["utf-16le", "utf-16be"].map((name) => new TextDecoder(name))

const readings = (bytes: Buffer): ReadonlyArray<string> => [
  latin1.decode(bytes),
  ...wide.flatMap((decoder) => [decoder.decode(bytes), decoder.decode(bytes.subarray(1))])
]

/** A text, and what it says where parts of it are Base64 or hexadecimal, of UTF-8 or UTF-16. */
export const decoded = (text: string): string =>
  [
    text,
    ...[...text.replaceAll(/\\[rn]/g, "").matchAll(/[A-Za-z0-9+/_-]{16,}/g)].flatMap(([run]) => [
      ...readings(Buffer.from(run, "base64")),
      ...(/^([0-9a-f]{2})+$/i.test(run) ? readings(Buffer.from(run, "hex")) : [])
    ])
  ]
    .join("\n")
    .toLowerCase()

/** What each table holds, by its name. */
export type StoreDump = ReadonlyMap<string, string>

const dumpWith = Effect.fnUntraced(function* (read: (text: string) => string) {
  const sql = yield* Effect.serviceOption(SqlClient)
  const store = yield* Effect.serviceOption(MemoryStore)
  const dump = new Map<string, string>()
  if (Option.isSome(sql)) {
    const tables = yield* sql.value<{ readonly name: string }>`
      select c.relname::text as name from pg_class c where c.relkind = 'r'
        and c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('svc.leads')) order by 1`
    for (const { name } of tables) {
      const rows = yield* sql.value<{ readonly text: string }>`
        select coalesce(string_agg(to_jsonb(t)::text, E'\n'), '') as text from ${sql.value.literal(`svc.${name}`)} t`
      dump.set(name, read(rows[0]?.text ?? ""))
    }
  } else if (Option.isSome(store)) {
    for (const [name, rows] of yield* store.value.published) {
      dump.set(name, read(Array.from(rows, (row) => JSON.stringify(row)).join("\n")))
    }
  }
  assert.isAbove(dump.size, 10, "there is neither a database nor memory")
  return dump as StoreDump
}, Effect.orDie)

/** All of a store, and what is encoded in it. */
export const dumpOf = dumpWith(decoded)

/** All of a store as it is, in lower case. */
export const plainDump = dumpWith((text) => text.toLowerCase())
