/** Agents in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fail } from "../Failure.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { newestFirst } from "../Page.ts"
import { changedAt } from "../Time.ts"
import type { AgentRow } from "./Agent.ts"
import { emailKey } from "./AgentInput.ts"
import { AgentsRepo } from "./AgentsRepo.ts"
import { agents } from "./AgentTables.ts"

const live = (tables: Tables, organizationId: string): ReadonlyArray<AgentRow> =>
  tables.all(agents, organizationId).filter(({ deletedAt }) => deletedAt === null)

const findLive = (tables: Tables, organizationId: string, idOrHandle: string): AgentRow | undefined =>
  live(tables, organizationId).find(({ handle, id }) => id === idOrHandle || handle === idOrHandle)

const holders = (tables: Tables, organizationId: string, emails: ReadonlyArray<string>, exceptAgentId: string) =>
  live(tables, organizationId)
    .filter(({ id }) => id !== exceptAgentId)
    .flatMap(({ emailAccounts, handle }) => emailAccounts.map((account) => ({ email: emailKey(account), handle })))
    .filter(({ email }) => emails.includes(email))
    .toSorted((a, b) => (a.email < b.email ? -1 : 1))

const refuseTaken = (tables: Tables, agent: AgentRow): void => {
  const taken = holders(tables, agent.organizationId, agent.emailAccounts.map(emailKey), agent.id)
  if (taken.length > 0) throw fail("DUPLICATE_EMAIL_ACCOUNT")
}

/** Keeps agents in memory. */
export const layer: Layer.Layer<AgentsRepo, never, MemoryStore> = Layer.effect(
  AgentsRepo,
  Effect.map(MemoryStore, (store) => {
    const find = (organizationId: string, idOrHandle: string) =>
      store.read((tables) => findLive(tables, organizationId, idOrHandle))
    return AgentsRepo.of({
      find,
      // Transactions take turns, so what one has read cannot change below it.
      hold: find,
      list: (organizationId, page) => store.read((tables) => newestFirst(live(tables, organizationId), page)),
      emailHolders: (organizationId, emails, exceptAgentId) =>
        store.read((tables) => holders(tables, organizationId, emails, exceptAgentId)),
      insert: (agent, handles) =>
        store.write((tables) => {
          const taken = new Set(tables.all(agents, agent.organizationId).map(({ handle }) => handle))
          const handle = handles.find((candidate) => !taken.has(candidate))
          if (handle === undefined) return undefined
          refuseTaken(tables, agent)
          const stored: AgentRow = { ...agent, handle }
          tables.set(agents, agent.organizationId, agent.id, stored)
          return stored
        }),
      replace: (agent, seenUpdatedAt) =>
        store.write((tables) => {
          if (findLive(tables, agent.organizationId, agent.id)?.updatedAt !== seenUpdatedAt) return false
          refuseTaken(tables, agent)
          tables.set(agents, agent.organizationId, agent.id, agent)
          return true
        }),
      usage: (organizationId, agentId) =>
        store.read((tables) => ({
          missions: tables
            .all(missions, organizationId)
            .filter((mission) => mission.agentId === agentId && mission.status !== "ARCHIVED")
            .toSorted((a, b) => (a.handle < b.handle ? -1 : 1))
            .map(({ handle, id, status }) => ({ id, handle, status }))
        })),
      softDelete: (organizationId, agentId, at) =>
        store.write((tables) => {
          const agent = findLive(tables, organizationId, agentId)
          if (agent === undefined) return []
          tables.set(agents, organizationId, agentId, { ...agent, deletedAt: at, updatedAt: at })
          const active = tables
            .all(missions, organizationId)
            .filter((mission) => mission.agentId === agentId && mission.status === "ACTIVE")
            .toSorted((a, b) => (a.handle < b.handle ? -1 : 1))
          for (const mission of active) {
            const updatedAt = changedAt(mission.updatedAt, at)
            tables.set(missions, organizationId, mission.id, { ...mission, status: "PAUSED", updatedAt })
          }
          return active.map(({ handle, id }) => ({ id, handle }))
        })
    })
  })
)
