/** Mailboxes: the e-mail accounts of agents, with their inboxes, and what has been read of them. The port. */
import * as Context from "effect/Context"
import type { EmailProvider } from "../agents/Agent.ts"
import type { StoreEffect } from "../kernel/failure/failures.ts"
import type { AccountId, AgentId, EmailId, InstantText, LeadId, OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import type { DomainFacts } from "./DomainCheck.ts"
import type { InboxAccount, InboxPosition } from "./InboxGateway.ts"

/** The id of a mailbox as a sender: its address in lower case. */
export const mailboxSender = (address: string): AccountId => address.toLowerCase() as AccountId

/** Why an inbox is not read. */
export type InboxState = "off" | "ok" | "login" | "unreachable" | "folder"

/** An e-mail account of a live agent. It comes with the account and goes with it. */
export interface MailboxRow {
  readonly organizationId: OrganizationId
  /** The normal form of the address, as `emailKey` returns it. */
  readonly key: string
  readonly address: string
  readonly provider: typeof EmailProvider.Type
  readonly agent: { readonly id: AgentId; readonly handle: string; readonly name: string }
  /** When the agent got the account: the ramp-up begins then. */
  readonly createdAt: InstantText
  readonly inbox: InboxAccount | null
  /** The inbox's password, which the store keeps encrypted; null without one. */
  readonly secret: string | null
  readonly position: InboxPosition
  /** From when on mails are read where a position is missing. */
  readonly since: InstantText
  readonly state: InboxState
  /** What is wrong, in words. */
  readonly problem: string | null
  readonly readAt: InstantText | null
  readonly domain: DomainFacts | null
  /** The lease of the process that reads it. */
  readonly fence: number
}

/** How a read ended. `dueAt`: when the inbox is read next. */
export interface InboxRead extends Pick<MailboxRow, "position" | "problem" | "state"> {
  readonly at: string
  readonly dueAt: string
  /** Whether the lease ends with it. */
  readonly ends: boolean
}

/** A mail that was taken in. */
export interface TakenMail {
  /** SHA-256 of its Message-ID, or of all that identifies it. */
  readonly hash: string
  readonly at: InstantText
}

/** What an unsubscribe token stands for. Its lead is null once the person was erased. */
export interface UnsubscribeToken {
  readonly organizationId: OrganizationId
  readonly leadId: LeadId | null
  readonly emailId: EmailId
}

/** Stores mailboxes. All methods see one organization only, except `findToken`. Fails with UNAVAILABLE when the store is unreachable. */
export class MailboxesRepo extends Context.Service<
  MailboxesRepo,
  {
    /** Every mailbox, by address. */
    readonly list: (organizationId: OrganizationId) => StoreEffect<ReadonlyArray<MailboxRow>>
    /**
     * Sets where a mailbox is read and makes it due at `at`, forgetting its position and ending its lease; null stops it. False
     * for an address of no live agent.
     */
    readonly saveInbox: (
      organizationId: OrganizationId,
      key: string,
      inbox: { readonly account: InboxAccount; readonly secret: string | null; readonly since: string } | null,
      at: string
    ) => StoreEffect<boolean>
    /** Leases mailboxes that are due, longest due first: no two processes get the same. */
    readonly takeInboxes: (request: {
      readonly organizationId: OrganizationId
      readonly now: string
      readonly leaseSeconds: number
      readonly limit: number
    }) => StoreEffect<ReadonlyArray<MailboxRow>>
    /** Prolongs a lease; false when another process has it. */
    readonly renewInbox: (mailbox: MailboxRow, now: string, leaseSeconds: number) => StoreEffect<boolean>
    /** Notes how far a mailbox was read under its lease; false, and nothing noted, when another process has it. */
    readonly saveRead: (mailbox: MailboxRow, read: InboxRead) => StoreEffect<boolean>
    /** Notes what the DNS says of a domain, for all mailboxes of it. */
    readonly saveDomain: (organizationId: OrganizationId, domain: string, facts: DomainFacts) => StoreEffect<void>
    /**
     * Takes a mail in, in the transaction of its consequences; false when it was taken in before. Of two that take the same
     * mail, the second waits for the first. Retention forgets it after `fixedDays.mails`.
     */
    readonly takeMail: (organizationId: OrganizationId, mail: TakenMail) => StoreEffect<boolean>
    /** The lead of a stored e-mail with one of these Message-IDs. */
    readonly leadOfMails: (
      organizationId: OrganizationId,
      messageIds: ReadonlyArray<string>
    ) => StoreEffect<LeadId | undefined>
    /** Leads, at most two, to whom an e-mail of a thread was sent from a mailbox since an instant; `thread` as `threadOf` returns it. */
    readonly leadsOfThread: (
      organizationId: OrganizationId,
      request: { readonly thread: string; readonly mailbox: string; readonly since: string }
    ) => StoreEffect<ReadonlyArray<LeadId>>
    /** Keeps the SHA-256 of a token. It outlives the lead. */
    readonly saveToken: (
      token: UnsubscribeToken & { readonly hash: string; readonly createdAt: InstantText }
    ) => StoreEffect<void>
    /** What a token stands for, by its SHA-256; undefined for an unknown one. */
    readonly findToken: (hash: string) => StoreEffect<UnsubscribeToken | undefined>
  }
>()("@svc/core/email/MailboxesRepo") {}
