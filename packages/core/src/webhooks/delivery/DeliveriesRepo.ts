/** Making, leasing and recording deliveries: the port. Source: G34; architecture, decision 4 (leases). */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { DeliveryRow, WebhookSecret } from "../Webhook.ts"

/** Where a webhook is. */
export interface WebhookPlace {
  readonly organizationId: string
  readonly webhookId: string
}

/** A delivery that this process holds until its lease ends, and where it goes. */
export interface TakenDelivery {
  readonly row: DeliveryRow
  /** Tells this lease from any later one of the same delivery. */
  readonly fence: number
  readonly url: string
  readonly secrets: ReadonlyArray<WebhookSecret>
}

/** Which deliveries to take. `organizationId` undefined looks at every organization. */
export interface TakeRequest {
  readonly organizationId: string | undefined
  readonly now: string
  readonly leaseSeconds: number
  readonly limit: number
  /** The most that may be on their way at once, of all processes together. */
  readonly perWebhook: number
  readonly perOrganization: number
}

/**
 * Stores deliveries. Fails with UNAVAILABLE when the store cannot be reached. The worker serves all organizations, so
 * `behind`, `take` and `forget` alone may look across them.
 */
export class DeliveriesRepo extends Context.Service<
  DeliveriesRepo,
  {
    /** Active webhooks that were not told of every event yet. */
    readonly behind: (
      organizationId: string | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WebhookPlace>, Failure>
    /**
     * Inside a transaction: holds a webhook and answers the number of the last event that it was told of; undefined when
     * another transaction holds it, or it is gone or paused.
     */
    readonly holdBehind: (
      organizationId: string,
      webhookId: string
    ) => Effect.Effect<{ readonly toldSequence: number } | undefined, Failure>
    /**
     * Stores what a held webhook is to be told, and how far that goes. A delivery whose subject has an earlier one that is
     * not over waits for it: it gets no time.
     */
    readonly tell: (
      place: WebhookPlace,
      toldSequence: number,
      rows: ReadonlyArray<DeliveryRow>
    ) => Effect.Effect<void, Failure>
    /**
     * Leases what is due, of active webhooks, and counts the request that will be made. The next of each webhook goes before
     * the second of any, so that nobody's backlog holds back another's.
     */
    readonly take: (request: TakeRequest) => Effect.Effect<ReadonlyArray<TakenDelivery>, Failure>
    /**
     * Stores how a request ended and gives up the lease; wakes the next delivery of the same subject when this one is over.
     * The webhook is held. False, with nothing stored, when the lease is no longer this one's.
     */
    readonly record: (row: DeliveryRow, fence: number, at: string) => Effect.Effect<boolean, Failure>
    /** Removes at most `limit` deliveries that were over before an instant; answers how many. */
    readonly forget: (before: string, limit: number) => Effect.Effect<number, Failure>
  }
>()("@svc/core/webhooks/DeliveriesRepo") {}
