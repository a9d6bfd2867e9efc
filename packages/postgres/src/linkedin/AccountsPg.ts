/** LinkedIn accounts in PostgreSQL. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { type AccountHolder, AccountsRepo } from "@svc/core/linkedin/AccountsRepo"
import type { AccountStatus, LinkedInAccount, LinkedInTier } from "@svc/core/linkedin/LinkedInAccount"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable } from "../SqlFailure.ts"

interface HolderColumns {
  readonly agent_id: string
  readonly agent_handle: string
  readonly agent_first_name: string
  readonly agent_last_name: string
  readonly agent_linkedin_url: string
  readonly agent_created_at: Date
  readonly account: {
    readonly id: string
    readonly gateway: string
    readonly gateway_account_id: string
    readonly status: AccountStatus
    readonly tier: LinkedInTier
    readonly features: ReadonlyArray<string>
    readonly created_at: string
    readonly updated_at: string
  } | null
}

interface UseColumns extends HolderColumns {
  readonly messages_day: number
  readonly invitations_day: number
  readonly invitations_week: number
}

const holderOf = (row: HolderColumns): AccountHolder => ({
  id: row.agent_id,
  handle: row.agent_handle,
  name: `${row.agent_first_name} ${row.agent_last_name}`.trim(),
  linkedinUrl: row.agent_linkedin_url,
  createdAt: row.agent_created_at.toISOString()
})

const accountOf = (organizationId: string, { account, agent_id }: HolderColumns): LinkedInAccount | null =>
  account === null
    ? null
    : {
        id: account.id,
        organizationId,
        agentId: agent_id,
        gateway: account.gateway,
        gatewayAccountId: account.gateway_account_id,
        status: account.status,
        tier: account.tier,
        features: account.features,
        createdAt: new Date(account.created_at).toISOString(),
        updatedAt: new Date(account.updated_at).toISOString()
      }

const make = (sql: PgClient) => {
  const holder = sql.literal(`a.id as agent_id, a.handle as agent_handle, a.first_name as agent_first_name,
    a.last_name as agent_last_name, coalesce(a.profile ->> 'linkedinUrl', '') as agent_linkedin_url,
    a.created_at as agent_created_at, to_jsonb(c) as account`)

  return AccountsRepo.of({
    list: (organizationId, gateway, { day, week }) =>
      sql<UseColumns>`
        select ${holder}, u.messages_day, u.invitations_day, u.invitations_week
        from agents a
        left join linkedin_accounts c
          on c.organization_id = ${organizationId} and c.agent_id = a.id and c.gateway = ${gateway}
        cross join lateral (
          select
            count(*) filter (where t.action = 'message' and t.started_at >= ${day}::timestamptz)::int as messages_day,
            count(*) filter (where t.action = 'invitation' and t.started_at >= ${day}::timestamptz)::int
              as invitations_day,
            count(*) filter (where t.action = 'invitation')::int as invitations_week
          from linkedin_attempts t
          where t.organization_id = ${organizationId} and t.account_id = c.id and t.outcome = 'confirmed'
            and t.started_at >= ${week}::timestamptz
        ) u
        where a.organization_id = ${organizationId} and a.deleted_at is null
        order by a.created_at, a.id collate "C"
      `.pipe(
        orUnavailable,
        Effect.map((rows) =>
          rows.map((row) => ({
            agent: holderOf(row),
            account: accountOf(organizationId, row),
            use: {
              messagesDay: row.messages_day,
              invitationsDay: row.invitations_day,
              invitationsWeek: row.invitations_week
            }
          }))
        )
      ),
    ofAgent: (organizationId, agentId, gateway) =>
      sql<HolderColumns>`
        select ${holder}
        from agents a
        left join linkedin_accounts c
          on c.organization_id = ${organizationId} and c.agent_id = a.id and c.gateway = ${gateway}
        where a.organization_id = ${organizationId} and a.id = ${agentId} and a.deleted_at is null
      `.pipe(
        orUnavailable,
        Effect.map(([row]) =>
          row === undefined ? undefined : { agent: holderOf(row), account: accountOf(organizationId, row) }
        )
      ),
    ensure: (account) =>
      sql`
        with moved as (
          update linkedin_accounts set gateway = ${account.gateway}, gateway_account_id = ${account.gatewayAccountId},
            status = ${account.status}, tier = ${account.tier}, features = ${JSON.stringify(account.features)}::jsonb,
            updated_at = ${account.updatedAt}::timestamptz
          where organization_id = ${account.organizationId} and id = ${account.id} and gateway <> ${account.gateway}
        )
        insert into linkedin_accounts (organization_id, id, agent_id, gateway, gateway_account_id, status, tier, features,
          created_at, updated_at)
        values (${account.organizationId}, ${account.id}, ${account.agentId}, ${account.gateway},
          ${account.gatewayAccountId}, ${account.status}, ${account.tier}, ${JSON.stringify(account.features)}::jsonb,
          ${account.createdAt}::timestamptz, ${account.updatedAt}::timestamptz)
        on conflict (organization_id, id) do nothing
      `.pipe(orUnavailable, Effect.asVoid),
    setStatus: (organizationId, accountId, status, at) =>
      sql`
        update linkedin_accounts set status = ${status},
          updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')
        where organization_id = ${organizationId} and id = ${accountId} and status <> ${status}
        returning id
      `.pipe(
        orUnavailable,
        Effect.map((rows) => rows.length > 0)
      )
  })
}

/** Keeps accounts in the database. */
export const layer: Layer.Layer<AccountsRepo, never, PgClient> = Layer.effect(AccountsRepo, Effect.map(PgClient, make))
