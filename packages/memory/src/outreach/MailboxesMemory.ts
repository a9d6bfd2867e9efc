/** Mailboxes in the in-memory store. */

import { isoFromMillis, type OrganizationId } from "@svc/core"
import { emailKey } from "@svc/core/agents"
import { MailboxesRepo, type MailboxRow, type TakenMail } from "@svc/core/email"
import { agentName, compareText } from "@svc/core/internal"
import type { LeadMessageRow } from "@svc/core/leads"
import { agents, mailboxes, type StoredMailbox } from "../agents/AgentsMemory.ts"
import { leadMessages } from "../leads/LeadTables.ts"
import { everywhere, globalTable, repository, type Tables, table } from "../MemoryStore.ts"
import { unsubscribeTokens } from "./LinkedInTables.ts"

/** Mails that were taken in, by hash. */
export const takenMails = table<TakenMail>("taken_mails")

/** The organizations of unsubscribe tokens by hash, of every organization. */
const tokenOwners = globalTable<OrganizationId>("unsubscribe_token_owners")

const rowsOf = (tables: Tables, stored: StoredMailbox): ReadonlyArray<MailboxRow> => {
  const { agentId, dueAt: _due, leaseUntil: _lease, ...row } = stored
  const agent = tables.get(agents, agentId)
  const account = agent?.emailAccounts.find((one) => emailKey(one) === row.key)
  if (agent === undefined || account === undefined) return []
  const { handle, id } = agent
  return [{ ...row, address: account.email, provider: account.provider, agent: { id, handle, name: agentName(agent) } }]
}

const untilOf = (now: string, leaseSeconds: number): string => isoFromMillis(Date.parse(now) + leaseSeconds * 1_000)

/** The mailbox, if the lease that `row` was read under still holds. */
const leased = (tables: Tables, { fence, key }: MailboxRow): StoredMailbox | undefined => {
  const stored = tables.get(mailboxes, key)
  return stored?.fence === fence && stored.leaseUntil !== null ? stored : undefined
}

/** Keeps mailboxes in memory. */
export const layer = repository(MailboxesRepo)((store) => ({
  list: store.reading((tables) =>
    tables
      .all(mailboxes)
      .toSorted((a, b) => compareText(a.key, b.key))
      .flatMap((stored) => rowsOf(tables, stored))
  ),
  saveInbox: store.writing((tables, key, inbox, at) => {
    const stored = tables.get(mailboxes, key)
    if (stored === undefined) return false
    const times = { since: inbox?.since ?? stored.createdAt, readAt: null, dueAt: inbox && at, leaseUntil: null }
    const place = { inbox: inbox?.account ?? null, secret: inbox?.secret ?? null, position: {}, problem: null }
    const state = inbox === null ? "off" : "ok"
    tables.set(mailboxes, key, { ...stored, ...times, ...place, state, fence: stored.fence + 1 })
    return true
  }),
  takeInboxes: ({ leaseSeconds, limit, now, organizationId }) =>
    store.write(organizationId, (tables) =>
      tables
        .where(mailboxes, ({ dueAt, leaseUntil }) => dueAt !== null && dueAt <= now && (leaseUntil ?? "") <= now)
        .toSorted((a, b) => compareText(`${a.dueAt} ${a.key}`, `${b.dueAt} ${b.key}`))
        .slice(0, limit)
        .flatMap((found) => {
          const stored = { ...found, fence: found.fence + 1, leaseUntil: untilOf(now, leaseSeconds) }
          tables.set(mailboxes, found.key, stored)
          return rowsOf(tables, stored)
        })
    ),
  renewInbox: (mailbox, now, leaseSeconds) =>
    store.write(mailbox.organizationId, (tables) => {
      const stored = leased(tables, mailbox)
      if (stored === undefined) return false
      tables.set(mailboxes, stored.key, { ...stored, leaseUntil: untilOf(now, leaseSeconds) })
      return true
    }),
  saveRead: (mailbox, { at, ends, ...read }) =>
    store.write(mailbox.organizationId, (tables) => {
      const stored = leased(tables, mailbox)
      if (stored === undefined) return false
      const leaseUntil = ends ? null : stored.leaseUntil
      tables.set(mailboxes, stored.key, { ...stored, ...read, readAt: at, leaseUntil })
      return true
    }),
  saveDomain: store.writing((tables, domain, facts) => {
    const isOf = ({ key }: StoredMailbox) => key.endsWith(`@${domain}`)
    tables.updateWhere(mailboxes, isOf, (stored) => ({ ...stored, domain: facts }))
  }),
  takeMail: store.writing((tables, mail) => {
    if (tables.get(takenMails, mail.hash) !== undefined) return false
    tables.set(takenMails, mail.hash, mail)
    return true
  }),
  leadOfMails: store.reading((tables, messageIds) => {
    const isOne = ({ channel, externalId }: LeadMessageRow) =>
      channel === "EMAIL" && externalId !== null && messageIds.includes(externalId)
    return tables.where(leadMessages, isOne).toSorted((a, b) => compareText(b.date, a.date))[0]?.leadId
  }),
  leadsOfThread: store.reading((tables, { mailbox, since, thread }) => {
    const isOf = ({ date, direction, mail }: LeadMessageRow) =>
      direction === "outbound" && mail?.thread === thread && mail.mailbox === mailbox && date > since
    return [...new Set(tables.where(leadMessages, isOf).map(({ leadId }) => leadId))].slice(0, 2)
  }),
  saveToken: ({ createdAt: _, hash, ...token }) =>
    store.write(token.organizationId, (tables) => {
      tables.set(unsubscribeTokens, hash, token)
      tables.set(tokenOwners, hash, token.organizationId)
    }),
  findToken: (hash) =>
    store.read(everywhere, (tables) => {
      const owner = tables.get(tokenOwners, hash)
      return owner && tables.of(owner).get(unsubscribeTokens, hash)
    })
}))
