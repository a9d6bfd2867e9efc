/**
 * The subcommands of `svc`. Only the one in use is loaded, so that short commands start fast; help and unknown words load
 * all of them.
 */
import * as Effect from "effect/Effect"
import type { Listed } from "./generated/Listed.ts"
import type { Subcommand, SubcommandGroup } from "./Subcommand.ts"

const catalogue = () => import("./commands/catalogue.ts")
const generated = () => import("./commands/generated.ts")
const operator = () => import("./commands/operator.ts")
const others = () => import("./commands/others.ts")

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
const written = {
  init: async () => (await others()).init,
  dev: async () => (await others()).dev,
  serve: async () => (await others()).serve,
  worker: async () => (await others()).worker,
  open: async () => (await others()).open,
  api: async () => (await others()).api,
  commands: async () => (await catalogue()).commands,
  resources: async () => (await catalogue()).resources,
  login: async () => (await others()).login,
  logout: async () => (await others()).logout,
  auth: async () => (await others()).auth,
  whoami: async () => (await catalogue()).whoami,
  doctor: async () => (await others()).doctor,
  explain: async () => (await others()).explain,
  help: async () => (await others()).help,
  completions: async () => (await others()).completionsOf(() => subcommandsFor([])),
  import: async (own: ReadonlyArray<Listed>) => (await generated()).generated("import", [(await others()).csv], own),
  drafts: async () => (await others()).drafts,
  events: async (own: ReadonlyArray<Listed>) => (await generated()).generated("events", [(await others()).tail], own),
  webhooks: async (own: ReadonlyArray<Listed>) =>
    (await generated()).generated("webhooks", [(await others()).listenCommand], own),
  listen: async () => (await others()).listenCommand,
  simulate: async () => (await others()).simulate,
  logs: async () => (await others()).logs,
  orgs: async () => (await operator()).orgs,
  keys: async (own: ReadonlyArray<Listed>, args: ReadonlyArray<string>) => {
    const { databaseKeys, keyGenerator } = await operator()
    return (await generated()).generated("keys", (await isForDatabase(args)) ? databaseKeys : [keyGenerator], own)
  },
  audit: async (own: ReadonlyArray<Listed>) => (await generated()).generated("audit", [(await operator()).verify], own),
  sending: async () => (await operator()).sending,
  mcp: async () => (await others()).mcp,
  db: async () => (await others()).db
} satisfies Readonly<Record<string, Load>>

const isWritten = (word: string): word is keyof typeof written => Object.hasOwn(written, word)

const allSubcommands = async (
  own: ReadonlyArray<Listed>,
  args: ReadonlyArray<string>
): Promise<ReadonlyArray<SubcommandGroup>> => {
  const { generated: generate, generatedWords } = await generated()
  const words = new Set([...generatedWords, ...own.map(({ id }) => id.split(".")[0] ?? "")])
  return [
    { group: "Service", commands: await Promise.all(Object.values<Load>(written).map((one) => one(own, args))) },
    {
      group: "Catalogue commands",
      commands: [...words].filter((word) => !isWritten(word)).map((word) => generate(word, [], own))
    }
  ]
}

const load = (
  word: keyof typeof written,
  own: ReadonlyArray<Listed>,
  args: ReadonlyArray<string>
): ReturnType<Load> => {
  const one: Load = written[word]
  return one(own, args)
}

const only = (subcommand: Subcommand): ReadonlyArray<SubcommandGroup> => [{ group: "", commands: [subcommand] }]

/** The words before the first flag. */
const wordsBefore = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
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
  if (isWritten(word) && !mixed.has(word)) return only(await load(word, [], args))
  const { generated: generate, generatedWords, placeOf } = await generated()
  const place = added.has(words.slice(0, 2).join(" ")) ? "command" : placeOf(words)
  const own = place === "command" ? [] : await (await import("./ownCommands.ts")).ownCommands(word, args, place)
  if (isWritten(word)) return only(await load(word, own, args))
  const isWord = word !== "" && (generatedWords.includes(word) || own.some(({ id }) => id.startsWith(`${word}.`)))
  return isWord ? only(generate(word, [], own)) : await allSubcommands(own, args)
}
