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
import type { AgentRow } from "@svc/core/agents"
import { agentName, countedAs, hasSameFacts } from "@svc/core/internal"
import * as Outreach from "@svc/core/outreach"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { agents } from "../agents/AgentsMemory.ts"
import { leadMessages } from "../leads/LeadTables.ts"
import { everywhere, globalTable, repository, type Tables, table } from "../MemoryStore.ts"
import { accountOwners, accounts, attempts, relations, transmissions, unlinkedAccounts } from "./LinkedInTables.ts"

const holderOf = (agent: AgentRow): Outreach.AccountHolder => ({
  ...Struct.pick(agent, ["id", "handle", "linkedinUrl", "createdAt"]),
  name: agentName(agent)
})

const linkOf = (tables: Tables, agent: AgentRow, gateway: string) => {
  const isTheirs = (account: Outreach.LinkedInAccount) => account.agentId === agent.id && account.gateway === gateway
  const account = tables.all(accounts).find(isTheirs) ?? null
  const isUnlinked = account === null && tables.all(unlinkedAccounts).some(isTheirs)
  return { agent: holderOf(agent), account, isUnlinked }
}

const put = (tables: Tables, account: Outreach.LinkedInAccount): void => tables.set(accounts, account.id, account)

type AtGateway = Pick<Outreach.LinkedInAccount, "gateway" | "gatewayAccountId">

/** The organization that has an account at the provider, or had it last. */
const ownerOf = (tables: Tables, { gateway, gatewayAccountId }: AtGateway): OrganizationId | undefined =>
  tables.get(accountOwners, `${gateway}/${gatewayAccountId}`)

const isSameAtGateway = (a: AtGateway, b: AtGateway): boolean =>
  a.gateway === b.gateway && a.gatewayAccountId === b.gatewayAccountId

const useOf = (
  tables: Tables,
  account: Outreach.LinkedInAccount | null,
  since: { day: string; week: string }
): Outreach.AccountUse => {
  const done = tables.where(attempts, ({ accountId, outcome }) => accountId === account?.id && outcome === "confirmed")
  const count = (action: Outreach.SendAttempt["action"], from: string) =>
    done.filter((attempt) => countedAs[action].includes(attempt.action) && attempt.startedAt >= from).length
  return {
    messagesDay: count("message", since.day),
    invitationsDay: count("invitation", since.day),
    invitationsWeek: count("invitation", since.week)
  }
}

/** The organizations of webhook tokens by `gateway/hash`, of every organization. */
const tokens = globalTable<string>("linkedin_webhook_tokens")

interface InboxRow {
  readonly accountId: AccountId
  readonly messagesSince: string
  readonly relationsSince: string
  readonly dueAt: InstantText
}

/** Up to when accounts were polled, by account id. */
const inboxes = table<InboxRow>("linkedin_inboxes")

const isLinked = (tables: Tables, account: Outreach.LinkedInAccount): boolean =>
  tables.get(agents, account.agentId)?.deletedAt === null

const inboxOf = (tables: Tables, account: Outreach.LinkedInAccount): InboxRow =>
  tables.get(inboxes, account.id) ?? {
    accountId: account.id,
    messagesSince: account.createdAt,
    relationsSince: account.createdAt,
    dueAt: account.createdAt
  }

