/**
 * Loads the bundled program with its V8 code cache, since compiling is most of the cost of a short command and
 * a quarter of the time until a service answers. The program is in parts (`programParts.js`), each loaded when it is needed.
 *
 * V8 rejects the cache of another version of Node or of other flags, and some bundles have none. Then Node 22.8 and newer keep a
 * cache of their own.
 */
import { readFileSync } from "node:fs"
import module, { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { setFlagsFromString } from "node:v8"
import { Script } from "node:vm"

type Program = typeof import("./program.ts")

/** Runs a module of a part, once, and answers what it exports. */
type Take = (part: string, index: number) => object

/** A part: its modules, with what they need. */
export type Part = (take: Take, require: (id: string) => unknown, bundleUrl: string) => ReadonlyArray<() => object>

const read = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** The script of a part, with its code cache if that fits. */
export const scriptOf = (file: string, compiled?: Buffer): Script =>
  // The bundle is plain ASCII.
  new Script(readFileSync(file, "latin1"), { filename: file, cachedData: compiled })

/**
 * The program in a folder. `partIn` loads the part in a file, when the first of its modules is needed; `beforePglite` runs before
 * the embedded database is loaded.
 */
export const programIn = (
  folder: string,
  partIn: (file: string) => Part,
  beforePglite: () => void = () => undefined
): Program => {
  const main = join(folder, "main.cjs")
  const load = createRequire(main)
  const require = (id: string): unknown => {
    if (id === "@electric-sql/pglite") beforePglite()
    return load(id)
  }
  const parts = new Map<string, ReturnType<Part>>()
  const taken = new Map<() => object, object>()
  const take: Take = (part, index) => {
    const modules = parts.get(part) ?? partIn(join(folder, `${part}.cjs`))(take, require, pathToFileURL(main).href)
    parts.set(part, modules)
    const begin = modules[index]
    if (begin === undefined) throw new Error(`The part ${part} of the program has no module ${index}.`)
    const exports = taken.get(begin) ?? begin()
    taken.set(begin, exports)
    return exports
  }
  const program: { exports: Program } = Object({ exports: take("client", 0) })
  return program.exports
}

/** Which code cache a run uses; `compile.js` makes them. */
type RunKind = "command" | "service"

const services = new Set(["serve", "dev", "worker"])

/** Commands that may have the embedded database work for long. */
const lasting = new Set([...services, "import", "db"])

/** What makes V8 compile WebAssembly quickly and only once. Node 22 and older need the first one, Node 24 the others too. */
const quickly = ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]

/**
 * Lets V8 compile the WebAssembly of the embedded database quickly and only once, in a run that ends before better code would
 * pay. It halves what opening a folder costs. Set no sooner than it is needed: after a change of flags, V8 rejects the caches of
 * other parts, and Node compiles what it loads of itself anew.
 */
const compileQuickly = (): void => {
  for (const flag of quickly) setFlagsFromString(flag)
}

/** The program in a folder, for a run with these arguments. */
export const loadProgram = (folder: string, [subcommand = ""]: ReadonlyArray<string>): Program => {
  const kind: RunKind = services.has(subcommand) ? "service" : "command"
  const partIn = (file: string): Part => {
    // What short commands of a server do not load, one on a folder loads as a service does.
    const compiled = read(`${file}.${kind}`) ?? read(`${file}.service`)
    const script = compiled && scriptOf(file, compiled)
    if (script !== undefined && script.cachedDataRejected !== true) return script.runInThisContext()
    module.enableCompileCache?.()
    return createRequire(file)(file)
  }
  return programIn(folder, partIn, lasting.has(subcommand) ? undefined : compileQuickly)
}
