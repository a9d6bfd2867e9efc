/** `svc login`, `svc logout`, `svc auth status | switch`: profiles. `svc init` asks for what a new workspace needs. */

import { resolve } from "node:path"
import type { Failure } from "@svc/core"
import { readSettings } from "@svc/embed/composition"
import { readOwner } from "@svc/postgres"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { targetInCliTerms } from "../cliTerms.ts"
import { findTarget } from "../findTarget.ts"
import { invalid, isInteractive, note, out, outJson } from "../Output.ts"
import * as Profiles from "../profiles.ts"
import { askSecret, readStdin } from "../readSecret.ts"
import { callCommand, dataOf, get, getData, objectsOf, parseBaseUrl, remoteTarget, type Target } from "../Target.ts"
import { renderTable, stdoutSurface } from "../table.ts"
import { baseUrl, json, optionalText } from "./flags.ts"
import { outData } from "./runCommand.ts"

const defaultBaseUrl = "http://127.0.0.1:4700"

/** The key from standard input or a hidden prompt. */
const readKey = Effect.fnUntraced(function* (asJson: boolean) {
  if (isInteractive(asJson)) return yield* Profiles.makeKey(yield* askSecret("API key"), "the prompt")
  if (process.stdin.isTTY) {
    return yield* invalid("The key is read from standard input: svc login < key-file")
  }
  return yield* Profiles.makeKey(yield* readStdin, "standard input")
})

/** The service that owns the embedded folder, otherwise the one at the usual port. */
const localService: Effect.Effect<string, Failure> = Effect.gen(function* () {
  const { databaseUrl } = yield* Effect.fromResult(readSettings(process.env))
  const owner = databaseUrl._tag === "Pglite" ? yield* readOwner(resolve(databaseUrl.directory)) : undefined
  return owner?.url ?? defaultBaseUrl
})

const nameOf = (given: string | undefined): Effect.Effect<string, Failure> => {
  const name = given ?? (process.env["SVC_PROFILE"] || "default")
  return Profiles.isProfileName(name)
    ? Effect.succeed(name)
    : invalid("--profile: use 1 to 64 letters, digits, dots, dashes and underscores.")
}

const profile = optionalText("profile", 'Name of the profile; default SVC_PROFILE, then "default"')

/** Asks for a key and saves it as a profile, if the service takes it. Returns what the service says about it. */
const logIn = Effect.fnUntraced(function* (given: string | undefined, name: string, asJson: boolean) {
  const asked = given ?? process.env["SVC_BASE_URL"]
  const base = yield* parseBaseUrl(asked || (yield* localService))
  const key = yield* readKey(asJson)
  // Only a valid key is saved.
  const me = yield* getData(targetInCliTerms(remoteTarget("server", base, key)), "/api/v1/me")
  const { byName } = yield* Profiles.readProfiles(process.env)
  yield* Profiles.writeProfiles(process.env, {
    active: name,
    byName: { ...byName, [name]: { baseUrl: base, key: Redacted.value(key.key) } }
  })
  yield* note(`svc: saved as profile ${name} in ${Profiles.profilesFile(process.env)}.`)
  return { profile: name, base_url: base, ...me }
})

/** `svc login`. */
export const login = Command.make(
  "login",
  { profile, baseUrl, json },
  Effect.fnUntraced(function* ({ baseUrl: given, json: asJson, profile: profileName }) {
    const name = yield* nameOf(profileName)
    yield* outData(yield* logIn(given, name, asJson), asJson)
  })
).pipe(
  Command.withDescription("Log in and save a profile; the API key is read from standard input or a prompt"),
  Command.withShortDescription("Log in and save a profile"),
  Command.withExamples([
    { command: "svc login < .svc/dev-key", description: "The service on this machine, with the key from svc dev" },
    { command: "svc login --profile work --base-url https://svc.example.com", description: "Enter the key at a prompt" }
  ])
)

const without = ({ active, byName }: Profiles.Profiles, name: string): Profiles.Profiles => {
  const rest = Object.fromEntries(Object.entries(byName).filter(([other]) => other !== name))
  return { active: active === name ? (Object.keys(rest)[0] ?? "default") : active, byName: rest }
}

/** `svc logout`. */
export const logout = Command.make(
  "logout",
  { profile, json },
  Effect.fnUntraced(function* ({ json: asJson, profile: named }) {
    const profiles = yield* Profiles.readProfiles(process.env)
    const name = named !== undefined || process.env["SVC_PROFILE"] ? yield* nameOf(named) : profiles.active
    if (!Object.hasOwn(profiles.byName, name)) return yield* Profiles.profileNotFound(name, profiles.byName)
    yield* Profiles.writeProfiles(process.env, without(profiles, name))
    yield* outData({ removed: name }, asJson)
  })
).pipe(
  Command.withDescription(
    "Delete a profile and its key; the key itself stays valid until you revoke it with svc keys revoke"
  ),
  Command.withShortDescription("Delete a profile and its key")
)

