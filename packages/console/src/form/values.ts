/** What forms consist of. Pure. */

/** The values of a form: texts, and whether a box is checked. */
export type Values = Readonly<Record<string, string | boolean>>

/** What can be chosen: values with what a person reads. */
export type Options = ReadonlyArray<readonly [value: string, text: string]>

/** What is typed into one line, as browsers know it. */
type Input = "text" | "number" | "date" | "time" | "email" | "url" | "password"

/** A field. `list` has one entry in each line, and so has the value of `several`. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly kind?: Input | "area" | "list" | "check" | "choice" | "several"
  /** For `choice`. */
  readonly options?: Options
  /** For `several`: boxes to check, under headings. */
  readonly groups?: ReadonlyArray<readonly [name: string, options: Options]>
  readonly hint?: string
  /** Usual answers, each a button that fills it in. */
  readonly suggestions?: ReadonlyArray<string>
  readonly required?: boolean
  readonly max?: number
  readonly min?: number
  /** Of a number that may have decimals. */
  readonly step?: "any"
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

type More = Omit<Partial<Field>, "name" | "label">

/** A field for a line of text. */
export const line = (name: string, label: string, more: More = {}): Field => ({ name, label, ...more })

/** A field for a text of several lines. */
export const area = (name: string, label: string, rows: number, more: More = {}): Field => ({
  name,
  label,
  kind: "area",
  rows,
  ...more
})

/** A choice among values with what a person reads. */
export const choice = (name: string, label: string, of: Readonly<Record<string, string>>, hint = ""): Field => ({
  name,
  label,
  kind: "choice",
  options: Object.entries(of),
  ...(hint === "" ? {} : { hint })
})

/** A field for the address of a page. */
export const url = (name: string, label: string, more: More = {}): Field => ({ name, label, kind: "url", ...more })

/** A box to check. */
export const check = (name: string, label: string, more: More = {}): Field => ({ name, label, kind: "check", ...more })
