/** Agents in the in-memory store. */
import { type AgentId, changedAt } from "@svc/core"
import { type AgentRow, AgentsRepo, DuplicateEmailAccount, emailKey } from "@svc/core/agents"
import type { MailboxRow } from "@svc/core/email"
import { newestFirst } from "@svc/core/internal"
import type { MissionRow } from "@svc/core/missions"
import * as Result from "effect/Result"
import { repository, type Tables, table } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"

/** Agents by id, deleted ones included. */
export const agents = table<AgentRow>("agents")

/** A mailbox as it is stored: its address, provider and agent are those of the account. */
export interface StoredMailbox extends Omit<MailboxRow, "address" | "agent" | "provider"> {
  readonly agentId: AgentId
  readonly dueAt: string | null
  readonly leaseUntil: string | null
}

/** Mailboxes by their keys. */
export const mailboxes = table<StoredMailbox>("agent_email_accounts")

/** Stores the mailboxes of an agent: those that it keeps stay as they are. */
const keepMailboxes = (tables: Tables, { emailAccounts, id, organizationId, updatedAt }: AgentRow): void => {
  const keys = emailAccounts.map(emailKey)
  tables.removeWhere(mailboxes, ({ agentId, key }) => agentId === id && !keys.includes(key))
  for (const key of keys) {
    if (tables.get(mailboxes, key) !== undefined) continue
    const times = { createdAt: updatedAt, since: updatedAt, readAt: null, dueAt: null, leaseUntil: null }
    const settings = { inbox: null, secret: null, position: {}, state: "off", problem: null, domain: null } as const
    tables.set(mailboxes, key, { organizationId, key, agentId: id, fence: 0, ...times, ...settings })
  }
}

const liveAgents = (tables: Tables): ReadonlyArray<AgentRow> =>
  tables.where(agents, ({ deletedAt }) => deletedAt === null)

const findLive = (tables: Tables, idOrHandle: string): AgentRow | undefined =>
  liveAgents(tables).find(({ handle, id }) => id === idOrHandle || handle === idOrHandle)

const emailHolders = (tables: Tables, emails: ReadonlyArray<string>, exceptAgentId: AgentId) =>
  liveAgents(tables)
    .filter(({ id }) => id !== exceptAgentId)
    .flatMap(({ emailAccounts, handle }) => emailAccounts.map((account) => ({ email: emailKey(account), handle })))
    .filter(({ email }) => emails.includes(email))
    .toSorted((a, b) => (a.email < b.email ? -1 : 1))

const sharesEmail = (tables: Tables, agent: AgentRow): boolean =>
  emailHolders(tables, agent.emailAccounts.map(emailKey), agent.id).length > 0

/** Keeps agents in memory. */
export const layer = repository(AgentsRepo)((store) => ({
  find: store.reading(findLive),
  // Transactions are serialized, so a row that was read cannot change.
  hold: store.reading(findLive),
  list: store.reading((tables, page) => newestFirst(liveAgents(tables), page)),
  emailHolders: store.reading(emailHolders),
  insert: (agent, handles) =>
    store.tryWrite(agent.organizationId, (tables) => {
      const taken = new Set(tables.all(agents).map(({ handle }) => handle))
      const handle = handles.find((candidate) => !taken.has(candidate))
      if (handle === undefined) return Result.succeed(undefined)
      if (sharesEmail(tables, agent)) return Result.fail(new DuplicateEmailAccount())
      const stored: AgentRow = { ...agent, handle }
      tables.set(agents, agent.id, stored)
      keepMailboxes(tables, stored)
      return Result.succeed(stored)
    }),
  replace: (agent, seenUpdatedAt) =>
    store.tryWrite(agent.organizationId, (tables) => {
      if (findLive(tables, agent.id)?.updatedAt !== seenUpdatedAt) return Result.succeed(false)
      if (sharesEmail(tables, agent)) return Result.fail(new DuplicateEmailAccount())
      tables.set(agents, agent.id, agent)
      keepMailboxes(tables, agent)
      return Result.succeed(true)
    }),
  usedBy: store.reading((tables, agentId) =>
    tables
      .where(missions, (mission) => mission.agentId === agentId && mission.status !== "ARCHIVED")
      .map(({ handle }) => handle)
      .toSorted()
  ),
  softDelete: store.writing((tables, agentId, at) => {
    const agent = findLive(tables, agentId)
    if (agent === undefined) return []
    tables.set(agents, agentId, { ...agent, deletedAt: at, updatedAt: at })
    tables.removeWhere(mailboxes, (mailbox) => mailbox.agentId === agentId)
    const isActive = (mission: MissionRow) => mission.agentId === agentId && mission.status === "ACTIVE"
    return tables
      .updateWhere(
        missions,
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
}))
