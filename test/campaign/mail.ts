/**
 * Mailboxes that receive, against real servers: Dovecot and Postfix. E-mails go out to leads; then replies, bounces, complaints,
 * automatic answers, own copies, strangers' and broken mails come in, some of them twice, while the service is killed with
 * SIGKILL at random points, connections are cut, and a folder gets another UIDVALIDITY. What came of them is read over HTTP.
 *
 * Lost: a reply that is in no conversation, or a consequence that did not follow. Doubled: either of them twice, or an e-mail that
 * left twice. Leaked: what is no reply, and is taken for one.
 */

import { randomUUID } from "node:crypto"
import { type Dovecot, startDovecot } from "../support/mail/Dovecot.ts"
import { missingPrograms } from "../support/mail/daemon.ts"
import { mayStartPostfix, type Postfix, startPostfix } from "../support/mail/Postfix.ts"
import { findPostgres } from "../support/PostgresCluster.ts"
import { type Random, randomOf } from "../support/random.ts"
import { type RunningSvc, startSvc, svc } from "../support/svcProcess.ts"
import { askOracles, missingOracles } from "./bounceOracles.ts"
import { type InboundMail, inboundMails } from "./inboundMails.ts"
import { persistently } from "./kills.ts"
import { judgeMail, type MailEvent, type Read } from "./mailJudge.ts"
import { agents, dkimKey, domain, makeAgents, type Run, received, until, type Written, write } from "./mailSetup.ts"
import { newDatabase, passMailboxWaits, takenMails, withPostgres } from "./postgres.ts"
import { type Campaign, pause, type Tally } from "./Tally.ts"

/** Mails for each lead who gets an e-mail, and for each kill. */
const mailsPerLead = 3
const mailsPerKill = 50
/** With fewer kills while mails are read, the campaign proves nothing: one for so many mails. */
const leastMailsPerKill = 150

/** How Postfix reports e-mails, by what it is told with their addresses. */
const reported = ["gone", "full", "policy", "moved", "late"] as const

const maxWaitSeconds = 240
/** How long is waited for the first mail of a handful. */
const maxReadSeconds = 15

/** Several at the same time. */
const eachOf = async <A, B>(items: ReadonlyArray<A>, work: (item: A) => Promise<B>): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  const left = items.entries()
  const worker = async () => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return results
}

/** A service that is killed and started again. */
const restartable = async (env: Readonly<Record<string, string>>) => {
  let current: RunningSvc = await startSvc(["serve"], { env })
  return {
    url: () => current.url,
    stop: () => current.stop("SIGKILL"),
    kill: async <A>(meanwhile: () => Promise<A>): Promise<A> => {
      await current.stop("SIGKILL")
      const found = await meanwhile()
      current = await startSvc(["serve"], { env })
      return found
    }
  }
}

interface Place {
  readonly run: Run
  readonly dovecot: Dovecot
  readonly postfix: Postfix
  readonly tally: Tally
  readonly random: Random
}

/** Puts mails into the mailboxes while the service is killed, a handful for each time. */
const disturb = async (
  { dovecot, random, run, tally }: Place,
  mails: ReadonlyArray<InboundMail>,
  { kill, taken }: { readonly kill: () => Promise<number>; readonly taken: () => Promise<number> },
  mailboxOf: (mail: InboundMail) => string
): Promise<ReadonlyArray<Written>> => {
  const { next, pick } = random
  const arrivals = mails.flatMap((mail) => Array.from({ length: mail.times }, () => ({ mail, at: next(1_000_000) })))
  const ordered = arrivals.toSorted((a, b) => a.at - b.at).map(({ mail }) => mail)
  const written: Array<Written> = []
  const seen = new Set<string>()
  const kills = Math.max(1, Math.floor(ordered.length / mailsPerKill))
  for (let cycle = 0; cycle < kills; cycle++) {
    const share = ordered.slice(cycle * mailsPerKill, cycle === kills - 1 ? undefined : (cycle + 1) * mailsPerKill)
    const put = eachOf(share, (mail) => dovecot.put(mailboxOf(mail), mail.source, mail.returnPath))
    const index = 100_000 + cycle
    const sent = write(run, index, reported[cycle % reported.length] ?? "gone")
    if (next(3) === 0) {
      tally.hit("connections cut")
      await dovecot.cut(pick(agents))
    }
    if (cycle === Math.floor(kills / 2)) {
      tally.hit("UIDVALIDITY changed")
      for (const agent of agents) await dovecot.changeValidity(agent)
    }
    for (const mail of share) seen.add(mail.mark)
    const known = await taken()
    // Every other time while it reads, otherwise at any moment.
    if (cycle % 2 === 0) await until(async () => (await taken()) > known, maxReadSeconds, 50)
    await pause(next(cycle % 2 === 0 ? 300 : 3_000))
    const now = await kill()
    tally.hit("service killed")
    if (now > known && now < seen.size) tally.hit("killed while reading")
    await put
    written.push(await sent)
    tally.tried += share.length
  }
  return written
}

/** All events of some types. */
const eventsOf = async (run: Run, types: string): Promise<ReadonlyArray<MailEvent>> => {
  const events: Array<MailEvent> = []
  for (let after = 0; ; ) {
    const page = Object(await run("event.list", { after, types, limit: 100 }))
    events.push(...page.events)
    if (page.events.length === 0) return events
    after = page.next
  }
}

