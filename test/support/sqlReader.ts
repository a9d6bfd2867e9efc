/** Reads SQL as far as the rules of a distributed database ask: its words, its queries, and what each of them reads. */
import type { Source } from "./sources.ts"
import { templatesIn } from "./templates.ts"

/** A statement, or the largest piece of one that a source has. */
export interface Statement {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** A function of the schema. */
export interface SqlFunction {
  readonly name: string
  readonly path: string
  readonly language: string
  readonly returns: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly type: string }>
  /** Its statements; those of SQL are one. */
  readonly body: ReadonlyArray<Statement>
}

/** What stands for a parameter of a statement. */
export const parameter = "$1"

const substitution = "$\u007b"

/** The end of the substitution whose content starts at `at`. */
const endOf = (text: string, at: number): number => {
  let depth = 1
  for (let position = at; position < text.length; position++) {
    const sign = text[position]
    if (sign === "`") {
      for (position++; position < text.length && text[position] !== "`"; position++) {
        if (text.startsWith(substitution, position)) position = endOf(text, position + 2)
      }
    } else if (sign === "{") depth++
    else if (sign === "}" && --depth === 0) return position
  }
  return text.length
}

/** The names of {@link piecesIn} that other templates of the sources use: they are read where they are used. */
export const usedPieces = (
  sources: ReadonlyArray<Source>,
  pieces: ReadonlyMap<string, string>
): ReadonlySet<string> => {
  const all = sources.map(({ text }) => text).join("\n")
  const used = [...pieces].filter(([name]) =>
    new RegExp(`\\$\\{(?:sql\\.literal\\()?${name.split(" ").at(-1)}\\b`).test(all)
  )
  return new Set(used.map(([, text]) => text))
}

/** Pieces of SQL that have a name, `const view = …` or `const live = (…) => sql…`: what a substitution of the name stands for. */
export const piecesIn = (sources: ReadonlyArray<Source>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const naming =
    /\b(export )?const (\w+)(?:: [\w<>]+)? =\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)(?:: \w+)? =>\s*)?(?:sql|sql\.literal\()?\s*(?=`)/g
  for (const { path, text } of sources) {
    for (const match of text.matchAll(naming)) {
      const [whole, exported, name = ""] = match
      const [piece] = templatesIn(text.slice((match.index ?? 0) + whole.length))
      if (piece !== undefined) found.set(`${path} ${name}`, piece.text)
      if (piece !== undefined && exported !== undefined) found.set(name, piece.text)
    }
    for (const [, name = "", value = ""] of text.matchAll(/\bconst (\w+) = (?:sql\.literal\()?"([^"\n]*)"/g))
      found.set(`${path} ${name}`, value)
    // A name for a piece of another name.
    for (const [, name = "", other = ""] of text.matchAll(/\bconst (\w+) = sql\.literal\((\w+)\)/g)) {
      const piece = found.get(`${path} ${other}`) ?? found.get(other)
      if (piece !== undefined) found.set(`${path} ${name}`, piece)
    }
  }
  return found
}

/** A template with what is nested in it and what its names stand for; what is computed otherwise is a parameter. */
export const expanded = (path: string, text: string, pieces: ReadonlyMap<string, string>, depth = 0): string => {
  let done = ""
  for (let position = 0; position < text.length; position++) {
    if (!text.startsWith(substitution, position)) {
      done += text[position]
      continue
    }
    const end = endOf(text, position + 2)
    const inner = text.slice(position + 2, end).trim()
    const nested = inner.includes("`") ? templatesIn(inner) : []
    const [, name = ""] = /^(?:sql\.literal\()?(\w+)\)?(?:\(|$)/.exec(inner) ?? []
    const piece =
      nested.length > 0 ? nested.map((one) => one.text).join(" ") : (pieces.get(`${path} ${name}`) ?? pieces.get(name))
    done += piece === undefined || depth > 4 ? ` ${parameter} ` : ` ${expanded(path, piece, pieces, depth + 1)} `
    position = end
  }
  // Parameters of pieces that are filled in later.
  return done.replaceAll(/(?<![:\w]):[a-z]+\b/g, parameter)
}

const word =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"(?:\.[\w"]+)*|\$\d+|[a-z_][\w$]*(?:\.(?:[\w$]+|"[^"]+"|\*))*|\d[\d.]*|<=|>=|<>|!=|::|:=|\|\||->>|->|\S/gi

/** The words of SQL in lower case, without comments. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.match(word) ?? [])
    .filter((one) => !one.startsWith("--") && !one.startsWith("/*"))
    .map((one) => one.toLowerCase())

/** One select, insert, update or delete without the ones in its parentheses, which are `inner`. */
export interface Query {
  /** Its words; `(` and `)` around what is no query, `(?)` for an inner query. */
  readonly words: ReadonlyArray<string>
  readonly inner: ReadonlyArray<Query>
}

const starts = new Set(["select", "with", "insert", "update", "delete"])
const combining = new Set(["union", "intersect", "except"])

/** The queries of words, each arm of a union by itself. */
export const queriesOf = (words: ReadonlyArray<string>): ReadonlyArray<Query> => {
  let position = 0
  const read = (isInner: boolean): ReadonlyArray<Query> => {
    const done: Array<Query> = []
    let own: Array<string> = []
    let inner: Array<Query> = []
    let depth = 0
    for (; position < words.length; position++) {
      const one = words[position] ?? ""
      if (one === "(") {
        let ahead = position + 1
        while (words[ahead] === "(") ahead++
        if (starts.has(words[ahead] ?? "") && ahead === position + 1) {
          position++
          inner.push(...read(true))
          own.push("(?)")
        } else {
          depth++
          own.push(one)
        }
      } else if (one === ")") {
        if (depth === 0 && isInner) break
        depth--
        own.push(one)
      } else if (combining.has(one) && depth === 0) {
        done.push({ words: own, inner })
        own = []
        inner = []
      } else own.push(one)
    }
    done.push({ words: own, inner })
    return done
  }
  return read(false)
}

const bodyOf = (path: string, text: string, line: number): ReadonlyArray<Statement> =>
  text.split(";").map((one) => ({ path, line, text: one }))

/** The functions that SQL creates. */
export const functionsIn = ({ path, text }: Source): ReadonlyArray<SqlFunction> =>
  [
    ...text.matchAll(
      /create (?:or replace )?function (\w+)\s*\(([^)]*)\)\s*returns ([\s\S]*?)\nlanguage (\w+)([\s\S]*?)(?:\nas \$\$\n([\s\S]*?)\n(?:end )?\$\$;|begin atomic\n([\s\S]*?)\nend;)/g
    )
  ].map(([whole, name = "", parameters = "", returns = "", language = "", , plain, atomic]) => ({
    name,
    path,
    language,
    returns,
    parameters: parameters
      .split(",")
      .map((one) => one.trim().split(/\s+/))
      .filter(([first]) => first !== "")
      .map(([first = "", ...type]) => ({ name: first, type: type.join(" ") })),
    body: bodyOf(path, plain ?? atomic ?? "", text.slice(0, text.indexOf(whole)).split("\n").length)
  }))
