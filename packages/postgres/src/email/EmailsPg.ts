/** E-mails in PostgreSQL. */
import { PgClient } from "@effect/sql-pg/PgClient"
import type { WorkingHours } from "@svc/core/agents/WorkingHours"
import type { EmailRow, EmailView } from "@svc/core/email/EmailRow"
import { type DueEmail, EmailsRepo } from "@svc/core/email/EmailsRepo"
import type { LeadStatus } from "@svc/core/leads/LeadStatus"
import type { MissionStatus } from "@svc/core/missions/MissionStatus"
import { cutPage } from "@svc/core/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable } from "../SqlFailure.ts"

interface EmailColumns<Instant> {
  readonly organization_id: string
  readonly id: string
  readonly mission_id: string | null
  readonly agent_id: string
  readonly lead_id: string
  readonly from_address: string
  readonly to_address: string
  readonly subject: string
  readonly body_text: string
  readonly body_html: string | null
  readonly strategy: EmailRow["strategy"]
  readonly state: EmailRow["state"]
  readonly reason: string | null
  readonly expires_at: Instant | null
  readonly decision: EmailRow["decision"]
  readonly decided_by: string | null
  readonly decided_at: Instant | null
  readonly attempts: number
  readonly not_before: Instant | null
  readonly message_id: string | null
  readonly sent_at: Instant | null
  readonly created_by: string
  readonly created_at: Instant
  readonly updated_at: Instant
}

interface ViewColumns extends EmailColumns<Date> {
  readonly live_lead_id: string
  readonly lead_name: string
  readonly lead_company: string
  readonly lead_status: LeadStatus
  readonly lead_was_written: boolean
  readonly lead_timezone: string
  readonly agent_handle: string
  readonly agent_first_name: string
  readonly agent_last_name: string
  readonly agent_deleted: boolean
  readonly agent_timezone: string
  readonly agent_hours: WorkingHours
  readonly mission_handle: string | null
  readonly mission_name: string | null
  readonly mission_status: MissionStatus | null
}

const isoOrNull = (instant: Date | null): string | null => instant?.toISOString() ?? null

const rowOf = (row: EmailColumns<Date>): EmailRow => ({
  id: row.id,
  organizationId: row.organization_id,
  missionId: row.mission_id,
  agentId: row.agent_id,
  leadId: row.lead_id,
  fromAddress: row.from_address,
  toAddress: row.to_address,
  subject: row.subject,
  bodyText: row.body_text,
  bodyHtml: row.body_html,
  strategy: row.strategy,
  state: row.state,
  reason: row.reason,
  expiresAt: isoOrNull(row.expires_at),
  decision: row.decision,
  decidedBy: row.decided_by,
  decidedAt: isoOrNull(row.decided_at),
  attempts: row.attempts,
  notBefore: isoOrNull(row.not_before),
  messageId: row.message_id,
  sentAt: isoOrNull(row.sent_at),
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString()
})

const columnsOf = (row: EmailRow): EmailColumns<string> => ({
  organization_id: row.organizationId,
  id: row.id,
  mission_id: row.missionId,
  agent_id: row.agentId,
  lead_id: row.leadId,
  from_address: row.fromAddress,
  to_address: row.toAddress,
  subject: row.subject,
  body_text: row.bodyText,
  body_html: row.bodyHtml,
  strategy: row.strategy,
  state: row.state,
  reason: row.reason,
  expires_at: row.expiresAt,
  decision: row.decision,
  decided_by: row.decidedBy,
  decided_at: row.decidedAt,
  attempts: row.attempts,
  not_before: row.notBefore,
  message_id: row.messageId,
  sent_at: row.sentAt,
  created_by: row.createdBy,
  created_at: row.createdAt,
  updated_at: row.updatedAt
})

const missionOf = (row: ViewColumns): EmailView["mission"] =>
  row.mission_id === null || row.mission_handle === null || row.mission_status === null
    ? null
    : { id: row.mission_id, handle: row.mission_handle, name: row.mission_name ?? "", status: row.mission_status }

const viewOf = (row: ViewColumns): EmailView => ({
  row: rowOf(row),
  mission: missionOf(row),
  agent: {
    handle: row.agent_handle,
    name: `${row.agent_first_name} ${row.agent_last_name}`.trim(),
    isDeleted: row.agent_deleted,
    timezone: row.agent_timezone,
    workingHours: row.agent_hours
  },
  lead: {
    id: row.live_lead_id,
    name: row.lead_name,
    company: row.lead_company,
    status: row.lead_status,
    wasWritten: row.lead_was_written,
    timezone: row.lead_timezone
  }
})

