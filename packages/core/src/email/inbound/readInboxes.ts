/**
 * Reading inboxes. One process reads an inbox at a time, under a lease; it notes how far it read after what it read is stored, so
 * that a process that dies anywhere loses nothing, and what comes again is known.
 */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { eachDue, type Round, repeatRound, runAsService } from "../../kernel/background/Worker.ts"
import { emit } from "../../kernel/command/Execution.ts"
import { isoFromMillis, now } from "../../kernel/schema/IdsAndTime.ts"
import type { InboundMail } from "../InboundMail.ts"
import { type Inbox, InboxGateway, InboxProblem, MailboxTokens } from "../InboxGateway.ts"
import { type InboxState, MailboxesRepo, type MailboxRow } from "../MailboxesRepo.ts"
import { receiveMail } from "./receiveMail.ts"

/** Seconds of a lease, which is renewed at least that often: while mails come, and while none comes. */
const leaseSeconds = 120
const waitMillis = 45_000

/** Seconds that an inbox stays open, so that others that are due get their turn. */
const openSeconds = 300

/** Seconds until an inbox is read again that nobody waits at, whose connection was lost, and after each problem. */
const pauseSeconds = 300
const reopenSeconds = 10
const problemSeconds: Readonly<Record<InboxProblem["kind"], number>> = { login: 3_600, unreachable: 120, folder: 900 }

const mailsOfPage = 25

/** Inboxes that a process holds open at the same time. */
const maxOpen = 100

const later = (at: string, seconds: number): string => isoFromMillis(Date.parse(at) + seconds * 1_000)

/** Takes one mail in. One that can never be taken in is logged and passed over; what may pass ends the reading, and is tried again. */
const take = (mailbox: MailboxRow, mail: InboundMail) =>
  Effect.catchCause(
    Effect.catchIf(
      runAsService(mailbox.organizationId, receiveMail(mail, mailbox)),
      ({ entry }) => !entry.retryable,
      ({ code }) => Effect.logWarning("A received mail was passed over", { code })
    ),
    (cause) =>
      cause.reasons.some(({ _tag }) => _tag === "Die")
        ? Effect.logError("A received mail was passed over", cause)
        : Effect.failCause(cause)
  )

/** The password of an inbox, or a token for it. */
const secretOf = ({ address, inbox, organizationId, provider, secret }: MailboxRow) =>
  inbox?.login === "token"
    ? Effect.flatMap(MailboxTokens, ({ token }) => token({ organizationId, address, provider }))
    : secret === null
      ? Effect.fail(
          new InboxProblem({ kind: "login", detail: "The password cannot be read. Connect the inbox again." })
        )
      : Effect.succeed(Redacted.make(secret, { label: "password of an inbox" }))

