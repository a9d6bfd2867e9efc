/** Webhooks and their deliveries: the port. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { OrganizationId, WebhookId } from "../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import type { DeliveryRow, deliveryStates, Webhook, WebhookSecret } from "./Webhook.ts"

/** A webhook by organization and id. */
export interface WebhookRef {
  readonly organizationId: OrganizationId
  readonly webhookId: WebhookId
}

/** A delivery that this process has leased, with its URL and secrets. */
export interface LeasedDelivery {
  readonly row: DeliveryRow
  /** Tells this lease from any later one of the same delivery. */
  readonly fence: number
  readonly url: string
  readonly secrets: ReadonlyArray<WebhookSecret>
}

/** Which deliveries to lease. Without `organizationId` every organization is searched. */
export interface DeliveryLeaseRequest {
  readonly organizationId: OrganizationId | undefined
  readonly now: string
  readonly leaseSeconds: number
  readonly limit: number
  /** Maximum requests at the same time, over all processes. */
  readonly perWebhook: number
  readonly perOrganization: number
}

/**
 * Stores webhooks and deliveries. Fails with UNAVAILABLE when the store cannot be reached. The worker serves all organizations, so
 * only `pending` and `leaseDeliveries` read across them.
 */
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
    /** Active webhooks with events that have no deliveries yet. */
    readonly pending: (
      organizationId: OrganizationId | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WebhookRef>, StoreFailure>
    /**
     * Inside a transaction: locks a webhook and returns the sequence of the last event with a delivery; undefined if
     * another transaction has locked it, or if it is deleted or paused.
     */
    readonly holdPending: (
      organizationId: OrganizationId,
      webhookId: WebhookId
    ) => Effect.Effect<{ readonly lastSequence: number } | undefined, StoreFailure>
    /**
     * Stores deliveries of a locked webhook, and up to which event they go. A delivery waits, without a time for its next
     * attempt, for an unfinished one of the same subject.
     */
    readonly insertDeliveries: (
      place: WebhookRef,
      lastSequence: number,
      rows: ReadonlyArray<DeliveryRow>
    ) => Effect.Effect<void, StoreFailure>
    /**
     * Leases deliveries of active webhooks that are due, and counts the attempt. The first of each webhook comes before the
     * second of any, so that no backlog delays other webhooks.
     */
    readonly leaseDeliveries: (
      request: DeliveryLeaseRequest
    ) => Effect.Effect<ReadonlyArray<LeasedDelivery>, StoreFailure>
    /**
     * Stores the outcome of a request and ends the lease; if the delivery is finished, the next one of the same subject
     * becomes due. The webhook must be locked. Returns false, and stores nothing, if the lease was lost.
     */
    readonly recordDelivery: (row: DeliveryRow, fence: number, at: string) => Effect.Effect<boolean, StoreFailure>
  }
>()("@svc/core/webhooks/WebhooksRepo") {}
