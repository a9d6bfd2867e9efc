/** Arguments as the parser takes them: `svc key list` as `svc keys list`, and `--json FIELDS` as `--json --fields FIELDS`. */
import { withPlurals } from "./commandWords.ts"

const fieldList = /^[A-Za-z_][\w.]*(,[A-Za-z_][\w.]*)*$/
const truth = /^(true|false|1|0|yes|no|on|off|y|n)$/i

/** The index of the flag `--json` whose fields follow it; -1 if there is none. */
const jsonWithFields = (args: ReadonlyArray<string>): number => {
  const end = args.indexOf("--")
  const words = end === -1 ? args : args.slice(0, end)
  return words.findIndex((word, index) => word === "--json" && fieldList.test(args[index + 1] ?? ""))
}

/** Whether the word after `--json` names fields, and is not an argument of the command. */
const isFields = async (words: ReadonlyArray<string>, text: string): Promise<boolean> =>
  text.includes(",") || (await import("./commands/generated.ts")).hasOutputField(words, text)

/** The arguments for the parser. */
export const expandArguments = async (given: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const args = withPlurals(given).flatMap((arg) => {
    const value = /^--json=(.*)$/s.exec(arg)?.[1]
    return value === undefined || truth.test(value) ? [arg] : ["--json", "--fields", value]
  })
  const index = jsonWithFields(args)
  if (index === -1) return args
  const flag = args.findIndex((arg) => arg.startsWith("-"))
  const text = args[index + 1] ?? ""
  return (await isFields(args.slice(0, flag), text))
    ? [...args.slice(0, index + 1), "--fields", ...args.slice(index + 1)]
    : args
}