const readLead = async (run: Run, { leadId }: Pick<Written, "leadId">): Promise<Read> => {
  const inbound: Array<string> = []
  let cursor: string | undefined
  do {
    const page = Object(await run("email.conversation.get", { lead_id: leadId, ...(cursor && { cursor }), limit: 100 }))
    for (const { content, direction, subject } of page.messages)
      if (direction === "inbound") inbound.push(`${subject} ${content}`)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  const { lead } = Object(await run("lead.get", { lead_id: leadId }))
  return { inbound, status: String(lead.status) }
}

/** The state of a lead's e-mail. */
const stateOf = async (run: Run, leadId: string): Promise<string> => {
  const { emails } = Object(await run("email.list", { lead_id: leadId }))
  return `${emails[0]?.state} ${emails[0]?.reason}`
}

/** Whether no e-mail waits or is on its way. */
const hasSentAll = async (run: Run): Promise<boolean> => {
  const { emails } = Object(await run("email.list", { state: ["queued", "sending"], limit: 100 }))
  return emails.every(({ reason }: { readonly reason: string | null }) => reason?.startsWith("bounced_"))
}

/** Runs the campaign. */
export const mail: Campaign = async ({ count, seed }, tally) => {
  const missing = missingPrograms("dovecot", "doveadm", "opendkim", "postfix", "postqueue")
  if (missing.length > 0 || findPostgres() === undefined || !mayStartPostfix() || missingOracles() !== undefined) {
    tally.skipped = missingOracles() ?? `it needs root, PostgreSQL, Dovecot and Postfix; missing: ${missing.join(", ")}`
    return
  }
  const random = randomOf(seed)
  tally.atLeast("killed while reading", Math.floor(count / leastMailsPerKill))
  const dovecot = await startDovecot()
  const postfix = await startPostfix(dovecot.lmtpPort)
  await withPostgres(async (cluster) => {
    const database = await newDatabase(cluster)
    const env = {
      SVC_DATABASE_URL: database,
      SVC_DATABASE_WAIT_SECONDS: "30",
      SVC_RATE_LIMIT: "0",
      SVC_LINKEDIN_GATEWAY: "manual",
      SVC_LINKEDIN_PACING: "off",
      SVC_ALLOW_UNPACED: "yes",
      SVC_SEND_HOLD_SECONDS: "0",
      SVC_ALLOW_PRIVATE_TARGETS: "true",
      SVC_DKIM_KEY: dkimKey,
      SVC_SMTP_URL: `smtp://127.0.0.1:${postfix.port}`
    }
    const made = await svc(["orgs", "create", "letters", "--json"], { env })
    const apiKey = String(JSON.parse(made.stdout).api_key)
    const service = await restartable(env)
    const send = persistently(service.url, tally)
    const run: Run = (command, input, key = randomUUID()) => send(apiKey, command, input, key)
    const place = { run, dovecot, postfix, tally, random }
    try {
      await makeAgents(run, dovecot.imapPort)
      const indexes = Array.from({ length: Math.ceil(count / mailsPerLead) }, (_, index) => index)
      const written = await eachOf(indexes, (index) => write(run, index, "lead"))

      const leads = await eachOf(written, (one) => received(dovecot, one, tally))

      const mails = inboundMails(leads, count, random)
      for (const { kind } of mails) tally.hit(kind)
      const mailboxOf = ({ lead }: InboundMail) => leads[lead ?? 0]?.from ?? `ada@${domain}`
      const taken = () => takenMails(database)
      const kill = () => service.kill(() => passMailboxWaits(database).then(taken))
      const late = await disturb(place, mails, { kill, taken }, mailboxOf)
      if (!(await until(() => hasSentAll(run), maxWaitSeconds)))
        tally.add("lost", "an e-mail that is on its way for ever")
      const hasReported = async () => (await postfix.queued()) <= late.filter(({ to }) => to.startsWith("late")).length
      await until(hasReported, maxWaitSeconds)
      // The last mail of each mailbox: what came before has been read when it has.

      const last = await eachOf([900_000, 900_001], (index) => write(run, index, "last"))

      for (const { from, subject, to } of last) {
        await dovecot.put(
          from,
          `From: ${to}\nTo: ${from}\nSubject: Re: ${subject}\nMessage-ID: <last.${to}>\n\nThe last one.\n`
        )
      }
      const isRead = async () =>
        (await eachOf(last, (one) => readLead(run, one))).every(({ inbound }) => inbound.length > 0)
      if (!(await until(isRead, maxWaitSeconds))) tally.add("lost", "the last mail of a mailbox")

      const types = "email.bounced,email.complained,email.auto_replied"
      const events = await eventsOf(run, types)
      const reads = await eachOf(written, (one) => readLead(run, one))
      judgeMail(written, reads, mails, events, tally)
      for (const { emailId, leadId, to } of late) {
        const expected = await postfix.reports(to)
        const found = events.filter((event) => event.type === "email.bounced" && event.subject.id === emailId).length
        tally.hit("reports by Postfix", expected)
        if (expected > 1) tally.add("doubled", `${expected} e-mails to ${to}`)
        if (found < expected)
          tally.add("lost", `the report of Postfix on ${to}, whose e-mail is ${await stateOf(run, leadId)}`)
        if (found > expected) tally.add("doubled", `${found} reports on ${to}`)
      }

      await askOracles(
        mails.filter(({ kind }) => kind.startsWith("bounce")).map(({ source }) => source),
        tally
      )
    } finally {
      await service.stop()
    }
  }).finally(async () => {
    await postfix.stop()
    await dovecot.stop()
  })
}
