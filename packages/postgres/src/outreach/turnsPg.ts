/** Taking, leasing and starting transmissions in PostgreSQL, one statement for each method. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { AccountFacts, AccountUsage, Due, TransmissionsRepo } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import { noteWork } from "../background/DueWorkPg.ts"
import { type LeaseClock, leasing } from "../background/leases.ts"
import { type RowOf, recordOf } from "../columns.ts"
import { each, first, only } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { doneJson, factsJson, mailboxJson, waitingJson } from "./transmissionJson.ts"

/** Takes and starts transmissions in the database, with leases on the given clock. */
export const turnsPg = (
  sql: PgClient,
  clock: LeaseClock
): Pick<TransmissionsRepo["Service"], "take" | "takeUnsettled" | "renew" | "begin"> => {
  const lease = leasing(sql, clock)
  const columns = sql.literal("q.organization_id, q.id, q.lead_id, q.draft_id, q.state, q.fence")
  return {
    take: ({ isPaced, kind, leaseSeconds, limit, now, organizationId }) =>
      sql<RowOf<Due>>`
        select * from svc.svc_take(${organizationId}, ${kind}, ${now}::timestamptz, ${isPaced}::boolean,
          ${limit}::integer, ${leaseSeconds}::integer, ${clock(now)})
      `.pipe(each(recordOf<Due>)),
    takeUnsettled: ({ kind, leaseSeconds, limit, now, organizationId, state }) =>
      sql<RowOf<Due>>`
        with found as materialized (
          select q.id from svc.transmissions q
          where q.organization_id = ${organizationId} and q.kind = ${kind} and ${sql.literal(state === "sending" ? "q.state = 'sending'" : "q.state = 'ambiguous'")}
            and ${lease.isFree("q", now)}
            ${state === "sending" ? sql`` : sql`and q.not_before <= ${now}::timestamptz`}
          order by q.not_before nulls first, q.id collate "C" limit ${limit} for update of q skip locked
        )
        update svc.transmissions q set ${lease.take("q", now, leaseSeconds)}
        from found f where q.organization_id = ${organizationId} and q.id = f.id
        returning ${columns}
      `.pipe(each(recordOf<Due>)),
    renew: lease.renewIn("transmissions"),
    begin: ({ attempt, fence = null, gapSeconds, leaseSeconds, updatedAt }) => {
      const { accountId, organizationId, queueItemId, startedAt } = attempt
      return sql<{ readonly fence: number }>`
        with begun as (
          update svc.transmissions q set account_id = ${accountId}, state = 'sending', reason = null,
            not_before = null, attempts = ${attempt.number}::integer, updated_at = ${updatedAt}::timestamptz,
            ${lease.take("q", startedAt, leaseSeconds)}
          where q.organization_id = ${organizationId} and q.id = ${queueItemId}
            and (${fence}::integer is null or q.fence = ${fence}::integer)
          returning q.fence, q.lease_until
        ), due as (
          ${noteWork(sql, sql`select ${organizationId}, 'linkedin', lease_until from begun`)}
        ), noted as (
          insert into svc.linkedin_attempts (organization_id, queue_item_id, number, account_id, action, started_at)
          select ${organizationId}, ${queueItemId}, ${attempt.number}::integer, ${accountId}, ${attempt.action},
            ${startedAt}::timestamptz
          from begun
        ), rested as (
          update svc.senders p set next_at = ${startedAt}::timestamptz + make_interval(secs => ${gapSeconds}::integer)
          from begun
          where ${gapSeconds}::integer is not null and p.organization_id = ${organizationId} and p.sender_id = ${accountId}
        )
        select fence from begun
      `.pipe(first((begun) => begun.fence))
    }
  }
}

