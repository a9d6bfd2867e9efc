/** Whether a server stored as many rows as it said. */
import type pg from "pg"
import type { Side } from "./rounds.ts"
import { scenarios } from "./scenarios.ts"

/** Rows of a database. */
export interface RowCounts {
  leads: number
  identities: number
  drafts: number
  events: number
  audits: number
}

/** Counts rows; both databases have these names. */
export const countRows = async (sql: pg.Client): Promise<RowCounts> => {
  const { rows } = await sql.query<RowCounts>(`
    select (select count(*)::int from leads) as leads, (select count(*)::int from lead_identities) as identities,
      (select count(*)::int from linkedin_drafts) as drafts, (select count(*)::int from events) as events,
      (select count(*)::int from audit_entries where command_id in ('lead.upsert', 'linkedin.draft.create')) as audits`)
  const [counts] = rows
  if (counts === undefined) throw new Error("A count returns one row.")
  return counts
}

/** Compares the rows that were added with the requests that succeeded. Throws when they differ. */
export const checkRows = ({ answered, name }: Side, before: RowCounts, after: RowCounts): void => {
  const expected = { ...before }
  for (const [scenario, count] of answered) {
    const { drafts = 0, journal = 0, leads = 0 } = scenarios[scenario]?.adds ?? {}
    expected.leads += leads * count
    expected.identities += 2 * leads * count
    expected.drafts += drafts * count
    expected.events += journal * count
    expected.audits += journal * count
  }
  if (JSON.stringify(expected) !== JSON.stringify(after))
    throw new Error(`${name} answered for ${JSON.stringify(expected)} rows, but has ${JSON.stringify(after)}.`)
}
