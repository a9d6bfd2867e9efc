/** `svc lead upsert …`, `svc offer list …`: every command of the catalogue as a subcommand with its own flags. */

import { jsonSchemaOf } from "@svc/core"
import { commands } from "@svc/core/commands"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { inFlags, withSubcommands } from "../cliTerms.ts"
import { mayAsk } from "../confirmations.ts"
import {
  argumentsOf,
  flagOf,
  type Listed,
  listedOf,
  nestedFields,
  type PlainField,
  plainFields,
  quoteForShell,
  secretField,
  subjectOf
} from "../generated/flagsOf.ts"
import { type GeneratedOptions, runGenerated } from "../generated/runGenerated.ts"
import type { Json } from "../Output.ts"
import { commandWords } from "../Target.ts"
import type { Subcommand } from "../tree.ts"
import * as Flags from "./flags.ts"

/** The summaries of groups, by their words. */
const summaries: Readonly<Record<string, string>> = {
  agent: "Manage sender personas",
  "agent-run": "List and undo what AI agents did in a run",
  approval: "Decide about commands that wait for approval",
  audit: "Read and verify the audit log",
  email: "Send and review emails",
  "email conversation": "Read conversations by email",
  "email inbound": "Post received emails to the service",
  "email mailbox": "Connect inboxes, set limits, check domains",
  "email review": "Decide about emails under review",
  events: "Read and follow the event feed",
  import: "Import leads from files and searches",
  "import leads": "Import leads as JSON, and list the rows of an import",
  "import linkedin": "Import people from LinkedIn searches",
  "import sales-nav": "Import people from Sales Navigator",
  keys: "Manage API keys",
  lead: "Manage leads: find, write, score, merge, erase",
  "lead field": "Define fields of your own for leads",
  "lead filter": "Save filters of searches",
  "lead identifier": "Correct the identifiers of a lead",
  "lead message": "Record messages from elsewhere",
  "lead mission": "Add leads to missions and remove them",
  "lead note": "Write notes about a lead",
  "lead score": "Explain the score of a lead",
  "lead status": "Set the status of a lead",
  "lead suppression": "Manage who must not be contacted",
  linkedin: "Draft, approve and send on LinkedIn",
  "linkedin account": "Manage LinkedIn accounts",
  "linkedin conversation": "Read conversations on LinkedIn",
  "linkedin draft": "Write, check and approve drafts",
  "linkedin invitation": "Invite leads to connect",
  "linkedin queue": "See and settle what is to be sent",
  "linkedin usage": "See and set the limits of accounts",
  mission: "Manage missions: who is contacted, by whom, with what",
  "mission steps": "Plan the follow-ups of a mission",
  offer: "Manage offers and their proof",
  policy: "Decide which commands need approval",
  report: "See activity and results",
  review: "Work through everything that waits for a person",
  session: "Sign in to the review page",
  "session link": "Create one-time links that sign in",
  webhooks: "Manage and test webhooks",
  workspace: "See the state of the workspace"
}

const inputJson = (nested: ReadonlyArray<string>) =>
  Flags.optionalText(
    "input-json",
    `The input as JSON: a literal, @FILE, or - for stdin. Flags win over it.${
      nested.length === 0 ? "" : ` The only way to give ${nested.join(", ")}.`
    }`
  )

const fields = Flags.optionalText("fields", Flags.globalFlags.fields)

const jsonl = Flags.toggle("jsonl", Flags.globalFlags.jsonl)

const all = Flags.toggle("all", "Fetch all pages; waits when the rate limit is reached")

const yes = Flags.toggle("yes", "Skip the confirmation")

const web = Flags.toggle("web", "Open it in the review page instead")

/** Commands of what the review page shows. */
const onPage: ReadonlySet<string> = new Set(["approval.get", "lead.get", "linkedin.draft.get", "review.get"])

/** A command with its input, ready to paste into a shell. */
export const commandLine = (id: string, input: Json, command = listed.find((one) => one.id === id)): string => {
  const schema = command?.schema() ?? {}
  const plain = plainFields(schema)
  const { [secretField(schema)?.name ?? ""]: secret, ...shown } = input
  const words = argumentsOf(plain, shown, subjectOf(id, schema, plain)?.name)
  const stdin = secret === undefined ? [] : [`--${secretField(schema)?.flag}-stdin`]
  return ["svc", ...commandWords(id), ...words.map(quoteForShell), ...stdin].join(" ")
}

const shortNames: Readonly<Record<string, string>> = { list: "ls", delete: "rm" }

/** The short name of a command: `ls` lists, and searches where there is no list. */
const shortNameOf = ({ id, writes }: Listed): string | undefined => {
  const word = commandWords(id).at(-1) ?? id
  const isList = word === "search" && !writes && !known.has(commandWords(id).with(-1, "list").join(" "))
  return shortNames[isList ? "list" : word]
}

const subjectText = ({ description, flag, name }: PlainField): string =>
  name === "lead_id"
    ? `Id, email address or LinkedIn URL of the lead; same as --${flag}`
    : `${description || "The object"}; same as --${flag}`

const ids: ReadonlySet<string> = new Set(commands.map(({ id }) => id))

