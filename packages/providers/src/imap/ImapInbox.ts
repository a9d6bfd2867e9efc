/**
 * Inboxes over IMAP, with imapflow. Folders are opened read-only: nothing is marked as read, moved or deleted.
 *
 * Every command has a deadline, so that a connection that died in silence ends as a problem, and the inbox is opened anew.
 */
import { isIP } from "node:net"
import { optionalPackage } from "@svc/core"
import {
  type InboundMail,
  type Inbox,
  InboxGateway,
  type InboxLogin,
  type InboxPage,
  type InboxPosition,
  InboxProblem,
  MailReader
} from "@svc/core/email"
import { WebhookTargets } from "@svc/core/internal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { ImapFlow, ImapFlowOptions } from "imapflow"
import { isAllowed, resolveBySystem } from "../webhooks/checkTarget.ts"

/** imapflow's client. Bundlers pass over an import that is awaited where its failure is caught. */
const loadClient = async () => {
  try {
    return (await import("imapflow")).ImapFlow
  } catch (cause) {
    return Promise.reject(cause)
  }
}

/** Milliseconds until a connection is open, and until a command is answered. */
const connectMillis = 15_000
const commandMillis = 60_000

/** Bytes read of a mail: its text is in the first of them, attachments in the rest. */
const maxSource = 1_048_576

const unreachable = (detail: string) => new InboxProblem({ kind: "unreachable", detail })

/** What an error of imapflow means. Its texts come from the server, and may name what was sent to it. */
const problemOf = (error: unknown): InboxProblem => {
  const { authenticationFailed, code, mailboxMissing, path, responseStatus, serverResponseCode, tlsFailed } =
    Object(error)
  // RFC 5530: what checks logins, for instance, is down, which says nothing about this one.
  if (serverResponseCode === "UNAVAILABLE") return unreachable("A part of the mail server is down (UNAVAILABLE).")
  if (authenticationFailed === true) {
    return new InboxProblem({ kind: "login", detail: "The mail server rejected the login. Connect the inbox again." })
  }
  const isOfFolder = mailboxMissing === true || (responseStatus === "NO" && typeof path === "string")
  if (isOfFolder) return new InboxProblem({ kind: "folder", detail: `The folder ${path} cannot be opened.` })
  const name = typeof code === "string" ? code.slice(0, 40) : "unknown"
  const isCertificate = tlsFailed === true || /CERT|TLS|SSL|ALTNAME/.test(name)
  return unreachable(
    isCertificate
      ? `The mail server's TLS certificate was rejected (${name}).`
      : `The mail server is unreachable (${name}).`
  )
}

/** A command of the client, with a deadline. */
const command = <A>(run: () => Promise<A>): Effect.Effect<A, InboxProblem> =>
  Effect.timeoutOrElse(Effect.tryPromise({ try: run, catch: problemOf }), {
    duration: commandMillis,
    orElse: () => Effect.fail(unreachable("The mail server did not answer in time."))
  })

/** The address to connect to, which is public unless the operator allows others. */
const addressOf = Effect.fnUntraced(function* (host: string) {
  const rule = yield* WebhookTargets
  const found = isIP(host) === 0 ? yield* command(() => resolveBySystem(host)) : [{ address: host }]
  const [first] = found
  if (first !== undefined && found.every(({ address }) => isAllowed(rule, address))) return first.address
  return yield* unreachable(
    "The host is in a private network. Use a public mail server, or ask the operator to set SVC_ALLOW_PRIVATE_TARGETS=true."
  )
})

const optionsOf = ({ host, login, port, secret, security, user }: InboxLogin, address: string): ImapFlowOptions => ({
  host: address,
  port,
  ...(isIP(host) === 0 ? { servername: host } : {}),
  secure: security === "tls",
  doSTARTTLS: security === "starttls",
  auth: { user, ...(login === "token" ? { accessToken: Redacted.value(secret) } : { pass: Redacted.value(secret) }) },
  logger: false,
  disableAutoIdle: true,
  connectionTimeout: connectMillis,
  greetingTimeout: connectMillis,
  socketTimeout: commandMillis * 6
})

/** The folders that are read: those that were chosen, the one with all mail, or INBOX. */
const foldersOf = Effect.fnUntraced(function* (client: ImapFlow, { folders }: InboxLogin) {
  const listed = yield* command(() => client.list())
  const all = listed.find(({ specialUse }) => specialUse === "\\All")
  const wanted = folders.length > 0 ? folders : [all?.path ?? "INBOX"]
  const known = wanted.filter((name) => name.toUpperCase() === "INBOX" || listed.some(({ path }) => path === name))
  if (known.length === wanted.length) return wanted
  const missing = wanted.filter((name) => !known.includes(name))
  return yield* new InboxProblem({
    kind: "folder",
    detail: `The mailbox has no folder ${missing.join(", ")}. Connect the inbox again with the folders that it has.`
  })
})

