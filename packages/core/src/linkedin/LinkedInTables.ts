/** The in-memory tables of LinkedIn. Keys of tables without an id of their own are made by the functions below. */
import { table } from "../MemoryStore.ts"
import type { DraftRow, QueueItem, SendAttempt } from "./DraftRow.ts"
import type { Invitation } from "./invitations/Invitation.ts"
import type { LeadRelation } from "./LeadRelation.ts"
import type { LinkedInAccount } from "./LinkedInAccount.ts"

/** Drafts by id. */
export const drafts = table<DraftRow>("linkedin_drafts")

/** Organizations that ever had a draft or an invitation, by id, in the partition {@link everyone}: where the dispatcher looks. */
export const draftingOrganizations = table<string>("linkedin_organizations")

/** The partition of what belongs to no organization. */
export const everyone = "*"

/** Queue items by id, ended ones included. */
export const queueItems = table<QueueItem>("linkedin_queue")

/** Invitations by id, ended ones included. */
export const invitations = table<Invitation>("linkedin_invitations")

/** Uses of accounts by {@link attemptKey}. */
export const attempts = table<SendAttempt>("linkedin_attempts")

/** Accounts that were linked or used, by id. */
export const accounts = table<LinkedInAccount>("linkedin_accounts")

/** Accounts that were taken from their agents, by id. */
export const unlinkedAccounts = table<LinkedInAccount>("linkedin_unlinked_accounts")

/** Organizations that ever had an account, by id, in the partition {@link everyone}: whose inboxes are read. */
export const accountOrganizations = table<string>("linkedin_account_organizations")

/** Relations by {@link relationKey}. */
export const relations = table<LeadRelation>("lead_relations")

/** Key of an attempt in {@link attempts}. */
export const attemptKey = (attempt: Pick<SendAttempt, "queueItemId" | "number">): string =>
  `${attempt.queueItemId}/${attempt.number}`

/** Key of a relation in {@link relations}. */
export const relationKey = (relation: Pick<LeadRelation, "accountId" | "leadId">): string =>
  `${relation.accountId}/${relation.leadId}`
