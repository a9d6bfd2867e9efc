/** Reports on e-mails whose process has not noted yet that they left, on every store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { EmailGateway, type EmailOutcome } from "#core/email/EmailGateway.ts"
import type { InboundMail } from "#core/email/InboundMail.ts"
import { receiveMail } from "#core/email/inbound/receiveMail.ts"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { runAsService } from "#core/kernel/background/Worker.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const reportOn = (messageId: string, to: string): InboundMail => ({
  messageId: `report-on-${messageId}`,
  references: [],
  from: { name: "", address: "mailer-daemon@mx.example" },
  to: ["ada@sender.example"],
  subject: "Undelivered Mail Returned to Sender",
  date: null,
  text: "",
  quoted: "",
  headers: new Map(),
  attachments: [],
  statuses: [{ recipient: to, action: "failed", status: "5.1.1", diagnostic: "550 5.1.1 User unknown" }],
  feedback: null,
  reported: messageId
})

eachBackend("reports that come early", (world) => {
  it.layer(world)((it) => {
    /** Sends an e-mail on which a report comes while the mail server is asked; `outcome` is what it then says. */
    const sent = Effect.fnUntraced(function* (organizationId: string, outcome: EmailOutcome) {
      const as = { actor: owner(organizationId) }
      yield* organization(organizationId)
      const email_accounts = [{ provider: "SMTP", email: "ada@sender.example" }]
      yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", email_accounts }, as)
      yield* ok("mission.create", { name: "auto", agent_handle: "ada-martin", email_review_strategy: "AUTO" }, as)
      const { lead_id } = yield* ok("lead.upsert", { email: "gone@example.com", name: "Grace Hopper" }, as)
      const letter = { lead_id, mission_id: "auto", subject: "Invoices", body_text: "Hello" }
      yield* ok("email.send", letter, as)
      yield* TestClock.adjust("11 seconds")
      const receive = (messageId: string) =>
        runAsService(
          as.actor.organizationId,
          receiveMail(reportOn(messageId, "gone@example.com"), { address: "ada@sender.example" })
        )
      const send = EmailGateway.of({
        send: ({ messageId }) => Effect.as(Effect.orDie(receive(messageId)), outcome)
      } as EmailGateway["Service"])
      yield* Effect.provideService(dispatchEmails({ organizationId }), EmailGateway, send)
      const { emails } = yield* ok("email.list", {}, as)
      const { messages } = yield* ok("email.conversation.get", { lead_id }, as)
      const { events } = yield* ok("event.list", { types: "email.bounced" }, as)
      const types = events.map(({ type }: { readonly type: string }) => type)
      return { state: emails[0].state, reason: emails[0].reason, messages: messages.length, types }
    })

    const bounced = { state: "failed", reason: "bounced_hard", messages: 1, types: ["email.bounced"] }

    it.effect("count as for any other, and the e-mail left", () =>
      Effect.gen(function* () {
        assert.deepEqual(yield* sent("org_1", { _tag: "Confirmed", messageId: "x@sender.example" }), bounced)
      })
    )

    it.effect("say that an e-mail left whose outcome stays unknown", () =>
      Effect.gen(function* () {
        assert.deepEqual(yield* sent("org_2", { _tag: "Unknown", reason: "The connection ended." }), bounced)
      })
    )
  })
})
