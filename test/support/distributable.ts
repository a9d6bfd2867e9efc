/** The rules of SQL that runs on a database distributed by organization. */
import { type Query, queriesOf, type SqlFunction, type Statement, wordsOf } from "./sqlReader.ts"

/** A rule, by what it says. */
export type Rule =
  | "no trigger"
  | "no row type as a parameter"
  | "the first argument is the organization"
  | "no function over tables in SQL"
  | "a function over tables is a statement"
  | "every table names the organization at its own level"
  | "on conflict where compares excluded"
  | "no simple case of a parameter or in an update"
  | "an update computes nothing volatile"
  | "no ctid"

/** Something that breaks a rule. */
export interface Violation {
  readonly path: string
  readonly line: number
  readonly rule: Rule
  readonly what: string
}

/** What rules must know of the schema. */
export interface Schema {
  /** Tables of organizations, with the column that names the organization. */
  readonly tables: ReadonlyMap<string, string>
  /** Functions that read or write them. */
  readonly readers: ReadonlySet<string>
  /** Functions that read tables of the deployment, which are on one node. */
  readonly ofDeployment: ReadonlySet<string>
}

const isParameter = (one: string | undefined): boolean =>
  one !== undefined && (/^\$\d+$/.test(one) || /^(p_\w+|org|organization)$/.test(one))

const isWord = (one: string | undefined): one is string => one !== undefined && /^[a-z_]\w*$/.test(one)

/** What cannot be an alias. */
const keywords = new Set(
  "as on set where group order left right full inner cross join natural using values default overriding returning limit offset for union having select from do lateral in by and or with no key share window fetch conflict".split(
    " "
  )
)

interface Named {
  readonly table: string
  readonly alias: string
}

/** A name without `svc.` or the quotes around it. */
const bare = (name: string): string => name.replace(/^svc\./, "").replaceAll('"', "")

/** What a query reads and writes at its own level, tables and whatever else has an alias. */
const namedIn = ({ words }: Query, tables: Schema["tables"]): { tables: Array<Named>; target: string | undefined } => {
  const found: Array<Named> = []
  let target: string | undefined
  let isInFrom = false
  let depth = 0
  for (let at = 0; at < words.length; at++) {
    const one = words[at] ?? ""
    if (one === "(") depth++
    if (one === ")") depth--
    if (depth > 0) continue
    if (one === "from" && words[at - 1] !== "distinct") isInFrom = true
    if (["where", "group", "order", "having", "limit", "returning", "on", "set"].includes(one))
      isInFrom = one === "on" && isInFrom
    const isUpdate = one === "update" && !["do", "for", "key"].includes(words[at - 1] ?? "")
    const isUsing = one === "using" && words[0] !== "select"
    if (isUsing) isInFrom = true
    if (!(isUpdate || isUsing || ["from", "join", "into"].includes(one) || (one === "," && isInFrom))) continue
    let next = at + 1
    if (words[next] === "only" || words[next] === "lateral") next++
    const name = bare(words[next] ?? "")
    if (!tables.has(name) || (words[next + 1] === "(" && one !== "into")) continue
    if (words[next]?.includes(".") === true && !words[next]?.startsWith("svc.")) continue
    let after = next + 1
    if (words[after] === "as") after++
    const alias = isWord(words[after]) && !keywords.has(words[after] ?? "") ? (words[after] ?? name) : name
    if (one === "into") target = name
    else found.push({ table: name, alias })
  }
  return { tables: found, target }
}

/** The words without `( … ) is true`, which no planner looks into. */
const seen = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const done: Array<string> = []
  const opened: Array<number> = []
  words.forEach((one, at) => {
    if (one === "(") opened.push(done.length)
    done.push(one)
    if (one === ")") {
      const from = opened.pop() ?? 0
      if (words[at + 1] === "is") done.length = from
    }
  })
  return done
}

/** The tables of a query for which it names no organization. */
const unbound = (query: Query, schema: Schema, withs: ReadonlySet<string>): ReadonlyArray<string> => {
  const named = namedIn(query, schema.tables).tables.filter(({ table }) => !withs.has(table))
  if (named.length === 0) return []
  const words = seen(query.words)
  const columnOf = ({ alias, table }: Named) => `${alias}.${schema.tables.get(table)}`
  const columns = new Map(named.map((one) => [columnOf(one), one.alias]))
  const aliasOf = (one: string | undefined): string | undefined => {
    if (one === undefined) return undefined
    const plain = bare(one)
    const direct = columns.get(plain)
    if (direct !== undefined) return direct
    // A column without an alias belongs to the only table that has it.
    const owners = named.filter(({ table }) => schema.tables.get(table) === plain)
    return owners.length === 1 ? owners[0]?.alias : undefined
  }
  const bound = new Set<string>()
  const same: Array<readonly [string, string]> = []
  words.forEach((one, at) => {
    if (one !== "=") return
    const [left, right] = [aliasOf(words[at - 1]), aliasOf(words[at + 1])]
    if (left !== undefined && isParameter(words[at + 1])) bound.add(left)
    if (right !== undefined && isParameter(words[at - 1])) bound.add(right)
    if (left !== undefined && right !== undefined) same.push([left, right])
  })
  for (const _ of same) {
    for (const [left, right] of same) {
      if (bound.has(left)) bound.add(right)
      if (bound.has(right)) bound.add(left)
    }
  }
  return named
    .filter(({ alias }) => !bound.has(alias))
    .map(({ alias, table }) => (alias === table ? table : `${table} ${alias}`))
}

