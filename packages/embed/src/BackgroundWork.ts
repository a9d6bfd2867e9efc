/** What the workers of a process do again and again, done once: for hosts that decide themselves when, and for tests. */
import type { Failure } from "@svc/core"
import { dispatchEmails, type EmailNeeds, mailApprovals, type NoticeNeeds } from "@svc/core/email"
import { type DispatchNeeds, dispatchRound, type PollNeeds, pollInboxes, settleUnknown } from "@svc/core/outreach"
import { type DeliveryNeeds, deliverAll } from "@svc/core/webhooks"
import { ExpiryWorker, RetentionWorker, SealWorker } from "@svc/core/workspace"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How much was done. */
export interface WorkCounts {
  /** Messages, invitations and e-mails that the provider confirmed. */
  readonly messages: number
  readonly invitations: number
  readonly emails: number
  /** Approval requests that expired, and emails to approvers that were accepted. */
  readonly expired: number
  readonly notices: number
  /** Messages whose unknown outcome turned out to be sent. */
  readonly settled: number
  /** LinkedIn accounts whose conversations were read. */
  readonly inboxes: number
  /** Webhook deliveries that succeeded. */
  readonly webhooks: number
  /** Rows deleted because of their age. */
  readonly deleted: number
}

const none: WorkCounts = {
  messages: 0,
  invitations: 0,
  emails: 0,
  expired: 0,
  notices: 0,
  settled: 0,
  inboxes: 0,
  webhooks: 0,
  deleted: 0
}

const sum = (counts: object): number => Object.values(counts).reduce((total: number, count: number) => total + count, 0)

/** Does what is due. */
export class BackgroundWork extends Context.Service<
  BackgroundWork,
  {
    /** Works until nothing is left to do now, for all organizations. Fails with UNAVAILABLE when the store is unreachable. */
    readonly run: Effect.Effect<WorkCounts, Failure>
  }
>()("@svc/embed/BackgroundWork") {}

/** The services that the work needs. */
export type WorkNeeds =
  | DispatchNeeds
  | PollNeeds
  | EmailNeeds
  | NoticeNeeds
  | ExpiryWorker.ExpiryNeeds
  | DeliveryNeeds
  | SealWorker.SealNeeds
  | RetentionWorker.RetentionNeeds

/** More than is due at once: what a round leaves is due later. */
const limit = 10_000

/** The most passes: something that answers everything with something new never ends. */
const maxPasses = 100

const pass = Effect.fnUntraced(function* (concurrency: number): Effect.fn.Return<WorkCounts, Failure, WorkNeeds> {
  const inboxes = yield* pollInboxes()
  const settled = yield* settleUnknown({ concurrency })
  const sent = yield* dispatchRound({ concurrency, limit })
  const emails = yield* dispatchEmails({ concurrency, limit })
  const expired = yield* ExpiryWorker.expireRequests()
  const notices = yield* mailApprovals()
  const webhooks = yield* deliverAll()
  yield* SealWorker.sealAll
  const deleted = sum(yield* RetentionWorker.deleteOldRows)
  return { ...sent, emails, expired, notices, settled, inboxes, webhooks, deleted }
})

/** Works with as many concurrent jobs as a worker. */
export const layer = ({
  concurrency
}: {
  readonly concurrency: number
}): Layer.Layer<BackgroundWork, never, WorkNeeds> =>
  Layer.effect(
    BackgroundWork,
    Effect.map(Effect.context<WorkNeeds>(), (needs) => ({
      run: Effect.gen(function* () {
        const total: Record<keyof WorkCounts, number> = { ...none }
        for (let passes = 0; passes < maxPasses; passes++) {
          const done = yield* pass(concurrency)
          for (const [name, count] of Object.entries(done)) total[name as keyof WorkCounts] += count
          if (sum(done) === 0) break
        }
        return total
      }).pipe(Effect.provideContext(needs))
    }))
  )
