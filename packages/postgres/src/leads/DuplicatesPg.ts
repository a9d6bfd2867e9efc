/** Possible duplicates in PostgreSQL: each reason reads its own index in order until the page is full. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type PageRequest } from "@svc/core"
import { DuplicateReason, DuplicatesRepo, groupPosition, shownDuplicates } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import { orUnavailable } from "../SqlFailure.ts"

interface GroupRow {
  readonly reason: DuplicateReason
  readonly key: string
  readonly ids: ReadonlyArray<string>
  readonly count: number
}

/** The key after which the list of a reason continues; null when it is finished. No key is empty. */
const boundOf = (reason: DuplicateReason, after: PageRequest["after"]): string | null => {
  const [rank = -1, key = ""] = after ?? []
  const place = DuplicateReason.literals.indexOf(reason)
  if (place === Number(rank)) return String(key)
  return place > Number(rank) ? "" : null
}

/** Finds duplicates in the database. */
export const layer: Layer.Layer<DuplicatesRepo, never, PgClient> = Layer.effect(
  DuplicatesRepo,
  Effect.map(PgClient, (sql) =>
    DuplicatesRepo.of({
      groups: (organizationId, { after, limit }) => {
        const bound = (reason: DuplicateReason) => sql`${boundOf(reason, after)}::text collate "C"`
        const shown = sql.literal(String(shownDuplicates))
        /** Leads that share the value of a column. */
        const sameText = (reason: DuplicateReason, column: Fragment) => sql`
            select ${sql.literal(`'${reason}'`)}, g.key, m.ids[1:${shown}], cardinality(m.ids)
            from (
              select ${column} collate "C" as key from svc.leads l
              where l.organization_id = ${organizationId} and l.merged_into is null and ${column} is not null
                and ${column} collate "C" > ${bound(reason)}
              group by ${column} collate "C" having count(*) > 1
              order by ${column} collate "C" limit ${limit + 1}
            ) g
            cross join lateral (
              select array_agg(l.id order by l.id collate "C") as ids from svc.leads l
              where l.organization_id = ${organizationId} and l.merged_into is null and ${column} is not null
                and ${column} collate "C" = g.key
            ) m
            order by g.key
        `
        return sql<GroupRow>`
          (
            select 'same_email_hint' as reason, g.key, m.ids[1:${shown}] as ids, cardinality(m.ids) as count
            from (
              select i.hint collate "C" as key from svc.lead_identities i
              where i.organization_id = ${organizationId} and i.hint is not null
                and i.hint collate "C" > ${bound("same_email_hint")}
              group by i.hint collate "C" having min(i.lead_id collate "C") <> max(i.lead_id collate "C")
              order by i.hint collate "C" limit ${limit + 1}
            ) g
            cross join lateral (
              select array_agg(distinct i.lead_id collate "C" order by i.lead_id collate "C") as ids
              from svc.lead_identities i where i.organization_id = ${organizationId} and i.hint collate "C" = g.key
            ) m
            order by g.key
          ) union all (${sameText("same_name_and_company", sql.literal("l.name_company"))}
          ) union all (${sameText("same_phone", sql.literal("l.phone_digits"))}
          )
          limit ${limit + 1}
        `.pipe(
          orUnavailable,
          Effect.map((rows) =>
            cutPage(
              rows.map(({ count, ids, key, reason }) => ({ reason, key, leadIds: ids, count })),
              limit,
              groupPosition
            )
          )
        )
      }
    })
  )
)
