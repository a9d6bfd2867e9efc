/** Judging and deleting leads that nobody uses, with one statement each for any number of leads. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { LeadId, OrganizationId } from "@svc/core"
import type { KeptReason, LeadsRepo } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { texts } from "../columns.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { keepingLeads } from "./keepLeads.ts"

/** What does not count as use: cancelled drafts, and a mission, an import and its changes. */
interface Exempt {
  readonly cancelledDrafts: boolean
  readonly import?: { readonly missionId: string; readonly id: string }
}

/**
 * Locks leads, and tells why each stays; null: nobody uses it. Whoever would write to one or refer to it in the meantime waits
 * for that lock, by holding the lead or by a foreign key, and then does not find it. Changes that were undone are none.
 */
export const judgeLeads = Effect.fnUntraced(function* (
  sql: PgClient,
  organizationId: OrganizationId,
  ids: ReadonlyArray<string>,
  { cancelledDrafts, import: run }: Exempt
) {
  yield* sql`
      select 1 from svc.leads where organization_id = ${organizationId} and id = any (${texts(ids)})
      order by id collate "C" for update
    `
  const { id: importId = null, missionId = null } = run ?? {}
  const has = (table: string, more = sql``) => sql`exists (
    select 1 from ${sql.literal(`svc.${table}`)} t where t.organization_id = ${organizationId} and t.lead_id = l.id ${more})`
  return yield* sql<{ readonly id: LeadId; readonly reason: KeptReason | null }>`
      with named as materialized (
        select g.ids [1] as id from svc.approval_requests a, regexp_matches(a.input::text, 'ld_[0-9A-Z]+', 'g') as g (ids)
        where a.organization_id = ${organizationId} and a.state = 'pending'
      )
      select l.id, case
        when l.merged_into is not null or exists (
          select 1 from svc.leads m where m.organization_id = ${organizationId} and m.merged_into = l.id) then 'MERGED'
        when ${has("lead_messages")} or ${has("transmissions", sql`and t.state <> 'in_review'`)} or ${has("lead_relations")}
          then 'CONTACTED'
        when ${has("linkedin_drafts", sql`and (t.status <> 'CANCELLED' or ${!cancelledDrafts})`)} or ${has("transmissions")}
          then 'DRAFTED'
        when ${has("lead_notes")} then 'NOTED'
        when ${has("suppressions")} then 'SUPPRESSED'
        when ${has("lead_missions", sql`and t.mission_id is distinct from ${missionId}::text`)} then 'IN_OTHER_MISSION'
        when ${has("import_rows", sql`and t.import_id is distinct from ${importId}::text`)} then 'IN_OTHER_IMPORT'
        when l.id in (select n.id from named n) then 'AWAITING_APPROVAL'
        when ${run !== undefined} and (l.profile -> 'user' is not null or exists (
          select 1 from svc.events e
          where e.organization_id = ${organizationId} and e.subject_type = 'lead' and e.subject_id = l.id
            and e.data ->> 'import_id' is distinct from ${importId}::text and e.type <> 'lead.created'
            and not e.is_undo and e.undone_at is null))
          then 'CHANGED'
      end as reason
      from svc.leads l where l.organization_id = ${organizationId} and l.id = any (${texts(ids)})
    `
})

/** Deletes locked leads with their identifiers, missions and drafts. */
export const deleteLeads = Effect.fnUntraced(function* (
  sql: PgClient,
  organizationId: OrganizationId,
  ids: ReadonlyArray<string>
) {
  const gone = texts(ids)
  yield* sql`delete from svc.linkedin_drafts where organization_id = ${organizationId} and lead_id = any (${gone})`
  yield* sql`delete from svc.lead_identities where organization_id = ${organizationId} and lead_id = any (${gone})`
  yield* sql`delete from svc.lead_missions where organization_id = ${organizationId} and lead_id = any (${gone})`
  yield* sql`delete from svc.lead_actions where organization_id = ${organizationId} and lead_id = any (${gone})`
  yield* sql`
    with unlabelled as (
      delete from svc.lead_labels where organization_id = ${organizationId} and lead_id = any (${gone})
    ), gone as (
      delete from svc.leads where organization_id = ${organizationId} and id = any (${gone}) returning id, updated_at
    )
    delete from svc.lead_recency c using gone g
    where c.organization_id = ${organizationId} and c.updated_at = g.updated_at and c.lead_id = g.id
  `.pipe(keepingLeads(sql, organizationId, ids))
})

/** Deletes unused leads in the database. */
export const unusedLeadsPg = (sql: PgClient): Pick<LeadsRepo["Service"], "removeUnused"> => ({
  removeUnused: (organizationId, leadId) =>
    Effect.gen(function* () {
      const [judged] = yield* judgeLeads(sql, organizationId, [leadId], { cancelledDrafts: true })
      if (judged?.reason == null) yield* deleteLeads(sql, organizationId, [leadId])
      return judged?.reason ?? undefined
    }).pipe(orUnavailable)
})
