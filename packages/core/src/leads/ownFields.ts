/** Fields that an organization defines for its leads, tags, and the labels by which lists find both. */
import * as Schema from "effect/Schema"
import type { InstantText } from "../kernel/schema/IdsAndTime.ts"

/** Kinds of values. */
export const ownFieldTypes = ["text", "number", "date", "choice", "boolean"] as const

/** A value; a date is `YYYY-MM-DD`. */
export const OwnValue = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])
export type OwnValue = typeof OwnValue.Type

/** The values of a lead by key; a field without a value has no entry. */
export const OwnValues = Schema.Record(Schema.String, OwnValue)
export type OwnValues = typeof OwnValues.Type

/** A definition. Its key and type never change. */
export interface OwnField {
  readonly key: string
  readonly label: string
  readonly type: (typeof ownFieldTypes)[number]
  /** The values of a choice, as they are shown; empty for other types. */
  readonly choices: ReadonlyArray<string>
  /** An archived field keeps its values and takes no others. */
  readonly archived: boolean
  readonly createdAt: InstantText
}

/** What lists find leads by: the key of an own field, or "" for a tag, and its value in normal form. */
export interface LeadLabel {
  readonly name: string
  readonly value: string
}

/** Characters of a label; lists do not tell longer texts apart. */
const labelLength = 200

/** A text as lists and choices compare it. */
export const folded = (text: string): string => text.trim().toLowerCase()

const labelValue = (value: OwnValue): string =>
  typeof value === "string"
    ? [...folded(value)].slice(0, labelLength).join("")
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
