/** Agents in PostgreSQL. */

import type { OrganizationId } from "@svc/core"
import { type AgentContent, type AgentRow, AgentsRepo, DuplicateEmailAccount, emailKey } from "@svc/core/agents"
import { contentOf } from "@svc/core/internal"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { after, type RowOf, recordOf } from "../columns.ts"
import { insertUnderFreeHandle } from "../firstFreeHandle.ts"
import { keepActionsOf } from "../leads/staleActions.ts"
import { each, first, hasRows, newestFirst, page, repository } from "../results.ts"
import { catchUnique, orUnavailable } from "../SqlFailure.ts"
import { transacted } from "../TransactionPg.ts"

type Profile = Omit<AgentContent, "firstName" | "lastName">

type Row = RowOf<Omit<AgentRow, keyof Profile>> & { readonly profile: Profile }

const agentOf = ({ profile, ...row }: Row): AgentRow => ({
  ...recordOf<Omit<AgentRow, keyof Profile>>(row),
  ...profile
})

const profileOf = (agent: AgentRow): string => {
  const { firstName: _first, lastName: _last, ...profile } = contentOf(agent)
  return JSON.stringify(profile)
}

const uniqueEmails = catchUnique("agent_email_accounts_one_agent", () => new DuplicateEmailAccount())

/** Keeps agents in the database. */
export const layer = repository(AgentsRepo, (sql) => {
  const insertOne = (agent: AgentRow) => (free: Fragment) =>
    sql<Row>`
    with free as (${free}), inserted as (
      insert into svc.agents (organization_id, id, handle, first_name, last_name, profile, created_at, updated_at,
        deleted_at)
      select ${agent.organizationId}, ${agent.id}, free.handle, ${agent.firstName}, ${agent.lastName},
        ${profileOf(agent)}::jsonb, ${agent.createdAt}::timestamptz, ${agent.updatedAt}::timestamptz,
        ${agent.deletedAt}::timestamptz
      from free
      on conflict (organization_id, handle) do nothing
      returning *
    ), accounts as (
      insert into svc.agent_email_accounts (organization_id, email_key, agent_id, created_at)
      select inserted.organization_id, account.email_key, inserted.id, inserted.updated_at
      from inserted cross join unnest(${agent.emailAccounts.map(emailKey)}::text[]) as account (email_key)
    )
    select * from inserted
  `
  const find = (lock: Fragment) => (organizationId: OrganizationId, idOrHandle: string) =>
    sql<Row>`
      select * from svc.agents
      where organization_id = ${organizationId} and (id = ${idOrHandle} or handle = ${idOrHandle})
        and deleted_at is null
      ${lock}
    `.pipe(first(agentOf))
  return {
    find: find(sql.literal("")),
    hold: find(sql.literal("for no key update")),
    list: (organizationId, request) =>
      sql<Row>`
        select * from svc.agents
        where organization_id = ${organizationId} and deleted_at is null and ${newestFirst(sql, request)}
      `.pipe(page(agentOf, request.limit, (agent) => [agent.createdAt, agent.id])),
    emailHolders: (organizationId, emails, exceptAgentId) =>
      sql<{ readonly email: string; readonly handle: string }>`
        select account.email_key as email, agents.handle
        from svc.agent_email_accounts account
        join svc.agents on agents.organization_id = account.organization_id and agents.id = account.agent_id
        where account.organization_id = ${organizationId} and account.email_key = any(${[...emails]}::text[])
          and account.agent_id <> ${exceptAgentId}
        order by account.email_key collate "C"
      `.pipe(orUnavailable),
    insert: (agent, handles) =>
      insertUnderFreeHandle(sql, "agents", agent.organizationId, handles, insertOne(agent)).pipe(
        uniqueEmails,
        first(agentOf)
      ),
    replace: (agent, seenUpdatedAt) =>
      sql<{ readonly is_moved: boolean }>`
        with before as materialized (
          select profile from svc.agents where organization_id = ${agent.organizationId} and id = ${agent.id}
        ), wanted as (
          select unnest(${agent.emailAccounts.map(emailKey)}::text[]) as email_key
        ), updated as (
          update svc.agents set first_name = ${agent.firstName}, last_name = ${agent.lastName},
            profile = ${profileOf(agent)}::jsonb, updated_at = ${agent.updatedAt}::timestamptz
          where organization_id = ${agent.organizationId} and id = ${agent.id} and deleted_at is null
            and updated_at = ${seenUpdatedAt}::timestamptz
          returning organization_id, id, updated_at, profile
        ), removed as (
          delete from svc.agent_email_accounts account using updated
          where account.organization_id = ${agent.organizationId} and account.agent_id = updated.id
            and account.email_key not in (select email_key from wanted)
        ), added as (
          insert into svc.agent_email_accounts (organization_id, email_key, agent_id, created_at)
          select updated.organization_id, wanted.email_key, updated.id, updated.updated_at from updated cross join wanted
          where not exists (
            select 1 from svc.agent_email_accounts account
            where account.organization_id = ${agent.organizationId} and account.agent_id = updated.id
              and account.email_key = wanted.email_key
          )
        )
        select (b.profile -> 'timezone', b.profile -> 'workingHours')
          is distinct from (u.profile -> 'timezone', u.profile -> 'workingHours') as is_moved
        from updated u cross join before b
      `.pipe(
        uniqueEmails,
        // Follow-ups are due by its hours.
        Effect.tap(([row]) =>
          row?.is_moved === true ? keepActionsOf(sql, agent.organizationId, "agent", agent.id) : Effect.void
        ),
        (changing) => transacted(sql, changing),
        hasRows
      ),
    usedBy: (organizationId, agentId) =>
      sql<{ readonly handle: string }>`
        select handle from svc.missions
        where organization_id = ${organizationId} and agent_id = ${agentId} and status <> 'ARCHIVED'
        order by handle collate "C"
      `.pipe(each(({ handle }) => handle)),
    softDelete: (organizationId, agentId, at) =>
      sql<{ readonly id: string; readonly handle: string }>`
        with gone as (
          update svc.agents set deleted_at = ${at}::timestamptz, updated_at = ${at}::timestamptz
          where organization_id = ${organizationId} and id = ${agentId} and deleted_at is null
          returning id
        ), freed as (
          delete from svc.agent_email_accounts account using gone
          where account.organization_id = ${organizationId} and account.agent_id = gone.id
        ), paused as (
          update svc.missions set status = 'PAUSED', updated_at = greatest(${at}::timestamptz, ${sql.literal(after("missions.updated_at"))})
          from gone
          where missions.organization_id = ${organizationId} and missions.agent_id = gone.id
            and missions.status = 'ACTIVE'
          returning missions.id, missions.handle
        )
        select id, handle from paused order by handle collate "C"
      `.pipe(
        Effect.tap(() => keepActionsOf(sql, organizationId, "agent", agentId)),
        (deleting) => transacted(sql, deleting),
        orUnavailable
      )
  }
})
