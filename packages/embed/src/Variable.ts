/** Environment variables: name, default and parser. */
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
  <A extends string>(names: ReadonlyArray<A>): Read<A> =>
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
  readonly read: Read<Exclude<A, undefined>>
  readonly meaning: string
  readonly isSecret: boolean
}

/** A variable whose value is in the environment. */
export const variable = <A>(
  name: string,
  defaultValue: NoInfer<A>,
  read: Read<Exclude<A, undefined>>,
  meaning: string
): Variable<A> => ({ name, defaultValue, read, meaning, isSecret: false })

/** A variable whose value is in the environment or in a file that NAME_FILE names, and is never shown. */
export const secretVariable = <A>(
  name: string,
  defaultValue: NoInfer<A>,
  read: Read<Exclude<A, undefined>>,
  meaning: string
): Variable<A> => ({
  ...variable<A>(name, defaultValue, read, `${meaning}; or the path of a file that contains it in ${name}_FILE`),
  isSecret: true
})
