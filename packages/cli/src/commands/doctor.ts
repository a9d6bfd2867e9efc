/**
 * `svc doctor`: whether everything that a run needs is there, what is wrong, and what to do.
 *
 * Every setting is listed with where it comes from; a secret is never shown. Source: contract 2 and 3; ecosystem 4b.
 */
import { access, constants } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import type { Failure } from "@svc/core/Failure"
import { version } from "@svc/core/Version"
import { readSettings, type Settings, variables } from "@svc/embed/Settings"
import { type AskedVariable, fileVariable, findText, isOpenToOthers } from "@svc/embed/VariableText"
import { describeOwner, readOwner } from "@svc/postgres/FolderLock"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { findTarget } from "../findTarget.ts"
import { CliExit, out, outJson } from "../Output.ts"
import { profilesFile } from "../profiles.ts"
import { dataOf } from "../Target.ts"
import { renderTable, stdoutSurface } from "../table.ts"
import { clientVariables, unknownVariables } from "../unknownVariables.ts"
import { baseUrl, json } from "./flags.ts"

interface Check {
  readonly name: string
  readonly state: "ok" | "warn" | "fail"
  readonly detail: string
}

const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail })
const warn = (name: string, detail: string): Check => ({ name, state: "warn", detail })
const failed = (name: string, { message }: Failure): Check => ({ name, state: "fail", detail: message })

const checkNode = (): Check => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const found = `${process.versions.node} on ${process.platform} ${process.arch}`
  if (major > 22 || (major === 22 && minor >= 19)) return ok("node", found)
  return major >= 20
    ? warn("node", `${found}; runs, but 22.19 or newer is supported`)
    : { name: "node", state: "fail", detail: `${found}; install 22.19 or newer` }
}

const shown = (value: unknown): string | number | boolean | null => {
  if (value === undefined || value === null) return null
  if (Redacted.isRedacted(value)) return "<redacted>"
  if (typeof value === "object" && "label" in value) return String(value.label)
  return typeof value === "number" || typeof value === "boolean" ? value : String(value)
}

const isSet = (name: string): boolean => (process.env[name] ?? "") !== ""

/** Whether a variable counts, and by what: `environment`, `file`, or `default` when nothing was said. */
const sourceOf = (asked: AskedVariable): "default" | "environment" | "file" => {
  const { source } = findText(process.env, asked)
  return source === "bad" ? (isSet(asked.name) ? "environment" : "file") : source
}

const settingsTable = (settings: Settings | undefined) => [
  ...Object.entries(variables).flatMap(([field, asked]) => {
    const { isSecret, meaning, name, standard } = asked
    const value = settings === undefined ? standard : Object.entries(settings).find(([key]) => key === field)?.[1]
    const row = { name, source: sourceOf(asked), value: shown(value), meaning }
    const file = fileVariable(name)
    const path = process.env[file] ?? ""
    return isSecret && path !== ""
      ? [row, { name: file, source: "environment", value: path, meaning: `File with the value of ${name}` }]
      : [row]
  }),
  ...clientVariables.map((name) => ({
    name,
    source: isSet(name) ? "environment" : "default",
    value: !isSet(name) ? null : name === "SVC_API_KEY" ? "<redacted>" : (process.env[name] ?? null),
    meaning: "How a client command finds its service and key"
  }))
]

/** The files of secrets that others may read: right for what a container's host mounts, wrong for a file of one's own. */
const checkFiles = (): ReadonlyArray<Check> => {
  const secrets = Object.values(variables).filter(({ isSecret }) => isSecret)
  const files = ["SVC_API_KEY", ...secrets.map(({ name }) => name)].map(fileVariable).filter(isSet)
  if (files.length === 0) return []
  const open = files.filter((file) => isOpenToOthers(process.env[file] ?? ""))
  return [
    open.length === 0
      ? ok("files", `${files.join(", ")}: nobody else may read them`)
      : warn("files", `${open.join(", ")}: others on this machine may read what they name; run chmod 600 on it`)
  ]
}

/** What looks like a setting and is none. It may be another program's, so it is no failure. */
const checkUnknown = (): ReadonlyArray<Check> => {
  const names = unknownVariables(process.env)
  return names.length === 0 ? [] : [warn("variables", `nothing reads ${names.join(", ")}`)]
}

/** Whether the Redis of shared limits answers; a server does its work without it. */
const checkLimits = ({ redis }: Settings): Effect.Effect<ReadonlyArray<Check>> => {
  if (redis === undefined) return Effect.succeed([])
  return Effect.promise(async () => {
    const { makeRedisClient } = await import("@svc/http/redis/RedisClient")
    const client = makeRedisClient(redis, 2_000)
    try {
      await client.send(["PING"])
      return [ok("limits", `shared in ${redis.label}`)]
    } catch (error) {
      const reason = error instanceof Error ? error.message : "it does not answer"
      return [warn("limits", `${redis.label}: ${reason} Until it answers each server counts for itself.`)]
    } finally {
      client.close()
    }
  })
}

