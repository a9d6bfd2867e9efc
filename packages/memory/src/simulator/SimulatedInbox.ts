/** Mailboxes with a script: what is put in arrives in that order, and a problem stays until it is taken away. */

import { type InboundMail, type Inbox, InboxGateway, type InboxProblem } from "@svc/core/email"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** Writes the script of mailboxes, by the user who logs in. */
export class InboxScript extends Context.Service<
  InboxScript,
  {
    readonly put: (user: string, ...mails: ReadonlyArray<InboundMail>) => Effect.Effect<void>
    /** Fails whatever is done with the mailbox; undefined ends that. */
    readonly break: (user: string, problem: InboxProblem | undefined) => Effect.Effect<void>
    /** Changes the UIDVALIDITY, so that known mails come again. */
    readonly renumber: (user: string) => Effect.Effect<void>
  }
>()("@svc/memory/InboxScript") {}

const folder = "INBOX"

const makeMailbox = () => {
  const mails: Array<InboundMail> = []
  return { mails, validity: 1, problem: undefined as InboxProblem | undefined, news: Latch.makeUnsafe() }
}

type Mailbox = ReturnType<typeof makeMailbox>

const checked = (mailbox: Mailbox) =>
  Effect.suspend(() => (mailbox.problem === undefined ? Effect.succeed(mailbox) : Effect.fail(mailbox.problem)))

const inboxOf = (mailbox: Mailbox): Inbox => ({
  read: ({ after, limit, since }) =>
    Effect.map(checked(mailbox), ({ mails, news, ...numbered }) => {
      news.closeUnsafe()
      const validity = String(numbered.validity)
      const known = after[folder]?.validity === validity ? after[folder].uid : undefined
      const rest = mails
        .map((mail, index) => ({ mail, uid: index + 1 }))
        .filter(({ mail, uid }) => (known === undefined ? (mail.date ?? since) >= since : uid > known))
      const page = rest.slice(0, limit)
      const hasMore = rest.length > limit
      const uid = (hasMore && page.at(-1)?.uid) || mails.length
      return { mails: page.map(({ mail }) => mail), unreadable: 0, position: { [folder]: { validity, uid } }, hasMore }
    }),
  wait: (millis) => Effect.andThen(Effect.timeoutOption(mailbox.news.await, millis), Effect.asVoid(checked(mailbox)))
})

/** The simulated inboxes, all empty, and their script. */
export const layer: Layer.Layer<InboxGateway | InboxScript> = Layer.effectContext(
  Effect.sync(() => {
    const mailboxes = new Map<string, Mailbox>()
    const change = (user: string, how: (mailbox: Mailbox) => void) =>
      Effect.sync(() => {
        const mailbox = mailboxes.get(user) ?? makeMailbox()
        mailboxes.set(user, mailbox)
        how(mailbox)
        mailbox.news.openUnsafe()
        return mailbox
      })
    const script = InboxScript.of({
      put: (user, ...mails) => Effect.asVoid(change(user, (mailbox) => mailbox.mails.push(...mails))),
      break: (user, problem) => Effect.asVoid(change(user, (mailbox) => Object.assign(mailbox, { problem }))),
      renumber: (user) => Effect.asVoid(change(user, (mailbox) => mailbox.validity++))
    })
    const gateway = InboxGateway.of({
      open: ({ user }) =>
        Effect.map(
          Effect.flatMap(
            change(user, () => undefined),
            checked
          ),
          inboxOf
        )
    })
    return Context.make(InboxGateway, gateway).pipe(Context.add(InboxScript, script))
  })
)
