/** Mailboxes on every store: they come and go with accounts, are read by one process at a time, and what is taken in is so once. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import type { DomainFacts } from "#core/email/DomainCheck.ts"
import type { InboxAccount } from "#core/email/InboxGateway.ts"
import { type InboxRead, MailboxesRepo, type MailboxRow } from "#core/email/MailboxesRepo.ts"
import { DueWork } from "#core/kernel/background/DueWork.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { organization } from "../support/organization.ts"
import { lead, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const start = "1970-01-01T00:00:00.000Z"
const minutes = (count: number) => isoFromMillis(count * 60_000)

const account: InboxAccount = {
  host: "imap.example.com",
  port: 993,
  security: "tls",
  user: "ada@example.com",
  login: "password",
  folders: []
}
const inbox = { account, secret: "correct horse", since: start }

const addresses = (...emails: ReadonlyArray<string>) => emails.map((email) => ({ provider: "IMAP", email }))

const agent = (handle: string, ...emails: ReadonlyArray<string>) =>
  ok("agent.create", { first_name: "Ada", last_name: "Martin", handle, email_accounts: addresses(...emails) })

const change = (handle: string, input: object) => ok("agent.update", { agent_handle: handle, ...input })

const list = Effect.gen(function* () {
  return yield* (yield* MailboxesRepo).list(yield* CurrentOrganization)
})

const mailbox = (key: string) =>
  Effect.map(list, (rows) => rows.find((row) => row.key === key) ?? assert.fail(`no mailbox ${key}`))

const connect = (key: string, place: typeof inbox | null = inbox, at = start) =>
  Effect.gen(function* () {
    return yield* (yield* MailboxesRepo).saveInbox(yield* CurrentOrganization, key, place, at)
  })

const take = (now: string, limit = 10) =>
  Effect.gen(function* () {
    const organizationId = yield* CurrentOrganization
    return yield* (yield* MailboxesRepo).takeInboxes({ organizationId, now, leaseSeconds: 60, limit })
  })

const keysOf = (rows: ReadonlyArray<MailboxRow>) => rows.map(({ key }) => key)

const taken = (now: string) => Effect.map(take(now), ([row]) => row ?? assert.fail("no inbox is due"))

const readTo = (uid: number, at: string, changes: Partial<InboxRead> = {}): InboxRead => ({
  position: { INBOX: { validity: "7", uid } },
  state: "ok",
  problem: null,
  at,
  dueAt: isoFromMillis(Date.parse(at) + 600_000),
  ends: true,
  ...changes
})

const facts: DomainFacts = { spf: "pass", dkim: "unknown", dmarc: "missing", problems: ["Add it."], checked_at: start }

const takeMail = (hash: string, at = start) =>
  Effect.gen(function* () {
    return yield* (yield* MailboxesRepo).takeMail(yield* CurrentOrganization, { hash, at })
  })

const saveToken = (hash: string, leadId: string) =>
  Effect.gen(function* () {
    const organizationId = yield* CurrentOrganization
    const token = { organizationId, leadId, emailId: `eml_${hash}`, hash, createdAt: start }
    yield* (yield* MailboxesRepo).saveToken(token)
    return { organizationId, leadId, emailId: `eml_${hash}` }
  })

const findToken = (hash: string) => Effect.flatMap(MailboxesRepo, (repo) => repo.findToken(hash))

eachBackend("mailboxes", (layer) =>
  it.layer(layer)((it) => {
    it.effect("come with an account and go with it, by address", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(60_000)
        yield* agent("ada", "Zoë@example.com", "Ada@example.com")
        yield* TestClock.setTime(120_000)
        yield* change("ada", { email_accounts: addresses("Zoë@example.com", "Ada@example.com", "b@example.com") })
        const [first, ...rest] = yield* list
        const organizationId = yield* CurrentOrganization
        const id = first?.agent.id ?? ""
        assert.deepStrictEqual(first, {
          organizationId,
          key: "ada@example.com",
          address: "Ada@example.com",
          provider: "IMAP",
          agent: { id, handle: "ada", name: "Ada Martin" },
          createdAt: minutes(1),
          inbox: null,
          secret: null,
          position: {},
          since: minutes(1),
          state: "off",
          problem: null,
          readAt: null,
          domain: null,
          fence: 0
        })
        assert.deepStrictEqual(
          rest.map(({ address, createdAt }) => [address, createdAt]),
          [
            ["b@example.com", minutes(2)],
            ["Zoë@example.com", minutes(1)]
          ]
        )
        yield* change("ada", { email_accounts: addresses("b@example.com") })
        assert.deepStrictEqual(keysOf(yield* list), ["b@example.com"])
        yield* ok("agent.delete", { agent_handle: "ada" })
        assert.deepStrictEqual(yield* list, [])
        assert.isFalse(yield* connect("b@example.com"))
      }).pipe(inOrganization("org_accounts"))
    )

    it.effect("keep what is set and read when the agent changes, and forget it when another gets the address", () =>
      Effect.gen(function* () {
        yield* agent("ada", "ada@example.com")
        assert.isTrue(yield* connect("ada@example.com"))
        const row = yield* taken(start)
        assert.deepInclude(row, {
          inbox: account,
          secret: inbox.secret,
          since: start,
          state: "ok",
          readAt: null,
          fence: 2
        })
        const repo = yield* MailboxesRepo
        assert.isTrue(yield* repo.saveRead(row, readTo(5, minutes(1))))
        yield* repo.saveDomain("org_kept", "example.com", facts)
        yield* change("ada", { first_name: "Eve", email_accounts: addresses("ADA@example.com", "b@example.com") })
        assert.deepInclude(yield* mailbox("ada@example.com"), {
          ...{
            inbox: account,
            secret: inbox.secret,
            position: { INBOX: { validity: "7", uid: 5 } },
            readAt: minutes(1)
          },
          ...{ domain: facts, address: "ADA@example.com", createdAt: row.createdAt }
        })
        assert.strictEqual((yield* mailbox("ada@example.com")).agent.name, "Eve Martin")
        yield* change("ada", { email_accounts: [] })
        yield* agent("bob", "ada@example.com")
        assert.deepInclude(yield* mailbox("ada@example.com"), { inbox: null, secret: null, position: {}, domain: null })
      }).pipe(inOrganization("org_kept"))
    )

    it.effect("are leased to one process at a time, the one due longest first", () =>
      Effect.gen(function* () {
        yield* agent("ada", "a@example.com", "b@example.com", "c@example.com", "off@example.com")
        yield* connect("a@example.com", inbox, minutes(1))
        yield* connect("b@example.com", inbox, start)
        yield* connect("c@example.com", inbox, minutes(9))
        assert.deepStrictEqual(keysOf(yield* take(minutes(2), 1)), ["b@example.com"])
        assert.deepStrictEqual(keysOf(yield* take(minutes(2))), ["a@example.com"])
        assert.deepStrictEqual(yield* take(minutes(2)), [])
        assert.deepStrictEqual(
          keysOf(yield* take(minutes(3))),
          ["b@example.com", "a@example.com"],
          "their leases ended"
        )
      }).pipe(inOrganization("org_leases"))
    )

    it.effect("are saved by who has the lease, and by nobody whose fence is old", () =>
      Effect.gen(function* () {
        const repo = yield* MailboxesRepo
        yield* agent("ada", "ada@example.com")
        yield* connect("ada@example.com")
        const old = yield* taken(start)
        assert.isTrue(yield* repo.renewInbox(old, minutes(1), 60))
        assert.deepStrictEqual(yield* take(minutes(1)), [])
        const held = yield* taken(minutes(2))
        assert.isFalse(yield* repo.renewInbox(old, minutes(2), 60))
        assert.isFalse(yield* repo.saveRead(old, readTo(9, minutes(2))))
        assert.isTrue(yield* repo.saveRead(held, readTo(3, minutes(2), { ends: false, dueAt: minutes(2) })))
        assert.deepStrictEqual(yield* take(minutes(2)), [], "the lease goes on")
        const problem = { state: "login", problem: "The server refused the login." } as const
        assert.isTrue(yield* repo.saveRead(held, readTo(4, minutes(2), problem)))
        assert.isFalse(yield* repo.saveRead(held, readTo(5, minutes(2))), "the lease ended")
        assert.isFalse(yield* repo.renewInbox(held, minutes(2), 60))
        const saved = yield* mailbox("ada@example.com")
        assert.deepInclude(saved, { ...problem, position: { INBOX: { validity: "7", uid: 4 } }, readAt: minutes(2) })
        assert.deepStrictEqual(yield* take(minutes(11)), [], "due ten minutes later")
        const last = yield* taken(minutes(12))
        yield* connect("ada@example.com", { ...inbox, since: minutes(5) }, minutes(12))
        assert.isFalse(yield* repo.saveRead(last, readTo(6, minutes(12))), "it is another inbox by now")
        assert.deepInclude(yield* taken(minutes(12)), { position: {}, since: minutes(5), state: "ok", problem: null })
        yield* connect("ada@example.com", null)
        assert.deepInclude(yield* mailbox("ada@example.com"), { inbox: null, secret: null, position: {}, state: "off" })
        assert.deepStrictEqual(yield* take(minutes(99)), [])
      }).pipe(inOrganization("org_fences"))
    )

    it.effect("make work that workers are told of", () =>
      Effect.gen(function* () {
        const { find, settle } = yield* DueWork
        const organizationId = yield* CurrentOrganization
        const isTold = (now: string) =>
          Effect.map(find("mailboxes", now, 1_000), (found) => found.includes(organizationId))
        yield* agent("ada", "ada@example.com")
        yield* connect("ada@example.com", inbox, minutes(1))
        assert.isTrue(yield* isTold(minutes(1)))
        const row = yield* taken(minutes(1))
        yield* settle(organizationId, "mailboxes", { at: minutes(1), again: minutes(1) })
        assert.isTrue(yield* isTold(minutes(2)), "when the lease ends")
        yield* (yield* MailboxesRepo).saveRead(row, readTo(1, minutes(1), { dueAt: minutes(1.5) }))
        assert.isTrue(yield* isTold(minutes(1.5)))
        yield* connect("ada@example.com", null)
        yield* settle(organizationId, "mailboxes", { at: minutes(2), again: minutes(2) })
        if (Option.isSome(yield* Effect.serviceOption(SqlClient))) assert.isFalse(yield* isTold(minutes(99)))
      }).pipe(inOrganization("org_due"))
    )

    it.effect("have passwords that no table holds in plain text, each of one mailbox", () =>
      Effect.gen(function* () {
        yield* agent("ada", "ada@example.com", "b@example.com")
        yield* connect("ada@example.com")
        const sql = yield* Effect.serviceOption(SqlClient)
        if (Option.isNone(sql)) return
        const read = sql.value<{ readonly secret: string | null }>`
          select secret from svc.agent_email_accounts where organization_id = 'org_secrets' order by email_key`
        const [stored, none] = yield* read
        assert.match(stored?.secret ?? "", /^v1\.[0-9a-f]{8}\.[\w-]{30,}$/)
        assert.isNull(none?.secret)
        yield* sql.value`
          update svc.agent_email_accounts set secret = ${stored?.secret ?? ""} where organization_id = 'org_secrets'`
        assert.deepStrictEqual(
          (yield* list).map(({ secret }) => secret),
          [inbox.secret, null]
        )
      }).pipe(inOrganization("org_secrets"))
    )

    it.effect("have what the DNS says of their own domain", () =>
      Effect.gen(function* () {
        yield* agent("ada", "a@example.com", "b@example.com", "c@mail.example.com", "d@example.org")
        yield* (yield* MailboxesRepo).saveDomain("org_domains", "example.com", facts)
        assert.deepStrictEqual(
          (yield* list).map(({ domain }) => domain),
          [facts, facts, null, null]
        )
      }).pipe(inOrganization("org_domains"))
    )

    it.effect("take a mail in once, unless what follows from it fails, and know it for 90 days", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const failed = yield* Effect.exit(run(Effect.andThen(takeMail("a"), Effect.fail("no"))))
        assert.strictEqual(failed._tag, "Failure")
        assert.isTrue(yield* run(takeMail("a")))
        assert.isFalse(yield* run(takeMail("a")))
        assert.isTrue(yield* takeMail("b", minutes(1)))
        yield* TestClock.setTime(90 * 86_400_000 + 1)
        assert.deepStrictEqual(yield* deleteOldRows("org_mails"), { mails: 1 })
        assert.isTrue(yield* takeMail("a"))
        assert.isFalse(yield* takeMail("b"))
      }).pipe(inOrganization("org_mails"))
    )

    it.effect("know what an unsubscribe token stands for, after a merge and after an erasure too", () =>
      Effect.gen(function* () {
        const [winner, loser, other] = yield* Effect.forEach(["a", "b", "c"], (name) =>
          lead({ email: `${name}@lead.example` })
        )
        const [mine, theirs] = [yield* saveToken("1", winner ?? ""), yield* saveToken("2", loser ?? "")]
        const kept = yield* saveToken("3", other ?? "")
        assert.deepStrictEqual([yield* findToken("1"), yield* findToken("2")], [mine, theirs])
        assert.isUndefined(yield* findToken("4"))
        yield* ok("lead.merge", { winner_lead_id: winner, loser_lead_ids: [loser] })
        assert.deepStrictEqual(yield* findToken("2"), { ...theirs, leadId: winner ?? "" })
        yield* ok("lead.erase", { lead_id: winner, confirm: winner })
        assert.deepStrictEqual(yield* findToken("1"), { ...mine, leadId: null })
        assert.deepStrictEqual(yield* findToken("2"), { ...theirs, leadId: null })
        assert.deepStrictEqual(yield* findToken("3"), kept)
      }).pipe(inOrganization("org_tokens"))
    )

    it.effect("know the lead of a mail, and the leads of a thread", () =>
      Effect.gen(function* () {
        const [leads, mails] = [yield* LeadsRepo, yield* MailboxesRepo]
        const organizationId = yield* CurrentOrganization
        const sent = { mailbox: "ada@example.com", thread: "threads.example hello" }
        const ids = yield* Effect.forEach(["a", "b", "c"], (name) => lead({ email: `${name}@threads.example` }))
        const message = {
          organizationId,
          channel: "EMAIL",
          senderName: null,
          content: "Hi",
          direction: "outbound"
        } as const
        for (const [index, leadId] of ids.entries()) {
          const mail = { ...sent, subject: "Hello", quoted: "", attachments: [] }
          const own = { id: `msg_t${index}`, externalId: `${index}@threads.example`, leadId, date: minutes(index) }
          yield* leads.addMessage({ ...message, ...own, mail })
          const found = yield* mails.leadsOfThread(organizationId, { ...sent, since: "1969-01-01T00:00:00.000Z" })
          assert.sameMembers([...found], index < 2 ? ids.slice(0, index + 1) : [...found])
          assert.isAtMost(found.length, 2)
        }
        assert.deepStrictEqual(yield* mails.leadsOfThread(organizationId, { ...sent, since: minutes(5) }), [])
        assert.strictEqual(yield* mails.leadOfMails(organizationId, ["9@x", "1@threads.example"]), ids[1])
        assert.isUndefined(yield* mails.leadOfMails(organizationId, ["9@x"]))
        assert.isUndefined(yield* mails.leadOfMails("org_nobody", ["1@threads.example"]))
      }).pipe(inOrganization("org_threads"))
    )

    it.effect("give their mails to an export of the person, and to an erasure", () =>
      Effect.gen(function* () {
        const [leadId, organizationId] = [yield* lead({ email: "a@lead.example" }), yield* CurrentOrganization]
        const mail = {
          subject: "Re: Hello",
          quoted: "> Hi",
          attachments: ["cv.pdf"],
          mailbox: "ada@example.com",
          thread: "example.com hello"
        }
        const message = { organizationId, leadId, direction: "inbound", channel: "EMAIL", senderName: null } as const
        const repo = yield* LeadsRepo
        const rest = { content: "Yes", date: start }
        yield* repo.addMessage({ ...message, ...rest, id: "msg_1", externalId: "1@lead.example", mail })
        yield* repo.addMessage({ ...message, ...rest, id: "msg_2", externalId: "2@lead.example" })
        const { messages } = (yield* ok("lead.export", { lead_id: leadId })).export
        assert.deepStrictEqual(
          messages.map((one: { readonly mail: unknown }) => one.mail),
          [mail, null]
        )
        yield* ok("lead.erase", { lead_id: leadId, confirm: leadId })
      }).pipe(inOrganization("org_export"))
    )

    it.effect("are those of one organization", () =>
      Effect.gen(function* () {
        yield* agent("ada", "ada@example.com")
        yield* connect("ada@example.com")
        yield* takeMail("apart")
        const token = yield* saveToken("apart", yield* lead({ email: "a@lead.example" }))
        yield* organization("org_other")
        const elsewhere = Effect.provideService(CurrentOrganization, "org_other")
        assert.deepStrictEqual(yield* elsewhere(list), [])
        assert.deepStrictEqual(yield* elsewhere(take(minutes(1))), [])
        assert.isFalse(yield* elsewhere(connect("ada@example.com", null)))
        yield* (yield* MailboxesRepo).saveDomain("org_other", "example.com", facts)
        assert.deepInclude(yield* mailbox("ada@example.com"), { inbox: account, domain: null })
        const row = yield* taken(minutes(1))
        const foreign = { ...row, organizationId: "org_other" }
        assert.isFalse(yield* (yield* MailboxesRepo).saveRead(foreign, readTo(1, minutes(1))))
        assert.isTrue(yield* elsewhere(takeMail("apart")))
        assert.deepStrictEqual(yield* elsewhere(findToken("apart")), token)
      }).pipe(inOrganization("org_one"))
    )
  })
)
