/** The settings of a service inside a host program: from its options, then from the environment. */

import { nearestName } from "@svc/core"
import * as Result from "effect/Result"
import { badSettings, type Environment, readSettings, type Settings, variables } from "./Settings.ts"
import type { SvcOptions } from "./SvcOptions.ts"
import { fileVariable } from "./settingValues.ts"

/** What only a process that is the service reads. Container platforms set some of these names for reasons of their own. */
const ofServers = [
  "host",
  "port",
  "adminHost",
  "adminPort",
  "drainSeconds",
  "keepAliveSeconds",
  "databaseWaitSeconds",
  "bootstrapKey"
] as const

/** The name of a setting that an embedded service reads. */
export type EmbeddedName = Exclude<keyof Settings, (typeof ofServers)[number]>

/** A setting as a host gives it: what is parsed from a text, such as a URL, is given as that text. */
export type Given<Name extends EmbeddedName> =
  NonNullable<Settings[Name]> extends string | number | boolean ? NonNullable<Settings[Name]> : string

/** The variables that an embedded service reads, by setting. */
export const embedded: ReadonlyArray<readonly [setting: string, variable: (typeof variables)[keyof Settings]]> =
  Object.entries(variables).filter(([name]) => !ofServers.some((other) => other === name))

/** The environment without what only a server reads, so that none of it can stop a host program. */
const embeddedEnvironment = (environment: Environment): Environment => {
  const names = new Set<string>(ofServers.flatMap((name) => [variables[name].name, fileVariable(variables[name].name)]))
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)))
}

/** What is wrong with the name or the kind of a setting; undefined if nothing. */
const problemOf = (name: string, value: unknown): string | undefined => {
  const names = embedded.map(([setting]) => setting)
  if (ofServers.some((other) => other === name)) return `settings.${name} is only for svc serve: leave it out`
  if (!names.includes(name)) {
    const near = nearestName(name, names)
    return `settings.${name} is unknown${near === undefined ? `: known are ${names.join(", ")}` : `, did you mean ${near}?`}`
  }
  const isGood = typeof value === "string" ? value !== "" : typeof value === "number" || typeof value === "boolean"
  return isGood ? undefined : `settings.${name} must be a non-empty text, a number, true or false`
}

/** Options that name settings. */
interface HostOptions extends Pick<SvcOptions, "databaseUrl" | "publicUrl" | "settings" | "env"> {
  readonly dbPool?: number | undefined
}

/** The settings, and the environment that they amount to. Fails with INVALID_INPUT naming every bad one, never a value. */
export const readHostSettings = ({ databaseUrl, dbPool, env = process.env, publicUrl, settings = {} }: HostOptions) => {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  const problems = given.flatMap(([name, value]) => problemOf(name, value) ?? [])
  if (problems.length > 0) return Result.fail(badSettings(problems))
  const values = new Map<string, unknown>(given)
  const environment: Record<string, string | undefined> = { ...(env === false ? {} : embeddedEnvironment(env)) }
  const labels: Record<string, string> = {}
  for (const [setting, { name }] of embedded) {
    const option = { databaseUrl, dbPool, publicUrl }[setting]
    const value = option ?? values.get(setting)
    if (value === undefined) continue
    environment[name] = String(value)
    environment[fileVariable(name)] = undefined
    labels[name] = option === undefined ? `settings.${setting}` : setting
  }
  return Result.map(readSettings(environment, labels), (read) => ({ settings: read, environment }))
}
