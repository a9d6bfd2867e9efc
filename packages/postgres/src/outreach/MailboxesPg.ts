/** Mailboxes in PostgreSQL: leases by the database's clock, fenced. Passwords are encrypted. */
import { PgClient } from "@effect/sql-pg/PgClient"
import type { LeadId, OrganizationId } from "@svc/core"
import { type AgentRow, emailKey } from "@svc/core/agents"
import { MailboxesRepo, type MailboxRow, type UnsubscribeToken } from "@svc/core/email"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Fragment } from "effect/sql/Statement"
import { noteWork } from "../background/DueWorkPg.ts"
import { type LeaseClock, leaseClock, leasing } from "../background/leases.ts"
import { type RowOf, recordOf } from "../columns.ts"
import { each, first, hasRows } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { DeploymentSecrets, seal, layer as secretsLayer, unseal } from "../workspace/DeploymentSecrets.ts"
import { object, senderJson } from "./transmissionJson.ts"

type Stored = Omit<MailboxRow, "address" | "provider">

type Row = RowOf<Stored> & { readonly accounts: AgentRow["emailAccounts"] }

const purposeOf = (organizationId: OrganizationId, key: string): string => `mailbox ${organizationId} ${key}`

const lookup = "unsubscribe"

const { deleted: _, ...agentFields } = senderJson

/** A mailbox is `e`, its agent `a`. */
const columns = `e.organization_id, e.email_key as key, e.created_at, e.inbox, e.secret, e.position,
  coalesce(e.since, e.created_at) as since, e.state, e.problem, e.read_at, e.domain, e.fence,
  ${object(agentFields)} as agent, a.profile -> 'emailAccounts' as accounts`

