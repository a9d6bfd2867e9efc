/** Webhooks and their deliveries in PostgreSQL: leases by the database's clock, fenced; one statement each. */
import { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId, StoreFailure, WrongState } from "@svc/core"
import { type DeliveryRow, type Webhook, type WebhookSecret, WebhooksRepo } from "@svc/core/webhooks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import { databaseClock, type LeaseClock, leasing, processClock } from "../background/leases.ts"
import { first, hasRows, newestFirst, page } from "../results.ts"
import { orUnavailable, retryOnUnique } from "../SqlFailure.ts"
import { SecretBox, layer as secretBoxLayer } from "../workspace/SecretBox.ts"

type Dated<Row, Names extends string> = {
  readonly [Name in keyof Row]: Name extends Names ? (null extends Row[Name] ? Date | null : Date) : Row[Name]
}

type WebhookRow = Dated<Omit<Webhook, "webhook_id">, "created_at" | "failing_since" | "updated_at"> & {
  readonly id: string
}

type StoredDelivery = Dated<
  Omit<DeliveryRow, "delivery_id" | "sequence">,
  "created_at" | "delivered_at" | "next_attempt_at"
> & {
  readonly id: string
  readonly sequence: bigint | null
}

const webhookOf = (row: WebhookRow): Webhook => ({
  webhook_id: row.id,
  organization_id: row.organization_id,
  url: row.url,
  description: row.description,
  event_types: row.event_types,
  purpose: row.purpose,
  is_active: row.is_active,
  disabled_reason: row.disabled_reason,
  failing_since: row.failing_since?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString()
})

const deliveryOf = (row: StoredDelivery): DeliveryRow => ({
  delivery_id: row.id,
  organization_id: row.organization_id,
  webhook_id: row.webhook_id,
  event_id: row.event_id,
  event_type: row.event_type,
  payload: row.payload,
  subject: row.subject,
  sequence: row.sequence === null ? null : Number(row.sequence),
  state: row.state,
  attempts: row.attempts,
  tries: row.tries,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  response_status: row.response_status,
  last_error: row.last_error,
  redelivery_of: row.redelivery_of,
  created_at: row.created_at.toISOString(),
  delivered_at: row.delivered_at?.toISOString() ?? null
})

const mapSecrets =
  (change: (purpose: string, text: string) => string | undefined) =>
  (webhookId: string, secrets: ReadonlyArray<WebhookSecret>): ReadonlyArray<WebhookSecret> =>
    secrets.flatMap((one) => {
      const secret = change(`webhook ${webhookId}`, one.secret)
      return secret === undefined ? [] : [{ ...one, secret }]
    })

const sealedSecrets = (box: SecretBox["Service"], webhookId: string, secrets: ReadonlyArray<WebhookSecret>) =>
  mapSecrets(box.seal)(webhookId, secrets)

/** The secrets of a webhook, as it has them, without those whose key was lost. */
const openSecrets = (box: SecretBox["Service"], webhookId: string, secrets: ReadonlyArray<WebhookSecret>) =>
  mapSecrets(box.open)(webhookId, secrets)

interface TakenColumns extends StoredDelivery {
  readonly fence: number
  readonly url: string
  readonly secrets: ReadonlyArray<WebhookSecret>
}

