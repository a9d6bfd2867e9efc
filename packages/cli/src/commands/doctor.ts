/**
 * `svc doctor`: checks the setup, and says what is wrong and what to do. Lists every setting with its source; secrets are
 * never shown.
 */

import { version } from "@svc/core"
import * as Composition from "@svc/embed/composition"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { clientSettings } from "../clientSettings.ts"
import { type Check, failed, ok, warn } from "../doctor/Check.ts"
import { checkMailboxes, checkUnsubscribing } from "../doctor/checkMail.ts"
import { findTarget } from "../findTarget.ts"
import { CliExit, out, outJson } from "../Output.ts"
import { profilesFile } from "../profiles.ts"
import { dataOf, get, objectsOf, openNothing, sendCommand } from "../Target.ts"
import { renderTable, stdoutSurface } from "../table.ts"
import { unknownVariables } from "../unknownVariables.ts"
import { baseUrl, json } from "./flags.ts"

const checkNode = (): Check => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const found = `${process.versions.node} on ${process.platform} ${process.arch}`
  if (major > 22 || (major === 22 && minor >= 19)) return ok("node", found)
  return major >= 20
    ? warn("node", `${found}; works, but 22.19 or newer is supported`)
    : failed("node", `${found}; install 22.19 or newer`)
}

const shown = (value: unknown): string | number | boolean | null => {
  if (value === undefined || value === null) return null
  if (Redacted.isRedacted(value)) return "<redacted>"
  if (typeof value === "object" && "label" in value) return String(value.label)
  return typeof value === "number" || typeof value === "boolean" ? value : String(value)
}

const isSet = (name: string): boolean => (process.env[name] ?? "") !== ""

/** The source of a variable: `environment`, `file`, or `default` if it is not set. */
const sourceOf = (asked: Composition.VariableName): "default" | "environment" | "file" => {
  const { source } = Composition.findText(process.env, asked)
  return source === "bad" ? (isSet(asked.name) ? "environment" : "file") : source
}

const settingsTable = (settings: Composition.Settings | undefined) => [
  ...Object.entries(Composition.variables).flatMap(([field, asked]) => {
    const { isSecret, meaning, name, defaultValue } = asked
    const value = settings === undefined ? defaultValue : Object.entries(settings).find(([key]) => key === field)?.[1]
    const row = { name, source: sourceOf(asked), value: shown(value), meaning }
    const file = Composition.fileVariable(name)
    const path = process.env[file] ?? ""
    return isSecret && path !== ""
      ? [row, { name: file, source: "environment", value: path, meaning: `File with the value of ${name}` }]
      : [row]
  }),
  ...clientSettings.map(({ meaning, name, secret }) => ({
    name,
    source: isSet(name) ? "environment" : "default",
    value: isSet(name) ? (secret ? "<redacted>" : process.env[name]) : null,
    meaning
  }))
]

/** Warns of secret files that others may read. That may be intended, as in a container, so it is not a failure. */
const checkFiles = (): ReadonlyArray<Check> => {
  const secrets = Object.values(Composition.variables).filter(({ isSecret }) => isSecret)
  const files = ["SVC_API_KEY", ...secrets.map(({ name }) => name)].map(Composition.fileVariable).filter(isSet)
  if (files.length === 0) return []
  const open = files.filter((file) => Composition.isOpenToOthers(process.env[file] ?? ""))
  return [
    open.length === 0
      ? ok("files", `${files.join(", ")}: readable only by you`)
      : warn("files", `${open.join(", ")}: readable by other users of this machine; run chmod 600`)
  ]
}

/** Warns of unknown `SVC_` variables, each with the most similar setting. They may belong to another program. */
const checkUnknown = (): ReadonlyArray<Check> => {
  const names = unknownVariables(process.env).map(({ name, nearest }) =>
    nearest === undefined ? name : `${name} (did you mean ${nearest}?)`
  )
  return names.length === 0 ? [] : [warn("variables", `unknown: ${names.join(", ")}`)]
}

/** Warns if Redis does not respond. Servers work without it. */
const checkLimits = ({ redis }: Composition.Settings): Effect.Effect<ReadonlyArray<Check>> =>
  Effect.gen(function* () {
    if (redis === undefined) return []
    const { makeRedis } = yield* Effect.promise(() => import("@svc/http/redis"))
    const { send } = yield* makeRedis(redis, 2_000)
    return yield* Effect.match(send("PING"), {
      onSuccess: () => [ok("limits", `shared in ${redis.label}`)],
      onFailure: ({ cause }) => {
        const reason = cause instanceof Error ? cause.message : "no response"
        return [warn("limits", `${redis.label}: ${reason} Until it responds, each server counts separately.`)]
      }
    })
  }).pipe(
    Effect.scoped,
    Effect.catch(({ message }) => Effect.succeed([warn("limits", message)]))
  )

