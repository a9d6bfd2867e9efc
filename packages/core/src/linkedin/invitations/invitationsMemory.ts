/** Invitations in the in-memory store. */
import * as Effect from "effect/Effect"
import type { MemoryStore, Tables } from "../../MemoryStore.ts"
import { cutPage } from "../../Page.ts"
import { changedAt, now } from "../../Time.ts"
import type { SendAttempt } from "../DraftRow.ts"
import { accounts, attemptKey, attempts, draftingOrganizations, everyone, invitations } from "../LinkedInTables.ts"
import { isCounted } from "../pacing/leaseMemory.ts"
import { type AccountHold, freshPace, holdOf, stoppedUntil } from "../pacing/Pacing.ts"
import { changePace, paces } from "../pacing/pacingTable.ts"
import { fullUntil, type UsageRule } from "../pacing/UsageLimits.ts"
import { secondsAfter } from "../SendOptions.ts"
import type { Invitation } from "./Invitation.ts"
import type { DueInvitation, Held, InvitationStore, ListedInvitation, TakeInvitations } from "./InvitationStore.ts"

const later = (instant: string | null, at: string): boolean => instant !== null && instant > at

const holdOn = (tables: Tables, { accountId, organizationId }: Invitation): AccountHold =>
  holdOf(tables.get(paces, organizationId, accountId) ?? freshPace)

const listed = (tables: Tables, invitation: Invitation): ListedInvitation => ({
  invitation,
  hold: holdOn(tables, invitation)
})

const isReady = (tables: Tables, invitation: Invitation, { isPaced, now: at }: TakeInvitations): boolean => {
  const { bypass, leaseUntil, notBefore, state } = invitation
  if (state !== "queued" || notBefore === null || notBefore > at || later(leaseUntil, at)) return false
  const hold = holdOn(tables, invitation)
  if (later(hold.invitationStoppedUntil, at)) return false
  return bypass || !isPaced || !(later(hold.invitationLookAt, at) || later(hold.nextAt, at))
}

const isUnsettled = ({ leaseUntil, notBefore, state }: Invitation, at: string): boolean => {
  if (later(leaseUntil, at)) return false
  return state === "sending" || (state === "ambiguous" && notBefore !== null && notBefore <= at)
}

const oldestFirst = (a: Invitation, b: Invitation): number =>
  `${a.notBefore} ${a.id}` < `${b.notBefore} ${b.id}` ? -1 : 1

const lease = (tables: Tables, invitation: Invitation, at: string, leaseSeconds: number): DueInvitation => {
  const { id, leadId, organizationId, state } = invitation
  const fence = invitation.fence + 1
  tables.set(invitations, organizationId, id, { ...invitation, fence, leaseUntil: secondsAfter(at, leaseSeconds) })
  return { organizationId, invitationId: id, leadId, state, fence }
}

const everywhere = (tables: Tables, organizationId: string | undefined): ReadonlyArray<Invitation> =>
  (organizationId === undefined ? tables.all(draftingOrganizations, everyone) : [organizationId]).flatMap((one) =>
    tables.all(invitations, one)
  )

const take = (tables: Tables, request: TakeInvitations): ReadonlyArray<DueInvitation> => {
  const ready = everywhere(tables, request.organizationId).filter((one) => isReady(tables, one, request))
  const counts = new Map<string, number>()
  const placed = ready.toSorted(oldestFirst).map((invitation) => {
    const key = `${invitation.organizationId} ${invitation.accountId}`
    const place = counts.get(key) ?? 0
    counts.set(key, place + 1)
    return { invitation, place }
  })
  return placed
    .toSorted((a, b) => a.place - b.place)
    .slice(0, request.limit)
    .map(({ invitation }) => lease(tables, invitation, request.now, request.leaseSeconds))
}

/** What keeps a use of an account from beginning; undefined when nothing does. */
const heldBy = (
  tables: Tables,
  attempt: SendAttempt,
  rules: ReadonlyArray<UsageRule> | null,
  isSpaced: boolean
): Held | undefined => {
  const { accountId, action, organizationId, startedAt } = attempt
  const pace = tables.get(paces, organizationId, accountId) ?? freshPace
  const stopped = stoppedUntil(pace, action)
  if (stopped !== null && stopped > startedAt) return { _tag: "Held", reason: "limit", until: stopped }
  if (rules === null) return undefined
  if (isSpaced && pace.nextAt !== null && pace.nextAt > startedAt) {
    return { _tag: "Held", reason: "spacing", until: pace.nextAt }
  }
  const counted = tables.all(attempts, organizationId).filter((one) => one.accountId === accountId && isCounted(one))
  for (const { caps, counts } of rules) {
    const times = counted.filter((one) => counts.includes(one.action)).map((one) => one.startedAt)
    const until = fullUntil(times, caps, startedAt)
    if (until !== undefined) return { _tag: "Held", reason: "usage_limit", until }
  }
  return undefined
}

