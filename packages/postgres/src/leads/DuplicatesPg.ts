/** Possible duplicates in PostgreSQL, in one statement. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { PageRequest } from "@svc/core"
import { type DuplicateGroup, DuplicateReason, type Duplicates, groupPosition, shownDuplicates } from "@svc/core/leads"
import { searching } from "../PoolLimits.ts"
import { page } from "../results.ts"
import { foldedLine } from "./leadConditions.ts"

/** The key after which the list of a reason continues; null when it is finished. No key is empty. */
const boundOf = (reason: DuplicateReason, after: PageRequest["after"]): string | null => {
  const [rank = -1, key = ""] = after ?? []
  const place = DuplicateReason.literals.indexOf(reason)
  if (place === Number(rank)) return String(key)
  return place > Number(rank) ? "" : null
}

/** What similar e-mail addresses share: without what follows a plus sign, and without dots. */
const hintOf = (
  local: string
) => `coalesce(nullif(replace(coalesce(nullif(split_part(${local}, '+', 1), ''), ${local}), '.', ''), ''),
  ${local}) || '@' || split_part(i.value, '@', 2)`

/** Finds duplicates in the database. */
export const duplicatesPg = (sql: PgClient): Duplicates => ({
  duplicates: (organizationId, { after, limit }) => {
    const bound = (reason: DuplicateReason) => sql`${boundOf(reason, after)}::text collate "C"`
    const shown = sql.literal(String(shownDuplicates))
    const hint = sql.literal(`(${hintOf("split_part(i.value, '@', 1)")}) collate "C"`)
    const hashOfHint = sql`hashtextextended(${hint}, 0)`
    const name = sql.literal(foldedLine("name"))
    const company = sql.literal(foldedLine("company"))
    const nameAndCompany = bound("same_name_and_company")
    return sql<DuplicateGroup>`
      (
        -- Only hashes are compared of all, since no index has hints in their order.
        with repeated as materialized (
          select ${hashOfHint} as hash from svc.lead_identities i
          where i.organization_id = ${organizationId} and i.kind = 'email' and ${bound("same_email_hint")} is not null
          group by 1 having count(*) > 1
        ), alike as materialized (
          select i.value from svc.lead_identities i
          where i.organization_id = ${organizationId} and i.kind = 'email' and ${hashOfHint} in (select hash from repeated)
        ), found as (
          select ${hint} as key, i.lead_id from alike a cross join lateral (
            select value, lead_id from svc.lead_identities
            where organization_id = ${organizationId} and kind = 'email' and value = a.value limit 1) i
        )
        select 'same_email_hint' as reason, f.key,
          (array_agg(distinct f.lead_id collate "C" order by f.lead_id collate "C"))[1:${shown}] as "leadIds",
          count(distinct f.lead_id)::int as count
        from found f where f.key > ${bound("same_email_hint")}
        group by f.key having min(f.lead_id collate "C") <> max(f.lead_id collate "C")
        order by f.key limit ${limit + 1}
      ) union all (
        select 'same_name_and_company', ${name} || E'\n' || ${company},
          (array_agg(l.id order by l.id collate "C"))[1:${shown}], count(*)::int
        from svc.leads l
        where l.organization_id = ${organizationId} and l.merged_into is null and l.company <> ''
          and ${name} >= split_part(${nameAndCompany}, E'\n', 1)
          and (${name} || E'\n' || ${company}) collate "C" > ${nameAndCompany}
        group by ${name}, ${company} having count(*) > 1
        order by ${name}, ${company} limit ${limit + 1}
      ) union all (
        select 'same_phone', g.key, m.ids[1:${shown}], cardinality(m.ids)
        from (
          select l.phone_digits collate "C" as key from svc.leads l
          where l.organization_id = ${organizationId} and l.merged_into is null and l.phone_digits is not null
            and l.phone_digits collate "C" > ${bound("same_phone")}
          group by l.phone_digits collate "C" having count(*) > 1
          order by l.phone_digits collate "C" limit ${limit + 1}
        ) g
        cross join lateral (
          select array_agg(l.id order by l.id collate "C") as ids from svc.leads l
          where l.organization_id = ${organizationId} and l.merged_into is null and l.phone_digits is not null
            and l.phone_digits collate "C" = g.key
        ) m
        order by g.key
      )
      limit ${limit + 1}
    `.pipe(
      page((group) => group, limit, groupPosition),
      searching
    )
  }
})