const checkSending = ({ linkedinGateway }: Composition.Settings, held: string | undefined): Check => {
  if (held !== undefined) return warn("sending", `held (${held}): nothing is sent; see svc sending status`)
  return linkedinGateway === undefined || linkedinGateway === "simulator" || linkedinGateway === "manual"
    ? warn(
        "sending",
        `${linkedinGateway ?? "simulator in svc dev, manual in svc serve"}: nothing is sent automatically ` +
          "(SVC_LINKEDIN_GATEWAY)"
      )
    : ok("sending", linkedinGateway)
}

/** The service of client commands, whether it holds sending, and their key. Does not open a database. */
const checkService = (
  url: string | undefined
): Effect.Effect<{ readonly checks: ReadonlyArray<Check>; readonly held?: string | undefined }> =>
  Effect.gen(function* () {
    const target = yield* findTarget(process.env, url, openNothing)
    if (target.place.kind === "embedded") {
      return { checks: [ok("service", `no server in use: client commands open ${target.place.label} directly`)] }
    }
    const reply = yield* get(target, "/api/v1/me")
    const { sending_hold: hold, sending_resumed: resumed } = Object((yield* get(target, "/readyz")).body)
    const label = `${target.place.label} (${target.place.kind})`
    const place =
      hold !== undefined
        ? warn("service", `${label}: sending is held (${hold.reason}); see svc sending status`)
        : resumed !== undefined
          ? warn("service", `${label}: sending resumed (${resumed.reason}); see svc sending status`)
          : ok("service", label)
    const held = target.place.kind === "owner" ? hold?.reason : undefined
    if (target.key === undefined)
      return { checks: [place, warn("key", "none; set SVC_API_KEY_FILE or run svc login")], held }
    const { organization_id, scopes } = dataOf(reply)
    const from = `from ${target.key.source}`
    const key =
      reply.status === 200
        ? ok("key", `${from}, ${objectsOf(scopes).length} scopes in ${organization_id}`)
        : failed("key", `${from}: ${Object(reply.body).error?.message}`)
    const listed = yield* sendCommand(target, "email.mailbox.list", {})
    return { checks: [place, key, ...checkMailboxes(dataOf(listed)["mailboxes"])], held }
  }).pipe(
    Effect.scoped,
    Effect.catch(({ message }) => Effect.succeed({ checks: [failed("service", message)] }))
  )

/** `svc doctor`. */
export const doctor = Command.make(
  "doctor",
  { baseUrl, json },
  Effect.fnUntraced(function* ({ baseUrl: url, json: asJson }) {
    const read = Composition.readSettings(process.env)
    const settings = read._tag === "Success" ? read.success : undefined
    // Loaded on use, with the client of the database.
    const { checkDatabase } = yield* Effect.promise(() => import("../doctor/checkDatabase.ts"))
    const database = settings && (yield* checkDatabase(settings))
    const service = yield* checkService(url)
    const checks: ReadonlyArray<Check> = [
      ok("svc", version),
      checkNode(),
      read._tag === "Success" ? ok("settings", "all variables are valid") : failed("settings", read.failure.message),
      ...checkUnknown(),
      ...checkFiles(),
      ...(database?.checks ?? []),
      ...(settings === undefined
        ? []
        : [
            checkSending(settings, database?.held ?? service.held),
            ...checkUnsubscribing(settings),
            ...(yield* checkLimits(settings))
          ]),
      ...service.checks
    ]
    const healthy = checks.every(({ state }) => state !== "fail")
    if (asJson) {
      yield* outJson(
        {
          ok: healthy,
          checks,
          storage: database?.storage ?? [],
          folder: database?.folder ?? null,
          settings: settingsTable(settings),
          profiles_file: profilesFile(process.env)
        },
        true
      )
    } else {
      const rows = checks.map(({ detail, name, state }) => [state, name, detail])
      yield* out(renderTable(["", "check", "result"], rows, stdoutSurface(), { prose: true }))
    }
    if (!healthy) return yield* new CliExit({ exitCode: 1 })
  })
).pipe(
  Command.withDescription("Check settings, database, service and key; --json lists every setting and its source"),
  Command.withShortDescription("Check settings, database, service and key"),
  Command.withExamples([{ command: "svc doctor", description: "Check this setup" }])
)
