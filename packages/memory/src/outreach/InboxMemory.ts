/** The LinkedIn inbox in the in-memory store. */

import { type AccountId, changedAt, type InstantText, isoFromMillis } from "@svc/core"
import { InboxRepo, type LinkedInAccount, type Transmission } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { agents } from "../agents/AgentsMemory.ts"
import { leadMessages } from "../leads/LeadTables.ts"
import { globalPartition, MemoryStore, type Tables, table } from "../MemoryStore.ts"
import { accounts, relations, transmissions } from "./LinkedInTables.ts"

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

/** Keeps the inbox in memory. */
export const layer: Layer.Layer<InboxRepo, never, MemoryStore> = Layer.effect(
  InboxRepo,
  Effect.map(MemoryStore, (store) =>
    InboxRepo.of({
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
