/** Leases, the beginning of transmissions and holds in the in-memory store: one turn of the store each. */
import * as Effect from "effect/Effect"
import type { MemoryStore, Tables } from "../../MemoryStore.ts"
import { missions } from "../../missions/MissionTables.ts"
import { now } from "../../Time.ts"
import type { QueueItem, SendAttempt } from "../DraftRow.ts"
import { attemptKey, attempts, draftingOrganizations, drafts, everyone, queueItems } from "../LinkedInTables.ts"
import type { BeginRequest, Begun, DueSend, QueueRepo, TakeRequest } from "../QueueRepo.ts"
import { secondsAfter } from "../SendOptions.ts"
import { type AccountHold, freshPace, stoppedUntil } from "./Pacing.ts"
import { changePace, paces } from "./pacingTable.ts"
import { fullUntil } from "./UsageLimits.ts"

/** Whether a transmission uses up the account's limits. */
export const isCounted = ({ outcome }: SendAttempt): boolean =>
  outcome === null || outcome === "confirmed" || outcome === "unknown"

const later = (instant: string | null, at: string): boolean => instant !== null && instant > at

const isFree = (item: QueueItem, hold: AccountHold, { isPaced, now: at }: TakeRequest): boolean => {
  if (item.state === "waiting_relation") return true
  if (later(hold.messageStoppedUntil, at) && !item.invite) return false
  return item.bypass || !isPaced || !(later(hold.lookAt, at) || later(hold.nextAt, at))
}

const isReady = (tables: Tables, item: QueueItem, at: string): boolean => {
  if (item.state !== "queued" && item.state !== "waiting_relation") return false
  if (item.notBefore === null || item.notBefore > at || later(item.leaseUntil, at)) return false
  const draft = tables.get(drafts, item.organizationId, item.draftId)
  if (draft?.queueItemId !== item.id || draft.status !== "READY_TO_SEND") return false
  if (item.bypass || draft.missionId === null) return true
  return tables.get(missions, item.organizationId, draft.missionId)?.status === "ACTIVE"
}

const oldestFirst = (a: QueueItem, b: QueueItem): number =>
  `${a.notBefore} ${a.id}` < `${b.notBefore} ${b.id}` ? -1 : 1

const leased = (tables: Tables, item: QueueItem, at: string, leaseSeconds: number): DueSend => {
  const fence = item.fence + 1
  const leaseUntil = secondsAfter(at, leaseSeconds)
  tables.set(queueItems, item.organizationId, item.id, { ...item, fence, leaseUntil })
  const { draftId, id, notBefore, organizationId } = item
  return { organizationId, draftId, queueItemId: id, isStale: false, due: notBefore ?? at, fence }
}

const take = (tables: Tables, request: TakeRequest): ReadonlyArray<DueSend> => {
  const organizations =
    request.organizationId === undefined ? tables.all(draftingOrganizations, everyone) : [request.organizationId]
  const ready = organizations
    .flatMap((organizationId) => tables.all(queueItems, organizationId))
    .filter((item) => {
      const hold = tables.get(paces, item.organizationId, item.accountId) ?? freshPace
      return isReady(tables, item, request.now) && isFree(item, hold, request)
    })
  const byAccount = new Map<string, Array<QueueItem>>()
  for (const item of ready) {
    const key = `${item.organizationId} ${item.accountId}`
    const mine = byAccount.get(key)
    if (mine === undefined) byAccount.set(key, [item])
    else mine.push(item)
  }
  const placed = [...byAccount.values()].flatMap((items) =>
    items.toSorted(oldestFirst).map((item, place) => {
      const served = tables.get(paces, item.organizationId, item.accountId)?.servedAt ?? ""
      return { item, order: `${String(place).padStart(9, "0")} ${served} ${item.accountId}` }
    })
  )
  const chosen = placed.toSorted((a, b) => (a.order < b.order ? -1 : 1)).slice(0, request.limit)
  return chosen.map(({ item }) => {
    changePace(tables, item.organizationId, item.accountId, { servedAt: request.now })
    return leased(tables, item, request.now, request.leaseSeconds)
  })
}