const leaf = (command: Listed): Subcommand => {
  const schema = command.schema()
  const fieldsOf = plainFields(schema)
  const spoken = (text: string) => inFlags(withSubcommands(text, ids), fieldsOf)
  const plain = fieldsOf.map((field) => ({ ...field, description: spoken(field.description) }))
  const subject = subjectOf(command.id, schema, plain)
  const secret = secretField(schema)
  const { writes } = command
  const paged = plain.some(({ name }) => name === "cursor")
  const word = commandWords(command.id).at(-1) ?? command.id
  const made = Command.make(
    word,
    {
      ...(subject === undefined ? {} : { subject: Flags.optionalArgument(subject.flag, subjectText(subject)) }),
      given: Object.fromEntries(plain.map((field) => [field.flag, flagOf(field)])),
      ...(secret && {
        secretStdin: Flags.toggle(`${secret.flag}-stdin`, `Read the ${secret.name} from stdin, one line`)
      }),
      inputJson: inputJson(nestedFields(schema)),
      fields,
      jsonl,
      jq: Flags.jq,
      ...(paged ? { all } : {}),
      profile: Flags.profile,
      ...(writes ? { dryRun: Flags.dryRun, idempotencyKey: Flags.idempotencyKey } : {}),
      ...(mayAsk(command.id) ? { yes } : {}),
      ...(onPage.has(command.id) ? { web } : {}),
      baseUrl: Flags.baseUrl,
      json: Flags.json
    },
    (config: GeneratedOptions & { readonly subject?: string | undefined; readonly web?: boolean }) => {
      const { subject: word, web = false } = config
      const given =
        subject === undefined || word === undefined ? config.given : { ...config.given, [subject.flag]: word }
      if (!web) return runGenerated(command.id, plain, { ...config, given }, secret)
      const item = given[subject?.flag ?? ""]
      const open = Effect.promise(() => import("./open.ts"))
      return Effect.flatMap(open, ({ openReview }) =>
        openReview(item === undefined ? undefined : String(item), config, false)
      )
    }
  ).pipe(
    Command.withDescription(spoken(`${command.description}\n\n${command.whenToUse}`)),
    Command.withShortDescription(command.summary),
    Command.withExamples(
      command.examples.map(({ input, title }) => ({
        command: commandLine(command.id, input, command),
        description: title
      }))
    )
  )
  const short = shortNameOf(command)
  return short === undefined ? made : Command.withAlias(made, short)
}

/** Commands by their words. */
const byWords = (commands: ReadonlyArray<Listed>): ReadonlyMap<string, Listed> =>
  new Map(commands.map((command) => [commandWords(command.id).join(" "), command]))

const listed = commands.map(listedOf)

const known = byWords(listed)

/** The group at a path. `more` are added, and replace those of the same name. */
const grow = (path: string, all: ReadonlyMap<string, Listed>, more: ReadonlyArray<Subcommand> = []): Subcommand => {
  const leaves: Array<Subcommand> = []
  const branches = new Set<string>()
  for (const [words, command] of all) {
    if (!words.startsWith(`${path} `)) continue
    const [word = "", ...rest] = words.slice(path.length + 1).split(" ")
    if (rest.length > 0) branches.add(word)
    else if (more.every(({ name }) => name !== word)) leaves.push(leaf(command))
  }
  const subcommands = [...more, ...leaves, ...[...branches].map((word) => grow(`${path} ${word}`, all))]
  return Command.make(path.split(" ").at(-1) ?? path).pipe(
    Command.withDescription(summaries[path] ?? subcommands.map(({ name }) => name).join(", ")),
    Command.withSubcommands(subcommands)
  )
}

/** The first words of the commands in the catalogue. */
export const generatedWords: ReadonlyArray<string> = [
  ...new Set([...known.keys()].map((words) => words.split(" ")[0] ?? ""))
]

/** The commands of the catalogue by their words, short names included. */
const byAnyWords: ReadonlyMap<string, Listed> = new Map([
  ...known,
  ...[...known].flatMap(([words, command]) => {
    const short = shortNameOf(command)
    return short === undefined ? [] : [[words.replace(/\S+$/, short), command] as const]
  })
])

/** The command that words lead to, and the words after it; undefined if there is none. */
const follow = (words: ReadonlyArray<string>) => {
  for (const index of words.keys()) {
    const command = byAnyWords.get(words.slice(0, index + 1).join(" "))
    if (command !== undefined) return { command, rest: words.slice(index + 1) }
  }
  return undefined
}

/** Names of fields anywhere in a schema. */
const namesIn = (schema: unknown, names = new Set<string>()): ReadonlySet<string> => {
  for (const [name, value] of Object.entries(Object(schema))) {
    if (name === "properties") for (const field of Object.keys(Object(value))) names.add(field)
    if (typeof value === "object") namesIn(value, names)
  }
  return names
}

/** Whether a text names a field of what a command returns, and is not an argument of it. */
export const hasOutputField = (words: ReadonlyArray<string>, text: string): boolean => {
  const found = follow(words)
  if (found === undefined) return false
  const { id, schema: read } = found.command
  const schema = read()
  if (found.rest.length > 0 || subjectOf(id, schema, plainFields(schema)) === undefined) return true
  const command = commands.find((one) => one.id === id)
  return command !== undefined && namesIn(jsonSchemaOf(command.output)).has(text.split(".")[0] ?? "")
}

/** What words lead to in the catalogue: a command, with its arguments; a group of commands; or nothing. */
export const placeOf = (words: ReadonlyArray<string>): "command" | "group" | "nothing" => {
  if (follow(words) !== undefined) return "command"
  const path = words.map((word) => `${word} `).join("")
  return [...known.keys()].some((one) => one.startsWith(path)) ? "group" : "nothing"
}

/** The subcommand of a first word. `more` are added, and replace those of the same name; so are commands of a host. */
export const generated = (word: string, more: ReadonlyArray<Subcommand> = [], own: ReadonlyArray<Listed> = []) =>
  grow(word, own.length === 0 ? known : byWords([...listed, ...own]), more)
