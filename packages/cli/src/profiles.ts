/**
 * Profiles: an address and its key under a name, in one file of the user (mode 0600, its folder 0700).
 *
 * The file is `credentials.json` in `$XDG_CONFIG_HOME/svc`, else `~/.config/svc` (`%APPDATA%\svc` on Windows).
 * `SVC_PROFILE` names the profile of a run; without it the active one holds. Source: contract 2; G38; ecosystem 1.1.
 */
import { chmod, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { type Failure, fail } from "@svc/core/Failure"
import type { Environment } from "@svc/embed/Settings"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** A service and the key for it. */
export interface Profile {
  readonly baseUrl: string
  readonly key: string
}

/** All profiles, by name. `active` may name one that is gone. */
export interface Profiles {
  readonly active: string
  readonly byName: Readonly<Record<string, Profile>>
}

const none: Profiles = { active: "default", byName: {} }

/** Where the profiles are kept. */
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

const broken = (file: string, why: string): Failure =>
  fail("INVALID_INPUT", `The profiles in ${file} cannot be used: ${why}`)

/** Reads the profiles; none when there is no file. Fails with INVALID_INPUT when others may read it, or it is broken. */
export const readProfiles = (environment: Environment): Effect.Effect<Profiles, Failure> => {
  const file = profilesFile(environment)
  return Effect.gen(function* () {
    const read = yield* Effect.tryPromise({
      try: () =>
        Promise.all([readFile(file, "utf8"), stat(file)]).catch((cause: NodeJS.ErrnoException) => {
          if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return undefined
          throw cause
        }),
      catch: () => broken(file, "the file cannot be read. Check its rights.")
    })
    if (read === undefined) return none
    const [json, { mode }] = read
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      return yield* broken(file, `others may read it. Run chmod 600 '${file}', and rotate the keys in it.`)
    }
    return parse(json) ?? (yield* broken(file, "it is no JSON. Correct it, or remove it and run svc login."))
  })
}

/** Writes the profiles, whole or not at all. Fails with UNAVAILABLE when the file cannot be written. */
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
    catch: () => fail("UNAVAILABLE", `${file} cannot be written. Check the rights of its folder.`)
  })
}

/** The name that a profile may have. */
export const isProfileName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) && name !== "__proto__"

/**
 * The profile of a run: the one that `SVC_PROFILE` names, else the active one; undefined when there is none. Fails with
 * NOT_FOUND when SVC_PROFILE names one that is not there.
 */
export const findProfile = (
  environment: Environment
): Effect.Effect<(Profile & { readonly name: string }) | undefined, Failure> =>
  Effect.gen(function* () {
    const asked = environment["SVC_PROFILE"]
    const { active, byName } = yield* readProfiles(environment)
    const name = asked === undefined || asked === "" ? active : asked
    const profile = Object.hasOwn(byName, name) ? byName[name] : undefined
    if (profile !== undefined) return { ...profile, name }
    if (name !== asked) return undefined
    return yield* fail(
      "NOT_FOUND",
      "SVC_PROFILE names a profile that is not there. Run svc auth status to see them all."
    )
  })

/** A key that can be recognised and not used: its id without its secret. */
export const masked = (key: string): string => {
  const [product = "", kind = "", id = ""] = key.split("_")
  return id === "" ? "…" : `${product}_${kind}_${id}_…`
}
