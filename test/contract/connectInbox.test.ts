/** Connecting an inbox, on every store: it is tried first, and its password is told to nobody. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { InboxGateway, InboxProblem } from "#core/email/InboxGateway.ts"
import { MailboxesRepo } from "#core/email/MailboxesRepo.ts"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import { InboxScript } from "#memory/simulator/SimulatedInbox.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { organization } from "../support/organization.ts"
import { accepted, actor, ask, code, ok, refused, verdict } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"
import { addressOf, keptMail, mail, read } from "./mailWorld.ts"

const connect = "email.mailbox.connect-inbox"
const password = "correct horse battery"

/** An agent with a mailbox that nobody reads yet. */
const agent = Effect.gen(function* () {
  const email = yield* addressOf()
  const email_accounts = [{ provider: "IMAP", email }]
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", email_accounts })
  return email
})

const stored = Effect.gen(function* () {
  const [row] = yield* (yield* MailboxesRepo).list(yield* CurrentOrganization)
  return row ?? assert.fail("no mailbox")
})

/** Everything that somebody could read of what happened. */
const told = Effect.gen(function* () {
  const audit = yield* ok("audit.list", { limit: 100 })
  const events = yield* ok("event.list", { limit: 100 })
  const approvals = yield* ok("approval.list", { state: "all" })
  const mailboxes = yield* ok("email.mailbox.list", {})
  return JSON.stringify([audit, events, approvals, mailboxes])
})

eachBackendWith(keptMail)("connecting an inbox", (world) =>
  it.layer(world)((it) => {
    it.effect("logs in first, and stores nothing where that fails", () =>
      Effect.gen(function* () {
        const email = yield* agent
        const script = yield* InboxScript
        yield* script.break(email, new InboxProblem({ kind: "login", detail: "The password is refused." }))
        const input = { email, host: "imap.example", password }
        const said = yield* refused(connect, input)
        assert.include(said, "INVALID_INPUT")
        assert.include(said, "The password is refused.")
        assert.notInclude(said, password)
        assert.deepInclude(yield* stored, { inbox: null, secret: null, state: "off" })
        yield* script.break(email, undefined)
        const { mailbox } = yield* ok(connect, input)
        assert.deepInclude(mailbox, {
          email,
          inbox_state: "ok",
          inbox: { host: "imap.example", port: 993, security: "tls", user: email, login: "password", folders: [] }
        })
        assert.strictEqual((yield* stored).secret, password)
        // A second try that fails leaves the first as it is.
        yield* script.break("other", new InboxProblem({ kind: "unreachable", detail: "No answer." }))
        assert.strictEqual(yield* code(connect, { ...input, user: "other", password: "x" }), "INVALID_INPUT")
        assert.deepInclude(yield* stored, { secret: password })
        assert.notInclude(yield* told, password)
        assert.notInclude(JSON.stringify(mailbox), password)
      }).pipe(inOrganization("org_connect"))
    )

    it.effect("as a dry run asks nobody and stores nothing", () =>
      Effect.gen(function* () {
        const email = yield* agent
        const nobody = Effect.provideService(InboxGateway, { open: () => Effect.die("asked") })
        const input = { email, host: "imap.example", password }
        const { data, warnings } = yield* nobody(accepted(connect, input, { options: { dryRun: true } }))
        assert.deepInclude(data.mailbox.inbox, { host: "imap.example" })
        assert.match(warnings.join(), /not_asked/)
        assert.deepInclude(yield* stored, { inbox: null, secret: null, state: "off" })
      }).pipe(inOrganization("org_connect_dry"))
    )

    it.effect("sends no password in plain text but on this machine, and needs a server and a mailbox", () =>
      Effect.gen(function* () {
        const email = yield* agent
        const plain = { email, security: "plain", password }
        assert.include(yield* refused(connect, { ...plain, host: "imap.example" }), "INVALID_INPUT")
        assert.include(yield* refused(connect, { ...plain, host: "localhost.example" }), "INVALID_INPUT")
        const { mailbox } = yield* ok(connect, { ...plain, host: "127.0.0.1" })
        assert.deepInclude(mailbox.inbox, { port: 143, security: "plain" })
        assert.strictEqual(yield* verdict(connect, { email, password }), "400 INVALID_INPUT")
        assert.include(yield* refused(connect, { email, host: "imap.example" }), "No tokens for mailboxes")
        assert.strictEqual(yield* verdict(connect, { email: "nobody@x.example", host: "h" }), "404 NOT_FOUND")
      }).pipe(inOrganization("org_connect_plain"))
    )

    it.effect("waits for approval with an encrypted password, and works once it is approved", () =>
      Effect.gen(function* () {
        const email = yield* agent
        const organizationId = yield* CurrentOrganization
        const policies = { ...noPolicies, key: { mutate: "ask" } } as const
        const program = actor(organizationId, { kind: "AI_AGENT", userId: "usr_bot", keyId: "aaaaaaaaaaaa", policies })
        const input = { email, host: "imap.example", password }
        const { envelope } = yield* ask(connect, input, { actor: program })
        const approval_request_id = envelope.meta.approval_request_id
        assert.isString(approval_request_id)
        assert.deepInclude(yield* stored, { inbox: null, secret: null })
        const shown = yield* ok("approval.get", { approval_request_id })
        assert.notInclude(JSON.stringify([shown, envelope]), password)
        assert.notInclude(yield* told, password)
        const { approval } = yield* ok("approval.resolve", { approval_request_id, decision: "approve" })
        assert.strictEqual(approval.outcome, "ok")
        assert.deepInclude(yield* stored, { secret: password, state: "ok" })
        yield* (yield* InboxScript).put(email, mail())
        assert.strictEqual(yield* read, 1)
        assert.notInclude(yield* told, password)
      }).pipe(inOrganization("org_connect_ask"))
    )

    it.effect("and all other commands know no mailbox of another organization", () =>
      Effect.gen(function* () {
        const email = yield* agent
        yield* ok(connect, { email, host: "imap.example", password })
        const before = yield* stored
        yield* organization("org_connect_foreign")
        const by = { actor: actor("org_connect_foreign", { policies: noPolicies }) }
        const inputs: ReadonlyArray<readonly [string, object]> = [
          [connect, { host: "imap.example", password: "x" }],
          ["email.mailbox.disconnect-inbox", {}],
          ["email.mailbox.set-limits", { hour: 1 }],
          ["email.mailbox.check", {}]
        ]
        for (const [command, input] of inputs) {
          assert.strictEqual(yield* verdict(command, { email, ...input }, by), "404 NOT_FOUND", command)
        }
        assert.deepStrictEqual(yield* ok("email.mailbox.list", {}, by), { mailboxes: [] })
        const { secret } = yield* ok("email.inbound.get", {}, by)
        assert.notStrictEqual((yield* ok("email.inbound.get", {})).secret, secret)
        assert.deepStrictEqual(yield* stored, before)
      }).pipe(inOrganization("org_connect_own"))
    )
  })
)
