/** Deliveries in PostgreSQL: leases by the database's clock, fenced; one statement each. */

import { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId, StoreFailure, WrongState } from "@svc/core"
import { DeliveriesRepo, type WebhookSecret } from "@svc/core/webhooks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { databaseClock, type LeaseClock, leasing, processClock } from "../background/leases.ts"
import { hasRows } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { SecretBox, layer as secretBoxLayer } from "../workspace/SecretBox.ts"
import { deliveryOf, openSecrets, type StoredDelivery } from "./WebhooksPg.ts"

interface TakenColumns extends StoredDelivery {
  readonly fence: number
  readonly url: string
  readonly secrets: ReadonlyArray<WebhookSecret>
}

const make = (sql: PgClient, clock: LeaseClock, box: SecretBox["Service"]) => {
  const lease = leasing(sql, clock)
  return DeliveriesRepo.of({
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
    insert: ({ organizationId, webhookId }, lastSequence, rows) =>
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
    lease: ({ leaseSeconds, limit, now, organizationId = null, perOrganization, perWebhook }) =>
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
    record: (row, fence, at) =>
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
): Layer.Layer<DeliveriesRepo, StoreFailure | WrongState, PgClient> =>
  Layer.effect(
    DeliveriesRepo,
    Effect.gen(function* () {
      return make(yield* PgClient, yield* clock, yield* SecretBox)
    })
  ).pipe(Layer.provide(secretBoxLayer))

/** Keeps deliveries in the database, whose clock decides about leases. */
export const layer = layerWith(databaseClock)

/** The same with leases on the clock of the process: for tests that move the clock. */
export const layerOnProcessClock = layerWith(processClock)
