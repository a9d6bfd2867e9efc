/**
 * Where the text of a variable is: in the environment, or, if it is secret, in the file that NAME_FILE names, so that
 * neither a process list nor a container's description shows it. Source: contract 3; G38.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs"
import type { Environment } from "./Variable.ts"

/** What is asked of a variable. */
export interface AskedVariable {
  readonly name: string
  /** Whether its value may be in a file: those that hold a password, key or secret. */
  readonly isSecret: boolean
}

/** What was found: a text and where, nothing, or what is wrong, as "must …" after the name it begins with. */
export type VariableText =
  | { readonly source: "environment" | "file"; readonly text: string }
  | { readonly source: "default" }
  | { readonly source: "bad"; readonly problem: string }

/** The name of the variable that names a file with a variable's value. */
export const fileVariable = (name: string): string => `${name}_FILE`

const longest = 65_536

/** A file without white space at its ends; undefined when it cannot be read, is empty, or is far too long. */
const textOf = (path: string): string | undefined => {
  try {
    const file = openSync(path, "r")
    try {
      const bytes = Buffer.alloc(longest + 1)
      const size = readSync(file, bytes)
      return size > longest ? undefined : bytes.toString("utf8", 0, size).trim() || undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

/** Finds the text of a variable. An empty text counts as none. */
export const findText = (environment: Environment, { isSecret, name }: AskedVariable): VariableText => {
  const text = environment[name] || undefined
  const path = isSecret ? environment[fileVariable(name)] || undefined : undefined
  if (path === undefined) return text === undefined ? { source: "default" } : { source: "environment", text }
  const file = fileVariable(name)
  if (text !== undefined) return { source: "bad", problem: `${name} and ${file} are both set: keep one of them` }
  const read = textOf(path)
  return read === undefined
    ? { source: "bad", problem: `${file} must name a file that can be read and is not empty` }
    : { source: "file", text: read }
}

/** Whether others than its owner may read a file. False where that cannot be told. */
export const isOpenToOthers = (path: string): boolean => {
  if (process.platform === "win32") return false
  try {
    return (statSync(path).mode & 0o077) !== 0
  } catch {
    return false
  }
}