/** Reads a leased inbox to its end and, if it `waits`, what comes within a while. Returns how many mails were taken in. */
const readInbox = Effect.fnUntraced(function* (mailbox: MailboxRow, waits: boolean) {
  const { renewInbox, saveRead } = yield* MailboxesRepo
  const { organizationId } = mailbox
  let { position } = mailbox
  let taken = 0
  let isOpen = false
  const note = Effect.fnUntraced(function* (state: InboxState, problem: string | null, pause?: number) {
    const at = yield* now
    return yield* saveRead(mailbox, {
      position,
      state,
      problem,
      at,
      dueAt: later(at, pause ?? 0),
      ends: pause !== undefined
    })
  })
  // Mails are remembered for 90 days: older ones would be taken in again.
  const remembered = later(yield* now, -90 * 86_400)
  const since = mailbox.since > remembered ? mailbox.since : remembered
  const readAll = Effect.fnUntraced(function* (inbox: Inbox) {
    for (let hasMore = true; hasMore; ) {
      const page = yield* inbox.read({ after: position, since, limit: mailsOfPage })
      for (const mail of page.mails) yield* take(mailbox, mail)
      if (page.unreadable > 0) yield* Effect.logWarning("Received mails could not be read", { count: page.unreadable })
      taken += page.mails.length
      hasMore = page.hasMore
      const isSame = JSON.stringify(page.position) === JSON.stringify(position)
      position = page.position
      const holds = isSame ? renewInbox(mailbox, yield* now, leaseSeconds) : note("ok", null)
      if (!(yield* holds)) return false
    }
    return true
  })
  const read = Effect.gen(function* () {
    const { inbox: account } = mailbox
    if (account === null) return
    const inbox = yield* (yield* InboxGateway).open({ ...account, secret: yield* secretOf(mailbox) })
    isOpen = true
    const end = later(yield* now, openSeconds)
    while ((yield* readAll(inbox)) && waits && (yield* now) < end) yield* inbox.wait(waitMillis)
  })
  const problem = yield* Effect.scoped(read).pipe(
    Effect.as(undefined),
    Effect.catchTag("InboxProblem", (found) => Effect.succeed(found)),
    Effect.onInterrupt(() => Effect.ignore(note(mailbox.state, mailbox.problem, 0)))
  )
  // Servers end connections as they like: one that was open is opened again before it is called a problem.
  const isDropped = isOpen && problem?.kind === "unreachable"
  const lasting = isDropped ? undefined : problem
  const state = lasting?.kind ?? "ok"
  const usual = isDropped ? reopenSeconds : waits ? 0 : pauseSeconds
  const pause = lasting === undefined ? usual : problemSeconds[lasting.kind]
  const isNoted = yield* note(state, lasting?.detail ?? null, pause)
  if (isNoted && state !== mailbox.state) {
    const data = { from: mailbox.state, to: state, agent_id: mailbox.agent.id }
    yield* runAsService(
      organizationId,
      emit({ type: "mailbox.status_changed", subject: { type: "mailbox", id: mailbox.key }, data })
    )
  }
  return taken
})

/** Leases inboxes that are due and hands each to `read`. */
const eachInbox = <R>(round: Round, read: (mailbox: MailboxRow) => Effect.Effect<void, never, R>) =>
  eachDue(
    "mailboxes",
    { concurrency: 4, limit: 50, ...round, recheckSeconds: 60 },
    Effect.fnUntraced(function* (organizationId, { concurrency, limit }) {
      const request = { organizationId, now: yield* now, leaseSeconds, limit }
      const due = yield* (yield* MailboxesRepo).takeInboxes(request)
      yield* Effect.forEach(due, read, { concurrency, discard: true })
      return due.length
    })
  )

const logged = (mailbox: MailboxRow, waits: boolean) =>
  Effect.catchCause(readInbox(mailbox, waits), (cause) =>
    Effect.as(Effect.logError("Reading an inbox failed", { agent: mailbox.agent.id }, cause), 0)
  )

/** Reads the inboxes that are due; returns how many mails came. Fails with UNAVAILABLE when the store is unreachable. */
export const readInboxes = Effect.fnUntraced(function* (round: Round = {}) {
  let taken = 0
  yield* eachInbox(round, (mailbox) =>
    Effect.map(logged(mailbox, false), (count) => {
      taken += count
    })
  )
  return taken
})

/** What reading inboxes needs. */
export type InboxNeeds = Effect.Services<ReturnType<typeof readInboxes>>

/** Reads inboxes, and waits at them for new mails, as long as the layer lives. */
export const inboxWorkerLayer: Layer.Layer<never, never, InboxNeeds> = Layer.effectDiscard(
  Effect.gen(function* () {
    const open = yield* FiberSet.make()
    const round = Effect.gen(function* () {
      const limit = maxOpen - (yield* FiberSet.size(open))
      if (limit > 0) yield* eachInbox({ limit }, (mailbox) => Effect.asVoid(FiberSet.run(open, logged(mailbox, true))))
    })
    yield* repeatRound("inboxes of e-mail", round, "1 second")
  })
)