/** Only the statements for secrets read secrets. */
const make = (sql: PgClient, clock: LeaseClock, box: SecretBox["Service"]) => {
  const lease = leasing(sql, clock)
  const columns = sql.literal(
    `organization_id, id, url, description, event_types, purpose, is_active, disabled_reason, failing_since, created_at,
      updated_at`
  )
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
    insert: (webhook, secrets) =>
      sql`
          insert into svc.webhooks (organization_id, id, url, description, event_types, purpose, is_active,
            disabled_reason, failing_since, secrets, told_sequence, created_at, updated_at)
          values (${webhook.organization_id}, ${webhook.webhook_id}, ${webhook.url}, ${webhook.description},
            ${[...webhook.event_types]}::text[], ${webhook.purpose}, ${webhook.is_active}, ${webhook.disabled_reason},
            ${webhook.failing_since}::timestamptz, ${sql.json(sealedSecrets(box, webhook.webhook_id, secrets))}, svc.svc_event_head(${webhook.organization_id}),
            ${webhook.created_at}::timestamptz, ${webhook.updated_at}::timestamptz)
        `.pipe(retryOnUnique("webhooks_reviews"), orUnavailable, Effect.asVoid),
    replace: (webhook) =>
      sql`
          update svc.webhooks set url = ${webhook.url}, description = ${webhook.description},
            event_types = ${[...webhook.event_types]}::text[], is_active = ${webhook.is_active},
            disabled_reason = ${webhook.disabled_reason}, failing_since = ${webhook.failing_since}::timestamptz,
            updated_at = ${webhook.updated_at}::timestamptz
          where organization_id = ${webhook.organization_id} and id = ${webhook.webhook_id}
        `.pipe(orUnavailable, Effect.asVoid),
    remove: (organizationId, id) =>
      sql`delete from svc.webhooks where organization_id = ${organizationId} and id = ${id} returning id`.pipe(hasRows),
    secrets: (organizationId, id) =>
      sql<{ readonly secrets: ReadonlyArray<WebhookSecret> }>`
          select secrets from svc.webhooks where organization_id = ${organizationId} and id = ${id}
        `.pipe(
        orUnavailable,
        Effect.map(([row]) => openSecrets(box, id, row?.secrets ?? []))
      ),
    setSecrets: (organizationId, id, secrets) =>
      sql`
          update svc.webhooks set secrets = ${sql.json(sealedSecrets(box, id, secrets))} where organization_id = ${organizationId} and id = ${id}
        `.pipe(orUnavailable, Effect.asVoid),
    insertDelivery: (row) =>
      sql`
          insert into svc.webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, subject, payload, state,
            attempts, next_attempt_at, response_status, last_error, redelivery_of, created_at, delivered_at)
          values (${row.organization_id}, ${row.delivery_id}, ${row.webhook_id}, ${row.event_id}, ${row.event_type},
            ${row.subject}, ${sql.json(row.payload)}, ${row.state}, ${row.attempts}, ${row.next_attempt_at}::timestamptz,
            ${row.response_status}, ${row.last_error}, ${row.redelivery_of}, ${row.created_at}::timestamptz,
            ${row.delivered_at}::timestamptz)
        `.pipe(orUnavailable, Effect.asVoid),
    findDelivery: (organizationId, id) =>
      sql<StoredDelivery>`
          select * from svc.webhook_deliveries where organization_id = ${organizationId} and id = ${id}
        `.pipe(first(deliveryOf)),
    listDeliveries: (organizationId, { state, webhookId }, request) =>
      sql<StoredDelivery>`
          select * from svc.webhook_deliveries
          where organization_id = ${organizationId} and webhook_id = ${webhookId}
            and (${state ?? null}::text is null or state = ${state ?? null})
            and ${newestFirst(sql, request)}
        `.pipe(page(deliveryOf, request.limit, (row) => [row.created_at, row.delivery_id])),
    pending: (organizationId = undefined, limit) =>
      sql<{ readonly organization_id: OrganizationId; readonly id: string }>`
          select w.organization_id, w.id from svc.webhooks w
          where w.is_active and w.purpose = 'events'
            and (${organizationId ?? null}::text is null or w.organization_id = ${organizationId ?? null}::text)
            and (exists (select 1 from svc.events e where e.organization_id = w.organization_id and e.sequence is null)
              or exists (
                select 1 from svc.events e where e.organization_id = w.organization_id and e.sequence > w.told_sequence))
          order by w.told_sequence, w.organization_id, w.id limit ${limit}
        `.pipe(
        orUnavailable,
        Effect.map((rows) => rows.map((row) => ({ organizationId: row.organization_id, webhookId: row.id })))
      ),
    holdPending: (organizationId, webhookId) =>
      sql<{ readonly told: number }>`
          select told_sequence::float8 as told from svc.webhooks
          where organization_id = ${organizationId} and id = ${webhookId} and is_active
          for no key update skip locked
        `.pipe(
        orUnavailable,
        Effect.map(([row]) => row && { lastSequence: row.told })
      ),
    insertDeliveries: ({ organizationId, webhookId }, lastSequence, rows) =>
      sql`
          with told as (
            update svc.webhooks set told_sequence = ${lastSequence}::bigint
            where organization_id = ${organizationId} and id = ${webhookId}
          ), fresh as (
            select r.*, row_number() over (partition by r.subject order by r.sequence) as place
            from jsonb_to_recordset(${sql.json(rows)}) as r (delivery_id text, event_id text, event_type text, subject text,
              sequence bigint, payload jsonb, next_attempt_at timestamptz, created_at timestamptz)
          )
          insert into svc.webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, subject, sequence, payload,
            state, next_attempt_at, created_at)
          select ${organizationId}::text, f.delivery_id, ${webhookId}::text, f.event_id, f.event_type, f.subject, f.sequence,
            f.payload, 'pending', case when f.place = 1 and not exists (
              select 1 from svc.webhook_deliveries d
              where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId} and d.subject = f.subject
                and d.state = 'pending' and d.sequence is not null
            ) then f.next_attempt_at end, f.created_at
          from fresh f
        `.pipe(orUnavailable, Effect.asVoid),
    leaseDeliveries: ({ leaseSeconds, limit, now, organizationId = null, perOrganization, perWebhook }) =>
      sql<TakenColumns>`
          with held as materialized (
            select d.organization_id, d.webhook_id from svc.webhook_deliveries d
            where d.state = 'pending' and d.lease_until > ${clock(now)}
              and (${organizationId}::text is null or d.organization_id = ${organizationId}::text)
          ), lines as materialized (
            select d.organization_id, d.id, d.next_attempt_at,
              (select count(*) from held h where h.organization_id = w.organization_id and h.webhook_id = w.id)
                + row_number() over (partition by w.organization_id, w.id order by d.next_attempt_at, d.id collate "C")
                as place
            from svc.webhooks w cross join lateral (
              select d.organization_id, d.id, d.next_attempt_at from svc.webhook_deliveries d
              where d.organization_id = w.organization_id and d.webhook_id = w.id
                and d.state = 'pending' and d.next_attempt_at <= ${now}::timestamptz
                and ${lease.isFree("d", now)}
              order by d.next_attempt_at, d.id collate "C" limit ${perWebhook} for update of d skip locked
            ) d
            where w.is_active and (${organizationId}::text is null or w.organization_id = ${organizationId}::text)
          ), shared as (
            select l.*, (select count(*) from held h where h.organization_id = l.organization_id) + row_number() over (
              partition by l.organization_id order by l.place, l.next_attempt_at, l.id collate "C") as share
            from lines l where l.place <= ${perWebhook}
          ), chosen as (
            select s.organization_id, s.id from shared s where s.share <= ${perOrganization}
            order by s.place, s.next_attempt_at, s.id collate "C" limit ${limit}
          )
          update svc.webhook_deliveries d set attempts = d.attempts + 1, ${lease.take("d", now, leaseSeconds)}
          from chosen c, svc.webhooks w
          where d.organization_id = c.organization_id and d.id = c.id
            and w.organization_id = d.organization_id and w.id = d.webhook_id
          returning d.*, w.url, w.secrets
        `.pipe(
        orUnavailable,
        Effect.map((rows) =>
          rows.map((row) => ({
            row: deliveryOf(row),
            fence: row.fence,
            url: row.url,
            secrets: openSecrets(box, row.webhook_id, row.secrets)
          }))
        )
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
                on n.organization_id = e.organization_id and n.webhook_id = e.webhook_id and n.subject = e.subject
              where e.state <> 'pending' and n.state = 'pending' and n.sequence > e.sequence
              order by n.sequence limit 1)
          )
          select 1 as done from ended
        `.pipe(hasRows)
  })
}

const layerWith = (
  clock: Effect.Effect<LeaseClock, never, PgClient>
): Layer.Layer<WebhooksRepo, StoreFailure | WrongState, PgClient> =>
  Layer.effect(
    WebhooksRepo,
    Effect.gen(function* () {
      return make(yield* PgClient, yield* clock, yield* SecretBox)
    })
  ).pipe(Layer.provide(secretBoxLayer))

/** Keeps webhooks and deliveries in the database, whose clock decides about leases. */
export const layer = layerWith(databaseClock)

/** The same with leases on the clock of the process: for tests that move the clock. */
export const layerOnProcessClock = layerWith(processClock)
