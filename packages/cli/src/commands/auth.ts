/** `svc login`, `svc logout`, `svc auth status | switch`: profiles. Source: contract 2; G38; ecosystem research 1.1. */
import { text as textOfStream } from "node:stream/consumers"
import { type Failure, fail } from "@svc/core/Failure"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { makeKey } from "../ApiKey.ts"
import { CliExit, note, out, outJson, refuse } from "../Output.ts"
import {
  findProfile,
  isProfileName,
  masked,
  type Profiles,
  profilesFile,
  readProfiles,
  writeProfiles
} from "../profiles.ts"
import { address, dataOf, remote } from "../Target.ts"
import { renderTable, stdoutSurface } from "../table.ts"
import { printReply } from "./answer.ts"
import { baseUrl, json } from "./flags.ts"

const standardAddress = "http://127.0.0.1:4700"

const interactive = (asJson: boolean): boolean =>
  process.stdin.isTTY && process.stderr.isTTY && !asJson && (process.env["CI"] ?? "") === ""

/** The key, from standard input or a hidden prompt: an argument would be seen by every process of the machine. */
const readKey = (asJson: boolean) =>
  Effect.gen(function* () {
    if (interactive(asJson)) {
      const typed = yield* Prompt.run(Prompt.Hidden({ message: "API key" })).pipe(
        Effect.mapError(() => new CliExit({ exitCode: 130 }))
      )
      return yield* makeKey(Redacted.value(typed), "The prompt")
    }
    if (process.stdin.isTTY) {
      return yield* fail("INVALID_INPUT", "The key is read from standard input: svc login < key-file")
    }
    return yield* makeKey(yield* Effect.promise(() => textOfStream(process.stdin)), "Standard input")
  })

const nameOf = (given: Option.Option<string>): Effect.Effect<string, Failure> => {
  const name = Option.getOrElse(given, () => process.env["SVC_PROFILE"] || "default")
  return isProfileName(name)
    ? Effect.succeed(name)
    : Effect.fail(fail("INVALID_INPUT", "--profile: a name has 1 to 64 letters, digits, dots, dashes and underscores."))
}

const saying = <A, R>(asJson: boolean, run: Effect.Effect<A, Failure | CliExit, R>): Effect.Effect<A, CliExit, R> =>
  Effect.catchTag(run, "Failure", (failure) => refuse(failure, asJson))

const profile = Flag.String("profile").pipe(
  Flag.withDescription("Name of the profile; SVC_PROFILE, then default"),
  Flag.optional
)

/** `svc login`. */
export const login = Command.make(
  "login",
  { profile, baseUrl, json },
  ({ baseUrl: given, json: asJson, profile: named }) =>
    saying(
      asJson,
      Effect.gen(function* () {
        const name = yield* nameOf(named)
        const base = yield* address(Option.getOrElse(given, () => process.env["SVC_BASE_URL"] || standardAddress))
        const key = yield* readKey(asJson)
        // A key that is kept has been tried.
        const reply = yield* remote("server", base, key).ask({ method: "GET", path: "/api/v1/me" })
        if (reply.status >= 400) return yield* printReply(reply, asJson)
        const { byName } = yield* readProfiles(process.env)
        yield* writeProfiles(process.env, {
          active: name,
          byName: { ...byName, [name]: { baseUrl: base, key: Redacted.value(key.key) } }
        })
        yield* note(`svc: kept as profile ${name} in ${profilesFile(process.env)}.`)
        yield* outJson({ profile: name, base_url: base, ...dataOf(reply) }, asJson)
      })
    )
).pipe(
  Command.withDescription(
    "Keep an address and its API key as a profile; the key is read from standard input or a prompt"
  ),
  Command.withExamples([
    { command: "svc login < .svc/dev-key", description: "The service on this machine, with the key of svc dev" },
    { command: "svc login --profile work --base-url https://svc.example.com", description: "Type the key" }
  ])
)

const without = ({ active, byName }: Profiles, name: string): Profiles => {
  const rest = Object.fromEntries(Object.entries(byName).filter(([other]) => other !== name))
  return { active: active === name ? (Object.keys(rest)[0] ?? "default") : active, byName: rest }
}

const missing = (name: string): Failure =>
  fail("NOT_FOUND", `There is no profile ${name}. Run svc auth status to see them all, or svc login to make one.`)

/** `svc logout`. */
export const logout = Command.make("logout", { profile, json }, ({ json: asJson, profile: named }) =>
  saying(
    asJson,
    Effect.gen(function* () {
      const profiles = yield* readProfiles(process.env)
      const name = Option.isSome(named) || process.env["SVC_PROFILE"] ? yield* nameOf(named) : profiles.active
      if (!Object.hasOwn(profiles.byName, name)) return yield* missing(name)
      yield* writeProfiles(process.env, without(profiles, name))
      yield* outJson({ removed: name }, asJson)
    })
  )
).pipe(
  Command.withDescription(
    "Forget a profile and its key; the key itself stays valid until it is revoked with svc keys revoke"
  )
)

const status = Command.make("status", { json }, ({ json: asJson }) =>
  saying(
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
      if (rows.length === 0) return yield* note("svc: there is no profile. Run svc login to make one.")
      yield* out(
        renderTable(
          ["profile", "base_url", "key", "active"],
          rows.map((row) => [row.profile, row.base_url, row.key, row.active ? "yes" : ""]),
          stdoutSurface()
        )
      )
    })
  )
).pipe(Command.withDescription("List the profiles, with their keys masked"))

const switchTo = Command.make(
  "switch",
  { name: Argument.String("profile").pipe(Argument.withDescription("Name of the profile")), json },
  ({ json: asJson, name }) =>
    saying(
      asJson,
      Effect.gen(function* () {
        const { byName } = yield* readProfiles(process.env)
        if (!isProfileName(name) || !Object.hasOwn(byName, name))
          return yield* missing(isProfileName(name) ? name : "of that name")
        yield* writeProfiles(process.env, { active: name, byName })
        yield* outJson({ profile: name, base_url: byName[name]?.baseUrl }, asJson)
      })
    )
).pipe(Command.withDescription("Make another profile the active one"))

/** `svc auth`. */
export const auth = Command.make("auth").pipe(
  Command.withDescription("Profiles: which services are known, and which is asked"),
  Command.withSubcommands([status, switchTo])
)
