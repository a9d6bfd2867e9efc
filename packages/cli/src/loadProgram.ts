/**
 * Loads the bundled program with its V8 code cache, since compiling is most of the cost of a short command and
 * a quarter of the time until a service answers.
 *
 * V8 rejects the cache of another version of Node. Then Node 22.8 and newer keep a cache of their own.
 */
import { existsSync, readFileSync } from "node:fs"
import module, { createRequire } from "node:module"
import { setFlagsFromString } from "node:v8"
import { Script } from "node:vm"

type Program = typeof import("./program.ts")

const read = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** The script of a file, with its code cache if that fits. */
export const scriptOf = (file: string, compiled?: Buffer): Script =>
  // The bundle is plain ASCII.
  new Script(`(function (exports, require, module, __filename) {${readFileSync(file, "latin1")}\n})`, {
    filename: file,
    cachedData: compiled
  })

/** The exports of a script that {@link scriptOf} made. */
export const exportsOf = (file: string, script: Script): Program => {
  const loaded: { exports: Program } = Object({ exports: {} })
  script.runInThisContext()(loaded.exports, createRequire(file), loaded, file)
  return loaded.exports
}

/** Which code cache a run uses; `compile.js` makes them. */
type RunKind = "command" | "service"

const services = new Set(["serve", "dev", "worker"])

/** The kind of a run with these arguments. */
export const runKind = ([subcommand = ""]: ReadonlyArray<string>): RunKind =>
  services.has(subcommand) ? "service" : "command"

/** Commands that may have the embedded database work for long. */
const lasting = new Set([...services, "import", "db"])

/** Whether a run may open the embedded database itself, as far as can be told before it. */
const mayOpenFolder = (): boolean => {
  const { SVC_BASE_URL, SVC_DATABASE_URL } = process.env
  if (SVC_BASE_URL !== undefined) return false
  return SVC_DATABASE_URL === undefined ? existsSync(".svc") : !/^(postgres(ql)?|memory):/.test(SVC_DATABASE_URL)
}

/** What makes V8 compile WebAssembly quickly and only once. Node 22 and older need the first one, Node 24 the others too. */
const quickly = ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]

/**
 * Once the program is loaded: lets V8 compile the WebAssembly of the embedded database quickly and only once, in a run that
 * ends before better code would pay. It halves what opening a folder costs. Other runs are spared: after a change of flags,
 * Node compiles what it loads of itself anew, which takes 10 ms.
 */
export const compileQuickly = ([subcommand = ""]: ReadonlyArray<string>): void => {
  if (lasting.has(subcommand) || !mayOpenFolder()) return
  for (const flag of quickly) setFlagsFromString(flag)
}

/** The program in a file. */
export const loadProgram = (file: string, kind: RunKind): Program => {
  const compiled = read(`${file}.${kind}`)
  const script = compiled && scriptOf(file, compiled)
  if (script !== undefined && script.cachedDataRejected !== true) return exportsOf(file, script)
  module.enableCompileCache?.()
  return createRequire(file)(file)
}
