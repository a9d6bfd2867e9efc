import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { defaultDatabaseUrl, parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"

const parsed = (value: string) => Result.getOrThrow(parseDatabaseUrl(value))
const refused = (value: string) => Result.getOrThrow(Result.flip(parseDatabaseUrl(value)))

describe("DatabaseUrl", () => {
  it("reads PostgreSQL URLs and keeps the password out of sight", () => {
    const url = parsed(" postgres://ada:s%40cret@db.example.com:6432/svc?sslmode=require ")
    assert(url._tag === "Postgres")
    assert.strictEqual(url.label, "postgres://db.example.com:6432/svc")
    assert.strictEqual(Redacted.value(url.url), "postgres://ada:s%40cret@db.example.com:6432/svc?sslmode=require")
    assert.notInclude(JSON.stringify(url) + String(url.url), "cret")
    assert.strictEqual(parsed("postgresql://h/d").label, "postgres://h/d")
    assert.strictEqual(
      parsed("postgres:///svc?host=/var/run/postgresql&port=5433").label,
      "postgres:///var/run/postgresql:5433/svc"
    )
    assert.strictEqual(parsed("postgres://u@[::1]:5432/d").label, "postgres://[::1]:5432/d")
    assert.deepInclude(parsed("postgres://h/d"), { isPooled: false })
    assert.deepInclude(parsed("postgres://h/d?pooler=transaction"), { isPooled: true })
  })

  it("reads PGlite folders as written", () => {
    for (const [value, directory] of [
      [defaultDatabaseUrl, "./.svc/data"],
      ["pglite:/var/lib/svc", "/var/lib/svc"],
      ["pglite:///var/lib/svc", "/var/lib/svc"],
      ["pglite:C:\\data dir", "C:\\data dir"]
    ] as const) {
      const url = parsed(value)
      assert(url._tag === "Pglite")
      assert.strictEqual(url.directory, directory)
    }
    assert.strictEqual(parsed("memory:")._tag, "Memory")
  })

  it("refuses everything else, saying what is wrong and what to write", () => {
    for (const [value, why] of [
      ["", "is empty"],
      ["postgres://", "has no host"],
      ["postgres://host", "has no database name"],
      ["postgres://host/", "has no database name"],
      ["postgres://user:p@ss:w@host:port/db", "valid PostgreSQL URL"],
      ["postgres://host/db?pooler=session", "unknown pooler"],
      ["pglite:", "has no folder"],
      ["pglite://host/dir", "has a host"],
      ["mysql://host/db", 'unknown scheme "mysql"'],
      ["sqlite.db", "unknown scheme"],
      ["memory:x", "unknown scheme"],
      ["postgres://host/d\0", "NUL"]
    ] as const) {
      const failure = refused(value)
      assert.strictEqual(failure.code, "INVALID_INPUT")
      assert.include(failure.message, why, value)
      assert.include(failure.message, "Use postgres://user:password@host:5432/database, pglite:FOLDER or memory:.")
    }
  })

  it("never throws and never repeats a value", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("", "postgres://", "pglite:", "x:"),
        fc.string({ minLength: 30, maxLength: 5000, unit: "binary" }),
        (scheme, rest) => {
          const answer = parseDatabaseUrl(scheme + rest)
          if (Result.isFailure(answer)) assert.isBelow(answer.failure.message.length, 250)
        }
      )
    )
    assert.notInclude(refused("postgres://ada:hunter2@:/").message, "hunter2")
  })
})
