/** Words of reports whose meaning is easily mistaken. */
import { assert, describe, it } from "@effect/vitest"
import type { InboundMail } from "#core/email/InboundMail.ts"
import { bounceKindOf } from "#core/email/inbound/bounces.ts"
import { classifyMail } from "#core/email/inbound/classifyMail.ts"

const report: InboundMail = {
  messageId: "report@mx.example",
  references: [],
  from: { name: "Mail Delivery Subsystem", address: "mailer-daemon@mx.example" },
  to: ["ada@sender.example"],
  subject: "Undelivered mail",
  date: null,
  text: "",
  quoted: "",
  headers: new Map(),
  attachments: [],
  statuses: [],
  feedback: null,
  reported: null
}

const kindOf = (mail: Partial<InboundMail>): string => {
  const meaning = classifyMail({ ...report, ...mail }, "2026-11-27T10:00:00.000Z")
  return meaning._tag === "Bounce" ? meaning.kind : meaning._tag
}

describe("the words of a report", () => {
  it("reject an address that does not exist, even where a domain follows", () => {
    assert.strictEqual(
      bounceKindOf("550 5.1.1 <x@y.example>: Recipient address rejected: y.example [RCPT_TO]", ""),
      "hard"
    )
    assert.strictEqual(bounceKindOf("550 5.7.1 Recipient address rejected: Blocked by policy", ""), "policy")
  })

  it("are about relaying, not about a host of that name", () => {
    assert.strictEqual(bounceKindOf("relay.example: Message expired", ""), "soft")
    assert.strictEqual(bounceKindOf("550 Unable to relay.", ""), "policy")
  })

  it("say that an address does not exist under the subject of a warning", () => {
    assert.strictEqual(kindOf({ subject: "Warning: x@y.example", text: "x@y.example - no such user here." }), "hard")
    assert.strictEqual(kindOf({ subject: "Warning: message delayed", text: "It will be tried again." }), "Notice")
  })

  it("reject in a report on what a recipient did, which otherwise says that a mail was read", () => {
    const type = ["content-type", "multipart/report; report-type=disposition-notification"] as const
    const rejected = ["auto-submitted", "auto-replied (rejected)"] as const
    const mail = {
      subject: "Automatically rejected mail",
      text: "Your message was automatically rejected:\nQuota exceeded"
    }
    assert.strictEqual(kindOf({ ...mail, headers: new Map([type, rejected]) }), "full")
    assert.strictEqual(kindOf({ ...mail, headers: new Map([type]) }), "Notice")
  })
})
