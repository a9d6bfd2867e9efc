/** Webhooks and their deliveries: the port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { DeliveryRow, deliveryStates, Webhook, WebhookSecret } from "./Webhook.ts"

/** Stores webhooks. Fails with UNAVAILABLE when the store cannot be reached. */
export class WebhooksRepo extends Context.Service<
  WebhooksRepo,
  {
    readonly find: (organizationId: string, id: string) => Effect.Effect<Webhook | undefined, Failure>
    /** As find, locked until the transaction ends. */
    readonly hold: (organizationId: string, id: string) => Effect.Effect<Webhook | undefined, Failure>
    /** The webhook for reviews of e-mails at an address. */
    readonly findForReviews: (organizationId: string, url: string) => Effect.Effect<Webhook | undefined, Failure>
    /** Newest first. */
    readonly list: (organizationId: string, page: PageRequest) => Effect.Effect<Page<Webhook>, Failure>
    /** Stores a new webhook; it is told of what happens from now on. */
    readonly insert: (webhook: Webhook, secrets: ReadonlyArray<WebhookSecret>) => Effect.Effect<void, Failure>
    /** Replaces everything but the secrets. */
    readonly replace: (webhook: Webhook) => Effect.Effect<void, Failure>
    /** Removes a webhook with its deliveries; answers whether it was there. */
    readonly remove: (organizationId: string, id: string) => Effect.Effect<boolean, Failure>
    /** The secrets of a webhook, oldest first: for signing and rotating only. */
    readonly secrets: (organizationId: string, id: string) => Effect.Effect<ReadonlyArray<WebhookSecret>, Failure>
    readonly setSecrets: (
      organizationId: string,
      id: string,
      secrets: ReadonlyArray<WebhookSecret>
    ) => Effect.Effect<void, Failure>
    readonly insertDelivery: (delivery: DeliveryRow) => Effect.Effect<void, Failure>
    readonly findDelivery: (organizationId: string, id: string) => Effect.Effect<DeliveryRow | undefined, Failure>
    /** Newest first. */
    readonly listDeliveries: (
      organizationId: string,
      filter: { readonly webhookId: string; readonly state: (typeof deliveryStates)[number] | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<DeliveryRow>, Failure>
  }
>()("@svc/core/webhooks/WebhooksRepo") {}
