/** The leads that count as contacted, by status. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { contactedStatuses } from "@svc/core/leads"
import type { Fragment } from "effect/sql/Statement"

/**
 * The id and the status of each lead that counts as contacted, which includes who replied. Of the leads in DoNotContact,
 * which count as the status that they had before, only those are read that meet `isMember`, a condition on `leads`.
 */
export const countedLeads = (sql: PgClient, organizationId: OrganizationId, isMember: Fragment): Fragment => sql`
  -- By itself, since an index alone knows it; otherwise all leads of the missions would be looked at.
  (select l.id, l.status from svc.leads l
  where l.organization_id = ${organizationId} and l.merged_into is null
    and l.status <> 'New' and l.status = any (${[...contactedStatuses]}::text[]) offset 0)
  union all
  (select l.id, before.status from (
    select id from svc.leads
    where organization_id = ${organizationId} and merged_into is null and status <> 'New' and status = 'DoNotContact'
      and ${isMember} offset 0
  ) l
  cross join lateral (
    select e.data ->> 'from' as status from svc.events e
    where e.organization_id = ${organizationId} and e.type = 'lead.status_changed' and e.subject_id = l.id
      and e.data ->> 'to' = 'DoNotContact'
    order by e.created_at desc, e.id collate "C" desc limit 1
  ) before
  where before.status = any (${[...contactedStatuses]}::text[]))`
