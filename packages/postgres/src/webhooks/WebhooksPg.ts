/** Webhooks and their deliveries in PostgreSQL. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage } from "@svc/core/Page"
import type { DeliveryRow, Webhook, WebhookSecret } from "@svc/core/webhooks/Webhook"
import { WebhooksRepo } from "@svc/core/webhooks/WebhooksRepo"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orUnavailable, runAgainOnUnique } from "../SqlFailure.ts"

type Dated<Row, Names extends string> = {
  readonly [Name in keyof Row]: Name extends Names ? (null extends Row[Name] ? Date | null : Date) : Row[Name]
}

type WebhookRow = Dated<Omit<Webhook, "webhook_id">, "created_at" | "failing_since" | "updated_at"> & {
  readonly id: string
}

/** A delivery in its columns. */
export type StoredDelivery = Dated<
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

/** A delivery out of its columns. */
export const deliveryOf = (row: StoredDelivery): DeliveryRow => ({
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

/** Keeps webhooks in the database. No statement but those for secrets reads a secret. */
export const layer: Layer.Layer<WebhooksRepo, never, PgClient> = Layer.effect(
  WebhooksRepo,
  Effect.map(PgClient, (sql) => {
    const columns = sql.literal(
      `organization_id, id, url, description, event_types, purpose, is_active, disabled_reason, failing_since, created_at,
      updated_at`
    )
    return WebhooksRepo.of({
      find: (organizationId, id) =>
        sql<WebhookRow>`
          select ${columns} from webhooks where organization_id = ${organizationId} and id = ${id}
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row && webhookOf(row))
        ),
      hold: (organizationId, id) =>
        sql<WebhookRow>`
          select ${columns} from webhooks where organization_id = ${organizationId} and id = ${id} for no key update
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row && webhookOf(row))
        ),
      findForReviews: (organizationId, url) =>
        sql<WebhookRow>`
          select ${columns} from webhooks
          where organization_id = ${organizationId} and purpose = 'email_reviews' and url = ${url}
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row && webhookOf(row))
        ),
      list: (organizationId, { after, limit }) => {
        const [createdAt = null, id = null] = after ?? []
        return sql<WebhookRow>`
          select ${columns} from webhooks
          where organization_id = ${organizationId}
            and (${createdAt}::timestamptz is null
              or (created_at, id collate "C") < (${createdAt}::timestamptz, ${id}::text collate "C"))
          order by created_at desc, id collate "C" desc limit ${limit + 1}
        `.pipe(
          orUnavailable,
          Effect.map((rows) => cutPage(rows.map(webhookOf), limit, (row) => [row.created_at, row.webhook_id]))
        )
      },
      insert: (webhook, secrets) =>
        sql`
          insert into webhooks (organization_id, id, url, description, event_types, purpose, is_active,
            disabled_reason, failing_since, secrets, told_sequence, created_at, updated_at)
          values (${webhook.organization_id}, ${webhook.webhook_id}, ${webhook.url}, ${webhook.description},
            ${[...webhook.event_types]}::text[], ${webhook.purpose}, ${webhook.is_active}, ${webhook.disabled_reason},
            ${webhook.failing_since}::timestamptz, ${sql.json(secrets)}, svc_event_head(${webhook.organization_id}),
            ${webhook.created_at}::timestamptz, ${webhook.updated_at}::timestamptz)
        `.pipe(runAgainOnUnique("webhooks_reviews"), orUnavailable, Effect.asVoid),
      replace: (webhook) =>
        sql`
          update webhooks set url = ${webhook.url}, description = ${webhook.description},
            event_types = ${[...webhook.event_types]}::text[], is_active = ${webhook.is_active},
            disabled_reason = ${webhook.disabled_reason}, failing_since = ${webhook.failing_since}::timestamptz,
            updated_at = ${webhook.updated_at}::timestamptz
          where organization_id = ${webhook.organization_id} and id = ${webhook.webhook_id}
        `.pipe(orUnavailable, Effect.asVoid),
      remove: (organizationId, id) =>
        sql`delete from webhooks where organization_id = ${organizationId} and id = ${id} returning id`.pipe(
          orUnavailable,
          Effect.map((rows) => rows.length > 0)
        ),
      secrets: (organizationId, id) =>
        sql<{ readonly secrets: ReadonlyArray<WebhookSecret> }>`
          select secrets from webhooks where organization_id = ${organizationId} and id = ${id}
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row?.secrets ?? [])
        ),
      setSecrets: (organizationId, id, secrets) =>
        sql`
          update webhooks set secrets = ${sql.json(secrets)} where organization_id = ${organizationId} and id = ${id}
        `.pipe(orUnavailable, Effect.asVoid),
      insertDelivery: (row) =>
        sql`
          insert into webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, subject, payload, state,
            attempts, next_attempt_at, response_status, last_error, redelivery_of, created_at, delivered_at)
          values (${row.organization_id}, ${row.delivery_id}, ${row.webhook_id}, ${row.event_id}, ${row.event_type},
            ${row.subject}, ${sql.json(row.payload)}, ${row.state}, ${row.attempts}, ${row.next_attempt_at}::timestamptz,
            ${row.response_status}, ${row.last_error}, ${row.redelivery_of}, ${row.created_at}::timestamptz,
            ${row.delivered_at}::timestamptz)
        `.pipe(orUnavailable, Effect.asVoid),
      findDelivery: (organizationId, id) =>
        sql<StoredDelivery>`
          select * from webhook_deliveries where organization_id = ${organizationId} and id = ${id}
        `.pipe(
          orUnavailable,
          Effect.map(([row]) => row && deliveryOf(row))
        ),
      listDeliveries: (organizationId, { state, webhookId }, { after, limit }) => {
        const [createdAt = null, id = null] = after ?? []
        return sql<StoredDelivery>`
          select * from webhook_deliveries
          where organization_id = ${organizationId} and webhook_id = ${webhookId}
            and (${state ?? null}::text is null or state = ${state ?? null})
            and (${createdAt}::timestamptz is null
              or (created_at, id collate "C") < (${createdAt}::timestamptz, ${id}::text collate "C"))
          order by created_at desc, id collate "C" desc limit ${limit + 1}
        `.pipe(
          orUnavailable,
          Effect.map((rows) => cutPage(rows.map(deliveryOf), limit, (row) => [row.created_at, row.delivery_id]))
        )
      }
    })
  })
)
