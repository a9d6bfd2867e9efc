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
import { accountOrganizations, accounts, attempts, everyone, unlinkedAccounts } from "./LinkedInTables.ts"
import { alreadyLinked, isAsSaid, isMadeOfAgents, linkedElsewhere, notAtProvider } from "./linkFailures.ts"
import { countedAs } from "./pacing/UsageLimits.ts"

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

const wasUnlinked = (tables: Tables, agent: AgentRow, gateway: string): boolean =>
  accountOf(tables, agent, gateway) === null &&
  tables
    .all(unlinkedAccounts, agent.organizationId)
    .some((account) => account.agentId === agent.id && account.gateway === gateway)

/** Stores an account of an agent. */
const put = (tables: Tables, account: LinkedInAccount): void => {
  tables.set(accounts, account.organizationId, account.id, account)
  tables.set(accountOrganizations, everyone, account.organizationId, account.organizationId)
}

const isSameAtGateway = (a: LinkedInAccount, b: LinkedInAccount): boolean =>
  a.gateway === b.gateway && a.gatewayAccountId === b.gatewayAccountId

const useOf = (tables: Tables, account: LinkedInAccount | null, since: { day: string; week: string }): AccountUse => {
  const done =
    account === null
      ? []
      : tables
          .all(attempts, account.organizationId)
          .filter(({ accountId, outcome }) => accountId === account.id && outcome === "confirmed")
  const count = (action: SendAttempt["action"], from: string) =>
    done.filter((attempt) => countedAs[action].includes(attempt.action) && attempt.startedAt >= from).length
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
              const isUnlinked = wasUnlinked(tables, agent, gateway)
              return { agent: holderOf(agent), account, isUnlinked, use: useOf(tables, account, since) }
            })
        ),
      ofAgent: (organizationId, agentId, gateway) =>
        store.read((tables) => {
          const agent = tables.get(agents, organizationId, agentId)
          if (agent === undefined || agent.deletedAt !== null) return undefined
          const isUnlinked = wasUnlinked(tables, agent, gateway)
          return { agent: holderOf(agent), account: accountOf(tables, agent, gateway), isUnlinked }
        }),
      ensure: (account) =>
        store.write((tables) => {
          const stored = tables.get(accounts, account.organizationId, account.id)
          if (stored === undefined || stored.gateway !== account.gateway) {
            put(tables, account)
          }
        }),
      link: (account) =>
        store.write((tables) => {
          const { agentId, gateway, organizationId } = account
          const mine = tables.all(accounts, organizationId)
          if (mine.some((other) => other.agentId === agentId && other.gateway === gateway)) throw alreadyLinked()
          if (mine.some((other) => isSameAtGateway(other, account))) throw linkedElsewhere()
          const isTaken = tables
            .all(accountOrganizations, everyone)
            .some((one) => tables.all(accounts, one).some((other) => isSameAtGateway(other, account)))
          if (isTaken && !isMadeOfAgents(gateway)) throw notAtProvider()
          const before = tables
            .all(unlinkedAccounts, organizationId)
            .find((other) => other.agentId === agentId && isSameAtGateway(other, account))
          if (before !== undefined) tables.remove(unlinkedAccounts, organizationId, before.id)
          const stored = before === undefined ? account : { ...account, id: before.id, createdAt: before.createdAt }
          put(tables, stored)
          return stored
        }),
      unlink: (account, at) =>
        store.write((tables) => {
          const stored = tables.get(accounts, account.organizationId, account.id) ?? account
          tables.remove(accounts, account.organizationId, account.id)
          const known = tables.get(unlinkedAccounts, account.organizationId, account.id)
          if (known !== undefined) return false
          tables.set(unlinkedAccounts, account.organizationId, account.id, { ...stored, updatedAt: at })
          return true
        }),
      saveFacts: (organizationId, accountId, facts, at) =>
        store.write((tables) => {
          const account = tables.get(accounts, organizationId, accountId)
          if (account === undefined || isAsSaid(account, facts)) return undefined
          tables.set(accounts, organizationId, accountId, {
            ...account,
            ...facts,
            updatedAt: changedAt(account.updatedAt, at)
          })
          return account
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
