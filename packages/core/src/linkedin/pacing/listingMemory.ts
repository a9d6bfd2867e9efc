/** Queue items and usage as people read them, in the in-memory store. */
import { agents } from "../../agents/AgentTables.ts"
import { leads } from "../../leads/LeadTables.ts"
import type { MemoryStore, Tables } from "../../MemoryStore.ts"
import { missions } from "../../missions/MissionTables.ts"
import { cutPage } from "../../Page.ts"
import type { QueueItem } from "../DraftRow.ts"
import { actionOf, type Invitation } from "../invitations/Invitation.ts"
import { accounts, attempts, drafts, invitations, queueItems } from "../LinkedInTables.ts"
import type { AccountUsage, ListedItem, QueueRepo } from "../QueueRepo.ts"
import { isCounted } from "./leaseMemory.ts"
import { freshPace, holdOf, type PaceFacts } from "./Pacing.ts"
import { paces } from "./pacingTable.ts"

/** How many waiting items of an account are looked at. */
const mostWaiting = 500

const isWaiting = ({ state }: QueueItem): boolean => state === "queued" || state === "waiting_relation"

type Waiting = Pick<QueueItem | Invitation, "bypass" | "id" | "notBefore">
const inTurn = (a: Waiting, b: Waiting): number => (turnOf(a) < turnOf(b) ? -1 : 1)
const turnOf = ({ bypass, id, notBefore }: Waiting): string => `${bypass ? 0 : 1} ${notBefore} ${id}`

const factsOf = (tables: Tables, organizationId: string, accountId: string): PaceFacts | undefined => {
  const account = tables.get(accounts, organizationId, accountId)
  const agent = account === undefined ? undefined : tables.get(agents, organizationId, account.agentId)
  if (account === undefined || agent === undefined) return undefined
  return {
    ...freshPace,
    ...tables.get(paces, organizationId, accountId),
    accountId,
    tier: account.tier,
    createdAt: account.createdAt,
    timezone: agent.timezone,
    workingHours: agent.workingHours,
    smart: agent.smartDeliverability
  }
}

const zoneOf = (tables: Tables, organizationId: string, leadId: string): string | null => {
  const zone = tables.get(leads, organizationId, leadId)?.timezone ?? ""
  return zone === "" ? null : zone
}

const listed = (tables: Tables, item: QueueItem): ListedItem => {
  const { accountId, organizationId } = item
  const missionId = tables.get(drafts, organizationId, item.draftId)?.missionId ?? null
  const waiting = tables
    .all(queueItems, organizationId)
    .filter((other) => other.accountId === accountId && isWaiting(other))
    .toSorted(inTurn)
  return {
    item,
    hold: holdOf(tables.get(paces, organizationId, accountId) ?? freshPace),
    isMissionActive: missionId === null || tables.get(missions, organizationId, missionId)?.status === "ACTIVE",
    position: isWaiting(item) ? waiting.findIndex(({ id }) => id === item.id) + 1 : null
  }
}

const usageOf = (tables: Tables, organizationId: string, facts: PaceFacts, since: string): AccountUsage => ({
  ...facts,
  done: tables
    .all(attempts, organizationId)
    .filter((one) => one.accountId === facts.accountId && isCounted(one) && one.startedAt > since)
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .map(({ action, startedAt }) => ({ action, at: startedAt })),
  waiting: tables
    .all(queueItems, organizationId)
    .filter((item) => item.accountId === facts.accountId && item.state === "queued")
    .toSorted(inTurn)
    .slice(0, mostWaiting)
    .map((item) => ({
      queueId: item.id,
      notBefore: item.notBefore ?? since,
      bypass: item.bypass,
      leadTimezone: zoneOf(tables, organizationId, item.leadId)
    })),
  inviting: tables
    .all(invitations, organizationId)
    .filter((one) => one.accountId === facts.accountId && one.state === "queued")
    .toSorted(inTurn)
    .slice(0, mostWaiting)
    .map((one) => ({
      queueId: one.id,
      notBefore: one.notBefore ?? since,
      bypass: one.bypass,
      leadTimezone: zoneOf(tables, organizationId, one.leadId),
      action: actionOf(one)
    }))
})

/** Reads items, paces and usage. */
export const listings = (
  store: MemoryStore["Service"]
): Pick<QueueRepo["Service"], "pace" | "list" | "item" | "usage"> => ({
  pace: (organizationId, accountId, leadId) =>
    store.read((tables) => {
      const facts = factsOf(tables, organizationId, accountId)
      return facts === undefined ? undefined : { facts, leadTimezone: zoneOf(tables, organizationId, leadId) }
    }),
  list: (organizationId, { accountId, states }, { after, limit }) =>
    store.read((tables) => {
      const items = tables
        .all(queueItems, organizationId)
        .filter((item) => states.includes(item.state) && (accountId === undefined || item.accountId === accountId))
        .filter(({ id }) => after === undefined || id > String(after[0]))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit + 1)
      return cutPage(
        items.map((item) => listed(tables, item)),
        limit,
        ({ item }) => [item.id]
      )
    }),
  item: (organizationId, itemId) =>
    store.read((tables) => {
      const item = tables.get(queueItems, organizationId, itemId)
      return item === undefined ? undefined : listed(tables, item)
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
          return facts === undefined ? [] : [usageOf(tables, organizationId, facts, since)]
        })
    )
})
