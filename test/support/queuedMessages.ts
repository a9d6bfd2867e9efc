/** Many queued messages at once, in one statement, for what is about how many there are. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { withoutDeadline } from "#postgres/PoolLimits.ts"
import { keepPlantedLeads } from "./keptLeads.ts"

/** How much of everything. Organizations are `<prefix>_1` and so on. */
export interface QueuedMessages {
  readonly prefix: string
  readonly organizations: number
  readonly accountsEach: number
  readonly itemsEach: number
}

const insertQueued = (sql: PgClient, { accountsEach, itemsEach, organizations, prefix }: QueuedMessages) => sql`
  with orgs as (
    insert into svc.organizations (id, name, created_at)
    select ${prefix}::text || '_' || o, 'Bench', now() from generate_series(1, ${organizations}::int) o returning id
  ), agents as (
    insert into svc.agents (organization_id, id, handle, first_name, last_name, profile, created_at, updated_at)
    select o.id, 'agt_' || a, 'agent-' || a, 'Ada', 'Martin', '{}', now(), now()
    from orgs o cross join generate_series(1, ${accountsEach}::int) a returning organization_id, id
  ), accounts as (
    insert into svc.linkedin_accounts (organization_id, id, agent_id, gateway, gateway_account_id, status, tier, features,
      created_at, updated_at)
    select organization_id, replace(id, 'agt', 'acc'), id, 'unipile', organization_id || id, 'OK', 'PREMIUM', '[]', now(), now() from agents
    returning organization_id, id, agent_id
  ), pacing as (
    insert into svc.senders (organization_id, sender_id) select organization_id, id from accounts
  ), leads as (
    insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status,
      score, is_flagged, search_text, profile, created_at, updated_at)
    select a.organization_id, 'ld_' || a.id || '_' || n, 'Grace', '', '', '', '', '', '', 'Waiting', 0, false, '', '{}',
      now(), now()
    from accounts a cross join generate_series(1, ${itemsEach}::int) n
  ), drafts as (
    insert into svc.linkedin_drafts (organization_id, id, lead_id, agent_id, status, variations, selected_index,
      selected_body_text, queue_item_id, created_by_user_id, created_by_actor_kind, created_at, updated_at)
    select a.organization_id, 'drf_' || a.id || '_' || n, 'ld_' || a.id || '_' || n, a.agent_id, 'READY_TO_SEND', '["Hi"]',
      0, 'Hi', 'que_' || a.id || '_' || n, 'usr_1', 'USER', now(), now()
    from accounts a cross join generate_series(1, ${itemsEach}::int) n
  )
  insert into svc.transmissions (organization_id, id, kind, agent_id, draft_id, lead_id, account_id, state, bypass, attempts,
    failures, not_before, details, created_at, updated_at)
  select a.organization_id, 'que_' || a.id || '_' || n, 'message', a.agent_id, 'drf_' || a.id || '_' || n,
    'ld_' || a.id || '_' || n, a.id, 'queued', false, 0, 0, now(), '{"bodyText":"Hi","invite":false}', now(), now()
  from accounts a cross join generate_series(1, ${itemsEach}::int) n
`

/** Organizations, each with agents, an account of each, and as many queued messages for each account. */
export const queueMessages = (sql: PgClient, queued: QueuedMessages) =>
  // On a busy machine it may take longer than a statement of the service may.
  withoutDeadline(
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`set local statement_timeout = 0`
        yield* insertQueued(sql, queued)
        for (const statement of keepPlantedLeads) yield* sql.unsafe(statement)
      })
    )
  )
