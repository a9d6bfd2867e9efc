/** Prints the result of a generated command. */
import { type Failure, InvalidInput } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { outJson } from "../Output.ts"
import { outPaged } from "../pager.ts"
import { cellOf, renderTable, type Surface } from "../table.ts"

/** The requested output. */
export interface Shape {
  /** Columns or paths such as `brief.tone_instructions`; empty for the defaults. */
  readonly fields: ReadonlyArray<string>
  /** One JSON value per line. */
  readonly jsonl: boolean
  readonly surface: Surface
}

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => Predicate.isReadonlyObject(value)

/** The list of a result, if it is one, with at most counts and cursors beside it. */
export const listIn = (data: Row): { readonly name: string; readonly rows: ReadonlyArray<Row> } | undefined => {
  const lists = Object.entries(data).flatMap(([name, value]) =>
    Array.isArray(value) && value.every(isRow) ? [{ name, rows: value }] : []
  )
  if ("next_cursor" in data) return lists[0]
  return lists.length === 1 && !Object.values(data).some(isRow) ? lists[0] : undefined
}

/** Default columns by list. Other lists show their first plain fields. */
export const usualColumns: Readonly<Record<string, ReadonlyArray<string>>> = {
  accounts: ["account_id", "agent_handle", "name", "status", "tier"],
  agents: ["handle", "firstName", "lastName", "jobTitle", "company", "timezone"],
  approvals: ["approval_request_id", "state", "command_id", "requested_by.kind", "requested_at"],
  drafts: ["draft_id", "status", "lead.name", "lead.company_name", "mission.handle", "updated_at"],
  entries: ["sequence", "created_at", "actor.kind", "command_id", "subject.id", "outcome"],
  events: ["at", "type", "actor.kind", "data"],
  imports: ["import_id", "type", "name", "state", "created_count", "updated_count", "invalid_count"],
  keys: ["key_id", "name", "actor_kind", "mode", "expires_at", "revoked_at"],
  leads: ["lead_id", "name", "job_title", "company", "status", "score"],
  missions: ["id", "name", "status", "stats.leads", "stats.contacted", "stats.replied"],
  offers: ["id", "name", "oneLiner", "isDraft", "updatedAt"],
  webhooks: ["webhook_id", "url", "description", "is_active"]
}

const maxColumns = 6

const plainNames = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(row))
      if (typeof value !== "object" && value !== undefined) names.add(name)
  }
  return [...names].slice(0, maxColumns)
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, name) => (Predicate.isObject(at) ? Reflect.get(at, name) : undefined), value)

const picked = (row: Row, fields: ReadonlyArray<string>): Row =>
  fields.length === 0 ? row : Object.fromEntries(fields.map((field) => [field, valueAt(row, field) ?? null]))

/** Fails with INVALID_INPUT if no row has a requested field. */
const checkFields = (rows: ReadonlyArray<Row>, fields: ReadonlyArray<string>): Effect.Effect<void, Failure> => {
  const unknown = fields.find((field) => rows.length > 0 && rows.every((row) => valueAt(row, field) === undefined))
  if (unknown === undefined) return Effect.void
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(", ")
  return Effect.fail(
    new InvalidInput({ message: `--fields: no column ${cellOf(unknown).slice(0, 60)}. Available: ${known}.` })
  )
}

const lines = (text: string): Effect.Effect<void> => (text === "" ? Effect.void : outPaged(text))

/** The object inside of a wrapper such as `{"offer": {…}}`. */
const unwrapped = (data: Row): Row => {
  const objects = Object.entries(data).filter(([, value]) => isRow(value))
  const [only, ...others] = objects
  const scalars = Object.values(data).filter((value) => !isRow(value))
  return only !== undefined && others.length === 0 && scalars.length <= 1 && isRow(only[1]) ? only[1] : data
}

/** Prints the data of a result. Fails with INVALID_INPUT for an unknown field. */
export const show = (data: unknown, { fields, jsonl, surface }: Shape): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    if (!isRow(data)) return yield* outJson(data, jsonl)
    const list = listIn(data)
    const rows = list === undefined ? [unwrapped(data)] : list.rows
    yield* checkFields(rows, fields)
    if (jsonl) return yield* Effect.forEach(rows, (row) => outJson(picked(row, fields), true), { discard: true })
    if (list !== undefined) {
      if (rows.length === 0) return
      const columns = fields.length > 0 ? fields : (usualColumns[list.name] ?? plainNames(rows))
      return yield* lines(
        renderTable(
          columns,
          rows.map((row) => columns.map((column) => valueAt(row, column))),
          surface
        )
      )
    }
    const one = rows[0] ?? {}
    const names = fields.length > 0 ? fields : Object.keys(one).filter((name) => one[name] !== null)
    const facts = names.map((name) => [name, cellOf(valueAt(one, name))] as const)
    if (surface.width === undefined) return yield* lines(facts.map(([name, text]) => `${name}\t${text}`).join("\n"))
    const widest = Math.max(0, ...names.map((name) => name.length))
    yield* lines(facts.map(([name, text]) => `${`${name}:`.padEnd(widest + 2)}${text}`.trimEnd()).join("\n"))
  })
