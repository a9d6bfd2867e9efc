/** The queue in PostgreSQL. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { fail } from "@svc/core/Failure"
import { type Identity, sortIdentities } from "@svc/core/leads/identity/Identity"
import type { SendAttempt } from "@svc/core/linkedin/DraftRow"
import { QueueRepo } from "@svc/core/linkedin/QueueRepo"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { catchUnique, orUnavailable } from "../SqlFailure.ts"
import { type ItemColumns, itemColumns, itemOf, type LeaseColumns } from "./draftRows.ts"
import { invitationsPg } from "./invitationsPg.ts"
import { type DueColumns, dueOf, type LeaseClock, leasesPg } from "./leasesPg.ts"
import { listingsPg } from "./listingsPg.ts"

interface AttemptColumns {
  readonly organization_id: string
  readonly queue_item_id: string
  readonly number: number
  readonly account_id: string
  readonly action: SendAttempt["action"]
  readonly outcome: SendAttempt["outcome"]
  readonly detail: string | null
  readonly started_at: Date
  readonly ended_at: Date | null
}

interface PersonColumns {
  readonly identities: ReadonlyArray<Identity>
  readonly connected: boolean | null
  readonly chat_id: string | null
  readonly invited_at: Date | null
  readonly checked_at: Date | null
}

const attemptOf = (row: AttemptColumns): SendAttempt => ({
  organizationId: row.organization_id,
  queueItemId: row.queue_item_id,
  number: row.number,
  accountId: row.account_id,
  action: row.action,
  outcome: row.outcome,
  detail: row.detail,
  startedAt: row.started_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null
})

const oneOpen = catchUnique("linkedin_drafts_open", () => fail("DRAFT_OPEN"))

const make = (sql: PgClient, clock: LeaseClock) => {
  const isLive = sql.literal("q.state in ('queued', 'waiting_relation', 'sending', 'ambiguous')")
  const count = (rows: ReadonlyArray<{ readonly count: number }>): number => rows[0]?.count ?? 0

  return QueueRepo.of({
    ...leasesPg(sql, clock),
    ...listingsPg(sql),
    invitations: invitationsPg(sql, clock),
    save: (organizationId, items) =>
      sql`
        with items as (
          insert into linkedin_queue as q (organization_id, id, draft_id, lead_id, account_id, state, reason, body_text,
            bypass, invite, invitation_note, invited_at, attempts, failures, not_before, expires_at, created_at,
            updated_at)
          select ${organizationId}, r.* from jsonb_to_recordset(${sql.json(items.map(itemColumns))}) as r (id text,
            draft_id text, lead_id text, account_id text, state text, reason text, body_text text, bypass boolean,
            invite boolean, invitation_note text, invited_at timestamptz, attempts integer, failures integer,
            not_before timestamptz, expires_at timestamptz, created_at timestamptz, updated_at timestamptz)
          on conflict (organization_id, id) do update set account_id = excluded.account_id, state = excluded.state,
            reason = excluded.reason, bypass = excluded.bypass, invite = excluded.invite,
            invitation_note = excluded.invitation_note, invited_at = excluded.invited_at, attempts = excluded.attempts,
            failures = excluded.failures, not_before = excluded.not_before, expires_at = excluded.expires_at,
            lease_until = case when excluded.state = 'sending' then q.lease_until end, updated_at = excluded.updated_at
          where q.organization_id = ${organizationId}
          returning q.account_id
        )
        insert into linkedin_pacing (organization_id, account_id) select distinct ${organizationId}, account_id from items
        on conflict (organization_id, account_id) do nothing
      `.pipe(orUnavailable, Effect.asVoid),
    saveAttempt: (attempt) =>
      sql`
        insert into linkedin_attempts as a (organization_id, queue_item_id, number, account_id, action, outcome, detail,
          started_at, ended_at)
        values (${attempt.organizationId}, ${attempt.queueItemId}, ${attempt.number}, ${attempt.accountId},
          ${attempt.action}, ${attempt.outcome}, ${attempt.detail}, ${attempt.startedAt}::timestamptz,
          ${attempt.endedAt}::timestamptz)
        on conflict (organization_id, queue_item_id, number) do update set action = excluded.action,
          outcome = excluded.outcome, detail = excluded.detail, ended_at = excluded.ended_at
        where a.organization_id = ${attempt.organizationId}
      `.pipe(orUnavailable, Effect.asVoid),
    attemptsOf: (organizationId, queueItemId) =>
      sql<AttemptColumns>`
        select a.* from linkedin_attempts a
        where a.organization_id = ${organizationId} and a.queue_item_id = ${queueItemId} order by a.number
      `.pipe(
        orUnavailable,
        Effect.map((rows) => rows.map(attemptOf))
      ),
    isBusy: (organizationId, leadId, exceptItemId) =>
      sql`
        select 1 from linkedin_queue q
        where q.organization_id = ${organizationId} and q.lead_id = ${leadId} and q.state = 'sending'
          and q.id <> ${exceptItemId}
        limit 1
      `.pipe(
        orUnavailable,
        Effect.map((rows) => rows.length > 0)
      ),
    countLive: (organizationId, leadId) =>
      sql<{ readonly count: number }>`
        select (
          select count(*) from linkedin_queue q
          where q.organization_id = ${organizationId} and q.lead_id = ${leadId} and ${isLive}
        )::int + (
          select count(*) from linkedin_invitations v
          where v.organization_id = ${organizationId} and v.lead_id = ${leadId}
            and v.state in ('queued', 'sending', 'pending', 'ambiguous')
        )::int as count
      `.pipe(orUnavailable, Effect.map(count)),
    countUnsent: (organizationId, agentId) =>
      sql<{ readonly count: number }>`
        select (
          select count(*) from linkedin_drafts d
          join linkedin_queue q on q.organization_id = ${organizationId} and q.id = d.queue_item_id and ${isLive}
          where d.organization_id = ${organizationId} and d.agent_id = ${agentId} and d.status = 'READY_TO_SEND'
        )::int + (
          select count(*) from linkedin_invitations v
          where v.organization_id = ${organizationId} and v.agent_id = ${agentId}
            and v.state in ('queued', 'sending', 'ambiguous')
        )::int as count
      `.pipe(orUnavailable, Effect.map(count)),
    person: (organizationId, accountId, leadId) =>
      sql<PersonColumns>`
        select r.connected, r.chat_id, r.invited_at, r.checked_at, coalesce((
          select jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value, 'derived', i.derived))
          from lead_identities i where i.organization_id = ${organizationId} and i.lead_id = ${leadId}), '[]') as identities
        from (select 1) one
        left join lead_relations r
          on r.organization_id = ${organizationId} and r.account_id = ${accountId} and r.lead_id = ${leadId}
      `.pipe(
        orUnavailable,
        Effect.map(([row]) => ({
          identities: sortIdentities(row?.identities ?? []),
          relation:
            row === undefined || row.checked_at === null
              ? undefined
              : {
                  organizationId,
                  accountId,
                  leadId,
                  connected: row.connected === true,
                  chatId: row.chat_id,
                  invitedAt: row.invited_at?.toISOString() ?? null,
                  checkedAt: row.checked_at.toISOString()
                }
        }))
      ),
    saveRelation: (relation) =>
      sql`
        insert into lead_relations as r (organization_id, account_id, lead_id, connected, chat_id, invited_at, checked_at)
        values (${relation.organizationId}, ${relation.accountId}, ${relation.leadId}, ${relation.connected},
          ${relation.chatId}, ${relation.invitedAt}::timestamptz, ${relation.checkedAt}::timestamptz)
        on conflict (organization_id, account_id, lead_id) do update set connected = excluded.connected,
          chat_id = excluded.chat_id, invited_at = excluded.invited_at, checked_at = excluded.checked_at
        where r.organization_id = ${relation.organizationId}
      `.pipe(orUnavailable, Effect.asVoid),
    adopt: (organizationId, winnerLeadId, loserLeadIds, at) =>
      sql`
        with drafts as (
          update linkedin_drafts set lead_id = ${winnerLeadId},
            updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')
          where organization_id = ${organizationId} and lead_id = any (${[...loserLeadIds]}::text[])
        ), items as (
          update linkedin_queue set lead_id = ${winnerLeadId},
            updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')
          where organization_id = ${organizationId} and lead_id = any (${[...loserLeadIds]}::text[])
        ), gone as (
          delete from lead_relations
          where organization_id = ${organizationId} and lead_id = any (${[...loserLeadIds]}::text[])
          returning account_id, lead_id, connected, chat_id, invited_at, checked_at
        )
        insert into lead_relations (organization_id, account_id, lead_id, connected, chat_id, invited_at, checked_at)
        select distinct on (account_id) ${organizationId}, account_id, ${winnerLeadId}, connected, chat_id, invited_at,
          checked_at
        from gone order by account_id, lead_id collate "C"
        on conflict (organization_id, account_id, lead_id) do nothing
      `.pipe(oneOpen, orUnavailable, Effect.asVoid),
    due: ({ approvedBefore, limit, now, organizationId = null, staleBefore }) =>
      sql<DueColumns>`
        select * from (
          (
            select d.organization_id, d.id as draft_id, null::text as queue_item_id, false as is_stale,
              d.approved_at as due, 0 as fence
            from linkedin_drafts d
            left join missions m on m.organization_id = d.organization_id and m.id = d.mission_id
            where d.status = 'READY_TO_SEND' and d.queue_item_id is null
              and d.approved_at <= ${approvedBefore}::timestamptz
              and (d.mission_id is null or m.status = 'ACTIVE')
              and (${organizationId}::text is null or d.organization_id = ${organizationId}::text)
            order by d.approved_at, d.id collate "C" limit ${limit}
          ) union all (
            select q.organization_id, q.draft_id, q.id, true, coalesce(q.lease_until, q.updated_at) as due, q.fence
            from linkedin_queue q
            join linkedin_drafts d on d.organization_id = q.organization_id and d.id = q.draft_id
              and d.queue_item_id = q.id and d.status = 'READY_TO_SEND'
            where q.state = 'sending'
              and coalesce(q.lease_until <= ${clock(now)}, q.updated_at <= ${staleBefore}::timestamptz)
              and (${organizationId}::text is null or q.organization_id = ${organizationId}::text)
            order by due, q.draft_id collate "C" limit ${limit}
          )
        ) found
        order by due, draft_id collate "C"
        limit ${limit}
      `.pipe(
        orUnavailable,
        Effect.map((rows) => rows.map(dueOf))
      ),
    history: (organizationId, draftId) =>
      Effect.gen(function* () {
        const items = yield* orUnavailable(sql<ItemColumns<Date> & LeaseColumns<Date>>`
          select q.* from linkedin_queue q
          where q.organization_id = ${organizationId} and q.draft_id = ${draftId}
          order by q.id collate "C"
        `)
        const attempts = yield* orUnavailable(sql<AttemptColumns>`
          select a.* from linkedin_attempts a
          join linkedin_queue q on q.organization_id = a.organization_id and q.id = a.queue_item_id
          where a.organization_id = ${organizationId} and q.draft_id = ${draftId}
          order by q.id collate "C", a.number
        `)
        return { items: items.map(itemOf), attempts: attempts.map(attemptOf) }
      })
  })
}

/** Keeps the queue in the database, whose clock decides about leases, so that no process's own clock can steal one. */
export const layer: Layer.Layer<QueueRepo, never, PgClient> = Layer.effect(
  QueueRepo,
  Effect.map(PgClient, (sql) => make(sql, () => sql.literal("clock_timestamp()")))
)

/** The same with leases on the clock of the process: for tests that move the clock. */
export const layerOnProcessClock: Layer.Layer<QueueRepo, never, PgClient> = Layer.effect(
  QueueRepo,
  Effect.map(PgClient, (sql) => make(sql, (now) => sql`${now}::timestamptz`))
)
