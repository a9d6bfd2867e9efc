/**
 * Checks of what a program passes as options, which types alone do not check in JavaScript. Each public interface of options has a
 * table of checks of its type, so that a new option does not compile without one. Loads nothing: browsers have it too.
 */
import { didYouMean, unknownName } from "./nearestName.ts"

/**
 * What is wrong with a value at a path, as a sentence; undefined if nothing. The path of a `root`, such as `createSvc`, is not part of
 * those of its options.
 */
export type Check = (value: unknown, path: string, isRoot?: boolean) => string | undefined

/** A check of each option of an interface. */
export type Checks<T> = { readonly [Name in keyof T]-?: Check }

/** A value that holds, or `path must be …`. */
export const must =
  (expected: string, holds: (value: unknown) => boolean): Check =>
  (value, path) =>
    holds(value) ? undefined : `${path} must be ${expected}.`

export const isText = must("text", (value) => typeof value === "string")

export const isSwitch = must("true or false", (value) => typeof value === "boolean")

export const isFunction = must("a function", (value) => typeof value === "function")

/** Anything, or what is checked elsewhere. */
export const isAny: Check = () => undefined

/** A whole number within bounds. */
export const isWhole = (minimum: number, maximum?: number): Check =>
  must(
    `a whole number from ${minimum}${maximum === undefined ? "" : ` to ${maximum}`}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= (maximum ?? Number(value))
  )

/** One of these names. */
export const isOneOf =
  (names: ReadonlyArray<string>): Check =>
  (value, path) => {
    if (names.some((name) => name === value)) return undefined
    return `${path} must be ${names.join(" or ")}.${didYouMean(String(value), names)}`
  }

/** A list of what a check accepts. */
export const isListOf =
  (check: Check, what = "a list"): Check =>
  (list, path) =>
    Array.isArray(list)
      ? list.map((item, index) => check(item, `${path}[${index}]`)).find((problem) => problem !== undefined)
      : `${path} must be ${what}.`

const needed = new WeakSet<Check>()

/** For an option that must be given. */
export const required = (check: Check): Check => {
  const own: Check = (value, path) => (value === undefined ? `${path} is required.` : check(value, path))
  needed.add(own)
  return own
}

/** Options of an interface: known names only, each as its check says. One that is undefined is absent. */
export const isOptions =
  <T extends object>(checks: Checks<T>): Check =>
  (options, path, isRoot = false) => {
    const unknown = unknownName(path, options, Object.keys(checks))
    if (unknown !== undefined) return unknown
    for (const [name, check] of Object.entries<Check>(checks)) {
      const value: unknown = Reflect.get(Object(options), name)
      if (value === undefined && !needed.has(check)) continue
      const problem = check(value, isRoot ? name : `${path}.${name}`)
      if (problem !== undefined) return problem
    }
    return undefined
  }

/** Checks of the options of every call. */
export const callChecks = {
  responseProfile: isOneOf(["full", "compact"]),
  dryRun: isSwitch,
  idempotencyKey: must(
    "1 to 255 printable ASCII characters",
    (value) => typeof value === "string" && /^[\x20-\x7e]{1,255}$/.test(value)
  ),
  signal: must("an AbortSignal", (value) => typeof Object(value).throwIfAborted === "function")
}

/** Checks of the options of every read. */
export const readChecks = { responseProfile: callChecks.responseProfile, signal: callChecks.signal }
