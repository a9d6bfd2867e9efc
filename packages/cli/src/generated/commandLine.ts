/** Command lines for inputs: what a person would type for the same input. */
import type { PlainField } from "./flagsOf.ts"

/** The word, quoted for a POSIX shell if necessary. */
export const quoteForShell = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const wordsOf = (field: PlainField, value: unknown): ReadonlyArray<string> | undefined => {
  const { flag, type } = field
  if (type === "boolean" && typeof value === "boolean") return [value ? `--${flag}` : `--no-${flag}`]
  if (type === "texts") {
    if (!Array.isArray(value) || value.length === 0 || value.some((item) => typeof item !== "string")) return undefined
    return value.flatMap((item) => wordsOf({ ...field, type: "string" }, item) ?? [])
  }
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const text = String(value)
  // A separate word that starts with a dash would be parsed as a flag.
  return text.startsWith("-") ? [`--${flag}=${text}`] : [`--${flag}`, text]
}

/**
 * The words after the command: a flag for each plain field, and the rest as `--input-json`. `subject` is the field of the
 * argument.
 */
export const argumentsOf = (
  fields: ReadonlyArray<PlainField>,
  input: Readonly<Record<string, unknown>>,
  subject?: string
): ReadonlyArray<string> => {
  const words: Array<string> = []
  const flags: Array<string> = []
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const field = fields.find((known) => known.name === name)
    const fieldWords = field && wordsOf(field, value)
    if (fieldWords === undefined) rest[name] = value
    else if (name === subject && typeof value === "string" && !value.startsWith("-")) words.push(value)
    else flags.push(...fieldWords)
  }
  return [...words, ...flags, ...(Object.keys(rest).length === 0 ? [] : ["--input-json", JSON.stringify(rest)])]
}
