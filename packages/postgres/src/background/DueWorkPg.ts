/** Due work in PostgreSQL. The only statement that looks across organizations is `find`, one read of an index. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import { type DueKind, DueWork, type OrganizationId } from "@svc/core"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { each, repository } from "../results.ts"
import { orUnavailable, retrySerialization } from "../SqlFailure.ts"

/**
 * A statement, or part of one, that notes work: `rows` selects organization, kind and instant, at most one of each kind, in their
 * order. Locks what it notes until the transaction ends.
 */
export const noteWork = (sql: PgClient, rows: Fragment) => sql`
  insert into svc.due_work as w (organization_id, kind, due_at) ${rows}
  on conflict (organization_id, kind) do update set due_at = least(w.due_at, excluded.due_at)`

/** The mission of a transmission q, of itself or of its draft d, and whether it lets q go. */
const mission = `left join svc.linkedin_drafts d on d.organization_id = q.organization_id and d.id = q.draft_id
  left join svc.missions m on m.organization_id = q.organization_id and m.id = coalesce(q.mission_id, d.mission_id)`
/** Kinds with the instants until which a sender p pauses. */
const ofEmails = "('email', null::timestamptz, p.message_look_at)"
const ofLinkedIn = `('message', p.message_stopped_until, p.message_look_at),
  ('invitation', p.invitation_stopped_until, p.invitation_look_at)`
const isOpen = "(q.bypass or m.id is null or m.status in ('ACTIVE', 'ARCHIVED'))"

/**
 * Selects when the next work of a kind in an organization is due; null where there is none. It may be earlier than what can be
 * done, never later: leases of what is queued are not looked at, and an unpaced process sees the pauses of a paced one.
 */
