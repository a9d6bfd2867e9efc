/** Environment variables: name, default and parser. */

import { closeSync, openSync, readSync, statSync } from "node:fs"
import { parseUrl } from "@svc/core"
import * as Redacted from "effect/Redacted"

/** An environment: names and values. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Parses a value, or says what is wrong with it: "must be …". */
export type Read<A> = (text: string) => A | { readonly problem: string }

/** Whether parsing failed. */
export const isProblem = (value: unknown): value is { readonly problem: string } =>
  typeof value === "object" && value !== null && "problem" in value

/** A whole number within bounds. */
export const integer =
  (minimum: number, maximum: number): Read<number> =>
  (text) => {
    const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
    return value >= minimum && value <= maximum
      ? value
      : { problem: `must be a whole number from ${minimum} to ${maximum}` }
  }

/** One of these words. */
export const oneOf =
  <const A extends string>(names: ReadonlyArray<A>): Read<A> =>
  (text) =>
    names.find((name) => name === text) ?? { problem: `must be one of ${names.join(", ")}` }

/** `true` or `false`. */
export const trueOrFalse: Read<boolean> = (text) =>
  text === "true" || text === "false" ? text === "true" : { problem: "must be true or false" }

/** Any non-empty text. */
export const nonEmpty: Read<string> = (text) => (text === "" ? { problem: "must not be empty" } : text)

/** An http or https URL, without its trailing slash. */
export const origin: Read<string> = (text) => {
  const url = parseUrl(text)
  const good = (url?.protocol === "https:" || url?.protocol === "http:") && url.search === "" && url.hash === ""
  return good ? text.replace(/\/+$/, "") : { problem: "must be an http or https URL without query" }
}

/** A text that is never shown. */
export const secret =
  (label: string): Read<Redacted.Redacted> =>
  (text) =>
    Redacted.make(text, { label })

/** A variable. `defaultValue` applies if it is not set or empty. */
export interface Variable<A> {
  readonly name: string
  readonly defaultValue: A
  readonly read: Read<A>
  readonly meaning: string
  readonly isSecret: boolean
}

/** A variable whose value is in the environment. */
export const variable = <A>(name: string, defaultValue: NoInfer<A>, read: Read<A>, meaning: string): Variable<A> => ({
  name,
  defaultValue,
  read,
  meaning,
  isSecret: false
})

/** A variable without a default. */
export const optional = <A>(name: string, read: Read<A>, meaning: string): Variable<A | undefined> =>
  variable<A | undefined>(name, undefined, read, meaning)

/** A variable without a default whose value is in the environment or in a file that NAME_FILE names, and is never shown. */
export const secretVariable = <A>(name: string, read: Read<A>, meaning: string): Variable<A | undefined> => ({
  ...optional(name, read, `${meaning}; or the path of a file that contains it in ${name}_FILE`),
  isSecret: true
})

// Finds the text of a variable: in the environment, or, for a secret, in the file named by NAME_FILE, so that neither a
// process list nor a container's description shows it.

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
