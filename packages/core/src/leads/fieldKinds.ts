/** Kinds of lead fields: each says what an input may hold, what a lead shows, and what a cell of a file means. */
import * as Schema from "effect/Schema"
import { body, httpUrlOrEmpty, line, type TextField } from "../kernel/schema/TextFields.ts"
import { isHttpUrl, isTimeZone } from "../kernel/schema/TextRules.ts"
import { folded } from "./ownFields.ts"

/** A field of a lead. Its kind determines the first five. */
export interface LeadField {
  /** A value in an input; there null clears the field. */
  readonly input: Schema.Codec<unknown, unknown>
  /** A value in a lead. */
  readonly output: Schema.Codec<unknown, unknown>
  /** The value of a lead while the field is unknown. */
  readonly empty: unknown
  /** Converts a value of an input to that of a lead. By default they are equal. */
  stored?(given: unknown): unknown
  /** Reads a cell, which is trimmed and not empty; undefined for an unusable one. Without it, no column fills the field. */
  fromCell?(cell: string): unknown
  /** Another name in inputs. */
  readonly alias?: string
  /** Stored in a column of its own, and shown in lists of leads; needs a migration. */
  readonly column?: true
  /** Searched by `query`; needs a column. */
  readonly search?: true
  /** When a lead shows it: only when known by default. */
  readonly shown?: "always" | "never"
  /** What of a shown value compact outputs keep; undefined for nothing. By default all of it. */
  compact?(value: unknown): unknown
  /** False for fields that the list of tools leaves out. */
  readonly listed?: false
  /** Usual headings of CSV columns besides the name, separated by commas. */
  readonly csv?: string
  /** Whether several columns are joined to one value; otherwise the first one wins. */
  readonly joined?: true
}

/** Fields by name. */
export type LeadFields = Readonly<Record<string, LeadField>>

const collapse = (text: string): string => text.replace(/\s+/g, " ")

/** A cell as one line. */
export const oneLine = (cell: string): string => (/^[!-~](?:[ -~]*[!-~])?$/.test(cell) ? cell : collapse(cell))

const text = (input: TextField, fromCell: (cell: string) => string | undefined) => ({
  input,
  output: Schema.String,
  empty: "",
  fromCell
})

/** One line of text, at most `max` code points. */
export const lineField = (max: number, description: string) => text(line(max, description), oneLine)

/** Text of any number of lines, at most `max` code points. */
export const bodyField = (max: number, description: string) => text(body(max, description), (cell) => cell)

/** A website; a scheme is added to a cell without one. */
export const urlField = (description: string) =>
  text(httpUrlOrEmpty.pipe(Schema.annotateEncoded({ description })), (cell) => {
    const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(cell) ? cell : `https://${cell}`
    return /^https?:\/\/[^\s/]+\.[^\s/.]/i.test(url) && isHttpUrl(url) && url.length <= 2_048 ? url : undefined
  })

/** An IANA time zone. */
export const timeZoneField = text(
  line(64, "IANA time zone name. For example Europe/Berlin, or empty").check(
    Schema.makeFilter((name: string) =>
      name === "" || isTimeZone(name) ? undefined : "Expected an IANA time zone name such as Europe/Berlin or UTC"
    )
  ),
  (cell) => (isTimeZone(cell) ? cell : undefined)
)

/** A number from 0 to 100; a percentage in a cell. */
export const scoreField = (description: string) => ({
  input: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({ description }),
  output: Schema.Finite,
  empty: 0,
  fromCell: (cell: string) =>
    /^[0-9]{1,3}(?:[.,][0-9]{1,6})?%?$/.test(cell) ? Number(cell.replace("%", "").replace(",", ".")) : cell
})

const yes = new Set(["true", "yes", "y", "1", "x", "ja", "oui"])
const no = new Set(["false", "no", "n", "0", "nein", "non"])

/** True or false. */
export const flagField = (description: string) => ({
  input: Schema.Boolean.annotate({ description }),
  output: Schema.Boolean,
  empty: false,
  fromCell: (cell: string) => (yes.has(cell.toLowerCase()) ? true : no.has(cell.toLowerCase()) ? false : cell)
})

const spaced = (words: string): string => words.toLowerCase().replace(/[\s_-]+/g, " ")

/** One of some words; in a cell whatever its case, with spaces or hyphens. */
export const choiceField = <const C extends ReadonlyArray<string>>(choices: C, description: string) => ({
  input: Schema.Literals(choices).annotate({ description }),
  output: Schema.Literals(["", ...choices]),
  empty: "",
  fromCell: (cell: string): string => choices.find((choice) => spaced(choice) === spaced(cell)) ?? cell
})

const maxItems = 100

/** Items, which replace those before. Of an item, `defaults` stand for what is missing or empty. */
export const listField = <I extends Schema.Codec<unknown, unknown>, O extends Schema.Codec<unknown, unknown>>(
  item: I,
  output: O,
  description: string,
  defaults?: Partial<O["Type"]>,
  count = maxItems
) => ({
  input: Schema.Array(item).check(Schema.isMaxLength(count)).annotate({ description }),
  output: Schema.Array(output),
  empty: [],
  stored: (given: ReadonlyArray<unknown>) =>
    defaults === undefined ? given : given.map((one) => ({ ...defaults, ...withoutEmpty(Object(one)) }))
})

const withoutEmpty = (item: object) =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== ""))

/** Short texts, in a cell separated by commas, semicolons, bars or line breaks. */
export const wordsField = (max: number, description: string, count = maxItems) => ({
  ...listField(line(max), Schema.String, description, undefined, count),
  fromCell: (cell: string) =>
    cell
      .split(/[;,|\n]/)
      .map((word) => collapse(word.trim()))
      .filter((word) => word !== "")
      .slice(0, count)
})

/** Tags of two lists, each once in the spelling that comes first. */
export const uniteTags = (first: ReadonlyArray<string>, second: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const tags = new Map<string, string>()
  for (const tag of [...first, ...second]) if (tag !== "" && !tags.has(folded(tag))) tags.set(folded(tag), tag)
  return [...tags.values()]
}

/** Tags: at most 50 short texts, each once in whatever case. A lead that others were merged into has those of all. */
export const tagsField = (description: string) => ({
  ...wordsField(60, description, 50),
  stored: (given: ReadonlyArray<string>) => uniteTags(given)
})
