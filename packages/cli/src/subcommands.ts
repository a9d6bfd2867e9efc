/**
 * The subcommands of `svc`. Only the one in use is loaded, so that short commands start fast; help and unknown words load
 * all of them.
 */
import type { Subcommand, SubcommandGroup } from "./Subcommand.ts"

const auth = () => import("./commands/auth.ts")
const catalogue = () => import("./commands/catalogue.ts")
const generated = () => import("./commands/generated.ts")
const operator = () => import("./commands/operator.ts")
const server = () => import("./commands/server.ts")

/** Subcommands that are not generated from the catalogue, in the order of the help. */
const written = {
  dev: async () => (await server()).dev,
  serve: async () => (await server()).serve,
  worker: async () => (await server()).worker,
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
  import: async () => (await generated()).generated("import", [(await import("./commands/importFile.ts")).csv]),
  drafts: async () => (await import("./commands/drafts.ts")).drafts,
  report: async () => (await import("./commands/report.ts")).report,
  events: async () => (await import("./commands/events.ts")).events,
  webhooks: async () => (await import("./commands/webhooks.ts")).webhooks,
  orgs: async () => (await operator()).orgs,
  keys: async () => (await operator()).keys,
  audit: async () => (await generated()).generated("audit", [(await operator()).verify]),
  sending: async () => (await operator()).sending,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  db: async () => (await import("./commands/database.ts")).db
}

const isWritten = (word: string): word is keyof typeof written => Object.hasOwn(written, word)

const allSubcommands = async (): Promise<ReadonlyArray<SubcommandGroup>> => {
  const { generated: generate, generatedWords } = await generated()
  return [
    { group: "Service", commands: await Promise.all(Object.values(written).map((load) => load())) },
    {
      group: "Catalogue commands",
      commands: generatedWords.filter((word) => !isWritten(word)).map((word) => generate(word))
    }
  ]
}

const only = (subcommand: Subcommand): ReadonlyArray<SubcommandGroup> => [{ group: "", commands: [subcommand] }]

/** The subcommand of the first word; all of them for help and unknown words. */
export const subcommandsFor = async (args: ReadonlyArray<string>): Promise<ReadonlyArray<SubcommandGroup>> => {
  const [word = ""] = args
  if (isWritten(word)) return only(await written[word]())
  const { generated: generate, generatedWords } = await generated()
  return generatedWords.includes(word) ? only(generate(word)) : await allSubcommands()
}