const everyQuery = (queries: ReadonlyArray<Query>): ReadonlyArray<Query> =>
  queries.flatMap((query) => [query, ...everyQuery(query.inner)])

const volatileCalls = new Set(
  "clock_timestamp random gen_random_uuid nextval pg_current_xact_id svc_fingerprint".split(" ")
)

/** What an update computes, from `set` to what follows it. */
const computedIn = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const start = words.indexOf("set")
  if (start === -1) return []
  const ends = words.findIndex(
    (one, at) => at > start && (one === "from" || one === "returning") && words[at - 1] !== "distinct"
  )
  return words.slice(start, ends === -1 ? undefined : ends)
}

/** What the words call or add that differs from one call to the next, or with the settings of a session. */
const unsteadyIn = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((one, at) => {
    if (volatileCalls.has(bare(one)) && words[at + 1] === "(") return [`${bare(one)}()`]
    const isColumn = /^([a-z]\w*\.)?[a-z]\w*_(at|until|before)$/.test(words[at - 2] ?? "")
    return one === "interval" && isColumn && (words[at - 1] === "+" || words[at - 1] === "-")
      ? [`${words[at - 2]} + interval`]
      : []
  })

/** What breaks the rules in a statement, or in a piece of one that is large enough to be read. */
export const violationsIn = ({ line, path, text }: Statement, schema: Schema): ReadonlyArray<Violation> => {
  const words = wordsOf(text)
  const queries = everyQuery(queriesOf(words))
  const withs = new Set(
    words.flatMap((one, at) =>
      words[at + 1] === "as" && (words[at + 2] === "(" || words[at + 2] === "materialized") ? [one] : []
    )
  )
  const found: Array<Violation> = []
  const add = (rule: Rule, what: string) => found.push({ path, line, rule, what })
  const isOverTables = queries.some((query) => {
    const { tables, target } = namedIn(query, schema.tables)
    return target !== undefined || tables.some(({ table }) => !withs.has(table))
  })
  for (const query of queries) {
    for (const what of unbound(query, schema, withs)) add("every table names the organization at its own level", what)
    const isUpdate =
      namedIn(query, schema.tables).tables.length > 0 && /^update /.test(query.words.slice(0, 2).join(" "))
    if (isUpdate || query.words.join(" ").includes("do update set")) {
      const computed = [
        ...computedIn(query.words),
        ...query.inner.flatMap((inner) => (inner.words[0] === "select" ? inner.words : []))
      ]
      for (const what of unsteadyIn(isUpdate ? computed : computedIn(query.words)))
        add("an update computes nothing volatile", what)
    }
    const conflict = query.words.indexOf("conflict")
    const doing = query.words.indexOf("do", conflict)
    const where = conflict === -1 || doing === -1 ? -1 : query.words.indexOf("where", doing)
    if (where !== -1) {
      const end = query.words.indexOf("returning", where)
      const compared = query.words.slice(where, end === -1 ? undefined : end)
      if (compared.some(isParameter)) add("on conflict where compares excluded", compared.filter(isParameter).join(" "))
    }
  }
  const isChange = queries.some(({ words: [verb] }) => verb === "update")
  words.forEach((one, at) => {
    if (
      one === "case" &&
      words[at + 1] !== "when" &&
      (isChange || isParameter(words[at + 1]) || words[at + 1] === "tg_table_name")
    )
      add("no simple case of a parameter or in an update", words[at + 1] ?? "")
    if (/(^|\.)ctid$/.test(one)) add("no ctid", one)
  })
  for (const { words: own } of isOverTables ? queries : []) {
    // A table of the deployment is where its functions can run.
    if (own.includes("svc.deployment")) continue
    own.forEach((one, at) => {
      if ((schema.readers.has(bare(one)) || schema.ofDeployment.has(bare(one))) && own[at + 1] === "(")
        add("a function over tables is a statement", bare(one))
    })
  }
  return found
}

/** The functions that read or write tables of organizations, themselves or by calling one that does. */
export const readersAmong = (functions: ReadonlyArray<SqlFunction>, tables: Schema["tables"]): ReadonlySet<string> => {
  const readers = new Set<string>()
  const isReader = ({ body }: SqlFunction) =>
    body.some(({ text }) => {
      const words = wordsOf(text)
      if (words.some((one, at) => readers.has(one) && words[at + 1] === "(")) return true
      return everyQuery(queriesOf(words)).some((query) => {
        const named = namedIn(query, tables)
        return named.tables.length > 0 || named.target !== undefined
      })
    })
  for (const _ of functions) for (const one of functions) if (isReader(one)) readers.add(one.name)
  return readers
}

/** What breaks the rules in how a function is declared. */
export const violationsOf = (one: SqlFunction, schema: Schema): ReadonlyArray<Violation> => {
  const { body, language, name, parameters, path, returns } = one
  const found: Array<Violation> = []
  const add = (rule: Rule) => found.push({ path, line: body[0]?.line ?? 0, rule, what: name })
  const isTrigger = /^trigger\b/.test(returns)
  if (isTrigger) add("no trigger")
  if (parameters.some(({ type }) => schema.tables.has(type.replace("[]", "")))) add("no row type as a parameter")
  if (!schema.readers.has(name)) return found
  if (language === "sql") add("no function over tables in SQL")
  if (!isTrigger && !/^(p_organization|org)$/.test(parameters[0]?.name ?? ""))
    add("the first argument is the organization")
  return found
}