const orderOf = ({ invitation }: ListedInvitation): string => invitation.id

/** Keeps invitations in memory. */
export const invitationsIn = (store: MemoryStore["Service"]): InvitationStore => ({
  ofLead: (organizationId, leadId) =>
    store.read((tables) =>
      tables
        .all(invitations, organizationId)
        .filter((one) => one.leadId === leadId)
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    ),
  queued: (organizationId, owner) =>
    store.read((tables) =>
      tables
        .all(invitations, organizationId)
        .filter((one) => one.state === "queued")
        .filter((one) =>
          "agentId" in owner
            ? one.agentId === owner.agentId
            : one.draftId !== null && owner.draftIds.includes(one.draftId)
        )
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    ),
  find: (organizationId, id) =>
    store.read((tables) => {
      const found = tables.get(invitations, organizationId, id)
      return found === undefined ? undefined : listed(tables, found)
    }),
  save: (organizationId, changed) =>
    store.write((tables) => {
      for (const invitation of changed) {
        const stored = tables.get(invitations, organizationId, invitation.id)
        const leaseUntil = invitation.state === "sending" ? (stored?.leaseUntil ?? null) : null
        tables.set(draftingOrganizations, everyone, organizationId, organizationId)
        tables.set(invitations, organizationId, invitation.id, {
          ...invitation,
          leaseUntil,
          fence: stored?.fence ?? 0
        })
        if (tables.get(paces, organizationId, invitation.accountId) === undefined) {
          changePace(tables, organizationId, invitation.accountId, {})
        }
      }
    }),
  take: (request) => store.write((tables) => take(tables, request)),
  takeUnsettled: ({ leaseSeconds, limit, now: at, organizationId }) =>
    store.write((tables) =>
      everywhere(tables, organizationId)
        .filter((one) => isUnsettled(one, at))
        .toSorted(oldestFirst)
        .slice(0, limit)
        .map((one) => lease(tables, one, at, leaseSeconds))
    ),
  renew: (organizationId, id, fence, leaseSeconds) =>
    Effect.flatMap(now, (at) =>
      store.write((tables) => {
        const one = tables.get(invitations, organizationId, id)
        if (one === undefined || one.fence !== fence || one.leaseUntil === null) return false
        tables.set(invitations, organizationId, id, { ...one, leaseUntil: secondsAfter(at, leaseSeconds) })
        return true
      })
    ),
  begin: ({ attempt, fence, gapSeconds, invitation, leaseSeconds, rules }) =>
    store.write((tables) => {
      const { accountId, organizationId, startedAt } = attempt
      const held = heldBy(tables, attempt, rules, true)
      if (held !== undefined) return held
      const stored = tables.get(invitations, organizationId, invitation.id)
      if (stored === undefined || (fence !== undefined && stored.fence !== fence)) return { _tag: "Lost" }
      const next = stored.fence + 1
      tables.set(invitations, organizationId, invitation.id, {
        ...invitation,
        leaseUntil: secondsAfter(startedAt, leaseSeconds),
        fence: next
      })
      tables.set(attempts, organizationId, attemptKey(attempt), attempt)
      if (gapSeconds !== null) {
        changePace(tables, organizationId, accountId, { nextAt: secondsAfter(startedAt, gapSeconds) })
      }
      return { _tag: "Begun", fence: next }
    }),
  hold: (organizationId, accountId, { lookAt, reason, until }) =>
    store.write((tables) =>
      changePace(tables, organizationId, accountId, {
        invitationPacedReason: reason,
        invitationPacedUntil: until,
        invitationLookAt: lookAt
      })
    ),
  list: (organizationId, { accountId, states }, { after, limit }) =>
    store.read((tables) => {
      const rows = tables
        .all(invitations, organizationId)
        .filter((one) => states.includes(one.state) && (accountId === undefined || one.accountId === accountId))
        .filter(({ id }) => after === undefined || id > String(after[0]))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit + 1)
      return cutPage(
        rows.map((one) => listed(tables, one)),
        limit,
        (one) => [orderOf(one)]
      )
    }),
  adopt: (organizationId, winnerLeadId, loserLeadIds, at) =>
    store.write((tables) => {
      for (const one of tables.all(invitations, organizationId)) {
        if (!loserLeadIds.includes(one.leadId)) continue
        const updatedAt = changedAt(one.updatedAt, at)
        tables.set(invitations, organizationId, one.id, { ...one, leadId: winnerLeadId, updatedAt })
      }
    }),
  beginUse: (attempt, rules) =>
    store.write((tables) => {
      const { accountId, organizationId } = attempt
      if (tables.get(accounts, organizationId, accountId) !== undefined)
        changePace(tables, organizationId, accountId, {})
      const held = heldBy(tables, attempt, rules, false)
      if (held === undefined) tables.set(attempts, organizationId, attemptKey(attempt), attempt)
      return held
    })
})
