/** Fields that an organization defines for its leads, tags, and the labels by which lists find both. */
import * as Schema from "effect/Schema"
import { line } from "../kernel/schema/TextFields.ts"

const text = Schema.String

/** A value; a date is `YYYY-MM-DD`. */
export const OwnValue = Schema.Union([text, Schema.Finite, Schema.Boolean])
export type OwnValue = typeof OwnValue.Type

/** The values of a lead by key; a field without a value has no entry. */
export const OwnValues = Schema.Record(text, OwnValue)
export type OwnValues = typeof OwnValues.Type

/**
 * A definition. Its key and type never change. `choices` are the values of a choice as they are shown, empty for other types; an
 * archived field keeps its values and takes no others.
 */
export const OwnField = Schema.Struct({
  key: text,
  label: text,
  type: Schema.Literals(["text", "number", "date", "choice", "boolean"]),
  choices: Schema.Array(text),
  archived: Schema.Boolean
})
export type OwnField = typeof OwnField.Type

/** What lists find leads by: the key of an own field, or "" for a tag, and its value in normal form. */
export interface LeadLabel {
  readonly name: string
  readonly value: string
}

/** Fields of an organization that are not archived. */
export const maxOwnFields = 50

/** Characters of a text. */
export const maxOwnText = 500

/** A value in an input. */
export const OwnInput = Schema.Union([
  line(maxOwnText),
  Schema.Finite.check(Schema.isBetween({ minimum: -1e15, maximum: 1e15 })),
  Schema.Boolean
])

/** Characters of a label; lists do not tell longer texts apart. */
const labelLength = 200

/** A text as lists and choices compare it. */
export const folded = (text: string): string => text.trim().toLowerCase()

const labelValue = (value: OwnValue): string =>
  typeof value === "string"
    ? folded([...folded(value)].slice(0, labelLength).join(""))
    : // No number has two texts.
      String(value === 0 ? 0 : value)

/** The labels of a lead's content, or those that a filter asks for. */
export const labelsOf = ({
  ownFields = {},
  tags = []
}: {
  readonly tags?: ReadonlyArray<string> | undefined
  readonly ownFields?: OwnValues | undefined
}): ReadonlyArray<LeadLabel> => [
  ...tags.map((tag) => ({ name: "", value: labelValue(tag) })),
  ...Object.entries(ownFields).map(([name, value]) => ({ name, value: labelValue(value) }))
]
