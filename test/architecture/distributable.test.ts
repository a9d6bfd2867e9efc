/** SQL that runs on a database distributed by organization: what the rules are, and where they are broken. */
import { assert, describe, it } from "@effect/vitest"
import {
  type Rule,
  readersAmong,
  type Schema,
  type Violation,
  violationsIn,
  violationsOf
} from "../support/distributable.ts"
import { sourcesIn } from "../support/sources.ts"
import { expanded, functionsIn, piecesIn, type Statement, usedPieces } from "../support/sqlReader.ts"
import { templatesIn } from "../support/templates.ts"

const sources = sourcesIn("packages/postgres/src", ".ts").filter(({ path }) => !path.includes("/migrations/"))
const sql = sourcesIn("packages/postgres/src/sql", ".sql")

const tables = new Map(
  sql.flatMap(({ text }) =>
    [...text.matchAll(/create table (\w+)\s*\(([\s\S]*?)\n\)/gi)]
      .filter(([, name, columns = ""]) => /^\s*organization_id\b/m.test(columns) && name !== "organization_lookups")
      .map(([, name = ""]) => [name, "organization_id"] as const)
  )
)
const functions = sql.flatMap(functionsIn)
const schema: Schema = {
  tables,
  readers: readersAmong(functions, tables),
  ofDeployment: new Set(["svc_sending_hold", "svc_fingerprint"])
}

const pieces = piecesIn(sources)
const used = usedPieces(sources, pieces)

