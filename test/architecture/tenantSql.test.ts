/** Every SQL statement on a table of organizations says which organization. */
import { assert, describe, it } from "@effect/vitest"
import { sourcesIn } from "../support/sources.ts"
import { templatesIn } from "../support/templates.ts"

/** Tables that may be asked without an organization, and why. */
const exempt: Readonly<Record<string, string>> = {
  organization_lookups: "it tells the organization of what strangers name, before there is an actor"
}

const sources = sourcesIn("packages/postgres/src", ".ts")
const isSchema = ({ path }: { readonly path: string }) => /\/(migrations|schema)\//.test(path)
const migrations = sources.filter(isSchema)
const others = sources.filter((source) => !isSchema(source))

/** Tables by name, and whether they belong to organizations. */
const tables = new Map(
  migrations.flatMap(({ text }) =>
    [...text.matchAll(/create table (?:if not exists )?(\w+)\s*\(([\s\S]*?)\n\);/gi)].map(
      ([, name = "", columns = ""]) => [name, /^\s*organization_id\b/m.test(columns)] as const
    )
  )
)

/** The tables of organizations that a statement reads or writes, once for each time it names one. */
const tenantTablesIn = (sql: string): ReadonlyArray<string> =>
  [...sql.matchAll(/\b(?:from|join|into|update)\s+(?:only\s+)?(?:svc\.)?(\w+)/gi)]
    .map(([, name = ""]) => name)
    .filter((name) => tables.get(name) === true && exempt[name] === undefined)

/** The tables and functions that a statement names without the schema that stands for theirs. */
const unqualifiedIn = (sql: string): ReadonlyArray<string> => {
  const named = [...sql.matchAll(/\b(?:from|join|into|update|table|using|,)\s+(\w+)\b(?!\.)/gi)]
  const called = [...sql.matchAll(/(?<![.\w])(svc_\w+)\(/g)]
  return [...named.filter(([, name = ""]) => tables.has(name)), ...called].map(([, name = ""]) => name)
}

const mentionsIn = (sql: string): number => sql.match(/organization_?id/gi)?.length ?? 0

describe("SQL", () => {
  it("is on tables of organizations but for these", () => {
    const global = [...tables].filter(([, isTenant]) => !isTenant).map(([name]) => name)
    assert.deepStrictEqual(global.sort(), ["deployment", "deployment_secrets", "organizations", "service_processes"])
    assert.isAbove(tables.size, 15, "the migrations are not understood any more")
  })

  it("names tables and functions with their schema, whatever the search path is", () => {
    const statements = others.flatMap(({ path, text }) => templatesIn(text).map((template) => ({ path, ...template })))
    assert.deepStrictEqual(
      statements.flatMap(({ line, path, text }) => unqualifiedIn(text).map((name) => `${path}:${line} ${name}`)),
      []
    )
  })

  it("names the organization as often as it names a table of organizations", () => {
    const wrong: Array<string> = []
    let statements = 0
    for (const { path, text } of others) {
      for (const { line, text: sql } of templatesIn(text)) {
        const named = tenantTablesIn(sql)
        if (named.length === 0) continue
        statements++
        if (mentionsIn(sql) < named.length) wrong.push(`${path}:${line} ${named.join()}`)
      }
    }
    assert.deepStrictEqual(wrong, [])
    assert.isAbove(statements, 40, "the statements are not found any more")
  })
})
