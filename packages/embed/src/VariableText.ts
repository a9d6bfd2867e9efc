/**
 * Finds the text of a variable: in the environment, or, for a secret, in the file named by NAME_FILE, so that neither a
 * process list nor a container's description shows it.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs"
import type { Environment } from "./Variable.ts"

/** A variable to find. */
export interface VariableName {
  readonly name: string
  /** Whether its value may be in a file. */
  readonly isSecret: boolean
}

/** The text and its source, nothing, or a problem. */
type VariableText =
  | { readonly source: "environment" | "file"; readonly text: string }
  | { readonly source: "default" }
  | { readonly source: "bad"; readonly problem: string }

/** The variable that names a file with the value. */
export const fileVariable = (name: string): string => `${name}_FILE`

const maxSize = 65_536

/** The trimmed text of a file; undefined if it is unreadable, empty or too large. */
const textOf = (path: string): string | undefined => {
  try {
    const file = openSync(path, "r")
    try {
      const bytes = Buffer.alloc(maxSize + 1)
      const size = readSync(file, bytes)
      return size > maxSize ? undefined : bytes.toString("utf8", 0, size).trim() || undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

/** Finds the text of a variable. An empty variable counts as not set. */
export const findText = (environment: Environment, { isSecret, name }: VariableName): VariableText => {
  const text = environment[name] || undefined
  const path = isSecret ? environment[fileVariable(name)] || undefined : undefined
  if (path === undefined) return text === undefined ? { source: "default" } : { source: "environment", text }
  const file = fileVariable(name)
  if (text !== undefined) return { source: "bad", problem: `${name} and ${file} are both set: use only one of them` }
  const read = textOf(path)
  return read === undefined
    ? { source: "bad", problem: `${file} must be the path of a readable, non-empty file` }
    : { source: "file", text: read }
}

/** Whether other users may read a file. False where that is unknown. */
export const isOpenToOthers = (path: string): boolean => {
  if (process.platform === "win32") return false
  try {
    return (statSync(path).mode & 0o077) !== 0
  } catch {
    return false
  }
}