/** Keeps accounts in memory, and what comes in through them. */
export const layer = repository(Outreach.AccountsRepo)((store) => ({
  list: store.reading((tables, gateway, since) =>
    tables
      .where(agents, ({ deletedAt }) => deletedAt === null)
      .toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1))
      .map((agent) => {
        const link = linkOf(tables, agent, gateway)
        return { ...link, use: useOf(tables, link.account, since) }
      })
  ),
  ofAgent: store.reading((tables, agentId, gateway) => {
    const agent = tables.get(agents, agentId)
    return agent?.deletedAt === null ? linkOf(tables, agent, gateway) : undefined
  }),
  ensure: (account) =>
    store.write(account.organizationId, (tables) => {
      const stored = tables.get(accounts, account.id)
      if (stored?.gateway !== account.gateway) put(tables, account)
    }),
  isForeign: store.reading((tables, gateway, gatewayAccountId) => {
    const owner = ownerOf(tables, { gateway, gatewayAccountId })
    return owner !== undefined && owner !== tables.organizationId && !Outreach.usesAgentIds(gateway)
  }),
  link: (account, proof) =>
    store.tryWrite(account.organizationId, (tables): Result.Result<Outreach.LinkedInAccount, WrongState | NotFound> => {
      const { agentId, gateway, organizationId } = account
      const mine = tables.all(accounts)
      const same = mine.find((other) => isSameAtGateway(other, account))
      if (same !== undefined)
        return Result.fail(same.agentId === agentId ? Outreach.alreadyLinked() : Outreach.linkedElsewhere())
      if (mine.some((other) => other.agentId === agentId && other.gateway === gateway))
        return Result.fail(Outreach.alreadyLinked())
      const owner = ownerOf(tables, account)
      const isForeign = owner !== undefined && owner !== organizationId
      const theirs = isForeign ? tables.of(owner).all(accounts) : []
      const isLive = theirs.some((other) => isSameAtGateway(other, account))
      if (isForeign && (isLive || proof === "id") && !Outreach.usesAgentIds(gateway))
        return Result.fail(Outreach.notAtProvider())
      const before = tables
        .where(unlinkedAccounts, (other) => isSameAtGateway(other, account))
        .toSorted((a, b) => Number(b.agentId === agentId) - Number(a.agentId === agentId))[0]
      tables.set(accountOwners, `${gateway}/${account.gatewayAccountId}`, organizationId)
      if (before !== undefined) tables.remove(unlinkedAccounts, before.id)
      const stored = before === undefined ? account : { ...account, id: before.id, createdAt: before.createdAt }
      put(tables, stored)
      return Result.succeed(stored)
    }),
  unlink: (account, at) =>
    store.write(account.organizationId, (tables) => {
      const stored = tables.get(accounts, account.id) ?? account
      tables.remove(accounts, account.id)
      if (tables.get(unlinkedAccounts, account.id) !== undefined) return false
      tables.set(unlinkedAccounts, account.id, { ...stored, updatedAt: at })
      return true
    }),
  unlinkAgent: store.writing((tables, agentId, at) => {
    for (const account of tables.all(accounts)) {
      if (account.agentId !== agentId) continue
      tables.remove(accounts, account.id)
      tables.set(unlinkedAccounts, account.id, { ...account, updatedAt: at })
    }
  }),
  saveFacts: store.writing((tables, accountId, facts, at) => {
    const account = tables.get(accounts, accountId)
    if (account === undefined || hasSameFacts(account, { ...account, ...facts })) return undefined
    put(tables, { ...account, ...facts, updatedAt: changedAt(account.updatedAt, at) })
    return account
  }),
  tokenOwner: (gateway, tokenHash) => store.read(everywhere, (tables) => tables.get(tokens, `${gateway}/${tokenHash}`)),
  saveToken: store.writing((tables, gateway, tokenHash) =>
    tables.set(tokens, `${gateway}/${tokenHash}`, tables.organizationId)
  ),
  accountAt: store.reading((tables, gateway, gatewayAccountId) =>
    tables
      .where(accounts, (account) => isSameAtGateway(account, { gateway, gatewayAccountId }))
      .find((account) => isLinked(tables, account))
  ),
  leadOfChat: store.reading(
    (tables, accountId, chatId) =>
      tables
        .where(relations, (relation) => relation.accountId === accountId && relation.chatId === chatId)
        .map(({ leadId }) => leadId)
        .toSorted()[0]
  ),
  knownMessages: store.reading((tables, externalIds) => {
    const messages = tables.where(leadMessages, ({ channel }) => channel === "LINKEDIN")
    const known = new Set(messages.map(({ externalId }) => externalId))
    return new Set(externalIds.filter((id) => known.has(id)))
  }),
  sentBetween: store.reading((tables, leadId, from, until) =>
    tables
      .where(leadMessages, (row) => row.leadId === leadId && row.channel === "LINKEDIN" && row.direction === "outbound")
      .filter(({ date }) => date >= from && date <= until)
      .toSorted((a, b) => (`${a.date} ${a.id}` < `${b.date} ${b.id}` ? -1 : 1))
      .map(({ content, externalId, id }) => ({ id, content, externalId }))
  ),
  setExternalId: store.writing((tables, messageId, externalId) => {
    const row = tables.get(leadMessages, messageId)
    if (row !== undefined && row.externalId === null) {
      tables.set(leadMessages, messageId, { ...row, externalId })
    }
  }),
  wake: store.writing((tables, accountId, leadId, at) => {
    const isWaiting = (row: Outreach.Transmission) =>
      row.accountId === accountId && row.leadId === leadId && row.state === "waiting_relation"
    tables.updateWhere(transmissions, isWaiting, (row) => ({
      ...row,
      notBefore: at,
      updatedAt: changedAt(row.updatedAt, at)
    }))
  }),
  takePolls: ({ gateway, limit, now, organizationId, pauseSeconds }) =>
    store.write(organizationId, (tables) => {
      const due = tables
        .where(accounts, (account) => account.gateway === gateway && isLinked(tables, account))
        .map((account) => ({ account, inbox: inboxOf(tables, account) }))
        .filter(({ inbox }) => inbox.dueAt <= now)
        .toSorted((a, b) => (`${a.inbox.dueAt} ${a.account.id}` < `${b.inbox.dueAt} ${b.account.id}` ? -1 : 1))
        .slice(0, limit)
      const dueAt = isoFromMillis(Date.parse(now) + pauseSeconds * 1_000)
      for (const { account, inbox } of due) tables.set(inboxes, account.id, { ...inbox, dueAt })
      return due.map(({ account, inbox }) => ({ account, ...Struct.pick(inbox, ["messagesSince", "relationsSince"]) }))
    }),
  savePoll: store.writing((tables, accountId, read) => {
    const inbox = tables.get(inboxes, accountId)
    if (inbox !== undefined) tables.set(inboxes, accountId, { ...inbox, ...read })
  }),
  pollNow: store.writing((tables, accountId, at) => {
    const account = tables.get(accounts, accountId)
    if (account === undefined) return
    tables.set(inboxes, accountId, { ...inboxOf(tables, account), dueAt: at })
  })
}))
