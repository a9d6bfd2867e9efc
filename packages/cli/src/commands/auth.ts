/** `svc login`, `svc logout`, `svc auth status | switch`: profiles. */
import { resolve } from "node:path"
import { text as textOfStream } from "node:stream/consumers"
import { type Failure, InvalidInput, NotFound } from "@svc/core"
import { readSettings } from "@svc/embed/composition"
import { readOwner } from "@svc/postgres"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { makeKey } from "../ApiKey.ts"
import { targetInCliTerms } from "../cliTerms.ts"
import { CliExit, isInteractive, note, orRefuse, out, outJson } from "../Output.ts"
import {
  findProfile,
  isProfileName,
  masked,
  type Profiles,
  profilesFile,
  readProfiles,
  writeProfiles
} from "../profiles.ts"
import { dataOf, parseBaseUrl, remoteTarget } from "../Target.ts"
import { renderTable, stdoutSurface } from "../table.ts"
import { baseUrl, json, optionalText } from "./flags.ts"
import { outData, printReply } from "./runCommand.ts"

const defaultBaseUrl = "http://127.0.0.1:4700"

/** The key from standard input or a hidden prompt. An argument would be visible to every process of the machine. */
const readKey = (asJson: boolean) =>
  Effect.gen(function* () {
    if (isInteractive(asJson)) {
      const typed = yield* Prompt.run(Prompt.Hidden({ message: "API key" })).pipe(
        Effect.mapError(() => new CliExit({ exitCode: 130 }))
      )
      return yield* makeKey(Redacted.value(typed), "the prompt")
    }
    if (process.stdin.isTTY) {
      return yield* new InvalidInput({ message: "The key is read from standard input: svc login < key-file" })
    }
    return yield* makeKey(yield* Effect.promise(() => textOfStream(process.stdin)), "standard input")
  })

/** The service that owns the embedded folder, otherwise the one at the usual port. */
const localService: Effect.Effect<string, Failure> = Effect.gen(function* () {
  const { databaseUrl } = yield* Effect.fromResult(readSettings(process.env))
  const owner = databaseUrl._tag === "Pglite" ? yield* readOwner(resolve(databaseUrl.directory)) : undefined
  return owner?.url ?? defaultBaseUrl
})

const nameOf = (given: Option.Option<string>): Effect.Effect<string, Failure> => {
  const name = Option.getOrElse(given, () => process.env["SVC_PROFILE"] || "default")
  return isProfileName(name)
    ? Effect.succeed(name)
    : Effect.fail(
        new InvalidInput({ message: "--profile: use 1 to 64 letters, digits, dots, dashes and underscores." })
      )
}

const profile = optionalText("profile", 'Name of the profile; default SVC_PROFILE, then "default"')

/** Asks for a key and saves it as a profile, if the service takes it. Returns what the service says about it. */
export const logIn = Effect.fnUntraced(function* (given: string | undefined, name: string, asJson: boolean) {
  const asked = given ?? process.env["SVC_BASE_URL"]
  const base = yield* parseBaseUrl(asked || (yield* localService))
  const key = yield* readKey(asJson)
  // Only a valid key is saved.
  const reply = yield* targetInCliTerms(remoteTarget("server", base, key)).send({ method: "GET", path: "/api/v1/me" })
  if (reply.status >= 400) yield* printReply(reply, asJson)
  const { byName } = yield* readProfiles(process.env)
  yield* writeProfiles(process.env, {
    active: name,
    byName: { ...byName, [name]: { baseUrl: base, key: Redacted.value(key.key) } }
  })
  yield* note(`svc: saved as profile ${name} in ${profilesFile(process.env)}.`)
  return { profile: name, base_url: base, ...dataOf(reply) }
})

/** `svc login`. */
export const login = Command.make(
  "login",
  { profile, baseUrl, json },
  ({ baseUrl: given, json: asJson, profile: profileName }) =>
    orRefuse(
      asJson,
      Effect.gen(function* () {
        const name = yield* nameOf(profileName)
        yield* outData(yield* logIn(Option.getOrUndefined(given), name, asJson), asJson)
      })
    )
).pipe(
  Command.withDescription("Log in and save a profile; the API key is read from standard input or a prompt"),
  Command.withShortDescription("Log in and save a profile"),
  Command.withExamples([
    { command: "svc login < .svc/dev-key", description: "The service on this machine, with the key from svc dev" },
    { command: "svc login --profile work --base-url https://svc.example.com", description: "Enter the key at a prompt" }
  ])
)

const without = ({ active, byName }: Profiles, name: string): Profiles => {
  const rest = Object.fromEntries(Object.entries(byName).filter(([other]) => other !== name))
  return { active: active === name ? (Object.keys(rest)[0] ?? "default") : active, byName: rest }
}

const missing = (name: string): Failure =>
  new NotFound({
    kind: "profile",
    id: name,
    message: `Profile ${name} not found. Run svc auth status to list profiles, or svc login to create one.`
  })

/** `svc logout`. */
export const logout = Command.make("logout", { profile, json }, ({ json: asJson, profile: named }) =>
  orRefuse(
    asJson,
    Effect.gen(function* () {
      const profiles = yield* readProfiles(process.env)
      const name = Option.isSome(named) || process.env["SVC_PROFILE"] ? yield* nameOf(named) : profiles.active
      if (!Object.hasOwn(profiles.byName, name)) return yield* missing(name)
      yield* writeProfiles(process.env, without(profiles, name))
      yield* outData({ removed: name }, asJson)
    })
  )
).pipe(
  Command.withDescription(
    "Delete a profile and its key; the key itself stays valid until you revoke it with svc keys revoke"
  ),
  Command.withShortDescription("Delete a profile and its key")
)

const status = Command.make("status", { json }, ({ json: asJson }) =>
  orRefuse(
    asJson,
    Effect.gen(function* () {
      const { byName } = yield* readProfiles(process.env)
      const used = (yield* findProfile(process.env))?.name
      const rows = Object.entries(byName).map(([name, { baseUrl: base, key }]) => ({
        profile: name,
        base_url: base,
        key: masked(key),
        active: name === used
      }))
      if (asJson) return yield* outJson({ file: profilesFile(process.env), profiles: rows }, true)
      if (rows.length === 0) return yield* note("svc: no profiles. Run svc login to create one.")
      yield* out(
        renderTable(
          ["profile", "base_url", "key", "active"],
          rows.map((row) => [row.profile, row.base_url, row.key, row.active ? "yes" : ""]),
          stdoutSurface()
        )
      )
    })
  )
).pipe(Command.withDescription("List profiles, with masked keys"))

const switchTo = Command.make(
  "switch",
  { name: Argument.String("profile").pipe(Argument.withDescription("Name of the profile")), json },
  ({ json: asJson, name }) =>
    orRefuse(
      asJson,
      Effect.gen(function* () {
        const { byName } = yield* readProfiles(process.env)
        if (!isProfileName(name) || !Object.hasOwn(byName, name)) return yield* missing(name.slice(0, 64))
        yield* writeProfiles(process.env, { active: name, byName })
        yield* outData({ profile: name, base_url: byName[name]?.baseUrl }, asJson)
      })
    )
).pipe(Command.withDescription("Switch to another profile"))

/** `svc auth`. */
export const auth = Command.make("auth").pipe(
  Command.withDescription("Manage profiles: saved services and keys"),
  Command.withSubcommands([status, switchTo])
)
