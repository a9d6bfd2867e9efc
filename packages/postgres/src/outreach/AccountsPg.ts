/** LinkedIn accounts and inboxes in PostgreSQL. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { type AgentId, type LeadId, type OrganizationId, snakeKeys } from "@svc/core"
import * as Outreach from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { noteWork } from "../background/DueWorkPg.ts"
import { after, jsonb } from "../columns.ts"
import { each, first, hasRows, repository } from "../results.ts"
import { catchUnique, orUnavailable } from "../SqlFailure.ts"
import { accountJson, fieldsOf, instant, object, senderJson } from "./transmissionJson.ts"

interface Found {
  readonly account: Outreach.LinkedInAccount
}

/** The kind of lookup of accounts at a gateway. */
const lookupOf = (gateway: string): string => `linkedin_account:${gateway}`

const columnsOf = (account: Outreach.LinkedInAccount) => ({ ...snakeKeys(account), features: jsonb(account.features) })

const make = (sql: PgClient) => {
  const accountOf = sql.literal(accountJson)
  const agent = object({
    ...fieldsOf("a", ["id", "handle", "createdAt"]),
    name: senderJson.name,
    linkedinUrl: "coalesce(a.profile ->> 'linkedinUrl', '')"
  })
  const agentAndAccount = sql.literal(
    `${agent} as agent, case when c.id is not null then ${accountJson} end as account`
  )
  const holder = (organizationId: OrganizationId, gateway: string) => sql`${agentAndAccount},
    c.id is null and exists (
      select 1 from svc.linkedin_accounts u
      where u.organization_id = ${organizationId} and u.agent_id = a.id and u.gateway = ${gateway}
        and u.unlinked_at is not null) as "isUnlinked"`
  const agentsAt = (organizationId: OrganizationId, gateway: string) => sql`
    svc.agents a
    left join svc.linkedin_accounts c on c.organization_id = ${organizationId} and c.agent_id = a.id
      and c.gateway = ${gateway} and c.unlinked_at is null`
  const isLinked = (organization: Fragment) => sql`c.unlinked_at is null and exists (
    select 1 from svc.agents a where a.organization_id = ${organization} and a.id = c.agent_id and a.deleted_at is null)`
  /** Whether the account at the provider is the organization's: locks its lookup, and takes one over that nobody uses after a login. */
  const isOwned = Effect.fnUntraced(function* (account: Outreach.LinkedInAccount, proof: "login" | "id") {
    const { gateway, gatewayAccountId, organizationId } = account
    const [lookup] = yield* sql<{ readonly organization_id: OrganizationId }>`
      insert into svc.organization_lookups (kind, value, organization_id)
      values (${lookupOf(gateway)}, ${gatewayAccountId}, ${organizationId})
      on conflict (kind, value) do update set value = excluded.value
      returning organization_id`
    if (lookup === undefined || lookup.organization_id === organizationId) return true
    if (proof !== "login") return false
    const used = yield* sql`
      select 1 from svc.linkedin_accounts c
      where c.organization_id = ${lookup.organization_id} and c.gateway = ${gateway}
        and c.gateway_account_id = ${gatewayAccountId} and c.unlinked_at is null`
    if (used.length > 0) return false
    yield* sql`
      update svc.organization_lookups set organization_id = ${organizationId}
      where kind = ${lookupOf(gateway)} and value = ${gatewayAccountId}`
    return true
  }, orUnavailable)

  return {
    list: (organizationId, gateway, { day, week }) =>
      sql<Outreach.AgentAccount & { readonly use: Outreach.AccountUse }>`
        select ${holder(organizationId, gateway)}, jsonb_build_object('messagesDay', u.messages_day, 'invitationsDay', u.invitations_day,
          'invitationsWeek', u.invitations_week) as use
        from ${agentsAt(organizationId, gateway)}
        cross join lateral (
          select
            count(*) filter (where t.action = 'message' and t.started_at >= ${day}::timestamptz)::int as messages_day,
            count(*) filter (where t.action in ('invitation', 'invitation_with_note')
              and t.started_at >= ${day}::timestamptz)::int as invitations_day,
            count(*) filter (where t.action in ('invitation', 'invitation_with_note'))::int as invitations_week
          from svc.linkedin_attempts t
          where t.organization_id = ${organizationId} and t.account_id = c.id and t.outcome = 'confirmed'
            and t.started_at >= ${week}::timestamptz
        ) u
        where a.organization_id = ${organizationId} and a.deleted_at is null
        order by a.created_at, a.id collate "C"
      `.pipe(orUnavailable),
    ofAgent: (organizationId, agentId, gateway) =>
      sql<Outreach.AgentAccount>`
        select ${holder(organizationId, gateway)}
        from ${agentsAt(organizationId, gateway)}
        where a.organization_id = ${organizationId} and a.id = ${agentId} and a.deleted_at is null
      `.pipe(first((row) => row)),
    ensure: (account) =>
      sql`
        with moved as (
          update svc.linkedin_accounts
          set ${sql.update(columnsOf(account), ["organization_id", "id", "agent_id", "created_at"])}, unlinked_at = null
          where organization_id = ${account.organizationId} and id = ${account.id} and gateway <> ${account.gateway}
        ), sender as (
          insert into svc.senders (organization_id, sender_id) values (${account.organizationId}, ${account.id})
          on conflict (organization_id, sender_id) do nothing
        )
        , added as (
          insert into svc.linkedin_accounts ${sql.insert(columnsOf(account))}
          on conflict (organization_id, id) do nothing returning organization_id
        )
        ${noteWork(sql, sql`select organization_id, 'inboxes', '-infinity'::timestamptz from added`)}
      `.pipe(orUnavailable, Effect.asVoid),
    isForeign: (organizationId, gateway, gatewayAccountId) =>
      sql`
        select 1 from svc.organization_lookups
        where kind = ${lookupOf(gateway)} and value = ${gatewayAccountId} and organization_id <> ${organizationId}
      `.pipe(hasRows),
    link: (account, proof) =>
      Effect.gen(function* () {
        const { agentId, gateway, gatewayAccountId, organizationId } = account
        const [owner] = yield* orUnavailable(sql<{ readonly agent_id: AgentId }>`
          select c.agent_id from svc.linkedin_accounts c
          where c.organization_id = ${organizationId} and c.gateway = ${gateway}
            and c.gateway_account_id = ${gatewayAccountId} and c.unlinked_at is null
        `)
        if (owner !== undefined)
          return yield* owner.agent_id === agentId ? Outreach.alreadyLinked() : Outreach.linkedElsewhere()
        if (!Outreach.usesAgentIds(gateway) && !(yield* isOwned(account, proof))) return yield* Outreach.notAtProvider()
        const features = JSON.stringify(account.features)
        // Revives the account's last row, with all that it sent, whichever agent had it.
        const [stored] = yield* sql<Found>`
          with revived as (
            update svc.linkedin_accounts c set unlinked_at = null, agent_id = ${agentId}, status = ${account.status}, tier = ${account.tier},
              features = ${features}::jsonb, updated_at = ${account.updatedAt}::timestamptz
            where c.organization_id = ${organizationId} and c.id = (
              select u.id from svc.linkedin_accounts u
              where u.organization_id = ${organizationId} and u.gateway = ${gateway}
                and u.gateway_account_id = ${gatewayAccountId} and u.unlinked_at is not null
              order by u.agent_id = ${agentId} desc, u.unlinked_at desc limit 1)
            returning c.*
          ), added as (
            insert into svc.linkedin_accounts
            select r.* from jsonb_populate_record(null::svc.linkedin_accounts, ${sql.json(snakeKeys(account))}) r
            where not exists (select 1 from revived)
            returning *
          )
          , linked as (select * from revived union all select * from added), due as (${noteWork(
            sql,
            sql`select c.organization_id, k.kind, '-infinity'::timestamptz from linked c, (values ('inboxes'), ('linkedin')) k (kind)`
          )})
          select ${accountOf} as account from linked c
        `.pipe(
          catchUnique("linkedin_accounts_one_a_gateway", Outreach.alreadyLinked),
          catchUnique("linkedin_accounts_one_agent", Outreach.linkedElsewhere),
          orUnavailable
        )
        return stored === undefined ? yield* Outreach.notAtProvider() : stored.account
      }),
    unlink: (account, at) =>
      sql`
        with taken as (
          insert into svc.linkedin_accounts as c ${sql.insert({ ...columnsOf(account), updated_at: at, unlinked_at: at })}
          on conflict (organization_id, id) do update set unlinked_at = excluded.unlinked_at, updated_at = excluded.updated_at
            where c.organization_id = excluded.organization_id and c.unlinked_at is null
          returning c.id
        )
        select id from taken
      `.pipe(hasRows),
    unlinkAgent: (organizationId, agentId, at) =>
      sql`
        update svc.linkedin_accounts set unlinked_at = ${at}::timestamptz, updated_at = ${at}::timestamptz
        where organization_id = ${organizationId} and agent_id = ${agentId} and unlinked_at is null
      `.pipe(orUnavailable, Effect.asVoid),
    saveFacts: (organizationId, accountId, { features, status = null, tier = null }, at) =>
      sql<Found>`
        with said as (
          select ${status}::text as status, ${tier}::text as tier,
            ${features === undefined ? null : JSON.stringify(features)}::jsonb as features
        ), before as (
          select c.* from svc.linkedin_accounts c, said s
          where c.organization_id = ${organizationId} and c.id = ${accountId} and c.unlinked_at is null
            and (c.status <> s.status or c.tier <> s.tier or c.features <> s.features)
          for no key update of c
        ), changed as (
          update svc.linkedin_accounts c set status = coalesce(s.status, c.status), tier = coalesce(s.tier, c.tier),
            features = coalesce(s.features, c.features),
            updated_at = greatest(${at}::timestamptz, ${sql.literal(after("c.updated_at"))})
          from before b, said s where c.organization_id = ${organizationId} and c.id = b.id
        )
        select ${accountOf} as account from before c
      `.pipe(first(({ account }) => account)),
    tokenOwner: (gateway, tokenHash) =>
      sql<{ readonly organization_id: OrganizationId }>`
        select organization_id from svc.organization_lookups
        where kind = ${`linkedin_webhook:${gateway}`} and value = ${tokenHash}
      `.pipe(first((row) => row.organization_id)),
    saveToken: (organizationId, gateway, tokenHash) =>
      sql`
        insert into svc.organization_lookups (kind, value, organization_id)
        values (${`linkedin_webhook:${gateway}`}, ${tokenHash}, ${organizationId})
        on conflict do nothing
      `.pipe(orUnavailable, Effect.asVoid),
    accountAt: (organizationId, gateway, gatewayAccountId) =>
      sql<Found>`
        select ${accountOf} as account from svc.linkedin_accounts c
        where c.organization_id = ${organizationId} and c.gateway = ${gateway}
          and c.gateway_account_id = ${gatewayAccountId} and ${isLinked(sql`${organizationId}`)}
      `.pipe(first((row) => row.account)),
    leadOfChat: (organizationId, accountId, chatId) =>
      sql<{ readonly lead_id: LeadId }>`
        select r.lead_id from svc.lead_relations r
        where r.organization_id = ${organizationId} and r.account_id = ${accountId} and r.chat_id = ${chatId}
        order by r.lead_id collate "C" limit 1
      `.pipe(first((row) => row.lead_id)),
    knownMessages: (organizationId, externalIds) =>
      sql<{ readonly external_id: string }>`
        select m.external_id from svc.lead_messages m
        where m.organization_id = ${organizationId} and m.channel = 'LINKEDIN'
          and m.external_id = any (${[...externalIds]}::text[])
      `.pipe(
        each((row) => row.external_id),
        Effect.map((ids) => new Set(ids))
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
        with due as (${noteWork(sql, sql`values (${organizationId}, 'linkedin', ${at}::timestamptz)`)})
        update svc.transmissions set not_before = ${at}::timestamptz,
          updated_at = greatest(${at}::timestamptz, ${sql.literal(after("updated_at"))})
        where organization_id = ${organizationId} and account_id = ${accountId} and lead_id = ${leadId}
          and state = 'waiting_relation'
      `.pipe(orUnavailable, Effect.asVoid),
    takePolls: ({ gateway, limit, now, organizationId, pauseSeconds }) =>
      sql<Outreach.InboxPoll>`
        with due as (
          select c.id, c.created_at from svc.linkedin_accounts c
          left join svc.linkedin_inboxes i on i.organization_id = ${organizationId} and i.account_id = c.id
          where c.organization_id = ${organizationId} and c.gateway = ${gateway} and ${isLinked(sql`${organizationId}`)} and coalesce(i.due_at, c.created_at) <= ${now}::timestamptz
          order by coalesce(i.due_at, c.created_at), c.id collate "C"
          limit ${limit} for no key update of c skip locked
        ), taken as (
          insert into svc.linkedin_inboxes as i (organization_id, account_id, messages_since, relations_since, due_at)
          select ${organizationId}, id, created_at, created_at, ${now}::timestamptz + make_interval(secs => ${pauseSeconds})
          from due
          on conflict (organization_id, account_id) do update set due_at = excluded.due_at
            where i.organization_id = excluded.organization_id and i.due_at at time zone 'UTC'
              <= excluded.due_at at time zone 'UTC' - ${sql.literal(`interval '${pauseSeconds} seconds'`)}
          returning i.account_id, i.messages_since, i.relations_since
        )
        select ${accountOf} as account, ${sql.literal(instant("t.messages_since"))} as "messagesSince",
          ${sql.literal(instant("t.relations_since"))} as "relationsSince"
        from taken t
        join svc.linkedin_accounts c on c.organization_id = ${organizationId} and c.id = t.account_id
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
        with due as (${noteWork(sql, sql`values (${organizationId}, 'inboxes', ${at}::timestamptz)`)}), polled as (
          insert into svc.linkedin_inboxes as i (organization_id, account_id, messages_since, relations_since, due_at)
          select c.organization_id, c.id, c.created_at, c.created_at, ${at}::timestamptz
          from svc.linkedin_accounts c where c.organization_id = ${organizationId} and c.id = ${accountId}
          on conflict (organization_id, account_id) do update set due_at = excluded.due_at
            where i.organization_id = excluded.organization_id
          returning i.account_id
        )
        -- Two insertions that update are parts of a select, so that each is distributed by itself.
        select account_id from polled
      `.pipe(orUnavailable, Effect.asVoid)
  } satisfies Outreach.AccountsRepo["Service"]
}

/** Keeps accounts in the database, and what comes in through them. */
export const layer = repository(Outreach.AccountsRepo, make)
