/**
 * Loads the program of the bundle: one file, with what V8 compiled of it when the bundle was made.
 *
 * Compiling is most of what a short command costs. What was compiled by another version of Node is refused by V8; then
 * newer versions of Node keep what they compile by themselves (22.8), and older ones compile each time.
 */
import { readFileSync } from "node:fs"
import module, { createRequire } from "node:module"
import { Script } from "node:vm"

/** What the file exports. */
export type Program = typeof import("./program.ts")

const read = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** The file's code as V8 wants it, compiled already if `compiled` fits. */
export const scriptOf = (file: string, compiled?: Buffer): Script =>
  // The bundle is made to be plain ASCII.
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

/** The program in a file. */
export const loadProgram = (file: string): Program => {
  const compiled = read(`${file}.compiled`)
  const script = compiled && scriptOf(file, compiled)
  if (script !== undefined && script.cachedDataRejected !== true) return exportsOf(file, script)
  module.enableCompileCache?.()
  return createRequire(file)(file)
}
