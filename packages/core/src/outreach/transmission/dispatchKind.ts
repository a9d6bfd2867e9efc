/**
 * The sending machine: leases what is due, checks the gate, stores the intent, transmits, records and settles.
 *
 * The intent is committed before the provider is asked and the outcome afterwards; no transaction is open in between. Only a
 * locked row is trusted, since a leased one may have changed or been taken over.
 */
import * as Effect from "effect/Effect"
import type { Lease } from "../../kernel/background/Lease.ts"
import { runAsService, type SystemNeeds } from "../../kernel/background/ServiceRun.ts"
import { finishOnInterrupt, shareWork } from "../../kernel/background/Worker.ts"
import type { Actor } from "../../kernel/command/Actor.ts"
import type { Execution } from "../../kernel/command/Execution.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { Journal } from "../../kernel/journal/Journal.ts"
import type { Transaction } from "../../kernel/journal/Transaction.ts"
import type { Ids } from "../../kernel/schema/Ids.ts"
import type { OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { traceWork } from "../../kernel/telemetry/tracing.ts"
import type { LeadConsequences } from "../../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../../leads/LeadsRepo.ts"
import type { SuppressionsRepo } from "../../leads/suppression/SuppressionsRepo.ts"
import type { DraftsRepo } from "../drafts/DraftsRepo.ts"
import type { AccountsRepo } from "../provider/AccountsRepo.ts"
import type { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import { keepSending, SendOptions } from "./SendOptions.ts"
import type { Step, TransmissionKind } from "./TransmissionKind.ts"
import { type Due, TransmissionsRepo } from "./TransmissionsRepo.ts"

/** What the dispatcher needs. */
export type DispatchNeeds =
  | AccountsRepo
  | DraftsRepo
  | Ids
  | Journal
  | LeadConsequences
  | LeadsRepo
  | LinkedInGateway
  | SuppressionsRepo
  | Transaction
  | TransmissionsRepo

/** Which round: of one organization or of all, and at most how many messages. */
export interface DispatchRound {
  readonly organizationId?: OrganizationId
  readonly limit?: number
  readonly concurrency?: number
}

type Needs<R> = R | TransmissionsRepo | SystemNeeds<R | Actor | Execution>

type Kind<Claim extends { readonly lease: Lease }, Outcome, Found, R> = TransmissionKind<Claim, Outcome, Found, R>

/** Claims and sends; returns whether the provider confirmed it. */
const carryOut = <Claim extends { readonly lease: Lease }, Outcome, Found, R>(
  kind: Kind<Claim, Outcome, Found, R>,
  organizationId: OrganizationId,
  claiming: Step<Claim | undefined, R>
): Effect.Effect<boolean, Failure, Needs<R>> =>
  Effect.gen(function* () {
    const claim = yield* runAsService(organizationId, claiming)
    if (claim === undefined) return false
    const outcome = yield* keepSending(claim.lease, kind.transmit(claim))
    return yield* runAsService(organizationId, kind.record(claim, outcome))
  })

/** Runs the work on one item; a failure is logged and does not affect the others. */
const safely = <R>(
  name: string,
  organizationId: OrganizationId,
  id: string,
  work: Effect.Effect<boolean, Failure, R>
) =>
  traceWork(`work ${name}`, organizationId, work).pipe(
    finishOnInterrupt,
    Effect.catch(({ code }) => Effect.as(Effect.logWarning("Sending failed", { kind: name, id, code }), false)),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("Sending failed unexpectedly", { kind: name, id }, defect), false)
    )
  )

const sendOne = <Claim extends { readonly lease: Lease }, Outcome, Found, R>(
  kind: Kind<Claim, Outcome, Found, R>,
  due: Due
): Effect.Effect<boolean, Failure, Needs<R>> =>
  Effect.gen(function* () {
    const precheck = kind.precheck === undefined ? "claim" : yield* keepSending(due, kind.precheck(due))
    return precheck === "ended" ? false : yield* carryOut(kind, due.organizationId, kind.claim(due, precheck))
  })