/** Reads, pauses and stops accounts. */
export const pacesPg = (
  sql: PgClient
): Pick<TransmissionsRepo["Service"], "accountFacts" | "usage" | "holdAccount" | "stop" | "setLimits"> => {
  const facts = sql.literal(factsJson)
  const account = sql.literal(`svc.linkedin_accounts c
    join svc.agents a on a.organization_id = c.organization_id and a.id = c.agent_id
    left join svc.senders p on p.organization_id = c.organization_id and p.sender_id = c.id`)
  const mailbox = sql.literal(`svc.agent_email_accounts c
    join svc.agents a on a.organization_id = c.organization_id and a.id = c.agent_id
    left join svc.senders p on p.organization_id = c.organization_id and p.sender_id = c.email_key`)
  const done = (organizationId: string, since: string, id = "c.id") => sql`
    select coalesce(jsonb_agg(${sql.literal(doneJson)} order by t.started_at), '[]') from svc.linkedin_attempts t
    where t.organization_id = ${organizationId} and t.account_id = ${sql.literal(id)} and t.started_at > ${since}::timestamptz
      and (t.outcome is null or t.outcome in ('confirmed', 'unknown'))`
  return {
    accountFacts: ({ accountId, actions, isLocked, isMailbox = false, item, organizationId, since }) =>
      Effect.gen(function* () {
        const id = isMailbox ? "c.email_key" : "c.id"
        // In a statement of its own: the next one then sees what others started before they released the account.
        if (isLocked) {
          yield* sql`
            select 1 from svc.senders
            where organization_id = ${organizationId} and sender_id = ${accountId} for no key update`
        }
        return yield* sql<AccountFacts>`
          select (
            select ${isMailbox ? sql.literal(mailboxJson) : facts} || jsonb_build_object('done', (${done(organizationId, since, id)}
              and t.action = any (${[...actions]}::text[])))
            from ${isMailbox ? mailbox : account}
            where c.organization_id = ${organizationId} and ${sql.literal(id)} = ${accountId}
          ) as account, (
            select nullif(l.profile ->> 'timezone', '') from svc.leads l
            where l.organization_id = ${organizationId} and l.id = ${item?.leadId ?? null}::text
          ) as "leadTimezone", exists (
            select 1 from svc.transmissions q
            where q.organization_id = ${organizationId} and q.lead_id = ${item?.leadId ?? null}::text and q.kind <> 'invitation'
              and q.state = 'sending' and q.id <> ${item?.id ?? null}::text
          ) as "isBusy", (
          -- From the table of the deployment, so that its own server is asked.
          select svc.svc_sending_hold() is not null from svc.deployment) as "isHeld"
        `.pipe(only((found) => found))
      }).pipe(orUnavailable),
    usage: (organizationId, { accountId = null, gateway }, since) =>
      sql<{ readonly usage: AccountUsage }>`
        select ${facts} || jsonb_build_object('done', (${done(organizationId, since)}), 'waiting', (
          select coalesce(jsonb_agg(w.json order by not w.bypass, w.not_before, w.id collate "C"), '[]')
          from (values ('message'), ('invitation')) as k (kind) cross join lateral (
            select ${sql.literal(waitingJson)} as json, q.bypass, q.not_before, q.id
            from svc.transmissions q join svc.leads l on l.organization_id = q.organization_id and l.id = q.lead_id
            left join svc.linkedin_drafts d on d.organization_id = q.organization_id and d.id = q.draft_id
            left join svc.missions m on m.organization_id = q.organization_id and m.id = d.mission_id
            where q.organization_id = ${organizationId} and q.sender_id = c.id and q.kind = k.kind
              and q.state = 'queued' and q.not_before is not null
              and (q.bypass or m.id is null or m.status = 'ACTIVE')
            order by not q.bypass, q.not_before, q.id collate "C" limit 500
          ) w)) as usage
        from ${account}
        where c.organization_id = ${organizationId} and c.gateway = ${gateway} and c.unlinked_at is null
          and a.deleted_at is null and (${accountId}::text is null or c.id = ${accountId}::text)
        order by c.id collate "C"
      `.pipe(each(({ usage }) => usage)),
    holdAccount: (organizationId, accountId, kind, { recheckAt, reason, until }) =>
      sql`
        update svc.senders set ${sql.literal(`${kind}_paced_reason`)} = ${reason},
          ${sql.literal(`${kind}_paced_until`)} = ${until}::timestamptz,
          ${sql.literal(`${kind}_look_at`)} = ${recheckAt}::timestamptz
        where organization_id = ${organizationId} and sender_id = ${accountId}
      `.pipe(orUnavailable, Effect.asVoid),
    stop: (organizationId, accountId, kind, until) =>
      sql`
        update svc.senders set ${sql.literal(`${kind}_stopped_until`)} = ${until}::timestamptz
        where organization_id = ${organizationId} and sender_id = ${accountId}
      `.pipe(orUnavailable, Effect.asVoid),
    setLimits: (organizationId, accountId, { limits, ramp = null }) =>
      sql`
        with due as (${noteWork(sql, sql`values (${organizationId}, 'linkedin', '-infinity'::timestamptz)`)})
        insert into svc.senders (organization_id, sender_id, limits, ramp)
        values (${organizationId}, ${accountId}, jsonb_strip_nulls(${sql.json(limits)}), coalesce(${ramp}::boolean, true))
        on conflict (organization_id, sender_id) do update set
          limits = jsonb_strip_nulls(senders.limits || ${sql.json(limits)}),
          ramp = coalesce(${ramp}::boolean, senders.ramp),
          message_paced_until = null, message_paced_reason = null, message_look_at = null, invitation_paced_until = null,
          invitation_paced_reason = null, invitation_look_at = null
      `.pipe(orUnavailable, Effect.asVoid)
  }
}
