/**
 * The subcommands of `svc`. Only the one in use is loaded, so that short commands start fast; help and unknown words load
 * all of them.
 */

import * as Effect from "effect/Effect"
import type { Listed } from "./generated/flagsOf.ts"
import type { Subcommand, SubcommandGroup } from "./tree.ts"

const catalogue = () => import("./commands/catalogue.ts")
const generated = () => import("./commands/generated.ts")
const operator = () => import("./commands/operator.ts")

/** Loads a subcommand for these arguments; `own` are commands of the host that belong to its group. */
type Load = (own: ReadonlyArray<Listed>, args: ReadonlyArray<string>) => Promise<Subcommand>

/** Whether `svc keys` is for the database itself: `--org` names one of its organizations, or there is no key to use. */
const isForDatabase = async (args: ReadonlyArray<string>): Promise<boolean> => {
  if (args.some((arg) => /^--org(=|$)/.test(arg))) return true
  if (args.some((arg) => /^--base-url(=|$)/.test(arg))) return false
  if (["SVC_API_KEY", "SVC_API_KEY_FILE", "SVC_BASE_URL"].some((name) => (process.env[name] ?? "") !== "")) return false
  const { findProfile } = await import("./profiles.ts")
  return Effect.runPromise(
    Effect.match(findProfile(process.env), { onFailure: () => false, onSuccess: (profile) => profile === undefined })
  )
}

/** Subcommands that are not generated from the catalogue, in the order of the help. */
const written: Readonly<Record<string, Load>> = {
  init: async () => (await import("./commands/auth.ts")).init,
  dev: async () => (await import("./commands/server.ts")).dev,
  serve: async () => (await import("./commands/server.ts")).serve,
  worker: async () => (await import("./commands/server.ts")).worker,
  open: async () => (await import("./commands/open.ts")).open,
  api: async () => (await import("./commands/catalogue.ts")).api,
  commands: async () => (await catalogue()).commands,
  resources: async () => (await catalogue()).resources,
  login: async () => (await import("./commands/auth.ts")).login,
  logout: async () => (await import("./commands/auth.ts")).logout,
  auth: async () => (await import("./commands/auth.ts")).auth,
  whoami: async () => (await catalogue()).whoami,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  explain: async () => (await import("./commands/help.ts")).explain,
  help: async () => (await import("./commands/help.ts")).help,
  completions: async () => (await import("./commands/completions.ts")).completionsOf(() => subcommandsFor([])),
  import: async (own) => (await generated()).generated("import", [(await import("./commands/importFile.ts")).csv], own),
  status: async () => (await import("./commands/status.ts")).status,
  approve: async () => (await import("./commands/approve.ts")).approve,
  why: async () => (await import("./commands/why.ts")).why,
  drafts: async () => (await import("./commands/drafts.ts")).drafts,
  events: async (own) => (await generated()).generated("events", [(await import("./commands/events.ts")).tail], own),
  webhooks: async (own) =>
    (await generated()).generated("webhooks", [(await import("./commands/webhooks.ts")).listenCommand], own),
  listen: async () => (await import("./commands/webhooks.ts")).listenCommand,
  simulate: async () => (await import("./commands/simulate.ts")).simulate,
  logs: async () => (await import("./commands/events.ts")).logs,
  orgs: async () => (await operator()).orgs,
  keys: async (own, args) => {
    const { databaseKeys, keyGenerator } = await operator()
    return (await generated()).generated("keys", (await isForDatabase(args)) ? databaseKeys : [keyGenerator], own)
  },
  audit: async (own) => (await generated()).generated("audit", [(await operator()).verify], own),
  sending: async () => (await operator()).sending,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  backup: async () => (await import("./commands/database.ts")).backup,
  restore: async () => (await import("./commands/database.ts")).restore,
  db: async () => (await import("./commands/database.ts")).db
}

const isWritten = (word: string): boolean => Object.hasOwn(written, word)

const allSubcommands = async (own: ReadonlyArray<Listed>, args: ReadonlyArray<string>) => {
  const { generated: generate, generatedWords } = await generated()
  const words = new Set([...generatedWords, ...own.map(({ id }) => id.split(".")[0] ?? "")])
  return [
    { group: "Service", commands: await Promise.all(Object.values(written).map((one) => one(own, args))) },
    {
      group: "Catalogue commands",
      commands: [...words].filter((word) => !isWritten(word)).map((word) => generate(word, [], own))
    }
  ]
}

const only = (subcommand: Subcommand): ReadonlyArray<SubcommandGroup> => [{ group: "", commands: [subcommand] }]

/** The words before the first flag. */
export const wordsBefore = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = args.findIndex((arg) => arg.startsWith("-"))
  return end === -1 ? args : args.slice(0, end)
}

/** Groups of the catalogue to which something written is added, and those words. */
const mixed = new Set(["audit", "events", "import", "keys", "webhooks"])
const added = new Set(["audit verify", "events tail", "import csv", "webhooks listen"])

/**
 * The subcommand of the first word; all of them for help and unknown words. Words that this program does not know may be
 * commands of the host: of `svc.config.js`, or of the service that the run talks to.
 */
export const subcommandsFor = async (args: ReadonlyArray<string>): Promise<ReadonlyArray<SubcommandGroup>> => {
  const words = wordsBefore(args)
  const [word = ""] = words
  const load = isWritten(word) ? written[word] : undefined
  if (load !== undefined && !mixed.has(word)) return only(await load([], args))
  const { generated: generate, generatedWords, placeOf } = await generated()
  const place = added.has(words.slice(0, 2).join(" ")) ? "command" : placeOf(words)
  const own = place === "command" ? [] : await (await import("./ownCommands.ts")).ownCommands(word, args, place)
  if (load !== undefined) return only(await load(own, args))
  const isWord = word !== "" && (generatedWords.includes(word) || own.some(({ id }) => id.startsWith(`${word}.`)))
  return isWord ? only(generate(word, [], own)) : await allSubcommands(own, args)
}
