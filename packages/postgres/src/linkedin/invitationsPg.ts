/** Invitations in PostgreSQL: one statement each. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { SendAttempt } from "@svc/core/linkedin/DraftRow"
import type { InvitationState } from "@svc/core/linkedin/invitations/Invitation"
import type {
  BegunInvitation,
  DueInvitation,
  Held,
  InvitationStore,
  ListedInvitation
} from "@svc/core/linkedin/invitations/InvitationStore"
import type { UsageRule } from "@svc/core/linkedin/pacing/UsageLimits"
import { cutPage } from "@svc/core/Page"
import { isoFromMillis, now as present } from "@svc/core/Time"
import * as Effect from "effect/Effect"
import { orUnavailable } from "../SqlFailure.ts"
import { type HoldColumns, holdColumns, holdOf } from "./holdColumns.ts"
import { type InvitationRow, invitationColumns, invitationOf } from "./invitationRows.ts"
import type { LeaseClock } from "./leasesPg.ts"

interface DueColumns {
  readonly organization_id: string
  readonly id: string
  readonly lead_id: string
  readonly state: InvitationState
  readonly fence: number
}

const dueOf = (row: DueColumns): DueInvitation => ({
  organizationId: row.organization_id,
  invitationId: row.id,
  leadId: row.lead_id,
  state: row.state,
  fence: row.fence
})

const listedOf = (row: InvitationRow & HoldColumns): ListedInvitation => ({
  invitation: invitationOf(row),
  hold: holdOf(row)
})

interface Answer {
  readonly answer: { readonly fence?: number; readonly held?: Held["reason"]; readonly until?: string }
}

const begunOf = ({ fence, held, until }: Answer["answer"]): BegunInvitation => {
  if (fence !== undefined) return { _tag: "Begun", fence }
  if (held === undefined || until === undefined) return { _tag: "Lost" }
  return { _tag: "Held", reason: held, until: isoFromMillis(Math.ceil(Date.parse(until))) }
}

const attemptJson = (attempt: SendAttempt) => ({
  queue_item_id: attempt.queueItemId,
  number: attempt.number,
  account_id: attempt.accountId,
  action: attempt.action,
  started_at: attempt.startedAt
})

const rulesJson = (rules: ReadonlyArray<UsageRule> | null): string | null =>
  rules === null ? null : JSON.stringify(rules.map(({ caps, counts }) => ({ counts, ...caps })))

/** Keeps invitations in the database; the clock decides about leases. */
export const invitationsPg = (sql: PgClient, clock: LeaseClock): InvitationStore => {
  const listed = sql.literal(`
    select v.*, ${holdColumns} from linkedin_invitations v
    left join linkedin_pacing p on p.organization_id = v.organization_id and p.account_id = v.account_id`)
  const many = (rows: ReadonlyArray<InvitationRow>) => rows.map(invitationOf)
  return {
    ofLead: (organizationId, leadId) =>
      sql<InvitationRow>`
        select v.* from linkedin_invitations v
        where v.organization_id = ${organizationId} and v.lead_id = ${leadId} order by v.id collate "C" desc
      `.pipe(orUnavailable, Effect.map(many)),
    queued: (organizationId, owner) =>
      ("agentId" in owner
        ? sql<InvitationRow>`
            select v.* from linkedin_invitations v
            where v.organization_id = ${organizationId} and v.state = 'queued' and v.agent_id = ${owner.agentId}
            order by v.id collate "C"`
        : sql<InvitationRow>`
            select v.* from linkedin_invitations v
            where v.organization_id = ${organizationId} and v.state = 'queued'
              and v.draft_id = any (${[...owner.draftIds]}::text[])
            order by v.id collate "C"`
      ).pipe(orUnavailable, Effect.map(many)),
    find: (organizationId, id) =>
      sql<InvitationRow & HoldColumns>`${listed} where v.organization_id = ${organizationId} and v.id = ${id}`.pipe(
        orUnavailable,
        Effect.map(([row]) => (row === undefined ? undefined : listedOf(row)))
      ),
    save: (organizationId, invitations) =>
      sql`
        with saved as (
          insert into linkedin_invitations as v (organization_id, id, account_id, agent_id, lead_id, draft_id, state, reason,
            note, bypass, external_id, attempts, failures, not_before, sent_at, ended_at, created_at, updated_at)
          select ${organizationId}, r.* from jsonb_to_recordset(${sql.json(invitations.map(invitationColumns))}) as r (
            id text, account_id text, agent_id text, lead_id text, draft_id text, state text, reason text, note text,
            bypass boolean, external_id text, attempts integer, failures integer, not_before timestamptz,
            sent_at timestamptz, ended_at timestamptz, created_at timestamptz, updated_at timestamptz)
          on conflict (organization_id, id) do update set lead_id = excluded.lead_id, draft_id = excluded.draft_id,
            state = excluded.state, reason = excluded.reason, note = excluded.note, bypass = excluded.bypass,
            external_id = excluded.external_id, attempts = excluded.attempts, failures = excluded.failures,
            not_before = excluded.not_before, sent_at = excluded.sent_at, ended_at = excluded.ended_at,
            lease_until = case when excluded.state = 'sending' then v.lease_until end, updated_at = excluded.updated_at
          where v.organization_id = ${organizationId}
          returning v.account_id
        )
        insert into linkedin_pacing (organization_id, account_id) select distinct ${organizationId}, account_id from saved
        on conflict (organization_id, account_id) do nothing
      `.pipe(orUnavailable, Effect.asVoid),
    take: ({ isPaced, leaseSeconds, limit, now, organizationId = null }) => {
      const ready = sql`
        v.organization_id = p.organization_id and v.account_id = p.account_id and v.state = 'queued'
        and v.not_before <= ${now}::timestamptz and (v.lease_until is null or v.lease_until <= ${clock(now)})
        and (p.invitation_stopped_until is null or p.invitation_stopped_until <= ${now}::timestamptz)
        and (v.bypass or not ${isPaced}::boolean
          or greatest(p.invitation_look_at, p.next_at, '-infinity') <= ${now}::timestamptz)`
      return sql<DueColumns>`
        with turns as materialized (
          select p.* from linkedin_pacing p
          where (${organizationId}::text is null or p.organization_id = ${organizationId}::text)
            and exists (select 1 from linkedin_invitations v where ${ready})
          order by p.served_at nulls first, p.organization_id, p.account_id
          limit ${limit} for update of p skip locked
        ), found as materialized (
          select v.organization_id, v.id, p.served_at, p.account_id, row_number() over (
            partition by p.organization_id, p.account_id order by v.not_before, v.id collate "C") as place
          from turns p cross join lateral (
            select v.organization_id, v.id, v.not_before from linkedin_invitations v
            where ${ready} order by v.not_before, v.id collate "C" limit ${limit} for update of v skip locked
          ) v
        ), chosen as materialized (
          select * from found order by place, served_at nulls first, organization_id, account_id limit ${limit}
        )
        update linkedin_invitations v set lease_until = ${clock(now)} + make_interval(secs => ${leaseSeconds}),
          fence = v.fence + 1
        from chosen c where v.organization_id = c.organization_id and v.id = c.id
        returning v.organization_id, v.id, v.lead_id, v.state, v.fence
      `.pipe(
        orUnavailable,
        Effect.map((rows) => rows.map(dueOf))
      )
    },
    takeUnsettled: ({ leaseSeconds, limit, now, organizationId = null }) =>
      sql<DueColumns>`
        with found as materialized (
          select v.organization_id, v.id from linkedin_invitations v
          where ((v.state = 'sending' and v.lease_until <= ${clock(now)})
              or (v.state = 'ambiguous' and v.not_before <= ${now}::timestamptz
                and (v.lease_until is null or v.lease_until <= ${clock(now)})))
            and (${organizationId}::text is null or v.organization_id = ${organizationId}::text)
          order by v.not_before nulls first, v.id collate "C" limit ${limit} for update of v skip locked
        )
        update linkedin_invitations v set lease_until = ${clock(now)} + make_interval(secs => ${leaseSeconds}),
          fence = v.fence + 1
        from found f where v.organization_id = f.organization_id and v.id = f.id
        returning v.organization_id, v.id, v.lead_id, v.state, v.fence
      `.pipe(
        orUnavailable,
        Effect.map((rows) => rows.map(dueOf))
      ),
    renew: (organizationId, id, fence, leaseSeconds) =>
      Effect.flatMap(present, (now) =>
        sql`
          update linkedin_invitations set lease_until = ${clock(now)} + make_interval(secs => ${leaseSeconds})
          where organization_id = ${organizationId} and id = ${id} and fence = ${fence} and lease_until is not null
          returning id
        `.pipe(
          orUnavailable,
          Effect.map((rows) => rows.length > 0)
        )
      ),
    begin: ({ attempt, fence, gapSeconds, invitation, leaseSeconds, rules }) =>
      sql<Answer>`
        select svc_begin_invitation(${attempt.organizationId}, ${sql.json(attemptJson(attempt))}, ${fence ?? null}::integer,
          ${rulesJson(rules)}::jsonb, ${gapSeconds}::integer, ${invitation.updatedAt}::timestamptz,
          ${clock(attempt.startedAt)}, ${leaseSeconds}::integer) as answer
      `.pipe(
        orUnavailable,
        Effect.map(([row]) => begunOf(row?.answer ?? {}))
      ),
    hold: (organizationId, accountId, { lookAt, reason, until }) =>
      sql`
        update linkedin_pacing set invitation_paced_reason = ${reason}, invitation_paced_until = ${until}::timestamptz,
          invitation_look_at = ${lookAt}::timestamptz
        where organization_id = ${organizationId} and account_id = ${accountId}
      `.pipe(orUnavailable, Effect.asVoid),
    list: (organizationId, { accountId = null, states }, { after, limit }) =>
      sql<InvitationRow & HoldColumns>`
        ${listed}
        where v.organization_id = ${organizationId} and v.state = any (${[...states]}::text[])
          and (${accountId}::text is null or v.account_id = ${accountId}::text)
          and (${after?.[0] ?? null}::text is null or v.id collate "C" > ${after?.[0] ?? null}::text collate "C")
        order by v.id collate "C" limit ${limit + 1}
      `.pipe(
        orUnavailable,
        Effect.map((rows) => cutPage(rows.map(listedOf), limit, ({ invitation }) => [invitation.id]))
      ),
    adopt: (organizationId, winnerLeadId, loserLeadIds, at) =>
      sql`
        update linkedin_invitations set lead_id = ${winnerLeadId},
          updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')
        where organization_id = ${organizationId} and lead_id = any (${[...loserLeadIds]}::text[])
      `.pipe(orUnavailable, Effect.asVoid),
    beginUse: (attempt, rules) =>
      sql<Answer>`
        select svc_begin_use(${attempt.organizationId}, ${sql.json(attemptJson(attempt))}, ${rulesJson(rules)}::jsonb) as answer
      `.pipe(
        orUnavailable,
        Effect.map(([row]) => {
          const begun = begunOf(row?.answer ?? {})
          return begun._tag === "Held" ? begun : undefined
        })
      )
  }
}
