/** LinkedIn accounts and inboxes in the in-memory store. */

import {
  type AccountId,
  changedAt,
  type InstantText,
  isoFromMillis,
  type NotFound,
  type OrganizationId,
  type WrongState
} from "@svc/core"
import { type AgentRow, agentName } from "@svc/core/agents"
import {
  type AccountHolder,
  AccountsRepo,
  type AccountUse,
  alreadyLinked,
  countedAs,
  hasSameFacts,
  type LinkedInAccount,
  linkedElsewhere,
  notAtProvider,
  type SendAttempt,
  type Transmission,
  usesAgentIds
} from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { agents } from "../agents/AgentsMemory.ts"
import { leadMessages } from "../leads/LeadTables.ts"
import { globalPartition, MemoryStore, type Tables, table } from "../MemoryStore.ts"
import { accountOwners, accounts, attempts, relations, transmissions, unlinkedAccounts } from "./LinkedInTables.ts"

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

const linkOf = (tables: Tables, agent: AgentRow, gateway: string) => {
  const account = accountOf(tables, agent, gateway)
  const wasLinked = tables
    .all(unlinkedAccounts, agent.organizationId)
    .some((other) => other.agentId === agent.id && other.gateway === gateway)
  return { agent: holderOf(agent), account, isUnlinked: account === null && wasLinked }
}

const put = (tables: Tables, account: LinkedInAccount): void =>
  tables.set(accounts, account.organizationId, account.id, account)

const change = (
  tables: Tables,
  account: LinkedInAccount,
  facts: Partial<Pick<LinkedInAccount, "features" | "status" | "tier">>,
  at: InstantText
): void => put(tables, { ...account, ...facts, updatedAt: changedAt(account.updatedAt, at) })

type AtGateway = Pick<LinkedInAccount, "gateway" | "gatewayAccountId">

/** The organization that has an account at the provider, or had it last. */
const ownerOf = (tables: Tables, { gateway, gatewayAccountId }: AtGateway): OrganizationId | undefined =>
  tables.get(accountOwners, gateway, gatewayAccountId)?.organizationId

const isSameAtGateway = (a: AtGateway, b: AtGateway): boolean =>
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

/** The organizations of webhook tokens by `gateway/hash`, in the global partition. */
const tokens = table<string>("linkedin_webhook_tokens")

interface InboxRow {
  readonly accountId: AccountId
  readonly messagesSince: string
  readonly relationsSince: string
  readonly dueAt: InstantText
}

/** Up to when accounts were polled, by account id. */
const inboxes = table<InboxRow>("linkedin_inboxes")

const isLinked = (tables: Tables, account: LinkedInAccount): boolean =>
  tables.get(agents, account.organizationId, account.agentId)?.deletedAt === null

const inboxOf = (tables: Tables, account: LinkedInAccount): InboxRow =>
  tables.get(inboxes, account.organizationId, account.id) ?? {
    accountId: account.id,
    messagesSince: account.createdAt,
    relationsSince: account.createdAt,
    dueAt: account.createdAt
  }

