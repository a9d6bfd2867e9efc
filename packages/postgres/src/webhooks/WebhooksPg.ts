/** Webhooks and their deliveries in PostgreSQL. */
import { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId, StoreFailure, WrongState } from "@svc/core"
import { type DeliveryRow, type Webhook, type WebhookSecret, WebhooksRepo } from "@svc/core/webhooks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import { first, hasRows, newestFirst, page } from "../results.ts"
import { orUnavailable, retryOnUnique } from "../SqlFailure.ts"
import { SecretBox, layer as secretBoxLayer } from "../workspace/SecretBox.ts"

type Dated<Row, Names extends string> = {
  readonly [Name in keyof Row]: Name extends Names ? (null extends Row[Name] ? Date | null : Date) : Row[Name]
}

type WebhookRow = Dated<Omit<Webhook, "webhook_id">, "created_at" | "failing_since" | "updated_at"> & {
  readonly id: string
}

/** A delivery as a row. */
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

/** The delivery of a row. */
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
export const openSecrets = (box: SecretBox["Service"], webhookId: string, secrets: ReadonlyArray<WebhookSecret>) =>
  mapSecrets(box.open)(webhookId, secrets)

/** Keeps webhooks in the database. Only the statements for secrets read secrets. */
export const layer: Layer.Layer<WebhooksRepo, StoreFailure | WrongState, PgClient> = Layer.effect(
  WebhooksRepo,
  Effect.gen(function* () {
    const sql = yield* PgClient
    const box = yield* SecretBox
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
        sql`delete from svc.webhooks where organization_id = ${organizationId} and id = ${id} returning id`.pipe(
          hasRows
        ),
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
        `.pipe(page(deliveryOf, request.limit, (row) => [row.created_at, row.delivery_id]))
    })
  })
).pipe(Layer.provide(secretBoxLayer))
