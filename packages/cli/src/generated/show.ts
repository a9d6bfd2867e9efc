/** Prints the result of a generated command. */
import { didYouMean, type Failure, quote } from "@svc/core"
import * as Effect from "effect/Effect"
import { invalid, type Json, note, outJson } from "../Output.ts"
import { cellOf, outPaged, renderTable, type Surface, stdoutSurface } from "../table.ts"
import { columnsFor, valueAt } from "../view/columns.ts"
import { detailView, isRow } from "../view/detail.ts"

/** The requested output. */
interface Shape {
  /** Columns or paths such as `brief.tone_instructions`; empty for the defaults. */
  readonly fields: ReadonlyArray<string>
  /** One JSON value per line. */
  readonly jsonl: boolean
  readonly surface: Surface
}

/** The list of a result, if it is one, with at most counts and cursors beside it. */
export const listIn = (data: Json): { readonly name: string; readonly rows: ReadonlyArray<Json> } | undefined => {
  const lists = Object.entries(data).flatMap(([name, value]) =>
    Array.isArray(value) && value.every(isRow) ? [{ name, rows: value }] : []
  )
  if ("next_cursor" in data) return lists[0]
  return lists.length === 1 && !Object.values(data).some(isRow) ? lists[0] : undefined
}

const picked = (row: Json, fields: ReadonlyArray<string>): Json =>
  fields.length === 0 ? row : Object.fromEntries(fields.map((field) => [field, valueAt(row, field) ?? null]))

/** Fails with INVALID_INPUT if no row has a requested field. */
const checkFields = (rows: ReadonlyArray<Json>, fields: ReadonlyArray<string>): Effect.Effect<void, Failure> => {
  const unknown = fields.find((field) => rows.length > 0 && rows.every((row) => valueAt(row, field) === undefined))
  if (unknown === undefined) return Effect.void
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const guess = didYouMean(unknown, known)
  return invalid(`Field ${quote(cellOf(unknown), 60)} not found.${guess} Available: ${known.join(", ")}.`)
}

const lines = (text: string): Effect.Effect<void> => (text === "" ? Effect.void : outPaged(text))

/** The object inside of a wrapper such as `{"offer": {…}}`, or beside its own id as in `{"lead_id": …, "lead": {…}}`. */
const unwrapped = (data: Json): Json => {
  const objects = Object.entries(data).flatMap(([name, value]) => (isRow(value) ? [[name, value] as const] : []))
  const [only, ...others] = objects
  const scalars = Object.values(data).filter((value) => !isRow(value))
  if (only !== undefined && others.length === 0 && scalars.length <= 1) return only[1]
  return data
}

/** The same, with the object that the id beside it belongs to at the top. */
const flattened = (data: Json): Json => {
  const main = Object.keys(data).find((name) => isRow(data[name]) && `${name}_id` in data)
  if (main === undefined) return data
  const { [main]: inner, [`${main}_id`]: _, ...rest } = data
  return { ...(isRow(inner) ? inner : {}), ...rest }
}

/** The rows of a list with these fields, or the object with them. Fails with INVALID_INPUT for an unknown field. */
export const select = (data: unknown, fields: ReadonlyArray<string>): Effect.Effect<unknown, Failure> => {
  if (!isRow(data)) return Effect.succeed(data)
  const list = listIn(data)
  const rows = list === undefined ? [unwrapped(data)] : list.rows
  const chosen = rows.map((row) => picked(row, fields))
  return Effect.as(checkFields(rows, fields), list === undefined ? chosen[0] : chosen)
}

/** One object, for a person on a terminal, or as lines of names and values. */
const showOne = (one: Json, fields: ReadonlyArray<string>, { width, ...surface }: Surface): Effect.Effect<void> => {
  if (width !== undefined) {
    const shown = fields.length > 0 ? picked(one, fields) : flattened(one)
    return lines(detailView(shown, { ...surface, width, now: surface.now ?? Date.now() }))
  }
  const names = fields.length > 0 ? fields : Object.keys(one).filter((name) => one[name] !== null)
  return lines(names.map((name) => `${name}\t${cellOf(valueAt(one, name))}`).join("\n"))
}

/** Prints the data of a result. Fails with INVALID_INPUT for an unknown field. */
export const show = (data: unknown, { fields, jsonl, surface }: Shape): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    if (!isRow(data)) return yield* outJson(data, jsonl)
    const list = listIn(data)
    const rows = list === undefined ? [unwrapped(data)] : list.rows
    yield* checkFields(rows, fields)
    if (jsonl) return yield* Effect.forEach(rows, (row) => outJson(picked(row, fields), true), { discard: true })
    if (list === undefined) return yield* showOne(rows[0] ?? {}, fields, surface)
    if (rows.length === 0) return yield* note(`svc: no ${list.name.replaceAll("_", " ")} found.`)
    const columns = fields.length > 0 ? fields : columnsFor(list.name, rows)
    yield* lines(
      renderTable(
        columns,
        rows.map((row) => columns.map((column) => valueAt(row, column))),
        surface
      )
    )
  })

/** Prints data for a person on a terminal. */
export const showOnTerminal = (data: unknown) => show(data, { fields: [], jsonl: false, surface: stdoutSurface() })