const nextWork = (sql: PgClient): Readonly<Record<DueKind, (organizationId: OrganizationId) => Fragment>> => {
  const openMission = sql.literal(mission)
  const isReady = sql.literal(`q.not_before is not null and ${isOpen}`)
  /** The first of each sender and kind: of all, which pauses hold, or of those that no pause holds. */
  const firstQueued = (id: OrganizationId, pauses: string, isHeld: boolean) => sql`
    select ${sql.literal(isHeld ? "greatest(q.not_before, k.stopped, k.paced, p.next_at)" : "q.not_before")} as due_at
    from svc.senders p cross join lateral (values ${sql.literal(pauses)}) k (kind, stopped, paced) cross join lateral (
      select q.not_before from svc.transmissions q ${openMission}
      where q.organization_id = ${id} and q.sender_id = p.sender_id and q.kind = k.kind and ${isReady}
        and (q.kind <> 'message' or d.queue_item_id = q.id and d.status = 'READY_TO_SEND')
        and q.state in ('queued', 'waiting_relation')
        ${sql.literal(isHeld ? "" : "and (q.bypass or q.state = 'waiting_relation')")}
      order by q.not_before limit 1
    ) q where p.organization_id = ${id}`
  const lost = (id: OrganizationId, kinds: string) => sql`
    select coalesce(lease_until, '-infinity') as due_at from svc.transmissions
    where organization_id = ${id} and kind in (${sql.literal(kinds)}) and state = 'sending'`
  return {
    actions: (id) => sql`select min(due_at) from svc.stale_actions where organization_id = ${id}`,
    approvals: (id) => sql`
      select min(expires_at) from svc.approval_requests where organization_id = ${id} and state = 'pending'`,
    audit: (id) => sql`
      select min(created_at) from svc.audit_entries where organization_id = ${id} and sequence is null`,
    // More of each webhook than may be leased at once.
    deliveries: (id) => sql`
      select min(greatest(d.next_attempt_at, d.lease_until)) from svc.webhooks h cross join lateral (
        select d.next_attempt_at, d.lease_until from svc.webhook_deliveries d
        where d.organization_id = ${id} and d.webhook_id = h.id and d.state = 'pending' and d.next_attempt_at is not null
        order by d.next_attempt_at, d.id collate "C" limit 100
      ) d
      where h.organization_id = ${id} and h.is_active`,
    emails: (id) => sql`
      select min(due_at) from (
        ${firstQueued(id, ofEmails, true)}
        union all ${lost(id, "'email'")}
        union all select expires_at from svc.transmissions
          where organization_id = ${id} and state = 'in_review' and expires_at is not null
      ) work`,
    events: (id) => sql`
      select '-infinity'::timestamptz where exists (
        select 1 from svc.webhooks h
        where h.organization_id = ${id} and h.is_active and h.purpose = 'events' and h.told_sequence < (
          select c.sequence from svc.event_heads c where c.organization_id = ${id}))`,
    follow_ups: (id) => sql`
      select min(from_at) from svc.lead_actions
      where organization_id = ${id} and rank = 5 and follow_up is distinct from announced`,
    inboxes: (id) => sql`
      select min(coalesce(i.due_at, c.created_at)) from svc.linkedin_accounts c
      join svc.agents a on a.organization_id = ${id} and a.id = c.agent_id and a.deleted_at is null
      left join svc.linkedin_inboxes i on i.organization_id = ${id} and i.account_id = c.id
      where c.organization_id = ${id} and c.unlinked_at is null`,
    linkedin: (id) => sql`
      select min(due_at) from (
        ${firstQueued(id, ofLinkedIn, true)} union all ${firstQueued(id, ofLinkedIn, false)} union all ${lost(id, "'message', 'invitation'")}
        union all select d.approved_at from svc.linkedin_drafts d
          left join svc.missions m on m.organization_id = ${id} and m.id = d.mission_id
          where d.organization_id = ${id} and d.status = 'READY_TO_SEND' and d.queue_item_id is null
            and (m.id is null or m.status = 'ACTIVE') and exists (
              select 1 from svc.linkedin_accounts c
              where c.organization_id = ${id} and c.agent_id = d.agent_id and c.unlinked_at is null)
      ) work`,
    mailboxes: (id) => sql`
      select min(greatest(due_at, lease_until)) from svc.agent_email_accounts
      where organization_id = ${id} and due_at is not null`,
    notices: (id) => sql`
      select min(mail_at) from svc.approval_requests where organization_id = ${id} and mail_at is not null`,
    outcomes: (id) => sql`
      select min(greatest(not_before, lease_until)) from svc.transmissions
      where organization_id = ${id} and kind in ('message', 'invitation') and state = 'ambiguous' and not_before is not null`,
    // What is old enough depends on the settings of the process, which looks from time to time.
    retention: () => sql`select '-infinity'::timestamptz`
  }
}

const make = (sql: PgClient) => {
  const next = nextWork(sql)
  return DueWork.of({
    find: (kind, now, limit) =>
      sql<{ readonly organization_id: OrganizationId }>`
        select organization_id from svc.due_work where kind = ${kind} and due_at <= ${now}::timestamptz
        order by due_at, organization_id limit ${limit}
      `.pipe(each((row) => row.organization_id)),
    settle: (organizationId, kind, { again, at }) =>
      Effect.gen(function* () {
        // A row that a writer holds stays as it is.
        const held = yield* sql`
          select 1 from svc.due_work where organization_id = ${organizationId} and kind = ${kind} for update skip locked`
        if (held.length === 0) return
        // In a statement of its own, which sees all that was committed before the lock.
        yield* sql`
          with next as (select (${next[kind](organizationId)}) as due_at), idle as (
            delete from svc.due_work w using next
            where w.organization_id = ${organizationId} and w.kind = ${kind} and next.due_at is null
          )
          update svc.due_work w
          set due_at = case when next.due_at <= ${at}::timestamptz then ${again}::timestamptz else next.due_at end
          from next where w.organization_id = ${organizationId} and w.kind = ${kind} and next.due_at is not null`
      }).pipe(sql.withTransaction, retrySerialization, orUnavailable)
  })
}

/** Keeps due work in the database. */
export const layer = repository(DueWork, make)
