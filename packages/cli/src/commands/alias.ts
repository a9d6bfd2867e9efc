/** `svc alias`: own names for command lines. */
import { type Failure, InvalidInput, NotFound } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { readAliases, wordsOf, writeAliases } from "../aliases.ts"
import { note, orRefuse, out, outJson } from "../Output.ts"
import { json } from "./flags.ts"

const nameArgument = Argument.String("name").pipe(Argument.withDescription("Name of the alias"))

const setAlias = Effect.fnUntraced(function* (
  name: string,
  line: string,
  reservedWords: () => Promise<ReadonlySet<string>>
): Effect.fn.Return<void, Failure> {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(name)) {
    return yield* new InvalidInput({ message: "The name of an alias has up to 32 of a-z, 0-9 and -, a letter first." })
  }
  const reserved = yield* Effect.promise(reservedWords)
  if (reserved.has(name))
    return yield* new InvalidInput({ message: `${name} is a command of svc. Choose another name.` })
  const [first = ""] = wordsOf(line)
  if (!reserved.has(first)) {
    return yield* new InvalidInput({
      message: "An alias stands for a command of svc, without svc itself, such as 'lead search --status New'."
    })
  }
  yield* writeAliases(process.env, { ...(yield* readAliases(process.env)), [name]: line })
  yield* note(`svc: svc ${name} now runs svc ${line}.`)
})

const setOf = (reservedWords: () => Promise<ReadonlySet<string>>) =>
  Command.make(
    "set",
    {
      name: nameArgument,
      line: Argument.String("command").pipe(Argument.withDescription("The command line without svc, as one argument")),
      json
    },
    ({ json: asJson, line, name }) => orRefuse(asJson, setAlias(name, line.trim(), reservedWords))
  ).pipe(
    Command.withDescription("Create an alias, or change it. What follows it on the command line is added"),
    Command.withShortDescription("Create or change an alias"),
    Command.withExamples([
      { command: "svc alias set hot 'lead search --min-score 70'", description: "Then svc hot --status New" }
    ])
  )

const list = Command.make("list", { json }, ({ json: asJson }) =>
  orRefuse(
    asJson,
    Effect.gen(function* () {
      const aliases = yield* readAliases(process.env)
      if (asJson) return yield* outJson({ aliases }, true)
      const lines = Object.entries(aliases).map(([name, line]) => `${name}\t${line}`)
      if (lines.length === 0) return yield* note("svc: no aliases. Create one with svc alias set.")
      yield* out(lines.join("\n"))
    })
  )
).pipe(Command.withDescription("List aliases"), Command.withAlias("ls"))

const remove = Command.make("delete", { name: nameArgument, json }, ({ json: asJson, name }) =>
  orRefuse(
    asJson,
    Effect.gen(function* () {
      const { [name]: found, ...rest } = yield* readAliases(process.env)
      if (found === undefined) {
        return yield* new NotFound({ kind: "alias", message: `Alias ${name} not found. Run svc alias list.` })
      }
      yield* writeAliases(process.env, rest)
      yield* note(`svc: deleted the alias ${name}.`)
    })
  )
).pipe(Command.withDescription("Delete an alias"), Command.withAlias("rm"))

/** `svc alias`; `reservedWords` are those that no alias may have. */
export const aliasOf = (reservedWords: () => Promise<ReadonlySet<string>>) =>
  Command.make("alias").pipe(
    Command.withDescription("Manage your own names for command lines"),
    Command.withSubcommands([setOf(reservedWords), list, remove])
  )
