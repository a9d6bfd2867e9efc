/** What comes in, in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { agents } from "../../agents/AgentTables.ts"
import { leadMessages } from "../../leads/LeadTables.ts"
import { MemoryStore, type Tables, table } from "../../MemoryStore.ts"
import { changedAt, isoFromMillis } from "../../Time.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import { accountOrganizations, accounts, everyone, queueItems, relations } from "../LinkedInTables.ts"
import { InboxRepo } from "./InboxRepo.ts"

/** Webhook tokens by `gateway/hash`, in the partition {@link everyone}. */
const tokens = table<string>("linkedin_webhook_tokens")

interface InboxRow {
  readonly accountId: string
  readonly messagesSince: string
  readonly relationsSince: string
  readonly dueAt: string
}

/** How far accounts were read, by account id. */
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

/** Keeps it in memory. */
export const layer: Layer.Layer<InboxRepo, never, MemoryStore> = Layer.effect(
  InboxRepo,
  Effect.map(MemoryStore, (store) =>
    InboxRepo.of({
      tokenOwner: (gateway, tokenHash) =>
        store.read((tables) => tables.get(tokens, everyone, `${gateway}/${tokenHash}`)),
      keepToken: (organizationId, gateway, tokenHash) =>
        store.write((tables) => tables.set(tokens, everyone, `${gateway}/${tokenHash}`, organizationId)),
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
      nameMessage: (organizationId, messageId, externalId) =>
        store.write((tables) => {
          const row = tables.get(leadMessages, organizationId, messageId)
          if (row !== undefined && row.externalId === null) {
            tables.set(leadMessages, organizationId, messageId, { ...row, externalId })
          }
        }),
      wake: (organizationId, accountId, leadId, at) =>
        store.write((tables) => {
          const waiting = tables
            .all(queueItems, organizationId)
            .filter(
              (item) => item.accountId === accountId && item.leadId === leadId && item.state === "waiting_relation"
            )
          for (const item of waiting) {
            const updatedAt = changedAt(item.updatedAt, at)
            tables.set(queueItems, organizationId, item.id, { ...item, notBefore: at, updatedAt })
          }
        }),
      takePolls: ({ gateway, limit, now, organizationId, pauseSeconds }) =>
        store.write((tables) => {
          const organizations =
            organizationId === undefined ? tables.all(accountOrganizations, everyone) : [organizationId]
          const due = organizations
            .flatMap((one) => tables.all(accounts, one))
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
