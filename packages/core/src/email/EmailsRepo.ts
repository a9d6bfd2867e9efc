/** E-mails of organizations: the port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { EmailRow, EmailState, EmailView } from "./EmailRow.ts"

/** Which e-mails to list. `states` empty lists all; `mission` is an id or a handle. */
export interface EmailFilter {
  readonly states: ReadonlyArray<EmailState>
  readonly leadId: string | undefined
  readonly mission: string | undefined
  /** Only those that are, or were, reviewed. */
  readonly reviewed: boolean
}

/** What the worker should look at: something to send, a transmission of which nothing was heard, a review over time. */
export interface DueEmail {
  readonly organizationId: string
  readonly emailId: string
  readonly kind: "send" | "stale" | "expired"
}

/** Which work to look for. Instants are ISO texts; `organizationId` undefined looks at every organization. */
export interface DueEmails {
  readonly organizationId: string | undefined
  readonly now: string
  /** Transmissions begun at this instant or earlier are stale. */
  readonly staleBefore: string
  readonly limit: number
}

/** Stores e-mails. Fails with UNAVAILABLE when the store cannot be reached. `due` alone may look across organizations. */
export class EmailsRepo extends Context.Service<
  EmailsRepo,
  {
    readonly find: (organizationId: string, id: string) => Effect.Effect<EmailView | undefined, Failure>
    /** As find, with lead and e-mail locked until the transaction ends. */
    readonly hold: (organizationId: string, id: string) => Effect.Effect<EmailView | undefined, Failure>
    /** Newest first. */
    readonly list: (
      organizationId: string,
      filter: EmailFilter,
      page: PageRequest
    ) => Effect.Effect<Page<EmailView>, Failure>
    readonly insert: (row: EmailRow) => Effect.Effect<void, Failure>
    /** Stores a held e-mail. */
    readonly save: (row: EmailRow) => Effect.Effect<void, Failure>
    /** Longest due first. An e-mail of a mission that is a draft, paused or completed is not due to be sent. */
    readonly due: (request: DueEmails) => Effect.Effect<ReadonlyArray<DueEmail>, Failure>
  }
>()("@svc/core/email/EmailsRepo") {}
