/** Reading mailboxes: the port. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { EmailProvider } from "../agents/Agent.ts"
import type { OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import type { InboundMail } from "./InboundMail.ts"

/** Where a mailbox is read over IMAP. */
export interface InboxAccount {
  readonly host: string
  readonly port: number
  /** `tls` from the first byte, `starttls` before the login; `plain` only on this machine. */
  readonly security: "tls" | "starttls" | "plain"
  readonly user: string
  /** `password` is stored encrypted; a `token` (OAuth 2.0) is asked of {@link MailboxTokens} for each connection. */
  readonly login: "password" | "token"
  /** Folders to read; none for the one with all mail where the server has it (`\All`, RFC 6154), otherwise INBOX. */
  readonly folders: ReadonlyArray<string>
}

/** An inbox to open, with its password or token. */
export interface InboxLogin extends InboxAccount {
  readonly secret: Redacted.Redacted
}

/** Up to where each folder was read: RFC 3501's UIDVALIDITY, as text, and the greatest UID. */
export type InboxPosition = Readonly<Record<string, { readonly validity: string; readonly uid: number }>>

/** Mails in the order they arrived. A mail that could not be parsed is passed over, and counted. */
export interface InboxPage {
  readonly mails: ReadonlyArray<InboundMail>
  readonly unreadable: number
  /** Where the next read begins. */
  readonly position: InboxPosition
  /** Whether there may be more now. */
  readonly hasMore: boolean
}

/** Why an inbox cannot be read. `detail` is for people and names no secret. */
export class InboxProblem extends Data.TaggedError("InboxProblem")<{
  readonly kind: "login" | "unreachable" | "folder"
  readonly detail: string
}> {}

/** An open inbox. */
export interface Inbox {
  /**
   * At most `limit` mails after a position. A folder without one, or whose UIDVALIDITY has changed, is read from `since` on,
   * so that known mails come again.
   */
  readonly read: (request: {
    readonly after: InboxPosition
    readonly since: string
    readonly limit: number
  }) => Effect.Effect<InboxPage, InboxProblem>
  /** Waits until something may have arrived (IDLE, RFC 2177), at most so many milliseconds. */
  readonly wait: (millis: number) => Effect.Effect<void, InboxProblem>
}

/** Opens inboxes. */
export class InboxGateway extends Context.Service<
  InboxGateway,
  { readonly open: (login: InboxLogin) => Effect.Effect<Inbox, InboxProblem, Scope.Scope> }
>()("@svc/core/email/InboxGateway") {}

/** The mailbox that a token is for. */
export interface TokenRequest {
  readonly organizationId: OrganizationId
  readonly address: string
  readonly provider: typeof EmailProvider.Type
}

/** Access tokens (OAuth 2.0, XOAUTH2) of mailboxes, from the host program. */
export const MailboxTokens = Context.Reference<{
  readonly token: (request: TokenRequest) => Effect.Effect<Redacted.Redacted, InboxProblem>
}>("@svc/core/email/MailboxTokens", {
  defaultValue: () => ({
    token: () =>
      Effect.fail(
        new InboxProblem({
          kind: "login",
          detail: "No tokens for mailboxes are configured. Pass mailboxToken to createSvc, or log in with a password."
        })
      )
  })
})
