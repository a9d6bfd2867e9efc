/** Agents in the in-memory store. */
import { type AgentId, changedAt, newestFirst, type OrganizationId } from "@svc/core"
import { type AgentRow, AgentsRepo, DuplicateEmailAccount, emailKey } from "@svc/core/agents"
import type { MissionRow } from "@svc/core/missions"
import * as Result from "effect/Result"
import { repository, type Tables, table } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"

/** Agents by id, deleted ones included. */
export const agents = table<AgentRow>("agents")

const liveAgents = (tables: Tables, organizationId: OrganizationId): ReadonlyArray<AgentRow> =>
  tables.all(agents, organizationId).filter(({ deletedAt }) => deletedAt === null)

const findLive = (tables: Tables, organizationId: OrganizationId, idOrHandle: string): AgentRow | undefined =>
  liveAgents(tables, organizationId).find(({ handle, id }) => id === idOrHandle || handle === idOrHandle)

const emailHolders = (
  tables: Tables,
  organizationId: OrganizationId,
  emails: ReadonlyArray<string>,
  exceptAgentId: AgentId
) =>
  liveAgents(tables, organizationId)
    .filter(({ id }) => id !== exceptAgentId)
    .flatMap(({ emailAccounts, handle }) => emailAccounts.map((account) => ({ email: emailKey(account), handle })))
    .filter(({ email }) => emails.includes(email))
    .toSorted((a, b) => (a.email < b.email ? -1 : 1))

const sharesEmail = (tables: Tables, agent: AgentRow): boolean =>
  emailHolders(tables, agent.organizationId, agent.emailAccounts.map(emailKey), agent.id).length > 0

/** Keeps agents in memory. */
export const layer = repository(AgentsRepo, (store) => {
  const find = (organizationId: OrganizationId, idOrHandle: string) =>
    store.read((tables) => findLive(tables, organizationId, idOrHandle))
  return {
    find,
    // Transactions are serialized, so a row that was read cannot change.
    hold: find,
    list: (organizationId, page) => store.read((tables) => newestFirst(liveAgents(tables, organizationId), page)),
    emailHolders: (organizationId, emails, exceptAgentId) =>
      store.read((tables) => emailHolders(tables, organizationId, emails, exceptAgentId)),
    insert: (agent, handles) =>
      store.tryWrite((tables) => {
        const taken = new Set(tables.all(agents, agent.organizationId).map(({ handle }) => handle))
        const handle = handles.find((candidate) => !taken.has(candidate))
        if (handle === undefined) return Result.succeed(undefined)
        if (sharesEmail(tables, agent)) return Result.fail(new DuplicateEmailAccount())
        const stored: AgentRow = { ...agent, handle }
        tables.set(agents, agent.organizationId, agent.id, stored)
        return Result.succeed(stored)
      }),
    replace: (agent, seenUpdatedAt) =>
      store.tryWrite((tables) => {
        if (findLive(tables, agent.organizationId, agent.id)?.updatedAt !== seenUpdatedAt) return Result.succeed(false)
        if (sharesEmail(tables, agent)) return Result.fail(new DuplicateEmailAccount())
        tables.set(agents, agent.organizationId, agent.id, agent)
        return Result.succeed(true)
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
        const isActive = (mission: MissionRow) => mission.agentId === agentId && mission.status === "ACTIVE"
        return tables
          .updateWhere(
            missions,
            organizationId,
            isActive,
            (mission): MissionRow => ({
              ...mission,
              status: "PAUSED",
              updatedAt: changedAt(mission.updatedAt, at)
            })
          )
          .toSorted((a, b) => (a.handle < b.handle ? -1 : 1))
          .map(({ handle, id }) => ({ id, handle }))
      })
  }
})
