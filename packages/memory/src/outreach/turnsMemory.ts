/** Taking, leasing and starting transmissions in the in-memory store. */

import { type AccountId, type InstantText, type LeadId, now } from "@svc/core"
import { actionOf, compareText, freshPace, secondsAfter } from "@svc/core/internal"
import type * as Outreach from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { agents, mailboxes } from "../agents/AgentsMemory.ts"
import { leads } from "../leads/LeadTables.ts"
import type { MemoryStore, Tables } from "../MemoryStore.ts"
import * as LinkedIn from "./LinkedInTables.ts"
import { inTurn, missionOfTransmission } from "./transmissionViews.ts"

const isAfter = (instant: string | null, at: string): boolean => instant !== null && instant > at

const oldestFirst = (a: Outreach.Transmission, b: Outreach.Transmission): number =>
  `${a.notBefore} ${a.id}` < `${b.notBefore} ${b.id}` ? -1 : 1

const isMissionOpen = (tables: Tables, row: Outreach.Transmission): boolean => {
  const status = missionOfTransmission(tables, row)?.status
  return row.bypass || status === undefined || status === "ACTIVE" || status === "ARCHIVED"
}

/** Whether its draft is still the approved one and no stored hold keeps back its account, which bounds what a round reads. */
const isReady = (tables: Tables, row: Outreach.Transmission, { isPaced, now: at }: Outreach.TakeRequest): boolean => {
  const { bypass } = row
  const hold = tables.get(LinkedIn.senders, LinkedIn.senderOf(row)) ?? freshPace
  if (row.kind === "email") return bypass || !isPaced || !isAfter(hold.message.recheckAt, at)
  const { kind } = row
  const { recheckAt, stoppedUntil: stopped } = hold[kind]
  const isFree = bypass || !isPaced || !(isAfter(recheckAt, at) || isAfter(hold.nextAt, at))
  if (row.kind === "invitation") return !isAfter(stopped, at) && isFree
  const draft = tables.get(LinkedIn.drafts, row.draftId)
  if (draft?.queueItemId !== row.id || draft.status !== "READY_TO_SEND") return false
  return row.state === "waiting_relation" || ((!isAfter(stopped, at) || row.invite) && isFree)
}

const lease = (tables: Tables, row: Outreach.Transmission, at: string, leaseSeconds: number): Outreach.Due => {
  const fence = row.fence + 1
  const { draftId, id, leadId, organizationId, state } = row
  tables.set(LinkedIn.transmissions, id, { ...row, fence, leaseUntil: secondsAfter(at, leaseSeconds) })
  return { organizationId, id, leadId, draftId, state, fence }
}

/** Whether an attempt counts against the account's limits. */
const isCounted = ({ outcome }: Outreach.SendAttempt): boolean =>
  outcome === null || outcome === "confirmed" || outcome === "unknown"

/** Takes and starts transmissions in memory. */
export const turns = (
  store: MemoryStore["Service"]
): Pick<Outreach.TransmissionsRepo["Service"], "take" | "takeUnsettled" | "renew" | "begin"> => ({
  take: (request) =>
    store.write(request.organizationId, (tables) => {
      const { kind, leaseSeconds, limit, now: at } = request
      const counts = new Map<string, number>()
      return tables
        .where(
          LinkedIn.transmissions,
          (row) => row.kind === kind && (row.state === "queued" || row.state === "waiting_relation")
        )
        .filter((row) => row.notBefore !== null && row.notBefore <= at && !isAfter(row.leaseUntil, at))
        .filter((row) => isMissionOpen(tables, row) && isReady(tables, row, request))
        .toSorted(oldestFirst)
        .map((row) => {
          const sender = LinkedIn.senderOf(row)
          const place = counts.get(sender) ?? 0
          counts.set(sender, place + 1)
          return { row, sender, place, last: tables.get(LinkedIn.lastTurns, sender) ?? 0 }
        })
        .toSorted((a, b) => a.place - b.place || a.last - b.last || compareText(a.sender, b.sender))
        .slice(0, limit)
        .map(({ row, sender }) => {
          const turn = 1 + (tables.get(LinkedIn.turnCount, "turns") ?? 0)
          tables.set(LinkedIn.turnCount, "turns", turn)
          tables.set(LinkedIn.lastTurns, sender, turn)
          return lease(tables, row, at, leaseSeconds)
        })
    }),
  takeUnsettled: ({ kind, leaseSeconds, limit, now: at, organizationId, state }) =>
    store.write(organizationId, (tables) =>
      tables
        .all(LinkedIn.transmissions)
        .filter((row) => row.kind === kind && row.state === state && !isAfter(row.leaseUntil, at))
        .filter(({ notBefore }) => state === "sending" || (notBefore !== null && notBefore <= at))
        .toSorted(oldestFirst)
        .slice(0, limit)
        .map((row) => lease(tables, row, at, leaseSeconds))
    ),
  renew: ({ fence, id, organizationId }, leaseSeconds) =>
    Effect.flatMap(now, (at) =>
      store.write(organizationId, (tables) => {
        const row = tables.get(LinkedIn.transmissions, id)
        if (row === undefined || row.fence !== fence || row.leaseUntil === null) return false
        tables.set(LinkedIn.transmissions, id, { ...row, leaseUntil: secondsAfter(at, leaseSeconds) })
        return true
      })
    ),
  begin: ({ attempt, fence, gapSeconds, leaseSeconds, updatedAt }) =>
    store.write(attempt.organizationId, (tables) => {
      const { accountId, number, queueItemId, startedAt } = attempt
      const stored = tables.get(LinkedIn.transmissions, queueItemId)
      if (stored === undefined || stored.kind === "email" || (fence !== undefined && stored.fence !== fence)) {
        return undefined
      }
      const next = stored.fence + 1
      const leaseUntil: InstantText = secondsAfter(startedAt, leaseSeconds)
      const sending = { state: "sending", reason: null, notBefore: null, attempts: number, updatedAt } as const
      const begun = { ...stored, ...sending, accountId, leaseUntil, fence: next }
      tables.set(LinkedIn.transmissions, queueItemId, begun)
      tables.set(LinkedIn.attempts, LinkedIn.attemptKey(attempt), attempt)
      if (gapSeconds !== null) LinkedIn.changeSender(tables, accountId, { nextAt: secondsAfter(startedAt, gapSeconds) })
      return next
    })
})

