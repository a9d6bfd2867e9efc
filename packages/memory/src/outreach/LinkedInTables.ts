/** The in-memory tables of outreach, and the keys of rows without an id. */
import type { OrganizationId } from "@svc/core"
import type { UnsubscribeToken } from "@svc/core/email"
import { freshPace } from "@svc/core/internal"
import type * as Outreach from "@svc/core/outreach"
import { globalTable, type Tables, table } from "../MemoryStore.ts"

/** Drafts by id. */
export const drafts = table<Outreach.DraftRow>("linkedin_drafts")

/** Transmissions by id, finished ones included. */
export const transmissions = table<Outreach.Transmission>("transmissions")

/** Attempts to send by {@link attemptKey}. */
export const attempts = table<Outreach.SendAttempt>("linkedin_attempts")

/** Linked accounts by id. */
export const accounts = table<Outreach.LinkedInAccount>("linkedin_accounts")

/** Unlinked accounts by id. */
export const unlinkedAccounts = table<Outreach.LinkedInAccount>("linkedin_unlinked_accounts")

/** The organizations that have, or had last, the accounts at a gateway, by `gateway/id`. */
export const accountOwners = globalTable<OrganizationId>("linkedin_account_owners")

/** Relations by {@link relationKey}. */
export const relations = table<Outreach.LeadRelation>("lead_relations")

/** Tokens by which recipients of e-mails unsubscribe, by hash. */
export const unsubscribeTokens = table<UnsubscribeToken>("unsubscribe_tokens")

/** Key of an attempt in {@link attempts}. */
export const attemptKey = (attempt: Pick<Outreach.SendAttempt, "queueItemId" | "number">): string =>
  `${attempt.queueItemId}/${attempt.number}`

/** Key of a relation in {@link relations}. */
export const relationKey = (relation: Pick<Outreach.LeadRelation, "accountId" | "leadId">): string =>
  `${relation.accountId}/${relation.leadId}`

/** Messages of an organization. */
export const messagesIn = (tables: Tables): ReadonlyArray<Outreach.Message> =>
  tables.where(transmissions, (row) => row.kind === "message")

/** The message of a draft, if it is queued or sent. */
export const messageOf = (tables: Tables, { queueItemId }: Outreach.DraftRow): Outreach.Message | undefined => {
  const row = tables.get(transmissions, queueItemId)
  return row?.kind === "message" ? row : undefined
}

/** Whether a draft is pending review or approved but not sent. */
export const isOpenDraft = ({ status }: Outreach.DraftRow): boolean =>
  status === "PENDING_REVIEW" || status === "READY_TO_SEND"

/** Senders by id: accounts, and agents for their e-mails. */
export const senders = table<Outreach.AccountPace>("senders")

/** The number of the last turn of each sender, whose lowest is next. */
export const lastTurns = table<number>("last turns")

/** The number of the last turn of all, under `turns`. */
export const turnCount = globalTable<number>("turns")

/** The sender of a transmission. */
export const senderOf = (row: Outreach.Transmission): string =>
  row.kind === "email" ? row.fromAddress.toLowerCase() : row.accountId

/** Changes what is stored of a sender. */
export const changeSender = (tables: Tables, senderId: string, change: Partial<Outreach.AccountPace>): void => {
  const before = tables.get(senders, senderId) ?? freshPace
  tables.set(senders, senderId, { ...before, ...change })
}
