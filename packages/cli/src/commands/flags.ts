/** Flags that many commands share. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Param from "effect/cli/Param"
import * as Primitive from "effect/cli/Primitive"

/** A boolean flag, off by default. */
export const toggle = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** Flags of many commands, which only the help of `svc` itself describes. */
export const globalFlags = {
  json: "Output JSON, including errors; --json FIELDS only these fields",
  jsonl: "Output one JSON value per line, one per list row",
  jq: "Filter what --json prints with an expression of jq",
  fields: "Columns to show, comma-separated; use a path such as brief.tone_instructions for nested fields",
  "response-profile": "full, or compact, which omits long optional fields",
  "dry-run": "Preview without saving",
  "idempotency-key": "Retries with the same key take effect once",
  "base-url": "URL of the service; default SVC_BASE_URL, then the owner of ./.svc, then the database itself"
} as const

/** `--json`. */
export const json = toggle("json", globalFlags.json)

/** An optional flag with a text. */
export const optionalText = (name: string, description: string): Flag.Flag<string | undefined> =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withDefault(undefined))

/** An optional flag with a whole number. */
export const optionalInt = (name: string, description: string): Flag.Flag<number | undefined> =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.withDefault(undefined))

/** A flag with a text, and its default. */
export const textOr = (name: string, usual: string, description: string): Flag.Flag<string> =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withDefault(usual))

const bare = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, "")

/** One of these words, in any case, with or without the separators in it. */
const oneOf = <Word extends string>(words: ReadonlyArray<Word>): Primitive.Primitive<Word> => {
  const exact = Primitive.Choice(words.map((word) => [word, word] as const))
  const { parse } = exact
  return Object.assign(exact, {
    parse: (given: string) => parse(words.find((word) => bare(word) === bare(given)) ?? given)
  })
}

/** A flag with one of these words. */
export const wordFlag = <const Word extends string>(name: string, words: ReadonlyArray<Word>): Flag.Flag<Word> =>
  Param.makeSingle({ kind: Param.flagKind, name, primitiveType: oneOf(words) })

/** An argument that is one of these words. */
export const wordArgument = <const Word extends string>(
  name: string,
  words: ReadonlyArray<Word>
): Argument.Argument<Word> => Param.makeSingle({ kind: Param.argumentKind, name, primitiveType: oneOf(words) })

/** An optional flag with one of these words. */
export const optionalWord = <const Word extends string>(
  name: string,
  words: ReadonlyArray<Word>,
  description: string
) => wordFlag(name, words).pipe(Flag.withDescription(description), Flag.withDefault(undefined))

/** An optional argument. */
export const optionalArgument = (name: string, description: string): Argument.Argument<string | undefined> =>
  Argument.String(name).pipe(Argument.withDescription(description), Argument.withDefault(undefined))

/** `--types`. */
export const eventTypes = optionalText(
  "types",
  "Only these event types, comma-separated, such as lead.created,lead.replied"
)

/** `--base-url`. */
export const baseUrl = optionalText("base-url", globalFlags["base-url"])

/** `--jq`. */
export const jq = optionalText("jq", globalFlags.jq)

/** `--response-profile`. */
export const profile = optionalWord("response-profile", ["full", "compact"], globalFlags["response-profile"])

/** `--dry-run`. */
export const dryRun = toggle("dry-run", globalFlags["dry-run"])

/** `--idempotency-key`. */
export const idempotencyKey = optionalText("idempotency-key", globalFlags["idempotency-key"])