const make = (sql: PgClient, clock: LeaseClock, { data }: DeploymentSecrets["Service"]) => {
  const sealKey = Redacted.make(data)
  const lease = leasing(sql, clock)
  const select = (organizationId: OrganizationId, from: Fragment) => sql<Row>`
    select ${sql.literal(columns)} from ${from}
    join svc.agents a on a.organization_id = ${organizationId} and a.id = e.agent_id`
  const mailboxOf = ({ accounts, ...row }: Row): ReadonlyArray<MailboxRow> => {
    const { secret, ...stored } = recordOf<Stored>(row)
    const account = accounts.find((one) => emailKey(one) === stored.key)
    if (account === undefined) return []
    // One whose key was lost is none.
    const opened = secret === null ? undefined : unseal(sealKey, purposeOf(stored.organizationId, stored.key), secret)
    return [{ ...stored, secret: opened ?? null, address: account.email, provider: account.provider }]
  }
  const mailboxes = <E, R>(statement: Effect.Effect<ReadonlyArray<Row>, E, R>) =>
    Effect.map(each(mailboxOf)(statement), (rows) => rows.flat())
  /** The mailbox e, while the lease that it was read under holds. */
  const isHeld = ({ fence, key }: MailboxRow) =>
    sql`e.email_key = ${key} and e.fence = ${fence} and e.lease_until is not null`
  return MailboxesRepo.of({
    list: (organizationId) =>
      sql<Row>`
        ${select(organizationId, sql`svc.agent_email_accounts e`)}
        where e.organization_id = ${organizationId} order by e.email_key collate "C"
      `.pipe(mailboxes),
    saveInbox: (organizationId, key, inbox, at) =>
      sql`
        with saved as (
          update svc.agent_email_accounts set inbox = ${inbox && JSON.stringify(inbox.account)}::jsonb,
            secret = ${inbox?.secret == null ? null : seal(sealKey, purposeOf(organizationId, key), inbox.secret)},
            since = ${inbox?.since ?? null}::timestamptz, due_at = ${inbox && at}::timestamptz,
            state = ${inbox === null ? "off" : "ok"}, position = '{}', problem = null, read_at = null, lease_until = null,
            fence = fence + 1
          where organization_id = ${organizationId} and email_key = ${key}
          returning organization_id, due_at
        ), noted as (
          ${noteWork(sql, sql`select organization_id, 'mailboxes', due_at from saved where due_at is not null`)}
        )
        select 1 as done from saved
      `.pipe(hasRows),
    takeInboxes: ({ leaseSeconds, limit, now, organizationId }) =>
      sql<Row>`
        with due as (
          select e.email_key from svc.agent_email_accounts e
          where e.organization_id = ${organizationId} and e.due_at <= ${now}::timestamptz and ${lease.isFree("e", now)}
          order by e.due_at, e.email_key collate "C" limit ${limit} for no key update skip locked
        ), taken as (
          update svc.agent_email_accounts e set ${lease.take("e", now, leaseSeconds)}
          where e.organization_id = ${organizationId} and e.email_key = any (array(select email_key from due))
          returning e.*
        )
        ${select(organizationId, sql`taken e`)} order by e.due_at, e.email_key collate "C"
      `.pipe(mailboxes),
    renewInbox: (mailbox, now, leaseSeconds) =>
      sql`
        update svc.agent_email_accounts e set ${lease.renewed(now, leaseSeconds)}
        where e.organization_id = ${mailbox.organizationId} and ${isHeld(mailbox)} returning e.fence
      `.pipe(hasRows),
    saveRead: (mailbox, { at, dueAt, ends, position, problem, state }) =>
      sql`
        with saved as (
          update svc.agent_email_accounts e set position = ${JSON.stringify(position)}::jsonb, problem = ${problem},
            state = ${state}, read_at = ${at}::timestamptz, due_at = ${dueAt}::timestamptz,
            lease_until = case when ${!ends} then e.lease_until end
          where e.organization_id = ${mailbox.organizationId} and ${isHeld(mailbox)} returning e.organization_id, e.due_at
        ), noted as (${noteWork(sql, sql`select organization_id, 'mailboxes', due_at from saved`)})
        select 1 as done from saved
      `.pipe(hasRows),
    saveDomain: (organizationId, domain, facts) =>
      sql`
        update svc.agent_email_accounts set domain = ${JSON.stringify(facts)}::jsonb
        where organization_id = ${organizationId} and split_part(email_key, '@', -1) = ${domain}
      `.pipe(orUnavailable, Effect.asVoid),
    takeMail: (organizationId, { at, hash }) =>
      sql`
        insert into svc.taken_mails (organization_id, hash, taken_at) values (${organizationId}, ${hash}, ${at}::timestamptz)
        on conflict (organization_id, hash) do nothing returning hash
      `.pipe(hasRows),
    leadOfMails: (organizationId, messageIds) =>
      sql<{ readonly lead_id: LeadId }>`
        select lead_id from svc.lead_messages
        where organization_id = ${organizationId} and channel = 'EMAIL' and external_id = any (${[...messageIds]}::text[])
        order by date desc limit 1
      `.pipe(first((row) => row.lead_id)),
    leadsOfThread: (organizationId, { mailbox, since, thread }) =>
      sql<{ readonly lead_id: LeadId }>`
        select distinct lead_id from svc.lead_messages
        where organization_id = ${organizationId} and mail ->> 'thread' = ${thread} and direction = 'outbound'
          and mail is not null and date > ${since}::timestamptz and mail ->> 'mailbox' = ${mailbox}
        limit 2
      `.pipe(each((row) => row.lead_id)),
    saveToken: ({ createdAt, emailId, hash, leadId, organizationId }) =>
      sql`
        with owned as (
          insert into svc.organization_lookups (kind, value, organization_id) values (${lookup}, ${hash}, ${organizationId})
        )
        insert into svc.unsubscribe_tokens (organization_id, hash, lead_id, email_id, created_at)
        values (${organizationId}, ${hash}, ${leadId}, ${emailId}, ${createdAt}::timestamptz)
      `.pipe(orUnavailable, Effect.asVoid),
    findToken: Effect.fnUntraced(function* (hash) {
      const [owner] = yield* sql<{ readonly organization_id: OrganizationId }>`
        select organization_id from svc.organization_lookups where kind = ${lookup} and value = ${hash}`
      if (owner === undefined) return undefined
      return yield* sql<RowOf<UnsubscribeToken>>`
        select organization_id, lead_id, email_id from svc.unsubscribe_tokens
        where organization_id = ${owner.organization_id} and hash = ${hash}
      `.pipe(first(recordOf<UnsubscribeToken>))
    }, orUnavailable)
  })
}

/** Keeps mailboxes in the database, whose clock decides about leases. */
export const layer = Layer.effect(
  MailboxesRepo,
  Effect.map(Effect.all([PgClient, leaseClock, DeploymentSecrets]), (needs) => make(...needs))
).pipe(Layer.provide(secretsLayer))