const checkFolder = (directory: string): Effect.Effect<Check> =>
  Effect.gen(function* () {
    const owner = yield* Effect.option(readOwner(directory))
    if (Option.isSome(owner) && owner.value !== undefined) return ok("database", describeOwner(directory, owner.value))
    const parent = dirname(directory)
    const writable = yield* Effect.promise(() =>
      access(parent, constants.W_OK).then(
        () => true,
        () =>
          access(dirname(parent), constants.W_OK).then(
            () => true,
            () => false
          )
      )
    )
    return writable
      ? ok("database", `${directory} (embedded, nobody has it open)`)
      : {
          name: "database",
          state: "fail",
          detail: `${directory} cannot be written; choose another folder with SVC_DATABASE_URL`
        }
  })

const checkDatabase = ({ databaseUrl }: Settings): Effect.Effect<Check> => {
  if (databaseUrl._tag === "Memory")
    return Effect.succeed(warn("database", "memory: nothing is kept after the process"))
  if (databaseUrl._tag === "Pglite") return checkFolder(resolve(databaseUrl.directory))
  return Effect.gen(function* () {
    const Database = yield* Effect.promise(() => import("@svc/postgres/Database"))
    const Migrator = yield* Effect.promise(() => import("@svc/postgres/Migrator"))
    const context = yield* Layer.build(Database.layer(databaseUrl, { maxConnections: 1 }))
    const { applied, pending } = yield* Effect.provideContext(Migrator.status(), context)
    const schema = `schema ${applied.length}/${applied.length + pending.length}`
    return pending.length === 0
      ? ok("database", `${databaseUrl.label}, ${schema}`)
      : warn("database", `${databaseUrl.label}, ${schema}; run svc db plan, then svc db migrate`)
  }).pipe(
    Effect.scoped,
    Effect.catch((failure) => Effect.succeed(failed("database", failure)))
  )
}

const checkSending = ({ linkedinGateway }: Settings): Check =>
  linkedinGateway === undefined || linkedinGateway === "simulator" || linkedinGateway === "manual"
    ? warn(
        "sending",
        `${linkedinGateway ?? "simulator in svc dev, manual in svc serve"}: nothing leaves by itself (SVC_LINKEDIN_GATEWAY)`
      )
    : ok("sending", linkedinGateway)

/** The service that a client command would ask, and as whom. A database is not opened for it. */
const checkService = (url: string | undefined): Effect.Effect<ReadonlyArray<Check>> =>
  Effect.gen(function* () {
    const target = yield* findTarget(process.env, url, () =>
      Effect.succeed(() => Promise.reject(new Error("nothing is opened for a look")))
    )
    if (target.place.kind === "embedded") {
      return [ok("service", `no server is asked: a client command opens ${target.place.label} itself`)]
    }
    const reply = yield* target.ask({ method: "GET", path: "/api/v1/me" })
    const place = ok("service", `${target.place.label} (${target.place.kind})`)
    if (target.key === undefined) return [place, warn("key", "none; set SVC_API_KEY_FILE or run svc login")]
    const { organization_id, scopes } = dataOf(reply)
    return reply.status === 200
      ? [
          place,
          ok(
            "key",
            `from ${target.key.source}, ${Array.isArray(scopes) ? scopes.length : 0} scopes in ${organization_id}`
          )
        ]
      : [
          place,
          {
            name: "key",
            state: "fail" as const,
            detail: `from ${target.key.source}: ${Object(reply.body).error?.message}`
          }
        ]
  }).pipe(
    Effect.scoped,
    Effect.catch((failure) => Effect.succeed([failed("service", failure)]))
  )

/** `svc doctor`. */
export const doctor = Command.make(
  "doctor",
  { baseUrl, json },
  Effect.fnUntraced(function* ({ baseUrl: url, json: asJson }) {
    const read = readSettings(process.env)
    const settings = read._tag === "Success" ? read.success : undefined
    const checks: Array<Check> = [
      ok("svc", version),
      checkNode(),
      read._tag === "Success" ? ok("settings", "every variable can be read") : failed("settings", read.failure)
    ]
    checks.push(...checkUnknown(), ...checkFiles())
    if (settings !== undefined) {
      checks.push(yield* checkDatabase(settings), checkSending(settings), ...(yield* checkLimits(settings)))
    }
    checks.push(...(yield* checkService(Option.getOrUndefined(url))))
    const healthy = checks.every(({ state }) => state !== "fail")
    if (asJson) {
      yield* outJson(
        { ok: healthy, checks, settings: settingsTable(settings), profiles_file: profilesFile(process.env) },
        true
      )
    } else {
      yield* out(
        renderTable(
          ["", "check", "what was found"],
          checks.map(({ detail, name, state }) => [state, name, detail]),
          stdoutSurface()
        )
      )
    }
    if (!healthy) return yield* new CliExit({ exitCode: 1 })
  })
).pipe(
  Command.withDescription("Check settings, database, service and key; --json lists every setting with its source"),
  Command.withExamples([{ command: "svc doctor", description: "What is here, and what is missing" }])
)
