// For the bundle: the program in parts, so that a run reads no more of it than it needs. esbuild splits the program where it
// imports dynamically, into modules. Here the modules become functions, and those of one kind of run one script, which keeps
// what V8 compiles. A module takes what it imports when it begins, so none may export what it changes later.
import { readFile } from "node:fs/promises"
import { basename, join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { init, parse } from "es-module-lexer"
import { counter } from "./steadyHash.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

/**
 * The parts, each with the modules that its runs begin with, or with folders of them. A part has what these need and no part
 * before it has.
 */
const beginnings = {
  client: ["program.ts", "run.ts", "commands/catalogue.ts", "mcp/stdio.ts"],
  catalogue: ["commands/generated.ts", "generated/", "table.ts", "mcp/catalogue.ts"],
  commands: ["commands/", "ownCommands.ts"],
  service: ["Server.ts", "Worker.ts", "runOperator.ts", "localTarget.ts", "openedService.ts", "mcp/targetWorkspace.ts"],
  auth: ["../../auth/src/index.ts"]
}

/** The names of the parts, the last of which has what few runs need. */
const partNames = [...Object.keys(beginnings), "rest"]

/** In which part each output is, in the order of what it begins with: the program itself is the first of the first. */
const distribute = (outputs) => {
  const partOf = new Map()
  const add = (path, part) => {
    if (partOf.has(path)) return
    partOf.set(path, part)
    for (const { external, kind, path: needed } of outputs[path].imports) {
      if (kind === "import-statement" && external !== true) add(needed, part)
    }
  }
  const paths = Object.keys(outputs)
  for (const [part, sources] of Object.entries(beginnings)) {
    for (const source of sources) {
      const place = posix.join("packages/cli/src", source)
      const isMeant = (entry = "") => entry === place || (place.endsWith("/") && entry.startsWith(place))
      const found = paths.filter((path) => isMeant(outputs[path].entryPoint))
      if (found.length === 0) throw new Error(`Nothing imports ${source} dynamically. Change programParts.js.`)
      for (const path of found) add(path, part)
    }
  }
  for (const path of paths) if (!partOf.has(path)) partOf.set(path, "rest")
  return partOf
}

/** A static import as a statement that takes the same from elsewhere. */
const declaration = (statement, from) => {
  const [, whole, list] = /^import\s*(?:(?:\*\s*as )?([\w$]+)|\{([^}]*)\})\s*from/.exec(statement) ?? []
  const pattern = list === undefined ? whole : `{${list.replaceAll(" as ", ":")}}`
  if (pattern !== undefined) return `const ${pattern}=${from};`
  if (/^import\s*["']/.test(statement)) return `${from};`
  throw new Error(`${statement} imports in another way. Change programParts.js.`)
}

/** A module of esbuild as a function that answers what it exports. `placeOf` tells where a module of the program is. */
const asFunction = (text, changed, placeOf) => {
  const [imports, exports] = parse(text)
  const unsteady = exports.find(({ n }) => changed.has(n))
  if (unsteady !== undefined) throw new Error(`${unsteady.n} is exported and changed later.`)
  let taken = ""
  let body = ""
  let end = 0
  for (const { d, n, se, ss } of imports) {
    body += text.slice(end, ss)
    end = se
    if (d === -2) {
      // import.meta, of which CommonJS has nothing.
      body += "({})"
      continue
    }
    const statement = text.slice(ss, se)
    if (n === undefined) throw new Error(`${statement} does not say what it imports. Change programParts.js.`)
    const place = placeOf(n)
    const from = place === undefined ? `require(${JSON.stringify(n)})` : `$take(${place})`
    if (d === -1) taken += declaration(statement, from)
    else body += `Promise.resolve().then(()=>${from})`
  }
  body += text.slice(end)
  const exported = /export\s*\{([^}]*)\};?\s*$/.exec(body)
  if (exported === null && exports.length > 0)
    throw new Error("A module exports in another way. Change programParts.js.")
  const answer = `return{${(exported?.[1] ?? "").replaceAll(/([\w$]+) as ([\w$]+)/g, "$2:$1")}}`
  return `()=>{${taken}${body.slice(0, exported?.index)}${answer}}`
}

/**
 * What is left beyond ASCII stands in regular expressions and their raw texts, which mean the same with escapes. A text of
 * ASCII alone takes half of the memory, and is read and looked up faster.
 */
const inAscii = (text) =>
  text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The names that sources export and may change, beside what `steadyHash` keeps. */
const changing = async (inputs) => {
  const sources = await Promise.all(Object.keys(inputs).map((path) => readFile(join(root, path), "utf8")))
  const names = sources.flatMap((text) => [...text.matchAll(/^export (?:let|var) (\w+)/gm)].map(([, name]) => name))
  return new Set(names.filter((name) => name !== counter))
}

/**
 * The text of each part, from what esbuild built in modules with `splitting`. It is an expression, a function of `$take`, `require` and
 * `bundleUrl`, and a module of CommonJS that exports this function.
 */
export const programParts = async ({ metafile: { inputs, outputs }, outputFiles }) => {
  await init
  const changed = await changing(inputs)
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const places = new Map()
  const modules = new Map(partNames.map((part) => [part, []]))
  for (const [path, part] of distribute(outputs)) {
    places.set(`./${basename(path)}`, `${JSON.stringify(part)},${modules.get(part).length}`)
    modules.get(part).push(texts.get(basename(path)))
  }
  return new Map(
    [...modules].map(([part, texts]) => {
      const functions = texts.map((text) => asFunction(text, changed, (specifier) => places.get(specifier)))
      const body = `"use strict";return[\n${functions.join(",\n")}\n]`
      const whole = `(part=>typeof module==="object"?module.exports=part:part)((function($take,require,bundleUrl){${body}}))\n`
      return [part, inAscii(whole)]
    })
  )
}
