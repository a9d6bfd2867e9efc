/** What a received mail is: an answer of a person is one whatever it speaks of, and what a program wrote is none. */
import { assert, describe, it } from "@effect/vitest"
import type { InboundMail } from "#core/email/InboundMail.ts"
import { bounceKindOf } from "#core/email/inbound/bounces.ts"
import { classifyMail } from "#core/email/inbound/classifyMail.ts"
import { hashOfMail } from "#core/email/inbound/receiveMail.ts"
import { mail } from "../../contract/mailWorld.ts"

const at = "2026-03-02T09:00:00.000Z"

const meaningOf = (changes: Partial<InboundMail>) => classifyMail(mail(changes), at)._tag

const from = (address: string, name = "") => ({ from: { name, address } })

const headers = (...pairs: ReadonlyArray<readonly [string, string]>) => ({ headers: new Map(pairs) })

describe("an answer of a person", () => {
  it.each([
    "Re: Vacation rentals for your team",
    "AW: Urlaubsplanung 2026",
    "Re: Absence management",
    "Re: Away from spreadsheets",
    "Re: Mail delivery problems",
    "Re: Your delivery report failed",
    "Re: Undelivered parcels",
    "Re: Delayed invoices",
    "Fwd: Re: Returned mail and how to avoid it",
    "Re: Bounce rates",
    ""
  ])("stays one under the subject %s", (subject) => {
    for (const sender of ["grace@lead.example", "mail@lead.example", "mailer@lead.example", "bob@mailer.example"]) {
      assert.strictEqual(meaningOf({ ...from(sender, "Grace"), subject }), "Letter", `${sender} ${subject}`)
    }
  })

  it("stays one with headers that say nothing else", () => {
    assert.strictEqual(meaningOf(headers(["auto-submitted", "no"])), "Letter")
    assert.strictEqual(meaningOf(headers(["precedence", "normal"])), "Letter")
    assert.strictEqual(meaningOf({ ...headers(["list-id", "<x>"]), references: ["a@b"] }), "Letter")
  })
})

describe("hostile mails", () => {
  it("are classified, however often they repeat what is looked for", () => {
    const parts = [
      "re: ",
      "Re:  ",
      "user",
      "user unknown ",
      "exceed",
      "no ",
      "delivery fail",
      "\n> ",
      "original message "
    ]
    for (const part of parts) {
      const text = part.repeat(2_000)
      assert.isString(meaningOf({ subject: text.slice(0, 998), text, quoted: text }))
      assert.isString(meaningOf({ ...from("mailer-daemon@x.example"), subject: "x", text, quoted: text }))
      assert.isString(bounceKindOf(text, "5.0.0"))
    }
  })
})

describe("a mail of a program", () => {
  it.each([
    { ...headers(["auto-submitted", "auto-replied"]) },
    { ...headers(["auto-submitted", "auto-generated; type=x"]) },
    { ...headers(["precedence", "auto_reply"]) },
    { ...headers(["x-autoreply", "yes"]) },
    { subject: "Automatic reply: Invoices" },
    { subject: "Out of office: Re: Invoices" },
    { subject: "Re: Out of office" },
    { subject: "Automatische Antwort: Invoices" },
    { subject: "Abwesenheitsnotiz: Invoices" },
    { subject: "Réponse automatique : Invoices" },
    { subject: "Respuesta automática: Invoices" },
    { subject: "Risposta automatica: Invoices" },
    { subject: "Resposta automática: Invoices" },
    { subject: "Automatisch antwoord: Invoices" }
  ])("is no letter: %o", (changes) => {
    assert.strictEqual(meaningOf(changes), "Automatic")
  })

  it("that reports is a bounce, a complaint or a notice, never a letter", () => {
    const status = { recipient: "grace@lead.example", action: "failed", status: "5.1.1", diagnostic: "" }
    const statuses = (action: string) => [{ ...status, action }]
    assert.strictEqual(meaningOf({ statuses: statuses("failed") }), "Bounce")
    assert.strictEqual(meaningOf({ statuses: statuses("") }), "Bounce")
    for (const action of ["delayed", "delivered", "relayed", "expanded"]) {
      assert.strictEqual(meaningOf({ statuses: statuses(action) }), "Notice", action)
    }
    assert.strictEqual(meaningOf({ statuses: [...statuses("delivered"), ...statuses("failed")] }), "Bounce")
    assert.strictEqual(meaningOf({ feedback: "abuse" }), "Complaint")
    assert.strictEqual(meaningOf({ feedback: "not-spam", statuses: statuses("failed") }), "Notice")
    for (const address of ["mailer-daemon@x.example", "MAILER-DAEMON@x.example", "postmaster@x.example"]) {
      assert.strictEqual(meaningOf({ ...from(address), subject: "failure notice", text: "User unknown" }), "Bounce")
    }
    assert.strictEqual(
      meaningOf({ from: null, subject: "Mail delivery failed: returning message to sender" }),
      "Bounce"
    )
  })
})

describe("a bounce", () => {
  it.each([
    ["hard", "550 5.1.1 <x@y>: Recipient address rejected: User unknown", "5.1.1"],
    ["hard", "550 No such user here", ""],
    ["hard", "The email account that you tried to reach does not exist.", "5.1.1"],
    ["hard", "Host or domain name not found", "5.4.4"],
    ["hard", "", "5.1.1"],
    ["hard", "", "5.1.10"],
    ["full", "452 4.2.2 The email account that you tried to reach is over quota", "4.2.2"],
    ["full", "552 Mailbox full", ""],
    ["full", "", "5.2.2"],
    ["policy", "554 5.7.1 Message rejected as spam", "5.7.1"],
    ["policy", "550 5.7.26 This mail is unauthenticated (SPF)", "5.7.26"],
    ["policy", "", "5.7.1"],
    ["soft", "451 4.7.1 Greylisted, try again later", "4.7.1"],
    ["soft", "Connection timed out", "4.4.1"],
    ["soft", "", ""]
  ] as const)("is %s: %s %s", (kind, diagnostic, status) => {
    assert.strictEqual(bounceKindOf(diagnostic, status), kind)
  })

  it("takes no longer for a long text", () => {
    const began = performance.now()
    for (const word of ["user ", "mailbox\n", "exceeds ", "no-such ", "550 ", "unable deliver "]) {
      bounceKindOf(word.repeat(50_000), "")
      meaningOf({ subject: word.repeat(50_000), text: word.repeat(50_000) })
    }
    assert.isBelow(performance.now() - began, 5_000)
  })
})

describe("the hash of a mail", () => {
  it("is that of its Message-ID, or of all that tells it from others", () => {
    const one = mail({ messageId: "a@b" })
    assert.strictEqual(hashOfMail({ ...one, text: "Other" }), hashOfMail(one))
    const bare = mail({ messageId: null })
    assert.strictEqual(hashOfMail({ ...bare, to: ["x@y"], headers: new Map([["received", "x"]]) }), hashOfMail(bare))
    for (const changes of [{ text: "Other" }, { subject: "Other" }, { date: at }, { from: null }]) {
      assert.notStrictEqual(hashOfMail({ ...bare, ...changes }), hashOfMail(bare))
    }
    assert.match(hashOfMail(bare), /^[0-9a-f]{64}$/)
  })
})
