/** Taking, leasing and starting transmissions in the in-memory store. */
import { type InstantText, now, type OrganizationId } from "@svc/core"
import {
  type Due,
  freshPace,
  type SendAttempt,
  secondsAfter,
  type TakeRequest,
  type Transmission,
  type TransmissionsRepo
} from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import type { MemoryStore, Tables } from "../MemoryStore.ts"
import { attemptKey, attempts, drafts, transmissions } from "./LinkedInTables.ts"
import { changeSender, senderOf, senders } from "./senderTable.ts"
import { missionOfTransmission } from "./transmissionViews.ts"

const isAfter = (instant: string | null, at: string): boolean => instant !== null && instant > at

const oldestFirst = (a: Transmission, b: Transmission): number =>
  `${a.notBefore} ${a.id}` < `${b.notBefore} ${b.id}` ? -1 : 1

/** The transmissions of one organization, or of all. */
export const transmissionsIn = (
  tables: Tables,
  organizationId: OrganizationId | undefined
): ReadonlyArray<Transmission> =>
  (organizationId === undefined ? tables.partitions(transmissions) : [organizationId]).flatMap((id) =>
    tables.all(transmissions, id)
  )

const isMissionOpen = (tables: Tables, row: Transmission): boolean => {
  const status = missionOfTransmission(tables, row)?.status
  return row.bypass || status === undefined || status === "ACTIVE" || status === "ARCHIVED"
}

/** Whether its draft is still the approved one and its account may send. */
const isReady = (tables: Tables, row: Transmission, { isPaced, now: at }: TakeRequest): boolean => {
  if (row.kind === "email") return true
  const { accountId, bypass, kind, organizationId } = row
  const hold = tables.get(senders, organizationId, accountId) ?? freshPace
  const { recheckAt, stoppedUntil: stopped } = hold[kind]
  const isFree = bypass || !isPaced || !(isAfter(recheckAt, at) || isAfter(hold.nextAt, at))
  if (row.kind === "invitation") return !isAfter(stopped, at) && isFree
  const draft = tables.get(drafts, organizationId, row.draftId)
  if (draft?.queueItemId !== row.id || draft.status !== "READY_TO_SEND") return false
  return row.state === "waiting_relation" || ((!isAfter(stopped, at) || row.invite) && isFree)
}

const lease = (tables: Tables, row: Transmission, at: string, leaseSeconds: number): Due => {
  const fence = row.fence + 1
  const { draftId, id, leadId, organizationId, state } = row
  tables.set(transmissions, organizationId, id, { ...row, fence, leaseUntil: secondsAfter(at, leaseSeconds) })
  return { organizationId, id, leadId, draftId, state, fence }
}

/** Whether an attempt counts against the account's limits. */
export const isCounted = ({ outcome }: SendAttempt): boolean =>
  outcome === null || outcome === "confirmed" || outcome === "unknown"

/** Takes and starts transmissions in memory. */
export const turns = (
  store: MemoryStore["Service"]
): Pick<TransmissionsRepo["Service"], "take" | "takeUnsettled" | "renew" | "begin"> => ({
  take: (request) =>
    store.write((tables) => {
      const { kind, leaseSeconds, limit, now: at, organizationId } = request
      const counts = new Map<string, number>()
      return transmissionsIn(tables, organizationId)
        .filter((row) => row.kind === kind && (row.state === "queued" || row.state === "waiting_relation"))
        .filter((row) => row.notBefore !== null && row.notBefore <= at && !isAfter(row.leaseUntil, at))
        .filter((row) => isMissionOpen(tables, row) && isReady(tables, row, request))
        .toSorted(oldestFirst)
        .map((row) => {
          const sender = senderOf(row)
          const key = `${row.organizationId} ${sender}`
          const place = counts.get(key) ?? 0
          counts.set(key, place + 1)
          const served = tables.get(senders, row.organizationId, sender)?.servedAt ?? ""
          return { row, sender, order: `${String(place).padStart(9, "0")} ${served} ${sender}` }
        })
        .toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
        .slice(0, limit)
        .map(({ row, sender }) => {
          changeSender(tables, row.organizationId, sender, { servedAt: at })
          return lease(tables, row, at, leaseSeconds)
        })
    }),
  takeUnsettled: ({ kind, leaseSeconds, limit, now: at, organizationId, state }) =>
    store.write((tables) =>
      transmissionsIn(tables, organizationId)
        .filter((row) => row.kind === kind && row.state === state && !isAfter(row.leaseUntil, at))
        .filter(({ notBefore }) => state === "sending" || (notBefore !== null && notBefore <= at))
        .toSorted(oldestFirst)
        .slice(0, limit)
        .map((row) => lease(tables, row, at, leaseSeconds))
    ),
  renew: ({ fence, id, organizationId }, leaseSeconds) =>
    Effect.flatMap(now, (at) =>
      store.write((tables) => {
        const row = tables.get(transmissions, organizationId, id)
        if (row === undefined || row.fence !== fence || row.leaseUntil === null) return false
        tables.set(transmissions, organizationId, id, { ...row, leaseUntil: secondsAfter(at, leaseSeconds) })
        return true
      })
    ),
  begin: ({ attempt, fence, gapSeconds, leaseSeconds, updatedAt }) =>
    store.write((tables) => {
      const { accountId, number, organizationId, queueItemId, startedAt } = attempt
      const stored = tables.get(transmissions, organizationId, queueItemId)
      if (stored === undefined || stored.kind === "email" || (fence !== undefined && stored.fence !== fence)) {
        return undefined
      }
      const next = stored.fence + 1
      const leaseUntil: InstantText = secondsAfter(startedAt, leaseSeconds)
      const sending = { state: "sending", reason: null, notBefore: null, attempts: number, updatedAt } as const
      const begun = { ...stored, ...sending, accountId, leaseUntil, fence: next }
      tables.set(transmissions, organizationId, queueItemId, begun)
      tables.set(attempts, organizationId, attemptKey(attempt), attempt)
      if (gapSeconds !== null) {
        changeSender(tables, organizationId, accountId, { nextAt: secondsAfter(startedAt, gapSeconds) })
      }
      return next
    })
})