/** The UIDs of a folder that come next, and where the folder stands. */
const unread = Effect.fnUntraced(function* (client: ImapFlow, folder: string, after: InboxPosition, since: string) {
  const { uidNext, uidValidity } = yield* command(() => client.mailboxOpen(folder, { readOnly: true }))
  const validity = String(uidValidity)
  const known = after[folder]
  const begin = known?.validity === validity ? known.uid : undefined
  const query = begin === undefined ? { since: new Date(since) } : { uid: `${begin + 1}:*` }
  const found = (yield* command(() => client.search(query, { uid: true }))) || []
  // The range n:* names the last mail even where its UID is below n.
  const uids = found.filter((uid) => uid > (begin ?? 0)).toSorted((a, b) => a - b)
  return { uids, place: { validity, uid: Math.max(begin ?? 0, uidNext - 1) } }
})

const inboxOf = (client: ImapFlow, folders: ReadonlyArray<string>, reader: MailReader["Service"]): Inbox => ({
  read: Effect.fnUntraced(
    function* ({ after, limit, since }) {
      const mails: Array<InboundMail> = []
      const position: Record<string, InboxPosition[string]> = { ...after }
      let unreadable = 0
      let left = limit
      let hasMore = false
      for (const folder of folders) {
        const { place, uids } = yield* unread(client, folder, after, since)
        const taken = uids.slice(0, left)
        left -= taken.length
        const last = taken.at(-1)
        hasMore ||= taken.length < uids.length
        if (last === undefined && uids.length > 0) continue
        const uid = taken.length < uids.length ? (last ?? place.uid) : Math.max(place.uid, last ?? 0)
        position[folder] = { ...place, uid }
        if (last === undefined) continue
        // A mail that was moved away meanwhile is missing.
        const fetched = yield* command(() =>
          client.fetchAll(taken.join(","), { uid: true, source: { maxLength: maxSource } }, { uid: true })
        )
        for (const { source = Buffer.alloc(0) } of fetched.toSorted((a, b) => a.uid - b.uid)) {
          const mail = yield* Effect.catchTag(reader.read(source), "InvalidInput", () => Effect.succeed(undefined))
          if (mail === undefined) unreadable++
          else mails.push(mail)
        }
      }
      return { mails, unreadable, position, hasMore } satisfies InboxPage
    },
    Effect.catchTag("Unavailable", ({ message }) => Effect.fail(unreachable(message)))
  ),
  wait: Effect.fnUntraced(function* (millis) {
    const [first = "INBOX"] = folders
    yield* command(() => client.mailboxOpen(first, { readOnly: true }))
    const arrived = Effect.callback<void>((resume) => {
      const wake = () => resume(Effect.void)
      const events = ["exists", "close", "error"] as const
      for (const event of events) client.once(event, wake)
      void client.idle().catch(wake)
      return Effect.sync(() => {
        for (const event of events) client.off(event, wake)
      })
    })
    yield* Effect.timeoutOption(arrived, millis)
    // It ends IDLE, and tells whether the connection lives.
    yield* command(() => client.noop())
  })
})

const open = Effect.fnUntraced(function* (login: InboxLogin, reader: MailReader["Service"]) {
  const Client = yield* Effect.mapError(optionalPackage("imapflow", "Reading mailboxes", loadClient), ({ message }) =>
    unreachable(message)
  )
  const address = yield* addressOf(login.host)
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = new Client(optionsOf(login, address))
      // A command that is running fails with it as well.
      made.on("error", () => {})
      return made
    }),
    (made) => Effect.sync(() => made.close())
  )
  yield* command(() => client.connect())
  return inboxOf(client, yield* foldersOf(client, login), reader)
})

/** {@link InboxGateway} over IMAP. imapflow is loaded with the first inbox. */
export const imapInboxLayer: Layer.Layer<InboxGateway, never, MailReader> = Layer.effect(
  InboxGateway,
  Effect.gen(function* () {
    const reader = yield* MailReader
    const rule = yield* WebhookTargets
    return InboxGateway.of({
      open: (login) => Effect.provideService(open(login, reader), WebhookTargets, rule)
    })
  })
)
