/** Which settings a service inside a host program reads. */
import { type Environment, type Settings, variables } from "./Settings.ts"
import { fileVariable } from "./VariableText.ts"

/** What only a process that is the service reads. Container platforms set some of these names for reasons of their own. */
export const ofServers = [
  "host",
  "port",
  "adminHost",
  "adminPort",
  "drainSeconds",
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
export const embeddedEnvironment = (environment: Environment): Environment => {
  const names = new Set<string>(ofServers.flatMap((name) => [variables[name].name, fileVariable(variables[name].name)]))
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)))
}
