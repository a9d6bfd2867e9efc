/** What modules export and who uses it, read off the sources. */
import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { packageNames, root, type Source, sourcesIn } from "./sources.ts"

/** One exported name of a module. `from` is where a re-exported one comes from; without `name` it is that whole module. */
export interface Export {
  readonly isType: boolean
  readonly from?: { readonly path: string; readonly name?: string }
}

/** The entry points of the packages by what is imported, such as `@svc/core/leads`. */
export const entryPoints: ReadonlyMap<string, string> = new Map(
  packageNames.flatMap((name) => {
    const folder = `packages/${name}`
    const { exports } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    return Object.entries<{ "svc-source"?: string }>(exports).flatMap(([key, { "svc-source": path }]) =>
      path === undefined ? [] : [[posix.join("@svc", name, key), posix.join(folder, path)] as const]
    )
  })
)

/** Those that hosts and foreign stores may use: what is internal is shared by our own packages alone. */
export const publicEntryPoints = [...entryPoints].filter(([entry]) => !entry.endsWith("/internal"))

/** Every module of the packages by its path. */
export const modules: ReadonlyMap<string, Source> = new Map(
  packageNames
    .flatMap((name) => sourcesIn(`packages/${name}/src`, ".ts", ".tsx"))
    .map((source) => [source.path, source])
)

/** The module that is imported: a path of {@link modules}, or something outside of them. */
export const importedModule = (importer: string, from: string): string => {
  if (from.startsWith("#")) return from.replace(/^#(\w+)/, "packages/$1/src")
  if (!from.startsWith(".")) return entryPoints.get(from) ?? from
  return posix.join(posix.dirname(importer), from).replace(/\/dist\/(.*)\.js$/, "/src/$1.ts")
}

const declaration = /^export (?:abstract )?(const|function\*?|class|interface|type) (\w+)/gm
const list = /^export (type )?\{([^}]*)\}(?: from "([^"]+)")?/gm
const star = /^export (type )?\*(?: as (\w+))? from "([^"]+)"/gm

/** `a, type b as c` as its parts. */
export const namesIn = (text: string) =>
  [...text.matchAll(/(type )?(\w+)(?: as (\w+))?/g)].map(([, type, name = "", as = name]) => ({
    name,
    as,
    isType: type !== undefined
  }))

const found = new Map<string, ReadonlyMap<string, Export>>()

const read = (path: string): ReadonlyMap<string, Export> => {
  const exports = new Map<string, Export>()
  const text = modules.get(path)?.text ?? ""
  for (const [, kind = "", name = ""] of text.matchAll(declaration))
    exports.set(name, { isType: /interface|type/.test(kind) && exports.get(name)?.isType !== false })
  for (const [, type, names = "", from] of text.matchAll(list)) {
    for (const { as, isType, name } of namesIn(names)) {
      const origin = from === undefined ? {} : { from: { path: importedModule(path, from), name } }
      exports.set(as, { isType: isType || type !== undefined, ...origin })
    }
  }
  for (const [, type, as, from = ""] of text.matchAll(star)) {
    const source = importedModule(path, from)
    if (as !== undefined) exports.set(as, { isType: type !== undefined, from: { path: source } })
    else {
      for (const [name, { isType }] of exportsOf(source))
        exports.set(name, { isType: isType || type !== undefined, from: { path: source, name } })
    }
  }
  return exports
}

/** What a module exports, by name. */
export const exportsOf = (path: string): ReadonlyMap<string, Export> => {
  const known = found.get(path) ?? read(path)
  found.set(path, known)
  return known
}

/** The exported names of a module that nothing in `users` imports, and no entry point leads to. */
export const unusedExports = (users: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const used = new Set<string>()
  const use = (path: string, name: string): void => {
    const { from } = exportsOf(path).get(name) ?? {}
    used.add(`${path} ${name}`)
    if (from?.name !== undefined) use(from.path, from.name)
  }
  const useAll = (path: string): void => {
    for (const [name, { from }] of exportsOf(path)) {
      use(path, name)
      if (from !== undefined && from.name === undefined) useAll(from.path)
    }
  }
  /** Members of a whole module that goes by `alias` in a text. */
  const useMembers = (text: string, alias: string, path: string): void => {
    for (const [, member] of text.matchAll(new RegExp(`(?<![\\w"]|[^.]\\.)${alias}\\b(?:\\.(\\w+))?`, "g"))) {
      if (member === undefined) useAll(path)
      else useName(text, path, member, `${alias}\\.${member}`)
    }
  }
  const useName = (text: string, path: string, name: string, alias: string): void => {
    const { from } = exportsOf(path).get(name) ?? {}
    use(path, name)
    if (from !== undefined && from.name === undefined) useMembers(text, alias, from.path)
  }

  for (const [, path] of publicEntryPoints) useAll(path)
  for (const { path: importer, text } of users) {
    const body = text.replaceAll(/^(import|export)\b[^;"'`=]*?\bfrom "[^"]+"/gm, "")
    for (const [, names, whole, from = ""] of text.matchAll(
      /^import (?:type )?(?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)"/gm
    )) {
      const path = importedModule(importer, from)
      if (whole !== undefined) useMembers(body, whole, path)
      for (const { as, name } of namesIn(names ?? "")) useName(body, path, name, as)
    }
    for (const [, type, from = "", member] of text.matchAll(/(typeof )?\bimport\(\s*"([^"]+)"\)(\.)?/g)) {
      const path = importedModule(importer, from)
      if (type !== undefined && member === undefined) useAll(path)
      for (const name of exportsOf(path).keys()) if (new RegExp(`\\b${name}\\b`).test(body)) use(path, name)
    }
  }
  return [...modules.keys()].flatMap((path) =>
    [...exportsOf(path).keys()].filter((name) => !used.has(`${path} ${name}`)).map((name) => `${path}: ${name}`)
  )
}
