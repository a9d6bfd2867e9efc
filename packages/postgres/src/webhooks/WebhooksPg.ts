/** Webhooks and their deliveries in PostgreSQL: leases by the database's clock, fenced; one statement each. */
import { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { type DeliveryRow, type Webhook, type WebhookSecret, WebhooksRepo } from "@svc/core/webhooks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Fragment } from "effect/sql/Statement"
import { noteWork } from "../background/DueWorkPg.ts"
import { type LeaseClock, leaseClock, leasing } from "../background/leases.ts"
import { type Dated, jsonb, texts, undated } from "../columns.ts"
import { each, first, hasRows, newestFirst, page } from "../results.ts"
import { orUnavailable, retryOnUnique } from "../SqlFailure.ts"
import { DeploymentSecrets, seal, layer as secretsLayer, unseal } from "../workspace/DeploymentSecrets.ts"

type WebhookRow = Dated<Omit<Webhook, "webhook_id">> & { readonly id: string }

type StoredDelivery = Dated<Omit<DeliveryRow, "delivery_id">> & { readonly id: string }

const webhookOf = ({ id, ...row }: WebhookRow): Webhook => ({
  webhook_id: id,
  ...undated<Omit<Webhook, "webhook_id">>(row)
})

const deliveryOf = ({ id, ...row }: StoredDelivery): DeliveryRow => ({
  delivery_id: id,
  ...undated<Omit<DeliveryRow, "delivery_id">>(row)
})

interface LeaseColumns {
  readonly fence: number
  readonly url: string
  readonly secrets: ReadonlyArray<WebhookSecret>
}

/** Only the statements for secrets read secrets. A delivery is `d`. */
const make = (sql: PgClient, clock: LeaseClock, { data }: DeploymentSecrets["Service"]) => {
  const key = Redacted.make(data)
  const lease = leasing(sql, clock)
  const columns = sql.literal(
    `organization_id, id, url, description, event_types, purpose, is_active, disabled_reason, failing_since, created_at,
      updated_at`
  )
  const ofDelivery = sql.literal(
    `d.organization_id, d.id, d.webhook_id, d.event_id, d.event_type, d.payload, d.subject, d.sequence::float8 as sequence,
      d.state, d.attempts, d.tries, d.next_attempt_at, d.response_status, d.last_error, d.redelivery_of, d.created_at,
      d.delivered_at`
  )
  const sealed = (webhookId: string, secrets: ReadonlyArray<WebhookSecret>) =>
    sql.json(secrets.map((one) => ({ ...one, secret: seal(key, `webhook ${webhookId}`, one.secret) })))
  // A secret that was moved from another webhook, or whose key was lost, is left out.
  const opened = (webhookId: string, secrets: ReadonlyArray<WebhookSecret>) =>
    secrets.flatMap((one) => {
      const secret = unseal(key, `webhook ${webhookId}`, one.secret)
      return secret === undefined ? [] : [{ ...one, secret }]
    })
  /** Locks the counter of events, given with the rows that begin it, and selects the number of the latest event. */
  const heldFeed = (rows: Fragment) => sql`
    insert into svc.event_heads as h (organization_id, sequence) ${rows}
    on conflict (organization_id) do update set sequence = h.sequence returning h.sequence`
  const find = (lock: Fragment) => (organizationId: OrganizationId, id: string) =>
    sql<WebhookRow>`
        select ${columns} from svc.webhooks where organization_id = ${organizationId} and id = ${id} ${lock}
      `.pipe(first(webhookOf))
  return WebhooksRepo.of({
    find: find(sql.literal("")),
    hold: find(sql.literal("for no key update")),
    findForReviews: (organizationId, url) =>
      sql<WebhookRow>`
          select ${columns} from svc.webhooks
          where organization_id = ${organizationId} and purpose = 'email_reviews' and url = ${url}
        `.pipe(first(webhookOf)),
    list: (organizationId, request) =>
      sql<WebhookRow>`
          select ${columns} from svc.webhooks where organization_id = ${organizationId} and ${newestFirst(sql, request)}
        `.pipe(page(webhookOf, request.limit, (row) => [row.created_at, row.webhook_id])),
    // Waits for those who append events, so that whoever does so later finds the webhook.
    insert: (webhook, secrets) =>
      sql`
          with feed as (${webhook.purpose === "events" ? heldFeed(sql`values (${webhook.organization_id}, 0)`) : sql`select 0 as sequence`})
          insert into svc.webhooks (${columns}, secrets, told_sequence)
          select ${webhook.organization_id}, ${webhook.webhook_id}, ${webhook.url}, ${webhook.description},
            ${[...webhook.event_types]}::text[], ${webhook.purpose}, ${webhook.is_active}, ${webhook.disabled_reason},
            ${webhook.failing_since}::timestamptz, ${webhook.created_at}::timestamptz, ${webhook.updated_at}::timestamptz,
            ${sealed(webhook.webhook_id, secrets)}, sequence from feed
        `.pipe(retryOnUnique("webhooks_reviews"), orUnavailable, Effect.asVoid),
    replace: ({ organization_id, webhook_id, ...webhook }) =>
      sql`
          with changed as (
            update svc.webhooks set ${sql.update({ ...webhook, event_types: texts(webhook.event_types) })}
            where organization_id = ${organization_id} and id = ${webhook_id} returning organization_id, is_active, updated_at
          ), noted as (
            ${noteWork(sql, sql`select organization_id, 'deliveries', updated_at from changed where is_active`)}
            returning w.organization_id
          ), feed as (${heldFeed(sql`select organization_id, 0 from noted`)})
          ${noteWork(sql, sql`select c.organization_id, 'events', c.updated_at from feed cross join changed c`)}
        `.pipe(orUnavailable, Effect.asVoid),
    remove: (organizationId, id) =>
      sql`delete from svc.webhooks where organization_id = ${organizationId} and id = ${id} returning id`.pipe(hasRows),
    secrets: (organizationId, id) =>
      sql<{ readonly secrets: ReadonlyArray<WebhookSecret> }>`
          select secrets from svc.webhooks where organization_id = ${organizationId} and id = ${id}
        `.pipe(
        first((row) => opened(id, row.secrets)),
        Effect.map((found) => found ?? [])
      ),
    setSecrets: (organizationId, id, secrets) =>
      sql`
          update svc.webhooks set secrets = ${sealed(id, secrets)} where organization_id = ${organizationId} and id = ${id}
        `.pipe(orUnavailable, Effect.asVoid),
    insertDelivery: ({ delivery_id: id, organization_id, ...row }) =>
      sql`
          with added as (
            insert into svc.webhook_deliveries ${sql.insert({
              ...{ organization_id, id, ...row },
              payload: jsonb(row.payload),
              tries: jsonb(row.tries)
            })} returning organization_id, next_attempt_at
          )
          ${noteWork(sql, sql`select organization_id, 'deliveries', next_attempt_at from added`)}
        `.pipe(orUnavailable, Effect.asVoid),
    findDelivery: (organizationId, id) =>
      sql<StoredDelivery>`
          select ${ofDelivery} from svc.webhook_deliveries d where d.organization_id = ${organizationId} and d.id = ${id}
        `.pipe(first(deliveryOf)),
    listDeliveries: (organizationId, { state, webhookId }, request) =>
      sql<StoredDelivery>`
          select ${ofDelivery} from svc.webhook_deliveries d
          where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId}
            and (${state ?? null}::text is null or d.state = ${state ?? null})
            and ${newestFirst(sql, request, "d.")}
        `.pipe(page(deliveryOf, request.limit, (row) => [row.created_at, row.delivery_id])),
    pending: (organizationId, limit) =>
      sql<{ readonly id: string }>`
          select w.id from svc.webhooks w
          where w.organization_id = ${organizationId} and w.is_active and w.purpose = 'events' and w.told_sequence < (
            select h.sequence from svc.event_heads h where h.organization_id = ${organizationId})
          order by w.told_sequence, w.id limit ${limit}
        `.pipe(each(({ id }) => id)),
    holdPending: (organizationId, webhookId) =>
      sql<{ readonly told: number }>`
          select told_sequence::float8 as told from svc.webhooks
          where organization_id = ${organizationId} and id = ${webhookId} and is_active
          for no key update skip locked
        `.pipe(first(({ told }) => ({ lastSequence: told }))),
    insertDeliveries: (organizationId, webhookId, lastSequence, rows) =>
      sql`
          with told as (
            update svc.webhooks set told_sequence = ${lastSequence}::bigint
            where organization_id = ${organizationId} and id = ${webhookId}
          ), fresh as (
            select r.*, row_number() over (partition by r.subject order by r.sequence) as place
            from jsonb_to_recordset(${sql.json(rows)}) as r (delivery_id text, event_id text, event_type text, subject text,
              sequence bigint, payload jsonb, next_attempt_at timestamptz, created_at timestamptz)
          ), added as (
          insert into svc.webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, subject, sequence, payload,
            state, next_attempt_at, created_at)
          select ${organizationId}::text, f.delivery_id, ${webhookId}::text, f.event_id, f.event_type, f.subject, f.sequence,
            f.payload, 'pending', case when f.place = 1 and not exists (
              select 1 from svc.webhook_deliveries d
              where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId} and d.subject = f.subject
                and d.state = 'pending' and d.sequence is not null
            ) then f.next_attempt_at end, f.created_at
          from fresh f returning organization_id, next_attempt_at
          )
          ${noteWork(
            sql,
            sql`select organization_id, 'deliveries', min(next_attempt_at) from added where next_attempt_at is not null
              group by organization_id`
          )}
        `.pipe(orUnavailable, Effect.asVoid),
    leaseDeliveries: ({ leaseSeconds, limit, now, organizationId, perOrganization, perWebhook }) =>
      sql<StoredDelivery & LeaseColumns>`
          with held as materialized (
            select d.webhook_id from svc.webhook_deliveries d
            where d.organization_id = ${organizationId} and d.state = 'pending' and d.lease_until > ${clock(now)}
          ), lines as materialized (
            select d.id, d.next_attempt_at, (select count(*) from held h where h.webhook_id = w.id)
              + row_number() over (partition by w.id order by d.next_attempt_at, d.id collate "C") as place
            from svc.webhooks w cross join lateral (
              select d.id, d.next_attempt_at from svc.webhook_deliveries d
              where d.organization_id = ${organizationId} and d.webhook_id = w.id
                and d.state = 'pending' and d.next_attempt_at <= ${now}::timestamptz
                and ${lease.isFree("d", now)}
              order by d.next_attempt_at, d.id collate "C" limit ${perWebhook} for update of d skip locked
            ) d
            where w.organization_id = ${organizationId} and w.is_active
          ), chosen as (
            select l.id from lines l where l.place <= ${perWebhook}
            order by l.place, l.next_attempt_at, l.id collate "C"
            limit greatest(least(${limit}, ${perOrganization} - (select count(*) from held)), 0)
          )
          update svc.webhook_deliveries d set attempts = d.attempts + 1, ${lease.take("d", now, leaseSeconds)}
          from chosen c, svc.webhooks w
          where d.organization_id = ${organizationId} and d.id = c.id
            and w.organization_id = ${organizationId} and w.id = d.webhook_id
          returning ${ofDelivery}, d.fence, w.url, w.secrets
        `.pipe(
        each(({ fence, secrets, url, ...row }) => ({
          row: deliveryOf(row),
          fence,
          url,
          secrets: opened(row.webhook_id, secrets)
        }))
      ),
    recordDelivery: (row, fence, at) =>
      sql`
          with ended as (
            update svc.webhook_deliveries d set state = ${row.state}, tries = ${JSON.stringify(row.tries)}::jsonb,
              next_attempt_at = ${row.next_attempt_at}::timestamptz, response_status = ${row.response_status}::integer,
              last_error = ${row.last_error}, delivered_at = ${row.delivered_at}::timestamptz, lease_until = null,
              ended_at = case when ${row.state} <> 'pending' then ${at}::timestamptz end, fence = d.fence + 1
            where d.organization_id = ${row.organization_id} and d.id = ${row.delivery_id} and d.fence = ${fence}
            returning d.organization_id, d.webhook_id, d.subject, d.sequence, d.state
          ), woken as (
            update svc.webhook_deliveries d set next_attempt_at = ${at}::timestamptz
            where d.organization_id = ${row.organization_id} and d.next_attempt_at is null and d.id = (
              select n.id from ended e join svc.webhook_deliveries n
                on n.organization_id = ${row.organization_id} and n.webhook_id = e.webhook_id and n.subject = e.subject
              where e.state <> 'pending' and n.state = 'pending' and n.sequence > e.sequence
              order by n.sequence limit 1)
          ), noted as (${noteWork(sql, sql`select organization_id, 'deliveries', ${at}::timestamptz from ended`)})
          select 1 as done from ended
        `.pipe(hasRows)
  })
}

/** Keeps webhooks and deliveries in the database, whose clock decides about leases. */
export const layer = Layer.effect(
  WebhooksRepo,
  Effect.map(Effect.all([PgClient, leaseClock, DeploymentSecrets]), (needs) => make(...needs))
).pipe(Layer.provide(secretsLayer))
