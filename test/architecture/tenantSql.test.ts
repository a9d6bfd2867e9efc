/** Every SQL statement on a table of organizations says which organization. */
import { assert, describe, it } from "@effect/vitest"
import { sourcesIn } from "../support/sources.ts"
import { templatesIn, textsIn } from "../support/templates.ts"

/** Tables that may be asked without an organization, and why. */
const exempt: Readonly<Record<string, string>> = {
  organization_lookups: "it tells the organization of what strangers name, before there is an actor"
}

const sources = sourcesIn("packages/postgres/src", ".ts")
const migrations = sourcesIn("packages/postgres/src/sql", ".sql")
const others = sources.filter(({ path }) => !path.includes("/migrations/"))

/** Sources of any package that ask a database. */
const asking = [
  ...others,
  ...sourcesIn("packages", ".ts").filter(
    ({ path, text }) => /^packages\/(?!postgres\/)\w+\/src\//.test(path) && text.includes('"effect/sql/SqlClient"')
  )
]

/** Tables by name, and whether they belong to organizations. */
const tables = new Map(
  migrations.flatMap(({ text }) =>
    [...text.matchAll(/create table (?:if not exists )?(\w+)\s*\(([\s\S]*?)\n\)/gi)].map(
      ([, name = "", columns = ""]) => [name, /^\s*organization_id\b/m.test(columns)] as const
    )
  )
)

/** The tables of organizations that a statement reads or writes, once for each time it names one. */
const tenantTablesIn = (sql: string): ReadonlyArray<string> =>
  [...sql.matchAll(/\b(?:from|join|into|update)\s+(?:only\s+)?(?:svc\.)?(\w+)/gi)]
    .map(([, name = ""]) => name)
    .filter((name) => tables.get(name) === true && exempt[name] === undefined)

/** Every name that statements find by its schema. */
const relations = [...tables.keys(), "svc_migrations"].join("|")

/** What stands before a table in a statement or in a piece of one, and after one that a piece begins with. */
const before = String.raw`(?:\b(?:from|join|into|update|table|using|only|truncate|vacuum|analyze)\s+|,\s+|::)`
const after = String.raw`(?=\s+(?:as\s+)?\w{1,2}\b|\s+(?:\w+\s+)?(?:join|left|where|on|set)\b)`
const namings = [
  new RegExp(`${before}(${relations})\\b(?!\\.)`, "gi"),
  new RegExp(`^\\s*(${relations})${after}`, "g"),
  /(?<![.\w])(svc_\w+)\(/g,
  /\bto_reg\w+\('((?!svc\.)\w+)/g,
  /'((?!svc\.)\w+)'::reg/g
]

/** The tables and functions that a statement, or a piece of one, names without the schema that stands for theirs. */
const unqualifiedIn = (sql: string): ReadonlyArray<string> =>
  namings.flatMap((naming) => [...sql.matchAll(naming)].map(([, name = ""]) => name))

/** Tables that a source hands to its client by their bare names. */
const bareIn = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(new RegExp(`\\b(?:literal|unsafe|sql)\\(\\s*["'\`](${relations})["'\`]`, "g"))].map(
    ([, name = ""]) => name
  )

const mentionsIn = (sql: string): number => sql.match(/organization_?id/gi)?.length ?? 0

describe("SQL", () => {
  it("is on tables of organizations but for these", () => {
    const global = [...tables].filter(([, isTenant]) => !isTenant).map(([name]) => name)
    assert.deepStrictEqual(global.sort(), ["deployment", "deployment_secrets", "organizations", "service_processes"])
    const created = migrations.flatMap(({ text }) => text.match(/\bcreate table\b/gi) ?? [])
    assert.strictEqual(tables.size, created.length, "the migrations are not understood any more")
  })

  it("has no trigger: who writes calls what keeps the rest", () => {
    const wrong = migrations.filter(({ text }) => /\b(?:create trigger|returns trigger)\b/i.test(text))
    assert.deepStrictEqual(
      wrong.map(({ path }) => path),
      []
    )
  })

  it("names tables and functions with their schema, whatever the search path is", () => {
    const wrong = asking.flatMap(({ path, text }) => [
      ...textsIn(text).flatMap(({ line, text: sql }) => unqualifiedIn(sql).map((name) => `${path}:${line} ${name}`)),
      ...bareIn(text).map((name) => `${path} ${name}`)
    ])
    assert.deepStrictEqual(wrong, [])
    assert.include(
      asking.map(({ path }) => path),
      "packages/cli/src/doctor/checkDatabase.ts"
    )
  })

  it("is read in pieces too", () => {
    const table = "leads"
    const pieces = {
      [`sql.literal(\`${table} l\\n join svc.agents a on true\`)`]: [table],
      [`sql\`select 1 from \${isOpen ? sql\`${table} l\` : sql\`svc.${table} l\`}\``]: [table],
      [`const of = "left join ${table} l on true"`]: [table],
      [`sql\`select \${columns} from svc.agents a, ${table} l\``]: [table],
      [`sql\`select svc_sending_hold(), to_regclass('leads_text')\``]: ["svc_sending_hold", "leads_text"],
      [`sql\`select null::${table}, 'leads_text'::regclass\``]: [table, "leads_text"],
      [`sql\`select 1 from svc.${table} l where ${table}.id = \${"${table}"}\``]: []
    }
    for (const [source, found] of Object.entries(pieces)) {
      assert.deepStrictEqual(
        textsIn(source).flatMap(({ text }) => unqualifiedIn(text)),
        found,
        source
      )
    }
    assert.deepStrictEqual(bareIn(`sql.literal("${table}")`), [table])
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
