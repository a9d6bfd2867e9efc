/** Paces and usage of accounts in the in-memory store. */
import type { AccountId, LeadId, OrganizationId } from "@svc/core"
import {
  type AccountUsage,
  actionOf,
  freshPace,
  type PaceFacts,
  type Transmission,
  type TransmissionsRepo
} from "@svc/core/outreach"
import { agents } from "../agents/AgentsMemory.ts"
import { leads } from "../leads/LeadTables.ts"
import type { MemoryStore, Tables } from "../MemoryStore.ts"
import { accounts, attempts, transmissions } from "./LinkedInTables.ts"
import { changeSender, senders } from "./senderTable.ts"
import { inTurn, missionOfTransmission } from "./transmissionViews.ts"
import { isCounted } from "./turnsMemory.ts"

/** How many queued transmissions of each kind are read. */
const maxWaiting = 500

const factsOf = (tables: Tables, organizationId: OrganizationId, accountId: AccountId): PaceFacts | undefined => {
  const account = tables.get(accounts, organizationId, accountId)
  const agent = account === undefined ? undefined : tables.get(agents, organizationId, account.agentId)
  if (account === undefined || agent === undefined) return undefined
  return {
    ...freshPace,
    ...tables.get(senders, organizationId, accountId),
    accountId,
    tier: account.tier,
    createdAt: account.createdAt,
    timezone: agent.timezone,
    workingHours: agent.workingHours,
    smart: agent.smartDeliverability
  }
}

const zoneOf = (tables: Tables, organizationId: OrganizationId, leadId: LeadId): string | null => {
  const zone = tables.get(leads, organizationId, leadId)?.timezone ?? ""
  return zone === "" ? null : zone
}

const waitingOf = (tables: Tables, organizationId: OrganizationId, accountId: AccountId): AccountUsage["waiting"] => {
  const queued = tables
    .all(transmissions, organizationId)
    .filter((row) => row.accountId === accountId && row.state === "queued")
    .toSorted(inTurn)
    .flatMap((row) => {
      const { bypass, id, kind, leadId, notBefore } = row
      const mission = missionOfTransmission(tables, row)
      const isWaiting = bypass || mission === undefined || mission.status === "ACTIVE"
      if (kind === "email" || notBefore === null || !isWaiting) return []
      const leadTimezone = zoneOf(tables, organizationId, leadId)
      return [{ id, kind, bypass, notBefore, leadTimezone, action: actionOf(row) }]
    })
  return (["message", "invitation"] as const).flatMap((kind) =>
    queued.filter((one) => one.kind === kind).slice(0, maxWaiting)
  )
}

const doneOf = (tables: Tables, organizationId: OrganizationId, accountId: AccountId, since: string) =>
  tables
    .all(attempts, organizationId)
    .filter((one) => one.accountId === accountId && isCounted(one) && one.startedAt > since)
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .map(({ action, startedAt }) => ({ action, at: startedAt }))

/** Reads, pauses and stops accounts. */
export const paces = (
  store: MemoryStore["Service"]
): Pick<TransmissionsRepo["Service"], "accountFacts" | "usage" | "holdAccount" | "stop" | "setLimits"> => ({
  // Transactions are serialized, so nobody else starts anything.
  accountFacts: ({ accountId, actions, item, organizationId, since }) =>
    store.read((tables) => {
      const facts = factsOf(tables, organizationId, accountId)
      const done = doneOf(tables, organizationId, accountId, since).filter(({ action }) => actions.includes(action))
      const isBusy = ({ id, kind, leadId, state }: Transmission) =>
        kind === "message" && leadId === item?.leadId && state === "sending" && id !== item.id
      return {
        account: facts === undefined ? null : { ...facts, done },
        leadTimezone: item === undefined ? null : zoneOf(tables, organizationId, item.leadId),
        isBusy: tables.all(transmissions, organizationId).some(isBusy),
        isHeld: false
      }
    }),
  usage: (organizationId, { accountId, gateway }, since) =>
    store.read((tables) =>
      tables
        .all(accounts, organizationId)
        .filter((account) => account.gateway === gateway && (accountId === undefined || account.id === accountId))
        .filter(({ agentId }) => tables.get(agents, organizationId, agentId)?.deletedAt === null)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .flatMap(({ id }) => {
          const facts = factsOf(tables, organizationId, id)
          if (facts === undefined) return []
          const done = doneOf(tables, organizationId, id, since)
          return [{ ...facts, done, waiting: waitingOf(tables, organizationId, id) }]
        })
    ),
  holdAccount: (organizationId, accountId, kind, { recheckAt, reason, until }) =>
    store.write((tables) => {
      const { [kind]: hold } = tables.get(senders, organizationId, accountId) ?? freshPace
      const held = { ...hold, pacedReason: reason, pacedUntil: until, recheckAt }
      changeSender(tables, organizationId, accountId, { [kind]: held })
    }),
  stop: (organizationId, accountId, kind, until) =>
    store.write((tables) => {
      const { [kind]: hold } = tables.get(senders, organizationId, accountId) ?? freshPace
      changeSender(tables, organizationId, accountId, { [kind]: { ...hold, stoppedUntil: until } })
    }),
  setLimits: (organizationId, accountId, change) =>
    store.write((tables) => {
      const { invitation, limits, message, ramp } = tables.get(senders, organizationId, accountId) ?? freshPace
      const named = Object.entries({ ...limits, ...change.limits }).filter(([, limit]) => limit !== null)
      const open = { pacedUntil: null, pacedReason: null, recheckAt: null }
      changeSender(tables, organizationId, accountId, {
        limits: Object.fromEntries(named),
        ramp: change.ramp ?? ramp,
        message: { ...message, ...open },
        invitation: { ...invitation, ...open }
      })
    })
})
