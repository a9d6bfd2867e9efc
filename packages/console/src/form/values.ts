/** What forms consist of. Pure. */

/** The values of a form: texts, and whether a box is checked. */
export type Values = Readonly<Record<string, string | boolean>>

/** A field. `list` has one entry in each line. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly kind?:
    | "text"
    | "area"
    | "list"
    | "number"
    | "date"
    | "datetime-local"
    | "time"
    | "email"
    | "url"
    | "check"
    | "choice"
    | "password"
  /** For `choice`: values with what a person reads. */
  readonly options?: ReadonlyArray<readonly [value: string, text: string]>
  readonly hint?: string
  readonly required?: boolean
  readonly max?: number
  readonly min?: number
  readonly maxLength?: number
  readonly rows?: number
  readonly autofocus?: boolean
}

/** The entries of a `list` field. */
export const linesOf = (value: string | boolean | undefined): ReadonlyArray<string> =>
  String(value ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