/** Keeps accounts in memory, and what comes in through them. */
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
              const link = linkOf(tables, agent, gateway)
              return { ...link, use: useOf(tables, link.account, since) }
            })
        ),
      ofAgent: (organizationId, agentId, gateway) =>
        store.read((tables) => {
          const agent = tables.get(agents, organizationId, agentId)
          return agent?.deletedAt === null ? linkOf(tables, agent, gateway) : undefined
        }),
      ensure: (account) =>
        store.write((tables) => {
          const stored = tables.get(accounts, account.organizationId, account.id)
          if (stored?.gateway !== account.gateway) put(tables, account)
        }),
      isForeign: (organizationId, gateway, gatewayAccountId) =>
        store.read((tables) => {
          const owner = ownerOf(tables, { gateway, gatewayAccountId })
          return owner !== undefined && owner !== organizationId && !usesAgentIds(gateway)
        }),
      link: (account, proof) =>
        store.tryWrite((tables): Result.Result<LinkedInAccount, WrongState | NotFound> => {
          const { agentId, gateway, organizationId } = account
          const mine = tables.all(accounts, organizationId)
          if (mine.some((other) => other.agentId === agentId && other.gateway === gateway))
            return Result.fail(alreadyLinked())
          if (mine.some((other) => isSameAtGateway(other, account))) return Result.fail(linkedElsewhere())
          const owner = ownerOf(tables, account)
          const isForeign = owner !== undefined && owner !== organizationId
          const isLive = isForeign && tables.all(accounts, owner).some((other) => isSameAtGateway(other, account))
          if (isForeign && (isLive || proof === "id") && !usesAgentIds(gateway)) return Result.fail(notAtProvider())
          const before = tables
            .all(unlinkedAccounts, organizationId)
            .filter((other) => isSameAtGateway(other, account))
            .toSorted((a, b) => Number(b.agentId === agentId) - Number(a.agentId === agentId))[0]
          tables.set(accountOwners, gateway, account.gatewayAccountId, { organizationId })
          if (before !== undefined) tables.remove(unlinkedAccounts, organizationId, before.id)
          const stored = before === undefined ? account : { ...account, id: before.id, createdAt: before.createdAt }
          put(tables, stored)
          return Result.succeed(stored)
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
      unlinkAgent: (organizationId, agentId, at) =>
        store.write((tables) => {
          for (const account of tables.all(accounts, organizationId)) {
            if (account.agentId !== agentId) continue
            tables.remove(accounts, organizationId, account.id)
            tables.set(unlinkedAccounts, organizationId, account.id, { ...account, updatedAt: at })
          }
        }),
      saveFacts: (organizationId, accountId, facts, at) =>
        store.write((tables) => {
          const account = tables.get(accounts, organizationId, accountId)
          if (account === undefined || hasSameFacts(account, { ...account, ...facts })) return undefined
          change(tables, account, facts, at)
          return account
        }),
      tokenOwner: (gateway, tokenHash) =>
        store.read((tables) => tables.get(tokens, globalPartition, `${gateway}/${tokenHash}`)),
      saveToken: (organizationId, gateway, tokenHash) =>
        store.write((tables) => tables.set(tokens, globalPartition, `${gateway}/${tokenHash}`, organizationId)),
      accountAt: (organizationId, gateway, gatewayAccountId) =>
        store.read((tables) =>
          tables
            .all(accounts, organizationId)
            .find(
              (account) =>
                account.gateway === gateway &&
                account.gatewayAccountId === gatewayAccountId &&
                isLinked(tables, account)
            )
        ),
      leadOfChat: (organizationId, accountId, chatId) =>
        store.read(
          (tables) =>
            tables
              .all(relations, organizationId)
              .filter((relation) => relation.accountId === accountId && relation.chatId === chatId)
              .map(({ leadId }) => leadId)
              .toSorted()[0]
        ),
      knownMessages: (organizationId, externalIds) =>
        store.read((tables) => {
          const wanted = new Set(externalIds)
          return new Set(
            tables
              .all(leadMessages, organizationId)
              .flatMap(({ channel, externalId }) =>
                channel === "LINKEDIN" && externalId !== null && wanted.has(externalId) ? [externalId] : []
              )
          )
        }),
      sentBetween: (organizationId, leadId, from, until) =>
        store.read((tables) =>
          tables
            .all(leadMessages, organizationId)
            .filter((row) => row.leadId === leadId && row.channel === "LINKEDIN" && row.direction === "outbound")
            .filter(({ date }) => date >= from && date <= until)
            .toSorted((a, b) => (`${a.date} ${a.id}` < `${b.date} ${b.id}` ? -1 : 1))
            .map(({ content, externalId, id }) => ({ id, content, externalId }))
        ),
      setExternalId: (organizationId, messageId, externalId) =>
        store.write((tables) => {
          const row = tables.get(leadMessages, organizationId, messageId)
          if (row !== undefined && row.externalId === null) {
            tables.set(leadMessages, organizationId, messageId, { ...row, externalId })
          }
        }),
      wake: (organizationId, accountId, leadId, at) =>
        store.write((tables) => {
          const isWaiting = (row: Transmission) =>
            row.accountId === accountId && row.leadId === leadId && row.state === "waiting_relation"
          tables.updateWhere(transmissions, organizationId, isWaiting, (row) => ({
            ...row,
            notBefore: at,
            updatedAt: changedAt(row.updatedAt, at)
          }))
        }),
      takePolls: ({ gateway, limit, now, organizationId, pauseSeconds }) =>
        store.write((tables) => {
          const due = (organizationId === undefined ? tables.partitions(accounts) : [organizationId])
            .flatMap((id) => tables.all(accounts, id))
            .filter((account) => account.gateway === gateway && isLinked(tables, account))
            .map((account) => ({ account, inbox: inboxOf(tables, account) }))
            .filter(({ inbox }) => inbox.dueAt <= now)
            .toSorted((a, b) => (`${a.inbox.dueAt} ${a.account.id}` < `${b.inbox.dueAt} ${b.account.id}` ? -1 : 1))
            .slice(0, limit)
          const dueAt = isoFromMillis(Date.parse(now) + pauseSeconds * 1_000)
          for (const { account, inbox } of due) {
            tables.set(inboxes, account.organizationId, account.id, { ...inbox, dueAt })
          }
          return due.map(({ account, inbox: { messagesSince, relationsSince } }) => ({
            account,
            messagesSince,
            relationsSince
          }))
        }),
      savePoll: (organizationId, accountId, read) =>
        store.write((tables) => {
          const inbox = tables.get(inboxes, organizationId, accountId)
          if (inbox !== undefined) tables.set(inboxes, organizationId, accountId, { ...inbox, ...read })
        }),
      pollNow: (organizationId, accountId, at) =>
        store.write((tables) => {
          const account = tables.get(accounts, organizationId, accountId)
          if (account === undefined) return
          tables.set(inboxes, organizationId, accountId, { ...inboxOf(tables, account), dueAt: at })
        })
    })
  )
)
