/** LinkedIn accounts in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AgentRow, agentName } from "../agents/Agent.ts"
import { agents } from "../agents/AgentTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { changedAt } from "../Time.ts"
import { type AccountHolder, AccountsRepo, type AccountUse } from "./AccountsRepo.ts"
import type { SendAttempt } from "./DraftRow.ts"
import type { LinkedInAccount } from "./LinkedInAccount.ts"
import { accounts, attempts } from "./LinkedInTables.ts"

const holderOf = (agent: AgentRow): AccountHolder => ({
  id: agent.id,
  handle: agent.handle,
  name: agentName(agent),
  linkedinUrl: agent.linkedinUrl,
  createdAt: agent.createdAt
})

const accountOf = (tables: Tables, agent: AgentRow, gateway: string): LinkedInAccount | null =>
  tables
    .all(accounts, agent.organizationId)
    .find((account) => account.agentId === agent.id && account.gateway === gateway) ?? null

const useOf = (tables: Tables, account: LinkedInAccount | null, since: { day: string; week: string }): AccountUse => {
  const done =
    account === null
      ? []
      : tables
          .all(attempts, account.organizationId)
          .filter(({ accountId, outcome }) => accountId === account.id && outcome === "confirmed")
  const count = (action: SendAttempt["action"], from: string) =>
    done.filter((attempt) => attempt.action === action && attempt.startedAt >= from).length
  return {
    messagesDay: count("message", since.day),
    invitationsDay: count("invitation", since.day),
    invitationsWeek: count("invitation", since.week)
  }
}

/** Keeps accounts in memory. */
export const layer: Layer.Layer<AccountsRepo, never, MemoryStore> = Layer.effect(
  AccountsRepo,
  Effect.map(MemoryStore, (store) =>
    AccountsRepo.of({
      list: (organizationId, gateway, since) =>
        store.read((tables) =>
          tables
            .all(agents, organizationId)
            .filter(({ deletedAt }) => deletedAt === null)
            .toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1))
            .map((agent) => {
              const account = accountOf(tables, agent, gateway)
              return { agent: holderOf(agent), account, use: useOf(tables, account, since) }
            })
        ),
      ofAgent: (organizationId, agentId, gateway) =>
        store.read((tables) => {
          const agent = tables.get(agents, organizationId, agentId)
          if (agent === undefined || agent.deletedAt !== null) return undefined
          return { agent: holderOf(agent), account: accountOf(tables, agent, gateway) }
        }),
      ensure: (account) =>
        store.write((tables) => {
          const stored = tables.get(accounts, account.organizationId, account.id)
          if (stored === undefined || stored.gateway !== account.gateway) {
            tables.set(accounts, account.organizationId, account.id, account)
          }
        }),
      setStatus: (organizationId, accountId, status, at) =>
        store.write((tables) => {
          const account = tables.get(accounts, organizationId, accountId)
          if (account === undefined || account.status === status) return false
          tables.set(accounts, organizationId, accountId, {
            ...account,
            status,
            updatedAt: changedAt(account.updatedAt, at)
          })
          return true
        })
    })
  )
)