/** How many queued transmissions of each kind are read. */
const maxWaiting = 500

const factsOf = (tables: Tables, accountId: AccountId, isMailbox = false): Outreach.PaceFacts | undefined => {
  const mailbox = isMailbox ? tables.get(mailboxes, accountId) : undefined
  const account =
    mailbox === undefined ? tables.get(LinkedIn.accounts, accountId) : { ...mailbox, tier: "FREE" as const }
  const agent = tables.get(agents, account?.agentId)
  if (account === undefined || agent === undefined) return undefined
  return {
    ...freshPace,
    ...tables.get(LinkedIn.senders, accountId),
    accountId,
    ...Struct.pick(account, ["tier", "createdAt"]),
    ...Struct.pick(agent, ["timezone", "workingHours"]),
    smart: agent.smartDeliverability
  }
}

const zoneOf = (tables: Tables, leadId: LeadId): string | null => {
  const zone = tables.get(leads, leadId)?.timezone ?? ""
  return zone === "" ? null : zone
}

const waitingOf = (tables: Tables, accountId: AccountId): Outreach.AccountUsage["waiting"] => {
  const queued = tables
    .where(LinkedIn.transmissions, (row) => row.accountId === accountId && row.state === "queued")
    .toSorted(inTurn)
    .flatMap((row) => {
      const { bypass, id, kind, leadId, notBefore } = row
      const mission = missionOfTransmission(tables, row)
      const isWaiting = bypass || mission === undefined || mission.status === "ACTIVE"
      if (kind === "email" || notBefore === null || !isWaiting) return []
      const leadTimezone = zoneOf(tables, leadId)
      return [{ id, kind, bypass, notBefore, leadTimezone, action: actionOf(row) }]
    })
  return (["message", "invitation"] as const).flatMap((kind) =>
    queued.filter((one) => one.kind === kind).slice(0, maxWaiting)
  )
}

const doneOf = (tables: Tables, accountId: AccountId, since: string) =>
  tables
    .where(LinkedIn.attempts, (one) => one.accountId === accountId && isCounted(one) && one.startedAt > since)
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .map(({ action, startedAt }) => ({ action, at: startedAt }))

/** Reads, pauses and stops accounts. */
export const paces = (
  store: MemoryStore["Service"]
): Pick<Outreach.TransmissionsRepo["Service"], "accountFacts" | "usage" | "holdAccount" | "stop" | "setLimits"> => ({
  // Transactions are serialized, so nobody else starts anything.
  accountFacts: ({ accountId, actions, isMailbox, item, organizationId, since }) =>
    store.read(organizationId, (tables) => {
      const facts = factsOf(tables, accountId, isMailbox)
      const done = doneOf(tables, accountId, since).filter(({ action }) => actions.includes(action))
      const isBusy = ({ id, kind, leadId, state }: Outreach.Transmission) =>
        kind !== "invitation" && leadId === item?.leadId && state === "sending" && id !== item.id
      return {
        account: facts === undefined ? null : { ...facts, done },
        leadTimezone: item === undefined ? null : zoneOf(tables, item.leadId),
        isBusy: tables.all(LinkedIn.transmissions).some(isBusy),
        isHeld: false
      }
    }),
  usage: store.reading((tables, { accountId, gateway }, since) =>
    tables
      .where(
        LinkedIn.accounts,
        (account) => account.gateway === gateway && (accountId === undefined || account.id === accountId)
      )
      .filter(({ agentId }) => tables.get(agents, agentId)?.deletedAt === null)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .flatMap(({ id }) => {
        const facts = factsOf(tables, id)
        if (facts === undefined) return []
        const done = doneOf(tables, id, since)
        return [{ ...facts, done, waiting: waitingOf(tables, id) }]
      })
  ),
  holdAccount: store.writing((tables, accountId, kind, { recheckAt, reason, until }) => {
    const { [kind]: hold } = tables.get(LinkedIn.senders, accountId) ?? freshPace
    const held = { ...hold, pacedReason: reason, pacedUntil: until, recheckAt }
    LinkedIn.changeSender(tables, accountId, { [kind]: held })
  }),
  stop: store.writing((tables, accountId, kind, until) => {
    const { [kind]: hold } = tables.get(LinkedIn.senders, accountId) ?? freshPace
    LinkedIn.changeSender(tables, accountId, { [kind]: { ...hold, stoppedUntil: until } })
  }),
  setLimits: store.writing((tables, accountId, change) => {
    const { invitation, limits, message, ramp } = tables.get(LinkedIn.senders, accountId) ?? freshPace
    const named = Object.entries({ ...limits, ...change.limits }).filter(([, limit]) => limit !== null)
    const open = { pacedUntil: null, pacedReason: null, recheckAt: null }
    LinkedIn.changeSender(tables, accountId, {
      limits: Object.fromEntries(named),
      ramp: change.ramp ?? ramp,
      message: { ...message, ...open },
      invitation: { ...invitation, ...open }
    })
  })
})