const status = Command.make(
  "status",
  { json },
  Effect.fnUntraced(function* ({ json: asJson }) {
    const { byName } = yield* Profiles.readProfiles(process.env)
    const used = (yield* Profiles.findProfile(process.env))?.name
    const rows = Object.entries(byName).map(([name, { baseUrl: base, key }]) => ({
      profile: name,
      base_url: base,
      key: Profiles.masked(key),
      active: name === used
    }))
    if (asJson) return yield* outJson({ file: Profiles.profilesFile(process.env), profiles: rows }, true)
    if (rows.length === 0) return yield* note("svc: no profiles. Run svc login to create one.")
    const cells = rows.map(({ active, base_url, key, profile }) => [profile, base_url, key, active ? "yes" : ""])
    yield* out(renderTable(["profile", "base_url", "key", "active"], cells, stdoutSurface()))
  })
).pipe(Command.withDescription("List profiles, with masked keys"))

const switchTo = Command.make(
  "switch",
  { name: Argument.String("profile").pipe(Argument.withDescription("Name of the profile")), json },
  Effect.fnUntraced(function* ({ json: asJson, name }) {
    const { byName } = yield* Profiles.readProfiles(process.env)
    if (!Profiles.isProfileName(name) || !Object.hasOwn(byName, name))
      return yield* Profiles.profileNotFound(name, byName)
    yield* Profiles.writeProfiles(process.env, { active: name, byName })
    yield* outData({ profile: name, base_url: byName[name]?.baseUrl }, asJson)
  })
).pipe(Command.withDescription("Switch to another profile"))

/** `svc auth`. */
export const auth = Command.make("auth").pipe(
  Command.withDescription("Manage profiles: saved services and keys"),
  Command.withSubcommands([status, switchTo])
)

/** How a person is asked, and told. */
interface Conversation<E, R> {
  readonly ask: (question: string, usual?: string) => Effect.Effect<string, E, R>
  readonly tell: (text: string) => Effect.Effect<void>
}

/**
 * Creates what is missing, after asking for it, and says what exists already. Returns the handle of the mission. Fails as
 * the commands do; what was created before stays, so that the next run continues there.
 */
export const guidedSetup = Effect.fnUntraced(function* <E, R>(target: Target, { ask, tell }: Conversation<E, R>) {
  const [known] = objectsOf((yield* callCommand(target, "agent.list", { limit: 1 }))["agents"])
  let agent = String(known?.["handle"])
  if (known === undefined) {
    const first_name = yield* ask("First name of the person who writes the messages")
    const last_name = yield* ask("Last name")
    const timezone = yield* ask("Time zone of the working hours", Intl.DateTimeFormat().resolvedOptions().timeZone)
    const made = yield* callCommand(target, "agent.create", { first_name, last_name, timezone })
    agent = String(Object(made["agent"]).handle)
    yield* tell(`Created the agent ${agent}.`)
  } else yield* tell(`Using the agent ${agent}.`)

  const accounts = objectsOf((yield* callCommand(target, "linkedin.account.list", {}))["accounts"])
  if (accounts.some(({ agent_handle }) => agent_handle === agent)) yield* tell(`${agent} has a LinkedIn account.`)
  else {
    const linked = yield* callCommand(target, "linkedin.account.link", { agent_handle: agent })
    const url = Object.values(linked).find((value) => typeof value === "string" && /^https?:/.test(value))
    yield* tell(
      url === undefined
        ? `Linked the LinkedIn account of ${agent}.`
        : `Connect the LinkedIn account here: ${String(url)}`
    )
  }

  const firstMission = Effect.map(get(target, "/api/v1/missions?limit=1"), (reply) => {
    const [first] = objectsOf(dataOf(reply)["missions"])
    return first && String(first["handle"])
  })
  const running = yield* firstMission
  if (running !== undefined) {
    yield* tell(`Using the mission ${running}.`)
    return running
  }
  const name = yield* ask("Name of your first mission", "First mission")
  const description = yield* ask("Who are the people, and why do you write to them?")
  const channels = ["LINKEDIN"]
  yield* callCommand(target, "mission.create", { name, description, channels, agent_handle: agent })
  const handle = String(yield* firstMission)
  yield* tell(`Created the mission ${handle}.`)
  return handle
})

const ask = (message: string, usual?: string) =>
  Prompt.run(
    Prompt.String({
      message,
      ...(usual === undefined ? {} : { default: usual }),
      validate: (value) => (value.trim() === "" ? Effect.fail("Required") : Effect.succeed(value.trim()))
    })
  )

/** The service to set up; without a key, after logging in. */
const reach = Effect.fnUntraced(function* (url: string | undefined) {
  const found = yield* findTarget(process.env, url)
  if (found.key !== undefined) return found
  yield* logIn(url, "default", false)
  return yield* findTarget(process.env, url)
})

/** `svc init`. */
export const init = Command.make(
  "init",
  { baseUrl },
  Effect.fnUntraced(function* ({ baseUrl: url }) {
    if (!isInteractive(false)) {
      return yield* invalid(
        "svc init asks questions on a terminal. Elsewhere use svc login, svc agent create and svc mission create."
      )
    }
    const target = targetInCliTerms(yield* reach(url))
    yield* getData(target, "/api/v1/me")
    const mission = yield* guidedSetup(target, { ask, tell: (text) => note(`svc: ${text}`) })
    yield* note(
      `svc: Ready. Import people with svc import csv people.csv --mission ${mission}, describe your offer with ` +
        "svc offer create, and review drafts with svc drafts review."
    )
  }, Effect.scoped)
).pipe(
  Command.withDescription("Set up a workspace step by step: log in, agent, LinkedIn account, first mission"),
  Command.withShortDescription("Set up a workspace step by step"),
  Command.withExamples([{ command: "svc init", description: "Asks for what is missing" }])
)
