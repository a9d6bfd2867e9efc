/**
 * The commands of `svc` by their first word. Each room is loaded when its word is said, so that a short command loads
 * little; help and a word that nobody knows load them all.
 */
import type * as Command from "effect/cli/Command"
import type { Room } from "./Room.ts"

const auth = () => import("./commands/auth.ts")
const catalogue = () => import("./commands/catalogue.ts")
const generated = () => import("./commands/generated.ts")
const operator = () => import("./commands/operator.ts")
const server = () => import("./commands/server.ts")

/** Those that are more than a command of the catalogue, in the order of the help. */
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
  completions: async () => (await import("./commands/completions.ts")).completions,
  import: async () => (await generated()).generated("import", [(await import("./commands/importFile.ts")).csv]),
  drafts: async () => (await import("./commands/drafts.ts")).drafts,
  report: async () => (await import("./commands/report.ts")).report,
  events: async () => (await import("./commands/events.ts")).events,
  webhooks: async () => (await import("./commands/webhooks.ts")).webhooks,
  orgs: async () => (await operator()).orgs,
  keys: async () => (await operator()).keys,
  audit: async () => (await generated()).generated("audit", [(await operator()).verify]),
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  db: async () => (await import("./commands/database.ts")).db
}

const isWritten = (word: string): word is keyof typeof written => Object.hasOwn(written, word)

/** Rooms under one headline of the help. */
export type RoomGroup = Command.Command.SubcommandGroup<ReadonlyArray<Room>>

const everything = async (): Promise<ReadonlyArray<RoomGroup>> => {
  const { generated: grown, generatedWords } = await generated()
  return [
    { group: "Service", commands: await Promise.all(Object.values(written).map((load) => load())) },
    {
      group: "Commands of the catalogue",
      commands: generatedWords.filter((word) => !isWritten(word)).map((word) => grown(word))
    }
  ]
}

const alone = (room: Room): ReadonlyArray<RoomGroup> => [{ group: "", commands: [room] }]

/** What a command line needs: the room of its first word, or all of them for help and for a word that nobody knows. */
export const roomsFor = async (args: ReadonlyArray<string>): Promise<ReadonlyArray<RoomGroup>> => {
  const [word = ""] = args
  if (isWritten(word)) return alone(await written[word]())
  const { generated: grown, generatedWords } = await generated()
  return generatedWords.includes(word) ? alone(grown(word)) : await everything()
}