/** Whole statements: what begins with a verb, once what it is put together of stands in its place. */
const statements: ReadonlyArray<Statement> = sources.flatMap(({ path, text }) =>
  templatesIn(text)
    .filter((one) => !used.has(one.text))
    .map((one) => ({ path, line: one.line, text: expanded(path, one.text, pieces) }))
    .filter((one) => /^\s*(--[^\n]*\n\s*)*\(*\s*(with|select|insert|update|delete)\b/i.test(one.text))
)
const triggers = sql.flatMap(({ path, text }) =>
  [...text.matchAll(/create trigger (\w+)/g)].map(
    ([, what = ""]): Violation => ({ path, line: 0, rule: "no trigger", what })
  )
)
const found: ReadonlyArray<Violation> = [
  ...triggers,
  ...functions.flatMap((one) => violationsOf(one, schema)),
  ...functions.flatMap(({ body }) => body.flatMap((one) => violationsIn(one, schema))),
  ...statements.flatMap((one) => violationsIn(one, schema))
]

/** Where a rule is broken: all of a file's places that break it, and why. Entries may only go. */
const exceptions: ReadonlyArray<readonly [file: string, rule: Rule, reason: string]> = [
  [
    "background/DueWorkPg.ts",
    "every table names the organization at its own level",
    "which organizations have work due, the one read over all of them"
  ],
  [
    "reports/ReportsPg.ts",
    "every table names the organization at its own level",
    "what is kept of the deployment, over all organizations"
  ],
  [
    "reports/storage.ts",
    "every table names the organization at its own level",
    "the size of the deployment, over all organizations"
  ]
]

const bound: Rule = "every table names the organization at its own level"

/** Statements that run on one server, each with the rule that it breaks. */
const bad: ReadonlyArray<readonly [Rule, string]> = [
  [bound, "select 1 from svc.leads l where l.id = $1"],
  [bound, "select 1 from svc.leads l join svc.agents a on a.id = l.id where l.organization_id = $1"],
  [
    bound,
    "select 1 from svc.leads l where l.organization_id = $1 and exists (select 1 from svc.agents a where a.id = l.id)"
  ],
  [
    bound,
    "select 1 from svc.leads l where l.organization_id = $1 and l.id in (select m.id from svc.agents m where m.organization_id = l.organization_id)"
  ],
  [bound, "select 1 from svc.leads l where l.organization_id = $1 union all select 1 from svc.leads l where l.id = $2"],
  [
    bound,
    "select 1 from unnest($2) g (id) cross join lateral (select * from svc.leads where id = g.id offset 0) l where l.organization_id = $1"
  ],
  [bound, "select 1 from svc.leads l where (l.organization_id = $1) is true"],
  [bound, "select 1 from svc.leads l, svc.agents a where a.organization_id = $1"],
  [bound, "select id from svc.leads where id = $1 for update skip locked"],
  [
    bound,
    "with due as (select id from svc.leads where score > 1 for update) update svc.leads l set name = '' from due where l.organization_id = $1 and l.id = due.id"
  ],
  [bound, "update svc.leads l set name = '' from given g where l.organization_id = g.organization_id and l.id = g.id"],
  [bound, "delete from svc.leads where id = $1"],
  [
    "on conflict where compares excluded",
    "insert into svc.leads as l (organization_id, id) values ($1, $2) on conflict (organization_id, id) do update set name = excluded.name where l.organization_id = $3"
  ],
  ["no simple case of a parameter or in an update", "select case $1 when 'a' then 1 end"],
  [
    "no simple case of a parameter or in an update",
    "update svc.leads set name = case status when 'New' then $1 end where organization_id = $2"
  ],
  [
    "an update computes nothing volatile",
    "update svc.leads set updated_at = clock_timestamp() where organization_id = $1"
  ],
  [
    "an update computes nothing volatile",
    "update svc.leads set updated_at = greatest($2::timestamptz, updated_at + interval '1 millisecond') where organization_id = $1"
  ],
  ["no ctid", "delete from svc.leads where organization_id = $1 and ctid = any ($2)"],
  [
    "a function over tables is a statement",
    "select l.id, svc.svc_lead_ids($1, l.id) from svc.leads l where l.organization_id = $1"
  ],
  [
    "a function over tables is a statement",
    "select svc.svc_sending_hold() is null from svc.leads l where l.organization_id = $1"
  ]
]

/** The same, said in a way that can be distributed. */
const good: ReadonlyArray<string> = [
  "select 1 from svc.leads l left join svc.agents a on a.organization_id = l.organization_id and a.id = l.id where l.organization_id = $1",
  "select 1 from unnest($2) g (id) cross join lateral (select * from svc.leads where organization_id = $1 and id = g.id offset 0) l",
  "with held as (select id from svc.leads where organization_id = $1 for update skip locked) delete from svc.lead_notes n where n.organization_id = $1 and n.lead_id in (select id from held)",
  "insert into svc.leads as l (organization_id, id) values ($1, $2) on conflict (organization_id, id) do update set name = excluded.name where l.organization_id = excluded.organization_id",
  "update svc.leads set updated_at = greatest($2::timestamptz, ((updated_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')) where organization_id = $1",
  "update svc.leads set name = case when status = 'New' then $1 end where organization_id = $2",
  "select svc.svc_lead_ids($1, $2)",
  "select 1 from svc.leads l where l.organization_id = $1 and (select svc.svc_sending_hold() is null from svc.deployment)"
]

const asFunction = (head: string, body: string) =>
  functionsIn({ path: "", text: `create function ${head}\nas $$\n${body}\nend $$;\n` }).flatMap((one) =>
    violationsOf(one, { ...schema, readers: readersAmong([one], tables) })
  )

describe("SQL that is distributed by organization", () => {
  it("follows the rules but for the exceptions, which may only become fewer", () => {
    const isExcepted = ({ path, rule }: Violation) =>
      exceptions.some(([file, excepted]) => path.endsWith(`/src/${file}`) && excepted === rule)
    assert.deepStrictEqual(
      found.filter((one) => !isExcepted(one)).map(({ line, path, rule, what }) => `${path}:${line} ${rule}: ${what}`),
      []
    )
    const unused = exceptions.filter(
      ([file, rule]) => !found.some((one) => one.path.endsWith(`/src/${file}`) && one.rule === rule)
    )
    assert.deepStrictEqual(unused, [], "these exceptions are not needed any more")
    assert.strictEqual(exceptions.length, 3, "there are at most as many exceptions as there were")
  })

  it("is read", () => {
    assert.isAbove(statements.length, 200)
    assert.isAbove(functions.length, 15)
    assert.include([...schema.readers], "svc_find_leads")
    const created = sql.flatMap(({ text }) => text.match(/create (?:or replace )?function/g) ?? [])
    assert.lengthOf(functions, created.length, "a function is not understood")
  })

  it.for([...bad])("%s: %s", ([rule, text]) => {
    assert.include(
      violationsIn({ path: "", line: 0, text }, schema).map((one) => one.rule),
      rule
    )
  })

  it.for([...good])("allows %s", (text) =>
    assert.deepStrictEqual(violationsIn({ path: "", line: 0, text }, schema), [])
  )

  it("is in functions of one organization", () => {
    const reads = "begin\n  return (select 1 from leads where organization_id = p_organization);"
    assert.deepStrictEqual(asFunction("f(p_organization text) returns int\nlanguage plpgsql stable", reads), [])
    for (const [head, rule] of [
      ["f(p_organization text) returns int\nlanguage sql stable", "no function over tables in SQL"],
      [
        "f(p_id text, p_organization text) returns int\nlanguage plpgsql stable",
        "the first argument is the organization"
      ],
      ["f(p_organization text, l leads) returns int\nlanguage plpgsql stable", "no row type as a parameter"],
      ["f() returns trigger\nlanguage plpgsql", "no trigger"]
    ] as const) {
      assert.include(
        asFunction(head, reads).map((one) => one.rule),
        rule
      )
    }
  })
})