/** Claims and sends something without a queue item; returns whether the provider confirmed it. */
export const sendUnqueued = <Claim extends { readonly lease: Lease }, Outcome, Found, R>(
  kind: Kind<Claim, Outcome, Found, R>,
  place: { readonly organizationId: OrganizationId; readonly id: string },
  claiming: Step<Claim | undefined, R>
): Effect.Effect<boolean, never, Needs<R>> =>
  safely(kind.name, place.organizationId, place.id, carryOut(kind, place.organizationId, claiming))

/** Marks transmissions of stopped processes as ambiguous. Fails with UNAVAILABLE when the store is unreachable. */
export const blockLost = <Claim extends { readonly lease: Lease }, Outcome, Found, R>(
  kind: Kind<Claim, Outcome, Found, R>,
  { concurrency = 4, limit = 100, organizationId }: DispatchRound
): Effect.Effect<void, StoreFailure, Needs<R>> =>
  Effect.gen(function* () {
    const { leaseSeconds } = yield* SendOptions
    const request = { organizationId, now: yield* now, leaseSeconds, limit, state: "sending", kind: kind.name } as const
    const lost = yield* (yield* TransmissionsRepo).takeUnsettled(request)
    const block = (due: Due) =>
      safely(
        kind.name,
        due.organizationId,
        due.id,
        Effect.as(runAsService(due.organizationId, kind.markLost(due)), false)
      )
    yield* Effect.forEach(lost, block, { concurrency, discard: true })
  })

/**
 * Sends what is due of a kind; returns how many the provider confirmed. Each worker leases one at a time, so that none waits
 * under a lease. Fails with UNAVAILABLE when the store is unreachable.
 */
export const sendDue = <Claim extends { readonly lease: Lease }, Outcome, Found, R>(
  kind: Kind<Claim, Outcome, Found, R>,
  { concurrency = 4, limit = 100, organizationId }: DispatchRound
): Effect.Effect<number, StoreFailure, Needs<R>> =>
  Effect.gen(function* () {
    const { leaseSeconds, pacing: isPaced } = yield* SendOptions
    const { take } = yield* TransmissionsRepo
    const takeMore = (most: number) =>
      Effect.flatMap(now, (at) =>
        take({ kind: kind.name, organizationId, now: at, isPaced, leaseSeconds, limit: most })
      )
    return yield* shareWork({ workers: concurrency, limit }, takeMore, (due) =>
      safely(kind.name, due.organizationId, due.id, sendOne(kind, due))
    )
  })

/** Looks up those of unknown outcome; returns how many were sent. Fails with UNAVAILABLE when the store is unreachable. */
export const settleDue = <Claim extends { readonly lease: Lease }, Outcome, Found, R>(
  kind: Kind<Claim, Outcome, Found, R> & Required<Pick<Kind<Claim, Outcome, Found, R>, "lookup" | "settle">>,
  { concurrency = 2, limit = 20, organizationId }: DispatchRound
): Effect.Effect<number, StoreFailure, Needs<R>> =>
  Effect.gen(function* () {
    const { leaseSeconds } = yield* SendOptions
    const { takeUnsettled } = yield* TransmissionsRepo
    const request = {
      organizationId,
      now: yield* now,
      leaseSeconds,
      limit,
      state: "ambiguous",
      kind: kind.name
    } as const
    const settle = (due: Due) =>
      safely(
        kind.name,
        due.organizationId,
        due.id,
        Effect.gen(function* () {
          const found = yield* Effect.catch(keepSending(due, kind.lookup(due)), ({ code }) =>
            Effect.as(
              Effect.logInfo("Lookup of a transmission failed", { kind: kind.name, id: due.id, code }),
              undefined
            )
          )
          return yield* runAsService(due.organizationId, kind.settle(due, found))
        })
      )
    const settled = yield* Effect.forEach(yield* takeUnsettled(request), settle, { concurrency })
    return settled.filter((isSent) => isSent).length
  })
