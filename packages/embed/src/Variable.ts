/** An environment variable: its name, what holds without it, and how its text is read. Source: contract 3. */
import * as Redacted from "effect/Redacted"

/** An environment: names and values. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads a value, or says what is wrong with it: "must be …". */
export type Read<A> = (text: string) => A | { readonly problem: string }

/** Whether a text could not be read. */
export const isBad = (value: unknown): value is { readonly problem: string } =>
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

/** One of some words. */
export const oneOf =
  <A extends string>(names: ReadonlyArray<A>): Read<A> =>
  (text) =>
    names.find((name) => name === text) ?? { problem: `must be one of ${names.join(", ")}` }

/** `true` or `false`. */
export const yesOrNo: Read<boolean> = (text) =>
  text === "true" || text === "false" ? text === "true" : { problem: "must be true or false" }

/** Any text but the empty one. */
export const nonEmpty: Read<string> = (text) => (text === "" ? { problem: "must be a text that is not empty" } : text)

/** An http or https address, without a slash at its end. */
export const origin: Read<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const good = (url?.protocol === "https:" || url?.protocol === "http:") && url.search === "" && url.hash === ""
  return good ? text.replace(/\/+$/, "") : { problem: "must be an http or https address without query" }
}

/** A text that is shown nowhere. */
export const secret =
  (label: string): Read<Redacted.Redacted> =>
  (text) =>
    Redacted.make(text, { label })

/** A variable of a setting. `standard` holds where it is not set or empty. */
export const variable = <A>(
  name: string,
  standard: NoInfer<A>,
  read: Read<Exclude<A, undefined>>,
  meaning: string
) => ({
  name,
  standard,
  read,
  meaning,
  isSecret: false
})

/** A variable whose value is in the environment or in a file that NAME_FILE names, and is never shown. */
export const secretVariable = <A>(
  name: string,
  standard: NoInfer<A>,
  read: Read<Exclude<A, undefined>>,
  meaning: string
): ReturnType<typeof variable<A>> => ({
  ...variable<A>(name, standard, read, `${meaning}; or the path of a file with it in ${name}_FILE`),
  isSecret: true
})
