/** Which organizations have background work, so that a worker without any reads nothing of them: the port. */
import * as Context from "effect/Context"
import type { StoreEffect, StoreMethod } from "../failure/failures.ts"
import type { OrganizationId } from "../schema/IdsAndTime.ts"

/**
 * Kinds of work, each done by one worker. `actions`: next actions of many leads to store again. `events`: those without deliveries to webhooks.
 * `follow_ups`: to announce.
 * `deliveries`: to send. `audit`: sealing. `linkedin`: messages and invitations to send,
 * and those of stopped processes. `emails`: the same, and reviews that expire. `outcomes`: unknown ones to look up. `inboxes`:
 * accounts to poll. `mailboxes`: to read. `approvals`: requests that expire. `notices`: e-mails to approvers. `retention`: rows that grow old.
 */
export type DueKind =
  | "actions"
  | "approvals"
  | "audit"
  | "deliveries"
  | "emails"
  | "events"
  | "follow_ups"
  | "inboxes"
  | "linkedin"
  | "mailboxes"
  | "notices"
  | "outcomes"
  | "retention"

/** What of a kind was due at `at` and is left over is due again at `again`. */
interface Settling {
  readonly at: string
  readonly again: string
}

/**
 * Organizations by when their next work of a kind is due. Repositories note it where work arises, in the same transaction. Fails
 * with UNAVAILABLE when the store cannot be reached.
 */
export class DueWork extends Context.Service<
  DueWork,
  {
    /** At most `limit` organizations with work that is due, those first that are due longest. Some may have none by now. */
    readonly find: (kind: DueKind, now: string, limit: number) => StoreEffect<ReadonlyArray<OrganizationId>>
    /** After work in an organization: stores when its next is due. What arises meanwhile is never lost. */
    readonly settle: StoreMethod<[kind: DueKind, settling: Settling], void>
  }
>()("@svc/core/DueWork") {}
