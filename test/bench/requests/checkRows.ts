/** Whether a server stored what it said, and the peer the same as the product. */
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
    select (select count(*)::int from svc.leads) as leads, (select count(*)::int from svc.lead_identities) as identities,
      (select count(*)::int from svc.linkedin_drafts) as drafts, (select count(*)::int from svc.events) as events,
      (select count(*)::int from svc.audit_entries where command_id in ('lead.upsert', 'linkedin.draft.create')) as audits`)
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

const journal = `
  select json_agg(j.entry order by j.created_at, j.id) as entries from (
    select created_at, id, json_build_array(type, subject_type, actor_kind, data - 'lead_id' - 'content_hash') as entry
    from svc.events where created_at > now() - interval '1 hour' and organization_id = $1
    union all
    select created_at, id, json_build_array(command_id, command_hash, subject_type, actor_kind, outcome)
    from svc.audit_entries where command_id in ('lead.upsert', 'linkedin.draft.create') and organization_id = $1
  ) j`

/** The events and audit rows of the last hour as one text, without ids. */
export const readJournal = async (sql: pg.Client, organization: string): Promise<string> => {
  const { rows } = await sql.query(journal, [organization])
  return JSON.stringify(rows[0]?.entries)
}
