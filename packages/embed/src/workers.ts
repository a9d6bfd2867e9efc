/** The work in the background: on request, and as long as a process runs. */

import type { Dispatch, Failure, Ids, ResourceReader } from "@svc/core"
import type { DomainCheck, EmailNeeds, InboxGateway, NoticeNeeds } from "@svc/core/email"
import * as Internal from "@svc/core/internal"
import { ActionsWorker, eraseExpired, FollowUpsWorker } from "@svc/core/leads"
import type { DispatchNeeds, LinkedInGateway, PollNeeds } from "@svc/core/outreach"
import { type DeliveryNeeds, DeliveryWorker, type WebhookSender } from "@svc/core/webhooks"
import { type Authentication, Retention, RetentionWorker, SealWorker } from "@svc/core/workspace"
import type { HttpApp, HttpHandlers, Readiness } from "@svc/http"
import type { Memory } from "@svc/memory"
import { HttpWebhookSender } from "@svc/providers/webhooks"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"

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
  /** Mails that mailboxes received. */
  readonly mails: number
  /** Webhook deliveries that succeeded. */
  readonly webhooks: number
  /** Rows and leads deleted because of their age. */
  readonly deleted: number
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
type WorkNeeds =
  | DispatchNeeds
  | PollNeeds
  | EmailNeeds
  | Internal.InboxNeeds
  | NoticeNeeds
  | DeliveryNeeds
  | SealWorker.SealNeeds
  | ActionsWorker.ActionsNeeds
  | FollowUpsWorker.FollowUpNeeds
  | RetentionWorker.RetentionNeeds
  | Effect.Services<ReturnType<typeof eraseExpired>>

/** More than is due at once: what a round leaves is due later. */
const limit = 10_000

/** The most passes: something that answers everything with something new never ends. */
const maxPasses = 100

const pass = Effect.fnUntraced(function* (concurrency: number): Effect.fn.Return<WorkCounts, Failure, WorkNeeds> {
  const inboxes = yield* Internal.pollInboxes()
  const mails = yield* Internal.readInboxes({ concurrency })
  const settled = yield* Internal.settleUnknown({ concurrency })
  const sent = yield* Internal.dispatchRound({ concurrency, limit })
  const emails = yield* Internal.dispatchEmails({ concurrency, limit })
  const expired = yield* Internal.expireRequests()
  const notices = yield* Internal.mailApprovals()
  const webhooks = yield* Internal.deliverAll()
  yield* SealWorker.sealAll
  yield* ActionsWorker.keepActions
  yield* FollowUpsWorker.announceFollowUps
  const deleted = sum(yield* RetentionWorker.deleteOldRows(undefined, eraseExpired))
  return { ...sent, emails, expired, notices, settled, inboxes, mails, webhooks, deleted }
})

/** Works with as many concurrent jobs as a worker. */
const workLayer = (concurrency: number): Layer.Layer<BackgroundWork, never, WorkNeeds> =>
  Layer.effect(
    BackgroundWork,
    Effect.map(Effect.context<WorkNeeds>(), (needs) => ({
      run: Effect.gen(function* () {
        let done = yield* pass(concurrency)
        let total = done
        for (let passes = 1; passes < maxPasses && sum(done) > 0; passes++) {
          const more = yield* pass(concurrency)
          total = Record.map(total, (count, name) => count + more[name])
          done = more
        }
        return total
      }).pipe(Effect.provideContext(needs))
    }))
  )

/** Days that things are kept, and concurrent jobs. The types of hosts lead here, and stop before those of databases. */
type WorkerSettings = Readonly<
  Record<
    | "retainAuditDays"
    | "retainDeliveriesDays"
    | "retainEventsDays"
    | "retainIdempotencyDays"
    | "retainImportRowsDays"
    | "workers",
    number
  >
>

/** What is done on request and, where this process `isWorker`, again and again. */
export const workersLayer = (
  settings: WorkerSettings,
  isWorker: boolean
): Layer.Layer<BackgroundWork, never, Exclude<WorkNeeds, WebhookSender>> => {
  const concurrency = settings.workers
  const workers = Layer.mergeAll(
    Internal.outreachWorkerLayer({ concurrency }),
    DeliveryWorker.layer,
    Internal.emailWorkerLayer,
    Internal.inboxWorkerLayer,
    Internal.noticesLayer,
    Internal.expiryLayer,
    SealWorker.layer,
    ActionsWorker.layer,
    FollowUpsWorker.layer,
    RetentionWorker.layer(eraseExpired)
  )
  const retention = Layer.succeed(Retention, {
    idempotency: settings.retainIdempotencyDays,
    deliveries: settings.retainDeliveriesDays,
    events: settings.retainEventsDays,
    importRows: settings.retainImportRowsDays,
    audit: settings.retainAuditDays
  })
  return Layer.merge(workLayer(concurrency), isWorker ? workers : Layer.empty).pipe(
    Layer.provide(Layer.merge(HttpWebhookSender.layer, retention))
  )
}

/** Repositories with transactions, ids and readiness. */
export type Stores = Memory.Repositories | Ids | Readiness

/** Services for the surfaces and hosts. */
export type Services =
  | Stores
  | DomainCheck
  | InboxGateway
  | LinkedInGateway
  | Dispatch
  | ResourceReader
  | Authentication
  | HttpApp
  | HttpHandlers
  | BackgroundWork
