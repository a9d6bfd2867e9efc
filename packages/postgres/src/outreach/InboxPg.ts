/** The LinkedIn inbox in PostgreSQL, one statement for each method. */

import { PgClient } from "@effect/sql-pg/PgClient"
import type { LeadId, OrganizationId } from "@svc/core"
import { type InboxPoll, InboxRepo, type LinkedInAccount } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { first } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { accountJson, instant } from "./transmissionJson.ts"

const make = (sql: PgClient) => {
  const account = sql.literal(accountJson)
  const isLinked = sql.literal(`c.unlinked_at is null and exists (
    select 1 from svc.agents a where a.organization_id = c.organization_id and a.id = c.agent_id and a.deleted_at is null)`)

  return InboxRepo.of({
    tokenOwner: (gateway, tokenHash) =>
      sql<{ readonly organization_id: OrganizationId }>`
        select organization_id from svc.organization_lookups
        where kind = ${`linkedin_webhook:${gateway}`} and value = ${tokenHash}
      `.pipe(
        orUnavailable,
        Effect.map(([row]) => row?.organization_id)
      ),
    saveToken: (organizationId, gateway, tokenHash) =>
      sql`
        insert into svc.organization_lookups (kind, value, organization_id)
        values (${`linkedin_webhook:${gateway}`}, ${tokenHash}, ${organizationId})
        on conflict do nothing
      `.pipe(orUnavailable, Effect.asVoid),
    accountAt: (organizationId, gateway, gatewayAccountId) =>
      sql<{ readonly account: LinkedInAccount }>`
        select ${account} as account from svc.linkedin_accounts c
        where c.organization_id = ${organizationId} and c.gateway = ${gateway}
          and c.gateway_account_id = ${gatewayAccountId} and ${isLinked}
      `.pipe(first((row) => row.account)),
    leadOfChat: (organizationId, accountId, chatId) =>
      sql<{ readonly lead_id: LeadId }>`
        select r.lead_id from svc.lead_relations r
        where r.organization_id = ${organizationId} and r.account_id = ${accountId} and r.chat_id = ${chatId}
        order by r.lead_id collate "C" limit 1
      `.pipe(
        orUnavailable,
        Effect.map(([row]) => row?.lead_id)
      ),
    knownMessages: (organizationId, externalIds) =>
      sql<{ readonly external_id: string }>`
        select m.external_id from svc.lead_messages m
        where m.organization_id = ${organizationId} and m.channel = 'LINKEDIN'
          and m.external_id = any (${[...externalIds]}::text[])
      `.pipe(
        orUnavailable,
        Effect.map((rows) => new Set(rows.map(({ external_id }) => external_id)))
      ),
    sentBetween: (organizationId, leadId, from, until) =>
      sql<{ readonly id: string; readonly content: string; readonly externalId: string | null }>`
        select m.id, m.content, m.external_id as "externalId" from svc.lead_messages m
        where m.organization_id = ${organizationId} and m.lead_id = ${leadId} and m.channel = 'LINKEDIN'
          and m.direction = 'outbound' and m.date between ${from}::timestamptz and ${until}::timestamptz
        order by m.date, m.id collate "C"
      `.pipe(orUnavailable),
    setExternalId: (organizationId, messageId, externalId) =>
      sql`
        update svc.lead_messages set external_id = ${externalId}
        where organization_id = ${organizationId} and id = ${messageId} and external_id is null
      `.pipe(orUnavailable, Effect.asVoid),
    wake: (organizationId, accountId, leadId, at) =>
      sql`
        update svc.transmissions set not_before = ${at}::timestamptz,
          updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')
        where organization_id = ${organizationId} and account_id = ${accountId} and lead_id = ${leadId}
          and state = 'waiting_relation'
      `.pipe(orUnavailable, Effect.asVoid),
    takePolls: ({ gateway, limit, now, organizationId = null, pauseSeconds }) =>
      sql<InboxPoll>`
        with due as (
          select c.organization_id, c.id from svc.linkedin_accounts c
          left join svc.linkedin_inboxes i on i.organization_id = c.organization_id and i.account_id = c.id
          where c.gateway = ${gateway} and ${isLinked} and coalesce(i.due_at, c.created_at) <= ${now}::timestamptz
            and (${organizationId}::text is null or c.organization_id = ${organizationId}::text)
          order by coalesce(i.due_at, c.created_at), c.id collate "C"
          limit ${limit} for no key update of c skip locked
        ), taken as (
          insert into svc.linkedin_inboxes as i (organization_id, account_id, messages_since, relations_since, due_at)
          select c.organization_id, c.id, c.created_at, c.created_at,
            ${now}::timestamptz + make_interval(secs => ${pauseSeconds})
          from due join svc.linkedin_accounts c on c.organization_id = due.organization_id and c.id = due.id
          on conflict (organization_id, account_id) do update set due_at = excluded.due_at
            where i.organization_id = excluded.organization_id and i.due_at <= ${now}::timestamptz
          returning i.organization_id, i.account_id, i.messages_since, i.relations_since
        )
        select ${account} as account, ${sql.literal(instant("t.messages_since"))} as "messagesSince",
          ${sql.literal(instant("t.relations_since"))} as "relationsSince"
        from taken t
        join svc.linkedin_accounts c on c.organization_id = t.organization_id and c.id = t.account_id
        order by c.id collate "C"
      `.pipe(orUnavailable),
    savePoll: (organizationId, accountId, { messagesSince, relationsSince }) =>
      sql`
        update svc.linkedin_inboxes set messages_since = ${messagesSince}::timestamptz,
          relations_since = ${relationsSince}::timestamptz
        where organization_id = ${organizationId} and account_id = ${accountId}
      `.pipe(orUnavailable, Effect.asVoid),
    pollNow: (organizationId, accountId, at) =>
      sql`
        insert into svc.linkedin_inboxes as i (organization_id, account_id, messages_since, relations_since, due_at)
        select c.organization_id, c.id, c.created_at, c.created_at, ${at}::timestamptz
        from svc.linkedin_accounts c where c.organization_id = ${organizationId} and c.id = ${accountId}
        on conflict (organization_id, account_id) do update set due_at = excluded.due_at
          where i.organization_id = ${organizationId}
      `.pipe(orUnavailable, Effect.asVoid)
  })
}

/** Keeps the inbox in the database. */
export const layer: Layer.Layer<InboxRepo, never, PgClient> = Layer.effect(InboxRepo, Effect.map(PgClient, make))
