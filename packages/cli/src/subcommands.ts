/**
 * The subcommands of `svc`. Only the one in use is loaded, so that short commands start fast; help and unknown words load
 * all of them.
 */
import type { Listed } from "./commands/generated.ts"
import type { Subcommand, SubcommandGroup } from "./Subcommand.ts"

const auth = () => import("./commands/auth.ts")
const catalogue = () => import("./commands/catalogue.ts")
const generated = () => import("./commands/generated.ts")
const operator = () => import("./commands/operator.ts")
const server = () => import("./commands/server.ts")

/** Loads a subcommand; `own` are commands of the host that belong to its group. */
type Load = (own: ReadonlyArray<Listed>) => Promise<Subcommand>

/** Subcommands that are not generated from the catalogue, in the order of the help. */
const written = {
  dev: async () => (await server()).dev,
  serve: async () => (await server()).serve,
  worker: async () => (await server()).worker,
  open: async () => (await import("./commands/open.ts")).open,
  commands: async () => (await catalogue()).commands,
  resources: async () => (await catalogue()).resources,
  login: async () => (await auth()).login,
  logout: async () => (await auth()).logout,
  auth: async () => (await auth()).auth,
  whoami: async () => (await catalogue()).whoami,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  explain: async () => (await import("./commands/explain.ts")).explain,
  help: async () => (await import("./commands/help.ts")).help,
  completions: async () => (await import("./commands/completions.ts")).completionsOf(() => subcommandsFor([])),
  import: async (own: ReadonlyArray<Listed>) =>
    (await generated()).generated("import", [(await import("./commands/importFile.ts")).csv], own),
  drafts: async () => (await import("./commands/drafts.ts")).drafts,
  report: async () => (await import("./commands/report.ts")).report,
  events: async () => (await import("./commands/events.ts")).events,
  webhooks: async () => (await import("./commands/webhooks.ts")).webhooks,
  orgs: async () => (await operator()).orgs,
  keys: async () => (await operator()).keys,
  audit: async (own: ReadonlyArray<Listed>) => (await generated()).generated("audit", [(await operator()).verify], own),
  sending: async () => (await operator()).sending,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  db: async () => (await import("./commands/database.ts")).db
} satisfies Readonly<Record<string, Load>>

const isWritten = (word: string): word is keyof typeof written => Object.hasOwn(written, word)

const allSubcommands = async (own: ReadonlyArray<Listed>): Promise<ReadonlyArray<SubcommandGroup>> => {
  const { generated: generate, generatedWords } = await generated()
  const words = new Set([...generatedWords, ...own.map(({ id }) => id.split(".")[0] ?? "")])
  return [
    { group: "Service", commands: await Promise.all(Object.values<Load>(written).map((one) => one(own))) },
    {
      group: "Catalogue commands",
      commands: [...words].filter((word) => !isWritten(word)).map((word) => generate(word, [], own))
    }
  ]
}

const load = (word: keyof typeof written, own: ReadonlyArray<Listed>): ReturnType<Load> => {
  const one: Load = written[word]
  return one(own)
}

const only = (subcommand: Subcommand): ReadonlyArray<SubcommandGroup> => [{ group: "", commands: [subcommand] }]

/** The words before the first flag. */
const wordsBefore = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = args.findIndex((arg) => arg.startsWith("-"))
  return end === -1 ? args : args.slice(0, end)
}

/** Words that something written adds to a group of the catalogue. */
const added = new Set(["import csv", "audit verify"])

/**
 * The subcommand of the first word; all of them for help and unknown words. Words that this program does not know may be
 * commands of the host: of `svc.config.js`, or of the service that the run talks to.
 */
export const subcommandsFor = async (args: ReadonlyArray<string>): Promise<ReadonlyArray<SubcommandGroup>> => {
  const words = wordsBefore(args)
  const [word = ""] = words
  if (isWritten(word) && word !== "import" && word !== "audit") return only(await load(word, []))
  const { generated: generate, generatedWords, placeOf } = await generated()
  const place = added.has(words.slice(0, 2).join(" ")) ? "command" : placeOf(words)
  const own = place === "command" ? [] : await (await import("./ownCommands.ts")).ownCommands(word, args, place)
  if (isWritten(word)) return only(await load(word, own))
  const isWord = word !== "" && (generatedWords.includes(word) || own.some(({ id }) => id.startsWith(`${word}.`)))
  return isWord ? only(generate(word, [], own)) : await allSubcommands(own)
}
