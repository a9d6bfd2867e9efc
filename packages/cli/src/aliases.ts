/** Aliases: a person's own names for command lines, in `aliases.json` beside the profiles. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type Failure, InvalidInput, Unavailable } from "@svc/core"
import type { Environment } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import { profilesFile } from "./profiles.ts"

/** Command lines without `svc`, by their names. */
type Aliases = Readonly<Record<string, string>>

/** Path of the aliases. */
const aliasesFile = (environment: Environment): string => join(dirname(profilesFile(environment)), "aliases.json")

/** Reads the aliases; none if there is no file. Fails with INVALID_INPUT for a file that is not valid. */
export const readAliases = (environment: Environment): Effect.Effect<Aliases, Failure> => {
  const file = aliasesFile(environment)
  return Effect.tryPromise({
    try: async () => {
      const json = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return "{}"
        throw cause
      })
      const entries = Object.entries(Object(JSON.parse(json)))
      return Object.fromEntries(entries.map(([name, line]) => [name, String(line)]))
    },
    catch: () => new InvalidInput({ message: `Can't use the aliases in ${file}. Correct it, or delete it.` })
  })
}

/** Writes the aliases. Fails with UNAVAILABLE if the file cannot be written. */
export const writeAliases = (environment: Environment, aliases: Aliases): Effect.Effect<void, Failure> => {
  const file = aliasesFile(environment)
  return Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      const draft = `${file}.${crypto.randomUUID()}.new`
      await writeFile(draft, `${JSON.stringify(aliases, undefined, 2)}\n`, { mode: 0o600 })
      await rename(draft, file)
    },
    catch: () => new Unavailable({ message: `Can't write ${file}. Check the permissions of its folder.` })
  })
}

const word = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g

/** The words of a command line; quotes keep white space in a word. */
export const wordsOf = (line: string): ReadonlyArray<string> =>
  (line.match(word) ?? []).map((part) =>
    part.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double?: string, single?: string) =>
      double === undefined ? (single ?? "") : double.replaceAll(/\\(.)/g, "$1")
    )
  )

/** The arguments with an alias replaced by its words. A command of `svc` always stays what it is. */
export const withAliases = async (
  args: ReadonlyArray<string>,
  reserved: () => Promise<ReadonlySet<string>>
): Promise<ReadonlyArray<string>> => {
  const [first, ...rest] = args
  if (first === undefined || first.startsWith("-")) return args
  const aliases = await Effect.runPromise(Effect.orElseSucceed(readAliases(process.env), (): Aliases => ({})))
  const line = Object.hasOwn(aliases, first) ? aliases[first] : undefined
  if (line === undefined || (await reserved()).has(first)) return args
  return [...wordsOf(line), ...rest]
}
