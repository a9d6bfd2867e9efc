/** The manual page of `svc`, made of the same commands as its help. */
import { version } from "@svc/core"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { globalFlags } from "./commands/flags.ts"
import { exitCodes, variablesOfClients } from "./commands/help.ts"
import { subcommandsFor } from "./subcommands.ts"
import { helpDocOf, svcTree } from "./tree.ts"

/** A text for troff: no line begins with a control character, and backslashes and hyphens stay what they are. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&")

const bold = (text: string): string => `\\fB${escaped(text)}\\fR`

const paragraphs = (text: string): string => escaped(text.trim()).replaceAll(/\n{2,}/g, "\n.PP\n")

const item = (head: string, text: string): string => `.TP\n${head}\n${paragraphs(text) || "\\&"}`

/** The help of every command, in order, below some words. */
const helpBelow = (
  help: (words: ReadonlyArray<string>) => Effect.Effect<HelpDoc>,
  words: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<readonly [words: string, doc: HelpDoc]>> =>
  Effect.gen(function* () {
    const doc = yield* help(words)
    const names = (doc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
    const below = yield* Effect.forEach(names, (name) => helpBelow(help, [...words, name]))
    return [[words.join(" "), doc], ...below.flat()]
  })

const section = ([words, doc]: readonly [string, HelpDoc]): string => {
  const own = doc.flags.filter(({ name }) => !Object.hasOwn(globalFlags, name))
  const flags = own.map(({ aliases, description, name, type }) =>
    item(
      `${[`--${name}`, ...aliases].map(bold).join(", ")}${type === "boolean" ? "" : ` \\fI${escaped(type)}\\fR`}`,
      Option.getOrElse(description, () => "")
    )
  )
  const examples = (doc.examples ?? []).map(({ command, description = "" }) =>
    [".PP", paragraphs(description), ".RS", ".nf", escaped(command), ".fi", ".RE"].join("\n")
  )
  return [`.SS "svc ${words}"`, paragraphs(doc.description), `.PP\n${bold(doc.usage)}`, ...flags, ...examples].join(
    "\n"
  )
}

/** The help of `svc` itself, and then of every command by its words. */
export const allHelp = Effect.gen(function* () {
  const tree = svcTree(yield* Effect.promise(() => subcommandsFor([])))
  const help = (words: ReadonlyArray<string>) => helpDocOf(tree, words)
  return (yield* helpBelow(help, [])) as readonly [
    readonly [string, HelpDoc],
    ...ReadonlyArray<readonly [string, HelpDoc]>
  ]
})

/** The page `svc.1`, as troff. */
export const manualPage: Effect.Effect<string> = Effect.gen(function* () {
  const [[, root], ...commands] = yield* allHelp
  return `${[
    `.TH SVC 1 "" "svc ${version}" "User Commands"`,
    `.SH NAME\nsvc \\- ${escaped(root.description)}`,
    ".SH SYNOPSIS\n.B svc\n\\fIcommand\\fR [\\fIflags\\fR]",
    ".SH COMMANDS",
    ...commands.filter(([, { subcommands = [] }]) => subcommands.length === 0).map(section),
    ".SH GLOBAL FLAGS",
    ...Object.entries(globalFlags).map(([name, text]) => item(bold(`--${name}`), text)),
    ".SH ENVIRONMENT",
    ...variablesOfClients.map(({ meaning, name }) => item(bold(name), meaning)),
    ".PP\nsvc help settings lists those of a service.",
    ".SH EXIT STATUS",
    ...exitCodes.map(([code, meaning]) => item(bold(String(code)), meaning))
  ].join("\n")}\n`
})