const takeUnknown = (
  tables: Tables,
  { leaseSeconds, limit, now: at, organizationId }: Omit<TakeRequest, "isPaced">
): ReadonlyArray<DueSend> =>
  (organizationId === undefined ? tables.all(draftingOrganizations, everyone) : [organizationId])
    .flatMap((id) => tables.all(queueItems, id))
    .filter(({ leaseUntil, notBefore, state }) => {
      return state === "ambiguous" && notBefore !== null && notBefore <= at && !later(leaseUntil, at)
    })
    .toSorted(oldestFirst)
    .slice(0, limit)
    .map((item) => leased(tables, item, at, leaseSeconds))

const begin = (tables: Tables, { attempt, caps, fence, gapSeconds, item, leaseSeconds }: BeginRequest): Begun => {
  const { accountId, action, organizationId, startedAt } = attempt
  const pace = tables.get(paces, organizationId, accountId) ?? freshPace
  const stopped = stoppedUntil(pace, action)
  if (stopped !== null && stopped > startedAt) return { _tag: "Held", reason: "limit", until: stopped }
  if (caps !== null) {
    if (pace.nextAt !== null && pace.nextAt > startedAt) return { _tag: "Held", reason: "spacing", until: pace.nextAt }
    const times = tables
      .all(attempts, organizationId)
      .filter((one) => one.accountId === accountId && one.action === action && isCounted(one))
      .map((one) => one.startedAt)
    const until = fullUntil(times, caps, startedAt)
    if (until !== undefined) return { _tag: "Held", reason: "usage_limit", until }
  }
  const stored = tables.get(queueItems, organizationId, item.id)
  if (stored === undefined || (fence !== undefined && stored.fence !== fence)) return { _tag: "Lost" }
  const leaseUntil = secondsAfter(startedAt, leaseSeconds)
  tables.set(queueItems, organizationId, item.id, { ...item, leaseUntil, fence: stored.fence + 1 })
  tables.set(attempts, organizationId, attemptKey(attempt), attempt)
  if (gapSeconds !== null) {
    changePace(tables, organizationId, accountId, { nextAt: secondsAfter(startedAt, gapSeconds) })
  }
  return { _tag: "Begun", fence: stored.fence + 1 }
}

/** Takes, renews and begins; holds and stops accounts. */
export const leases = (
  store: MemoryStore["Service"]
): Pick<QueueRepo["Service"], "take" | "takeUnknown" | "renew" | "begin" | "hold" | "stop" | "setLimits"> => ({
  take: (request) => store.write((tables) => take(tables, request)),
  takeUnknown: (request) => store.write((tables) => takeUnknown(tables, request)),
  renew: (organizationId, itemId, fence, leaseSeconds) =>
    Effect.flatMap(now, (at) =>
      store.write((tables) => {
        const item = tables.get(queueItems, organizationId, itemId)
        if (item === undefined || item.fence !== fence || item.leaseUntil === null) return false
        tables.set(queueItems, organizationId, itemId, { ...item, leaseUntil: secondsAfter(at, leaseSeconds) })
        return true
      })
    ),
  begin: (request) => store.write((tables) => begin(tables, request)),
  hold: (organizationId, accountId, { lookAt, reason, until }) =>
    store.write((tables) =>
      changePace(tables, organizationId, accountId, { pacedReason: reason, pacedUntil: until, lookAt })
    ),
  stop: (organizationId, accountId, action, until) =>
    store.write((tables) =>
      changePace(
        tables,
        organizationId,
        accountId,
        action === "message" ? { messageStoppedUntil: until } : { invitationStoppedUntil: until }
      )
    ),
  setLimits: (organizationId, accountId, limits, ramp) =>
    store.write((tables) =>
      changePace(tables, organizationId, accountId, {
        limits,
        ramp,
        pacedUntil: null,
        pacedReason: null,
        lookAt: null,
        invitationPacedUntil: null,
        invitationPacedReason: null,
        invitationLookAt: null
      })
    )
})
