/** Webhooks and their deliveries: the port. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import type { OrganizationId, WebhookId } from "../kernel/schema/RecordIds.ts"
import type { DeliveryRow, deliveryStates, Webhook, WebhookSecret } from "./Webhook.ts"

/** Stores webhooks. Fails with UNAVAILABLE when the store cannot be reached. */
export class WebhooksRepo extends Context.Service<
  WebhooksRepo,
  {
    readonly find: (organizationId: OrganizationId, id: string) => Effect.Effect<Webhook | undefined, StoreFailure>
    /** As find, locked until the transaction ends. */
    readonly hold: (organizationId: OrganizationId, id: string) => Effect.Effect<Webhook | undefined, StoreFailure>
    /** The webhook that reviews e-mails at a URL. */
    readonly findForReviews: (
      organizationId: OrganizationId,
      url: string
    ) => Effect.Effect<Webhook | undefined, StoreFailure>
    /** Newest first. */
    readonly list: (organizationId: OrganizationId, page: PageRequest) => Effect.Effect<Page<Webhook>, StoreFailure>
    /** Stores a new webhook; it receives the events from now on. */
    readonly insert: (webhook: Webhook, secrets: ReadonlyArray<WebhookSecret>) => Effect.Effect<void, StoreFailure>
    /** Replaces everything but the secrets. */
    readonly replace: (webhook: Webhook) => Effect.Effect<void, StoreFailure>
    /** Deletes a webhook and its deliveries; returns whether it existed. */
    readonly remove: (organizationId: OrganizationId, id: string) => Effect.Effect<boolean, StoreFailure>
    /** The secrets of a webhook, oldest first, for signing and rotation only. */
    readonly secrets: (
      organizationId: OrganizationId,
      id: string
    ) => Effect.Effect<ReadonlyArray<WebhookSecret>, StoreFailure>
    readonly setSecrets: (
      organizationId: OrganizationId,
      id: string,
      secrets: ReadonlyArray<WebhookSecret>
    ) => Effect.Effect<void, StoreFailure>
    readonly insertDelivery: (delivery: DeliveryRow) => Effect.Effect<void, StoreFailure>
    readonly findDelivery: (
      organizationId: OrganizationId,
      id: string
    ) => Effect.Effect<DeliveryRow | undefined, StoreFailure>
    /** Newest first. */
    readonly listDeliveries: (
      organizationId: OrganizationId,
      filter: { readonly webhookId: WebhookId; readonly state: (typeof deliveryStates)[number] | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<DeliveryRow>, StoreFailure>
  }
>()("@svc/core/webhooks/WebhooksRepo") {}