/** Keeps e-mails in the database. */
export const layer: Layer.Layer<EmailsRepo, never, PgClient> = Layer.effect(
  EmailsRepo,
  Effect.map(PgClient, (sql) => {
    // Text of statements; l is the lead that the addressee was merged into, if it was.
    const view = sql.literal(`
      select e.*, l.id as live_lead_id, l.name as lead_name, l.company as lead_company, l.status as lead_status,
        l.last_outbound_at is not null as lead_was_written, coalesce(l.profile ->> 'timezone', '') as lead_timezone,
        a.profile ->> 'timezone' as agent_timezone, a.profile -> 'workingHours' as agent_hours, a.handle as agent_handle, a.first_name as agent_first_name,
        a.last_name as agent_last_name, a.deleted_at is not null as agent_deleted, m.handle as mission_handle,
        m.name as mission_name, m.status as mission_status
      from emails e
      join leads w on w.organization_id = e.organization_id and w.id = e.lead_id
      join leads l on l.organization_id = e.organization_id and l.id = coalesce(w.merged_into, w.id)
      join agents a on a.organization_id = e.organization_id and a.id = e.agent_id
      left join missions m on m.organization_id = e.organization_id and m.id = e.mission_id`)

    const first = (rows: ReadonlyArray<ViewColumns>): EmailView | undefined => rows[0] && viewOf(rows[0])

    return EmailsRepo.of({
      find: (organizationId, id) =>
        sql<ViewColumns>`${view} where e.organization_id = ${organizationId} and e.id = ${id}`.pipe(
          orUnavailable,
          Effect.map(first)
        ),
      // The lead first, as everything that changes what belongs to a lead does.
      hold: (organizationId, id) =>
        sql`
          select l.id from emails e
          join leads w on w.organization_id = e.organization_id and w.id = e.lead_id
          join leads l on l.organization_id = e.organization_id and l.id = coalesce(w.merged_into, w.id)
          where e.organization_id = ${organizationId} and e.id = ${id}
          for no key update of l
        `.pipe(
          Effect.andThen(sql<ViewColumns>`
            ${view} where e.organization_id = ${organizationId} and e.id = ${id} for update of e
          `),
          orUnavailable,
          Effect.map(first)
        ),
      list: (organizationId, { leadId = null, mission = null, reviewed, states }, { after, limit }) => {
        const [createdAt = null, id = null] = after ?? []
        return sql<ViewColumns>`
          ${view}
          where e.organization_id = ${organizationId}
            and (cardinality(${[...states]}::text[]) = 0 or e.state = any (${[...states]}::text[]))
            and (not ${reviewed}::boolean or e.strategy <> 'AUTO')
            and (${leadId}::text is null or e.lead_id = ${leadId}::text or l.id = ${leadId}::text)
            and (${mission}::text is null or m.id = ${mission}::text or m.handle = ${mission}::text)
            and (${createdAt}::timestamptz is null
              or (e.created_at, e.id collate "C") < (${createdAt}::timestamptz, ${id}::text collate "C"))
          order by e.created_at desc, e.id collate "C" desc limit ${limit + 1}
        `.pipe(
          orUnavailable,
          Effect.map((rows) => cutPage(rows.map(viewOf), limit, ({ row }) => [row.createdAt, row.id]))
        )
      },
      insert: (row) =>
        sql`
          insert into emails
          select r.* from jsonb_populate_record(null::emails, ${sql.json(columnsOf(row))}) as r
          where r.organization_id = ${row.organizationId}
        `.pipe(orUnavailable, Effect.asVoid),
      save: (row) =>
        sql`
          update emails e set mission_id = r.mission_id, subject = r.subject, body_text = r.body_text,
            body_html = r.body_html, strategy = r.strategy, state = r.state, reason = r.reason,
            expires_at = r.expires_at, decision = r.decision, decided_by = r.decided_by, decided_at = r.decided_at,
            attempts = r.attempts, not_before = r.not_before, message_id = r.message_id, sent_at = r.sent_at,
            updated_at = r.updated_at
          from jsonb_populate_record(null::emails, ${sql.json(columnsOf(row))}) as r
          where e.organization_id = ${row.organizationId} and e.id = ${row.id}
        `.pipe(orUnavailable, Effect.asVoid),
      due: ({ limit, now, organizationId = null, staleBefore }) =>
        sql<{ readonly organization_id: string; readonly id: string; readonly kind: DueEmail["kind"] }>`
          select d.organization_id, d.id, d.kind from (
            select e.organization_id, e.id, 'send' as kind, e.not_before as since from emails e
            left join missions m on m.organization_id = e.organization_id and m.id = e.mission_id
            where e.state = 'queued' and e.not_before <= ${now}::timestamptz
              and (m.id is null or m.status in ('ACTIVE', 'ARCHIVED'))
            union all
            select e.organization_id, e.id, 'stale', e.updated_at from emails e
            where e.state = 'sending' and e.updated_at <= ${staleBefore}::timestamptz
              and e.organization_id is not null
            union all
            select e.organization_id, e.id, 'expired', e.expires_at from emails e
            where e.state = 'in_review' and e.expires_at <= ${now}::timestamptz and e.organization_id is not null
          ) d
          where ${organizationId}::text is null or d.organization_id = ${organizationId}::text
          order by d.since, d.id collate "C" limit ${limit}
        `.pipe(
          orUnavailable,
          Effect.map((rows) =>
            rows.map((row) => ({ organizationId: row.organization_id, emailId: row.id, kind: row.kind }))
          )
        )
    })
  })
)
