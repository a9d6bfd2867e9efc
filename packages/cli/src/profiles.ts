/**
 * Profiles: named URLs with their keys, in one file of the user (mode 0600, its folder 0700).
 *
 * The file is `credentials.json` in `$XDG_CONFIG_HOME/svc`, else `~/.config/svc` (`%APPDATA%\svc` on Windows).
 * `SVC_PROFILE` selects a profile; the default is the active one.
 */

import { chmod, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { didYouMean, type Failure, InvalidInput, NotFound, quote, Unauthenticated, Unavailable } from "@svc/core"
import type { Environment } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** A key and its source: a variable, or `profile NAME`. */
export interface FoundKey {
  readonly key: Redacted.Redacted<string>
  readonly source: string
}

const validKey = /^[\x21-\x7e]{1,200}$/

/** The text as a key. Fails with UNAUTHENTICATED, naming the source, if it cannot be one. */
export const makeKey = Effect.fnUntraced(function* (text: string, source: string): Effect.fn.Return<FoundKey, Failure> {
  const key = text.trim()
  if (validKey.test(key)) return { key: Redacted.make(key, { label: source }), source }
  return yield* new Unauthenticated({
    message: `The API key from ${source} is not valid: it is empty, or contains spaces or line breaks.`
  })
})

/**
 * The key of an environment; undefined if none is set. Fails with UNAUTHENTICATED if it cannot be a key, and with
 * INVALID_INPUT if its file cannot be read.
 */
export const keyOfEnvironment = (environment: Environment): Effect.Effect<FoundKey | undefined, Failure> => {
  const { SVC_API_KEY: text, SVC_API_KEY_FILE: file } = environment
  if (text !== undefined && text !== "") return makeKey(text, "SVC_API_KEY")
  if (file === undefined || file === "") return Effect.succeed(undefined)
  return Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: () =>
      new InvalidInput({ message: "Can't read the file named by SVC_API_KEY_FILE. Check its path and permissions." })
  }).pipe(Effect.flatMap((read) => makeKey(read, "SVC_API_KEY_FILE")))
}

/** Saves a text, such as a key, in a file that only the user can read, atomically. Fails with UNAVAILABLE. */
export const savePrivately = (path: string, text: string): Effect.Effect<void, Failure> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}.${crypto.randomUUID()}.new`
      await writeFile(draft, `${text}\n`, { mode: 0o600 })
      await chmod(draft, 0o600)
      await rename(draft, path)
    },
    catch: () => new Unavailable({ message: `Can't write ${path}. Check the permissions of its folder.` })
  })

/** A service and its key. */
interface Profile {
  readonly baseUrl: string
  readonly key: string
}

/** All profiles, by name. `active` may name a deleted one. */
export interface Profiles {
  readonly active: string
  readonly byName: Readonly<Record<string, Profile>>
}

const none: Profiles = { active: "default", byName: {} }

/** Path of the profiles. */
export const profilesFile = (environment: Environment): string => {
  const { APPDATA: roaming, XDG_CONFIG_HOME: configured } = environment
  const home =
    configured !== undefined && configured !== ""
      ? configured
      : process.platform === "win32" && roaming !== undefined
        ? roaming
        : join(environment["HOME"] ?? homedir(), ".config")
  return join(home, "svc", "credentials.json")
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const parse = (json: string): Profiles | undefined => {
  try {
    const { active, profiles } = Object(JSON.parse(json))
    const entries = Object.entries(Object(profiles)).flatMap(([name, entry]) => {
      const { api_key: key, base_url: baseUrl } = Object(entry)
      return isText(baseUrl) && isText(key) ? [[name, { baseUrl, key }] as const] : []
    })
    return { active: isText(active) ? active : none.active, byName: Object.fromEntries(entries) }
  } catch {
    return undefined
  }
}

const invalidFile = (file: string, why: string): Failure =>
  new InvalidInput({ message: `Can't use the profiles in ${file}: ${why}` })

/** Reads the profiles; none if the file does not exist. Fails with INVALID_INPUT if it is unsafe or invalid. */
export const readProfiles = (environment: Environment): Effect.Effect<Profiles, Failure> => {
  const file = profilesFile(environment)
  return Effect.gen(function* () {
    const read = yield* Effect.tryPromise({
      try: () =>
        Promise.all([readFile(file, "utf8"), stat(file)]).catch((cause: NodeJS.ErrnoException) => {
          if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return undefined
          throw cause
        }),
      catch: () => invalidFile(file, "the file is not readable. Check its permissions.")
    })
    if (read === undefined) return none
    const [json, { mode }] = read
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      return yield* invalidFile(file, `other users can read it. Run chmod 600 '${file}', and rotate its keys.`)
    }
    return (
      parse(json) ?? (yield* invalidFile(file, "it is not valid JSON. Correct it, or delete it and run svc login."))
    )
  })
}

/** Writes the profiles atomically. Fails with UNAVAILABLE if the file cannot be written. */
export const writeProfiles = (environment: Environment, { active, byName }: Profiles): Effect.Effect<void, Failure> => {
  const profiles = Object.fromEntries(
    Object.entries(byName).map(([name, { baseUrl, key }]) => [name, { base_url: baseUrl, api_key: key }])
  )
  return savePrivately(profilesFile(environment), JSON.stringify({ active, profiles }, undefined, 2))
}

/** The failure for an unknown profile, with the nearest name. */
export const profileNotFound = (name: string, byName: Profiles["byName"], what = "Profile"): Failure => {
  const guess =
    didYouMean(name, Object.keys(byName)) || " List profiles with svc auth status, or create one with svc login."
  return new NotFound({ kind: "profile", message: `${what} ${quote(name)} not found.${guess}` })
}

/** Whether a profile may have this name. */
export const isProfileName = (name: string) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) && name !== "__proto__"

/**
 * The selected profile: that of `SVC_PROFILE`, otherwise the active one; undefined if there is none. Fails with NOT_FOUND
 * if SVC_PROFILE names an unknown one.
 */
export const findProfile = Effect.fnUntraced(function* (environment: Environment) {
  const asked = environment["SVC_PROFILE"]
  const { active, byName } = yield* readProfiles(environment)
  const name = asked === undefined || asked === "" ? active : asked
  const profile = Object.hasOwn(byName, name) ? byName[name] : undefined
  if (profile !== undefined) return { ...profile, name }
  if (name !== asked) return undefined
  return yield* profileNotFound(name, byName, "SVC_PROFILE: profile")
})

/** A key with its id but without its secret. */
export const masked = (key: string): string => {
  const [product = "", kind = "", id = ""] = key.split("_")
  return id === "" ? "…" : `${product}_${kind}_${id}_…`
}
