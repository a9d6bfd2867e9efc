/**
 * Profiles: named URLs with their keys, in one file of the user (mode 0600, its folder 0700).
 *
 * The file is `credentials.json` in `$XDG_CONFIG_HOME/svc`, else `~/.config/svc` (`%APPDATA%\svc` on Windows).
 * `SVC_PROFILE` selects a profile; the default is the active one.
 */
import { chmod, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { type Failure, InvalidInput, NotFound, Unavailable } from "@svc/core"
import type { Environment } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

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

const text = (value: unknown, name: string): string | undefined => {
  const found: unknown = Predicate.isObject(value) ? Reflect.get(value, name) : undefined
  return typeof found === "string" && found !== "" ? found : undefined
}

const profileIn = (value: unknown): Profile | undefined => {
  const baseUrl = text(value, "base_url")
  const key = text(value, "api_key")
  return baseUrl === undefined || key === undefined ? undefined : { baseUrl, key }
}

const parse = (json: string): Profiles | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    const entries = Object.entries(Object(Object(value).profiles)).flatMap(([name, entry]) => {
      const profile = profileIn(entry)
      return profile === undefined ? [] : [[name, profile] as const]
    })
    return { active: text(value, "active") ?? none.active, byName: Object.fromEntries(entries) }
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
  const file = profilesFile(environment)
  const profiles = Object.fromEntries(
    Object.entries(byName).map(([name, { baseUrl, key }]) => [name, { base_url: baseUrl, api_key: key }])
  )
  return Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      const draft = `${file}.${crypto.randomUUID()}.new`
      await writeFile(draft, `${JSON.stringify({ active, profiles }, undefined, 2)}\n`, { mode: 0o600 })
      await chmod(draft, 0o600)
      await rename(draft, file)
    },
    catch: () => new Unavailable({ message: `Can't write ${file}. Check the permissions of its folder.` })
  })
}

/** Whether a profile may have this name. */
export const isProfileName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) && name !== "__proto__"

/**
 * The selected profile: that of `SVC_PROFILE`, otherwise the active one; undefined if there is none. Fails with NOT_FOUND
 * if SVC_PROFILE names an unknown one.
 */
export const findProfile = (environment: Environment) =>
  Effect.gen(function* () {
    const asked = environment["SVC_PROFILE"]
    const { active, byName } = yield* readProfiles(environment)
    const name = asked === undefined || asked === "" ? active : asked
    const profile = Object.hasOwn(byName, name) ? byName[name] : undefined
    if (profile !== undefined) return { ...profile, name }
    if (name !== asked) return undefined
    return yield* new NotFound({
      kind: "profile",
      message: "The profile in SVC_PROFILE was not found. Run svc auth status to list profiles."
    })
  })

/** A key with its id but without its secret. */
export const masked = (key: string): string => {
  const [product = "", kind = "", id = ""] = key.split("_")
  return id === "" ? "…" : `${product}_${kind}_${id}_…`
}
