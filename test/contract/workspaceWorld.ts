/** Commands of the workspace itself, with offers to have something to change, on whatever store. */
import { assert } from "@effect/vitest"
import type { ActorIdentity } from "@svc/core/Actor"
import * as ApprovalsMemory from "@svc/core/approvals/ApprovalsMemory"
import type { ApprovalsRepo } from "@svc/core/approvals/ApprovalsRepo"
import * as Approvals from "@svc/core/approvals/index"
import type { AuditLog } from "@svc/core/audit/AuditLog"
import * as AuditLogMemory from "@svc/core/audit/AuditLogMemory"
import * as Audit from "@svc/core/audit/index"
import * as Catalog from "@svc/core/Catalog"
import { type Call, Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import { defaultOptions } from "@svc/core/ExecutionOptions"
import type { EventFeed } from "@svc/core/events/EventFeed"
import * as EventFeedMemory from "@svc/core/events/EventFeedMemory"
import * as Events from "@svc/core/events/index"
import type { Failure } from "@svc/core/Failure"
import * as Ids from "@svc/core/Ids"
import type { Journal } from "@svc/core/Journal"
import * as JournalMemory from "@svc/core/JournalMemory"
import * as Keys from "@svc/core/keys/index"
import * as Offers from "@svc/core/offers/index"
import * as OffersMemory from "@svc/core/offers/OffersMemory"
import { layerSecretRandom } from "@svc/core/Page"
import type { Transaction } from "@svc/core/Transaction"
import * as DeliveriesMemory from "@svc/core/webhooks/delivery/DeliveriesMemory"
import type { DeliveriesRepo } from "@svc/core/webhooks/delivery/DeliveriesRepo"
import * as Webhooks from "@svc/core/webhooks/index"
import * as WebhooksMemory from "@svc/core/webhooks/WebhooksMemory"
import type { WebhooksRepo } from "@svc/core/webhooks/WebhooksRepo"
import * as PolicyCache from "@svc/core/workspace/PolicyCache"
import type { Workspaces } from "@svc/core/workspace/Workspaces"
import * as WorkspacesMemory from "@svc/core/workspace/WorkspacesMemory"
import * as ApprovalsPg from "@svc/postgres/approvals/ApprovalsPg"
import * as AuditLogPg from "@svc/postgres/audit/AuditLogPg"
import * as EventFeedPg from "@svc/postgres/events/EventFeedPg"
import * as JournalPg from "@svc/postgres/JournalPg"
import * as OffersPg from "@svc/postgres/offers/OffersPg"
import * as TransactionPg from "@svc/postgres/TransactionPg"
import * as DeliveriesPg from "@svc/postgres/webhooks/DeliveriesPg"
import * as WebhooksPg from "@svc/postgres/webhooks/WebhooksPg"
import * as WorkspacesPg from "@svc/postgres/workspace/WorkspacesPg"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { owner } from "../support/memory.ts"
import { StatementCounter } from "../support/StatementCounter.ts"
import { eachBackend, inMemory } from "./backends.ts"

/** What a suite of the workspace may use. */
export type World =
  | Dispatch
  | Workspaces
  | EventFeed
  | AuditLog
  | ApprovalsRepo
  | WebhooksRepo
  | DeliveriesRepo
  | Journal
  | Transaction
  | Ids.Ids
  | Offers.OffersRepo

const catalog = Catalog.make([
  ...Offers.commands,
  ...Audit.commands,
  ...Approvals.commands,
  ...Keys.commands,
  ...Webhooks.commands,
  ...Events.restCommands,
  ...Webhooks.restCommands
])

const commands = dispatchLayer(catalog).pipe(Layer.provide(PolicyCache.layer))

/** Runs a suite on every store, with a layer that every test of it shares. */
export const eachWorkspace = (name: string, suite: (layer: Layer.Layer<World, Failure>) => void): void =>
  eachBackend<World>(
    name,
    {
      memory: commands.pipe(
        Layer.provideMerge(
          inMemory(
            Layer.mergeAll(
              OffersMemory.layer,
              WorkspacesMemory.layer,
              JournalMemory.layer,
              EventFeedMemory.layer,
              AuditLogMemory.layer,
              ApprovalsMemory.layer,
              WebhooksMemory.layer,
              DeliveriesMemory.layer
            )
          )
        ),
        Layer.provideMerge(Layer.merge(Ids.layer, layerSecretRandom))
      ),
      sql: (base) =>
        commands.pipe(
          Layer.provideMerge(
            Layer.mergeAll(
              OffersPg.layer,
              WorkspacesPg.layer,
              JournalPg.layer,
              TransactionPg.layer,
              EventFeedPg.layer,
              AuditLogPg.layer,
              ApprovalsPg.layer,
              WebhooksPg.layer,
              DeliveriesPg.layerOnProcessClock
            )
          ),
          Layer.provideMerge(base),
          Layer.provideMerge(Layer.merge(Ids.layer, layerSecretRandom))
        )
    },
    suite
  )

/** Runs a command as an owner, unless told otherwise, and answers the whole answer. */
export const ask = (command: string, input: unknown, call: Partial<Call> = {}) =>
  Effect.flatMap(Dispatch, (dispatch) => dispatch.run({ command, input, actor: owner(), ...call }))

/** Runs a command that must succeed and answers its output. */
export const done = (command: string, input: unknown, call: Partial<Call> = {}) =>
  Effect.map(ask(command, input, call), ({ envelope }) => {
    if (!envelope.ok) return assert.fail(`${command}: ${envelope.error.code} ${envelope.error.message}`)
    return Object(envelope.data)
  })

/** Runs a command that must be refused and answers the code. */
export const refused = (command: string, input: unknown, call: Partial<Call> = {}) =>
  Effect.map(ask(command, input, call), ({ envelope }) => (envelope.ok ? "ok" : envelope.error.code))

/** The options of a call with an idempotency key. */
export const keyed = (idempotencyKey: string) => ({ options: { ...defaultOptions, idempotencyKey } })

/** An actor with changes. */
export const actor = (organizationId: string, changes: Partial<ActorIdentity> = {}): ActorIdentity => ({
  ...owner(organizationId),
  ...changes
})

/** How many statements an effect takes, where there are statements: undefined in memory. */
export const statementsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.serviceOption(StatementCounter), (counter) =>
    Option.isNone(counter)
      ? Effect.as(effect, undefined)
      : Effect.map(counter.value.of(effect), ([, { statements }]) => statements)
  )

/** An offer's texts. */
export const offer = { name: "Invoices", one_liner: "They book themselves", value_proposition: "Four days earlier" }
