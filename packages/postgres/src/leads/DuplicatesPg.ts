/** Possible duplicates in PostgreSQL: one statement for each reason, until the page is full. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId, Position } from "@svc/core"
import { type DuplicateGroup, DuplicateReason, type Duplicates, groupPosition, shownDuplicates } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { searching } from "../PoolLimits.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { foldedLine } from "./leadConditions.ts"

/** Leads and addresses that a page compares; one that finds fewer groups than it may hold ends there. */
const maxCompared = 20_000

const local = "split_part(i.value, '@', 1)"

/** What similar e-mail addresses share: without what follows a plus sign, and without dots. As `lead_identities_hints` has it. */
const hint = `(coalesce(nullif(replace(coalesce(nullif(split_part(${local}, '+', 1), ''), ${local}), '.', ''), ''), ${local})
  || '@' || split_part(i.value, '@', 2)) collate "C"`

/** The leads of a reason in the order of the keys that they share. */
interface Walk {
  /** What an index has them in the order of: the key, or how it begins. */
  readonly place: string
  readonly key: string
  readonly leadId: string
  readonly from: string
}

const lead = (place: string, where: string, key = place): Walk => ({
  place,
  key,
  leadId: "l.id",
  from: `svc.leads l where l.merged_into is null and ${where} and l.organization_id =`
})

const walks: Readonly<Record<DuplicateReason, Walk>> = {
  same_email_hint: {
    place: hint,
    key: hint,
    leadId: "i.lead_id",
    from: "svc.lead_identities i where i.kind = 'email' and i.organization_id ="
  },
  same_name_and_company: lead(
    foldedLine("name"),
    "l.company <> ''",
    `(${foldedLine("name")} || E'\\n' || ${foldedLine("company")}) collate "C"`
  ),
  same_phone: lead(`l.phone_digits collate "C"`, "l.phone_digits is not null")
}

/** The groups of a reason after a key, and the key up to which leads were compared, if there may be more. */
const groupsOf = (
  sql: PgClient,
  organizationId: OrganizationId,
  reason: DuplicateReason,
  after: string,
  limit: number
) => {
  const { from, key, leadId, place } = walks[reason]
  const all = sql`${sql.literal(from)} ${organizationId}`
  return sql<{ readonly group: DuplicateGroup | null; readonly stop: string | null }>`
    with compared as materialized (
      -- With the lead, which the primary key of identifiers lacks: an index without it would be read whole and sorted.
      select ${sql.literal(place)} as place, ${sql.literal(key)} as key, ${sql.literal(leadId)} as lead_id from ${all}
        and ${sql.literal(place)} >= split_part(${after}, E'\n', 1) collate "C" and ${sql.literal(key)} > ${after} collate "C"
      order by 1 limit ${maxCompared}
    ), stopped as materialized (
      -- Not all leads of the last place may have been compared, unless it is the only one.
      select case when count(*) = ${maxCompared} then
        coalesce(max(place) filter (where place < (select max(c.place) from compared c)), max(place)) end as place
      from compared
    )
    select to_jsonb(g) as group, s.stop from (
      select (select max(c.key) from compared c where c.place <= s.place) as stop from stopped s
    ) s
    left join lateral (
      select ${reason} as reason, k.key, m.ids[1:${shownDuplicates}] as "leadIds", cardinality(m.ids) as count
      from (
        select c.key from compared c where s.stop is null or c.key <= s.stop
        group by c.key having count(*) > 1 order by c.key
      ) k
      cross join lateral (
        select array(
          select distinct ${sql.literal(leadId)} collate "C" from ${all}
            and ${sql.literal(place)} = split_part(k.key, E'\n', 1) and ${sql.literal(key)} = k.key
          order by 1) as ids
      ) m
      where cardinality(m.ids) > 1
      order by k.key limit ${limit}
    ) g on true
    order by g.key`
}

/** Finds duplicates in the database. */
export const duplicatesPg = (sql: PgClient): Duplicates => ({
  duplicates: Effect.fnUntraced(
    function* (organizationId, { after, limit }) {
      const [from = 0, start = ""] = after ?? []
      const items: Array<DuplicateGroup> = []
      for (const reason of DuplicateReason.literals.slice(Number(from))) {
        const place = DuplicateReason.literals.indexOf(reason)
        const key = place === from ? String(start) : ""
        const rows = yield* groupsOf(sql, organizationId, reason, key, limit + 1 - items.length)
        items.push(...rows.flatMap(({ group }) => group ?? []))
        const last = items[limit - 1]
        if (items.length > limit && last !== undefined)
          return { items: items.slice(0, limit), next: groupPosition(last) }
        const stop = rows[0]?.stop
        if (stop != null) return { items, next: [place, stop] satisfies Position }
      }
      return { items, next: undefined }
    },
    orUnavailable,
    searching
  )
})
