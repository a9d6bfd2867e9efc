/** Options by their earlier names. */
import * as Effect from "effect/Effect"
import type { SvcOptions } from "./SvcOptions.ts"

/** Names that still work, and the option that has taken their place. */
export const renamed: Readonly<Record<string, string>> = {
  databaseUrl: "database",
  callerOf: "auth",
  "settings.databaseUrl": "database",
  "settings.dbPool": "database.pool",
  "settings.linkedinGateway": "gateway",
  "settings.mcpActorKind": "mcpActorKind",
  "settings.publicUrl": "publicUrl",
  "settings.rateLimit": "rateLimit"
}

type OldOptions = Pick<SvcOptions, "auth" | "callerOf" | "database" | "databaseUrl">

/** The database and the ways to authenticate, by whichever name they were given. */
export const currentOptions = ({ auth, callerOf, database, databaseUrl }: OldOptions) => ({
  auth: auth ?? [callerOf ?? "keys"],
  database: database ?? databaseUrl
})

const warned = new Set<string>()

/** Warns of each old name that is in use, once in a process. */
export const warnOfOldNames = (options: object): Effect.Effect<void> => {
  const valueAt = (path: string) => path.split(".").reduce<unknown>((at, name) => Object(at)[name], options)
  const used = Object.keys(renamed).filter((name) => !warned.has(name) && valueAt(name) !== undefined)
  return Effect.forEach(
    used,
    (name) => {
      warned.add(name)
      return Effect.logWarning(`createSvc: ${name} is deprecated. Use ${renamed[name]} instead.`)
    },
    { discard: true }
  )
}
