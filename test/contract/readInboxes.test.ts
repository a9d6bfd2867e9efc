/** Inboxes on every store: read to their end, once, whatever happens meanwhile, and looked at again when they work again. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type InboxAccount, InboxProblem } from "#core/email/InboxGateway.ts"
import { MailboxesRepo } from "#core/email/MailboxesRepo.ts"
import { InboxScript } from "#memory/simulator/SimulatedInbox.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { lead, ok } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"
import { addressOf, answer, events, keptMail, mail, prepare, read, receive, said, send } from "./mailWorld.ts"

const mailbox = Effect.gen(function* () {
  const { mailboxes } = yield* ok("email.mailbox.list", {})
  return mailboxes[0]
})

const stateOfMailbox = Effect.map(mailbox, (one) => [one.inbox_state, one.inbox_problem])

const grace = lead({ name: "Grace", email: "grace@lead.example" })

eachBackendWith(keptMail)("inboxes", (world) =>
  it.layer(world)((it) => {
    it.effect("are read to their end, page by page, and each mail is taken in once", () =>
      Effect.gen(function* () {
        const address = yield* prepare()
        const lead_id = yield* grace
        const texts = Array.from({ length: 120 }, (_, index) => `Answer ${index}`)
        yield* (yield* InboxScript).put(address, ...texts.map((text) => mail({ text })))
        assert.strictEqual(yield* read, 120)
        assert.strictEqual(yield* read, 0)
        assert.strictEqual(yield* receive(mail({ text: "One more" })), 1)
        const { messages, next_cursor } = yield* ok("email.conversation.get", { lead_id, limit: 100 })
        const rest = yield* ok("email.conversation.get", { lead_id, limit: 100, cursor: next_cursor })
        const all = [...messages, ...rest.messages].map(({ content }: { readonly content: string }) => content)
        assert.deepStrictEqual(all.toSorted(), [...texts, "One more"].toSorted())
        assert.deepStrictEqual(yield* stateOfMailbox, ["ok", null])
        assert.deepStrictEqual(yield* events("mailbox.status_changed"), [])
      }).pipe(inOrganization("org_in_read"))
    )

    it.effect("that are numbered anew, or connected again, double nothing", () =>
      Effect.gen(function* () {
        const address = yield* prepare()
        const lead_id = yield* grace
        const mails = [mail(), mail({ messageId: null, text: "Without an id" })]
        assert.strictEqual(yield* receive(...mails), 2)
        yield* (yield* InboxScript).renumber(address)
        assert.strictEqual(yield* receive(mail({ text: "New" })), 3)
        yield* ok("email.mailbox.disconnect-inbox", { email: address })
        assert.deepStrictEqual(yield* stateOfMailbox, ["off", null])
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* read, 0)
        yield* ok("email.mailbox.connect-inbox", { email: address, host: "imap.example", password: "x" })
        assert.strictEqual(yield* read, 3)
        assert.deepStrictEqual((yield* said(lead_id)).toSorted(), ["New", "Thank you, tell me more.", "Without an id"])
        assert.lengthOf(yield* events("lead.replied"), 3)
      }).pipe(inOrganization("org_in_again"))
    )

    for (const [kind, pause] of [
      ["login", "1 hour"],
      ["unreachable", "2 minutes"],
      ["folder", "15 minutes"]
    ] as const) {
      it.effect(`that are broken (${kind}) say so, wait, and go on where they were`, () =>
        Effect.gen(function* () {
          const address = yield* prepare()
          const lead_id = yield* grace
          yield* receive(mail({ text: "Before" }))
          const script = yield* InboxScript
          yield* script.break(address, new InboxProblem({ kind, detail: `It is ${kind}.` }))
          assert.strictEqual(yield* receive(mail({ text: "Meanwhile" })), 0)
          assert.deepStrictEqual(yield* stateOfMailbox, [kind, `It is ${kind}.`])
          yield* script.break(address, undefined)
          assert.strictEqual(yield* read, 0)
          yield* TestClock.adjust(pause)
          assert.strictEqual(yield* read, 1)
          assert.deepStrictEqual(yield* stateOfMailbox, ["ok", null])
          assert.deepStrictEqual(yield* said(lead_id), ["Meanwhile", "Before"])
          const changes = yield* events("mailbox.status_changed")
          assert.deepStrictEqual(
            changes.map(({ data, subject }) => [subject.id, data["from"], data["to"]]),
            [
              [address, "ok", kind],
              [address, kind, "ok"]
            ]
          )
        }).pipe(inOrganization(`org_in_${kind}`))
      )
    }

    it.effect("that stay broken say so once", () =>
      Effect.gen(function* () {
        const address = yield* prepare()
        yield* (yield* InboxScript).break(address, new InboxProblem({ kind: "login", detail: "Wrong password." }))
        for (let hour = 0; hour < 3; hour++) {
          assert.strictEqual(yield* read, 0)
          yield* TestClock.adjust("1 hour")
        }
        assert.lengthOf(yield* events("mailbox.status_changed"), 1)
      }).pipe(inOrganization("org_in_stays"))
    )

    it.effect("without a password that can be read say so, and so do those that need a token", () =>
      Effect.gen(function* () {
        const address = yield* prepare()
        const organizationId = yield* CurrentOrganization
        const { saveInbox } = yield* MailboxesRepo
        const account: InboxAccount = {
          ...{ host: "imap.example", port: 993, user: address, folders: [] },
          security: "tls",
          login: "password"
        }
        const place = { secret: null, since: "1970-01-01T00:00:00.000Z" }
        yield* saveInbox(organizationId, address, { ...place, account }, "1970-01-01T00:00:00.000Z")
        yield* read
        assert.deepStrictEqual(yield* stateOfMailbox, [
          "login",
          "The password cannot be read. Connect the inbox again."
        ])
        const token: InboxAccount = { ...account, login: "token" }
        yield* saveInbox(organizationId, address, { ...place, account: token }, "1970-01-01T00:00:00.000Z")
        yield* read
        const [state, problem] = yield* stateOfMailbox
        assert.strictEqual(state, "login")
        assert.include(problem, "No tokens for mailboxes are configured.")
      }).pipe(inOrganization("org_in_secret"))
    )

    it.effect("a mail that cannot be stored blocks none of those after it", () =>
      Effect.gen(function* () {
        yield* prepare()
        const [lead_id, other] = [yield* grace, yield* lead({ email: "other@lead.example" })]
        const { left } = yield* send(lead_id)
        const message = { channel: "EMAIL", direction: "inbound", content: "Known", external_id: "1@lead.example" }
        yield* ok("lead.message.record", { ...message, lead_id: other })
        // Nothing that a database could make shorter.
        const long = Array.from({ length: 5_000 }, (_, n) =>
          String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))
        ).join("")
        const odd = "a\u0000b \ud800 c"
        yield* receive(
          mail({ messageId: "1@lead.example", text: "Of another lead" }),
          answer(left, { subject: odd, text: odd, quoted: odd, attachments: [odd], messageId: `${odd}@lead.example` }),
          answer(left, { text: "", attachments: ["cv.pdf"] }),
          answer(left, { text: "x".repeat(50_000), subject: long, quoted: `z${"💌".repeat(15_000)}` }),
          answer(left, { references: [odd, left.messageId], from: { name: odd, address: odd }, text: "From nowhere" }),
          answer(left, { date: "2999-01-01T00:00:00.000Z", text: "Late" })
        )
        const texts = yield* said(lead_id)
        assert.deepStrictEqual(
          texts.map((text) => text.slice(0, 20)).toSorted(),
          ["", "From nowhere", "Late", "ab \ufffd c", "xxxxxxxxxxxxxxxxxxxx"].toSorted()
        )
      }).pipe(inOrganization("org_in_odd"))
    )

    it.effect("of several mailboxes are each read, and a broken one holds none of the others", () =>
      Effect.gen(function* () {
        yield* prepare("ada", "bob")
        const lead_id = yield* grace
        const script = yield* InboxScript
        const [first, second] = [yield* addressOf("ada"), yield* addressOf("bob")]
        yield* script.break(first, new InboxProblem({ kind: "unreachable", detail: "No answer." }))
        yield* script.put(first, mail({ text: "To Ada" }))
        const both = mail({ text: "To both" })
        yield* script.put(second, mail({ text: "To Bob" }), both)
        assert.strictEqual(yield* read, 2)
        yield* script.break(first, undefined)
        yield* script.put(first, both)
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(yield* read, 2)
        assert.deepStrictEqual((yield* said(lead_id)).toSorted(), ["To Ada", "To Bob", "To both"])
      }).pipe(inOrganization("org_in_several"))
    )
  })
)
