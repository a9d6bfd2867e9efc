/** What organizations set up for their leads, in PostgreSQL. */
import { LeadFieldsRepo, type LeadSetup } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"
import { each, only, repository } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"

/** Keeps the set-up in the database. */
export const layer = repository(LeadFieldsRepo, (sql) =>
  LeadFieldsRepo.of({
    read: (organizationId) =>
      Effect.map(
        orUnavailable(sql<LeadSetup>`
          select fields, filters from svc.lead_setups where organization_id = ${organizationId}
        `),
        ([setup = { fields: [], filters: [] }]) => setup
      ),
    hold: (organizationId) =>
      sql<LeadSetup>`
        insert into svc.lead_setups as s (organization_id, fields, filters) values (${organizationId}, '[]', '[]')
        on conflict (organization_id) do update set fields = s.fields where s.organization_id = excluded.organization_id
        returning fields, filters
      `.pipe(only(Function.identity)),
    save: (organizationId, { fields, filters }) =>
      sql`
        update svc.lead_setups set fields = ${sql.json(fields)}, filters = ${sql.json(filters)}
        where organization_id = ${organizationId}
      `.pipe(orUnavailable, Effect.asVoid),
    // From each tag to the next one, whatever lies between.
    tags: (organizationId, limit) => {
      const next = (after = sql``) => sql`
        select k.value from svc.lead_labels k where k.organization_id = ${organizationId} and k.name = '' ${after}
        order by k.value limit 1`
      return sql<{ readonly value: string }>`
        with recursive tags as (
          (${next()})
          union all
          select (${next(sql`and k.value > t.value`)}) from tags t where t.value is not null
        )
        select value from tags where value is not null limit ${limit}
      `.pipe(each(({ value }) => value))
    }
  })
)
