/**
 * The sending machine: leases what is due, checks the gate, stores the intent, transmits, records and settles.
 *
 * The intent is committed before the provider is asked and the outcome afterwards; no transaction is open in between. Only a
 * locked row is trusted, since a leased one may have changed or been taken over.
 */

import * as Effect from "effect/Effect"
import type { DueWork } from "../kernel/background/DueWork.ts"
import {
  finishOnInterrupt,
  type Lease,
  runAsService,
  type Share,
  type SystemNeeds,
  shareWork
} from "../kernel/background/Worker.ts"
import type { Actor, Execution } from "../kernel/command/Execution.ts"
import type { Failure } from "../kernel/failure/Failure.ts"
import type { Journal, Transaction } from "../kernel/journal/Journal.ts"
import { type Ids, now, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { traceWork } from "../kernel/telemetry/tracing.ts"
import type { LeadConsequences } from "../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../leads/LeadsRepo.ts"
import type { PrivacyRepo } from "../leads/privacy/PrivacyRepo.ts"
import type { DraftsRepo } from "./DraftsRepo.ts"
import type { AccountsRepo } from "./provider/AccountsRepo.ts"
import type { LinkedInGateway } from "./provider/LinkedInGateway.ts"
import { keepSending, SendOptions } from "./SendOptions.ts"
import type { Transmission } from "./Transmission.ts"
import { type Due, TransmissionsRepo } from "./TransmissionsRepo.ts"

/** A step that runs in its own transaction. */
type Step<A, R> = Effect.Effect<A, Failure, R | Actor | Execution>

/** Whether to claim: yes, yes as the person is now connected, or no. */
export type Precheck = "claim" | "connected" | "ended"

/** `Claim` is what may be sent, `Outcome` the result of sending, `Found` the result of a lookup. */
export interface TransmissionKind<Claim extends { readonly lease: Lease }, Outcome, Found, R> {
  readonly name: Transmission["kind"]
  /** Asks the provider before a claim, under the lease and outside of any transaction. */
  readonly precheck?: (due: Due) => Effect.Effect<Precheck, Failure, R>
  /** Checks the gate and stores the intent; undefined when it must not be sent, or not now. */
  readonly claim: (due: Due, precheck: Precheck) => Step<Claim | undefined, R>
  /** Sends it to the provider. Never fails: in doubt, the outcome is unknown. */
  readonly transmit: (claim: Claim) => Effect.Effect<Outcome, never, R>
  /** Stores the outcome; returns whether the provider confirmed it. */
  readonly record: (claim: Claim, outcome: Outcome) => Step<boolean, R>
  /** Its process stopped: it may have been sent, so it is never sent again. */
  readonly markLost: (due: Due) => Step<void, R>
  /** Looks up an unknown outcome at the provider; without it, a person settles it. */
  readonly lookup?: (due: Due) => Effect.Effect<Found | undefined, Failure, R>
  /** Settles it by the lookup; returns whether it was sent. */
  readonly settle?: (due: Due, found: Found | undefined) => Step<boolean, R>
}

/** The detail of an attempt whose process stopped. */
export const lost = "The process that was sending it stopped before it knew the outcome."

/** What the dispatcher needs. */
export type DispatchNeeds =
  | AccountsRepo
  | DraftsRepo
  | DueWork
  | Ids
  | Journal
  | LeadConsequences
  | LeadsRepo
  | LinkedInGateway
  | PrivacyRepo
  | Transaction
  | TransmissionsRepo

type Needs<R> = R | TransmissionsRepo | SystemNeeds<R | Actor | Execution>

/** The work of one kind in one organization. All of it fails with UNAVAILABLE when the store is unreachable; a failure on one item is logged. */
export const machineOf = <Claim extends { readonly lease: Lease }, Outcome, Found, R>(
  kind: TransmissionKind<Claim, Outcome, Found, R>
) => {
  type Work<E extends Failure> = Effect.Effect<boolean, E, Needs<R>>

  const safely = (organizationId: OrganizationId, id: string, work: Work<Failure>): Work<never> =>
    traceWork(`work ${kind.name}`, organizationId, work).pipe(
      finishOnInterrupt,
      Effect.catch(({ code }) => Effect.as(Effect.logWarning("Sending failed", { kind: kind.name, id, code }), false)),
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError("Sending failed unexpectedly", { kind: kind.name, id }, defect), false)
      )
    )

  const carryOut = Effect.fnUntraced(function* (organizationId: OrganizationId, claiming: Step<Claim | undefined, R>) {
    const claim = yield* runAsService(organizationId, claiming)
    if (claim === undefined) return false
    const outcome = yield* keepSending(claim.lease, kind.transmit(claim))
    return yield* runAsService(organizationId, kind.record(claim, outcome))
  })

  const sendOne = Effect.fnUntraced(function* (due: Due) {
    const precheck = kind.precheck === undefined ? "claim" : yield* keepSending(due, kind.precheck(due))
    return precheck === "ended" ? false : yield* carryOut(due.organizationId, kind.claim(due, precheck))
  })

  const settleOne = Effect.fnUntraced(function* (due: Due) {
    const { lookup = () => Effect.undefined, settle = () => Effect.succeed(false) } = kind
    const found = yield* Effect.catch(keepSending(due, lookup(due)), ({ code }) =>
      Effect.as(Effect.logInfo("Lookup of a transmission failed", { kind: kind.name, id: due.id, code }), undefined)
    )
    return yield* runAsService(due.organizationId, settle(due, found))
  })

  const eachUnsettled = Effect.fnUntraced(function* (
    state: "sending" | "ambiguous",
    organizationId: OrganizationId,
    { concurrency, limit }: Share,
    work: (due: Due) => Work<Failure>
  ) {
    const { leaseSeconds } = yield* SendOptions
    const request = { organizationId, now: yield* now, leaseSeconds, limit, state, kind: kind.name }
    const found = yield* (yield* TransmissionsRepo).takeUnsettled(request)
    const sent = yield* Effect.forEach(found, (due) => safely(organizationId, due.id, work(due)), { concurrency })
    return { taken: found.length, done: sent.filter((isSent) => isSent).length }
  })

  return {
    /** Claims and sends something without a queue item; returns whether the provider confirmed it. */
    sendUnqueued: (organizationId: OrganizationId, id: string, claiming: Step<Claim | undefined, R>) =>
      safely(organizationId, id, carryOut(organizationId, claiming)),
    /** Marks transmissions of stopped processes as ambiguous; returns how many. */
    blockLost: (organizationId: OrganizationId, share: Share) =>
      Effect.map(
        eachUnsettled("sending", organizationId, share, (due) =>
          Effect.as(runAsService(organizationId, kind.markLost(due)), false)
        ),
        ({ taken }) => taken
      ),
    /** Looks up those of unknown outcome; returns how many, and how many were sent. */
    settleDue: (organizationId: OrganizationId, share: Share) =>
      eachUnsettled("ambiguous", organizationId, share, settleOne),
    /**
     * Sends what is due; returns how many were taken, and how many the provider confirmed. Each worker leases one at a time, so that
     * none waits under a lease.
     */
    sendDue: Effect.fnUntraced(function* (organizationId: OrganizationId, { concurrency, limit }: Share) {
      const { leaseSeconds, pacing: isPaced } = yield* SendOptions
      const { take } = yield* TransmissionsRepo
      const takeMore = (most: number) =>
        Effect.flatMap(now, (at) =>
          take({ kind: kind.name, organizationId, now: at, isPaced, leaseSeconds, limit: most })
        )
      return yield* shareWork({ workers: concurrency, limit }, takeMore, (due) =>
        safely(organizationId, due.id, sendOne(due))
      )
    })
  }
}
