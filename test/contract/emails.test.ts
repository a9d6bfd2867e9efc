/** E-mails on every store: written, reviewed, sent once, told as they are, and forgotten. */

import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "#core/email/EmailGateway.ts"
import { dispatchEmails, type EmailNeeds, emails } from "#core/email/sending/emails.ts"
import { reviewMillis } from "#core/email/writeEmail.ts"
import { eachDue, runAsService } from "#core/kernel/background/Worker.ts"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import type { Actor, Execution } from "#core/kernel/command/Execution.ts"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { now } from "#core/kernel/schema/IdsAndTime.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { type WebhookRequest, WebhookSender } from "#core/webhooks/delivery/deliver.ts"
import * as SimulatedEmail from "#memory/simulator/SimulatedEmail.ts"
import { deliverDue } from "../support/deliverDue.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { code, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const url = "https://review.example/decide"

/** An organization with an agent, a mission for each strategy, and leads. */
const prepare = Effect.fnUntraced(function* (organizationId: string) {
  const as = { actor: owner(organizationId) }
  yield* organization(organizationId)
  yield* ok(
    "agent.create",
    { first_name: "Ada", last_name: "Martin", email_accounts: [{ provider: "SMTP", email: "ada@sender.example" }] },
    as
  )
  for (const emailReviewStrategy of ["AUTO", "MANUAL", "WEBHOOK"]) {
    const handle = emailReviewStrategy.toLowerCase()
    const more = emailReviewStrategy === "WEBHOOK" ? { emailReviewWebhookUrl: url } : {}
    yield* ok("POST /missions", { name: handle, handle, agentHandle: "ada-martin", emailReviewStrategy, ...more }, as)
  }
  const lead = (email: string) =>
    Effect.map(ok("lead.upsert", { email, name: "Grace Hopper", company: "Navy" }, as), ({ lead_id }) =>
      String(lead_id)
    )
  const write = (lead_id: string, mission_id: string, more: object = {}) =>
    Effect.map(
      ok("email.send", { lead_id, mission_id, subject: "Invoices", body_text: "Hello Grace", ...more }, as),
      ({ email }) => email
    )
  const shown = (email_id: string) =>
    Effect.map(ok("email.list", { limit: 100 }, as), ({ emails }) =>
      emails.find((one: { email_id: string }) => one.email_id === email_id)
    )
  return { as, lead, write, shown }
})

/** A gateway that does as it is told and keeps what was handed to it. */
const mailbox = (
  answer: (email: OutgoingEmail) => Effect.Effect<EmailOutcome> = (email) =>
    Effect.succeed({ _tag: "Confirmed", messageId: email.messageId })
) => {
  const got: Array<OutgoingEmail> = []
  const gateway = EmailGateway.of({
    send: (email) =>
      Effect.andThen(
        Effect.sync(() => got.push(email)),
        answer(email)
      )
  })
  const round = (organizationId: string) =>
    Effect.provideService(dispatchEmails({ organizationId }), EmailGateway, gateway)
  return { got, round }
}

const eventsOf = (organizationId: string, types: string) =>
  Effect.map(
    ok("event.list", { types, limit: 100 }, { actor: owner(organizationId) }),
    ({ events }): ReadonlyArray<{ type: string; data: Record<string, unknown> }> => events
  )

eachBackend("e-mails", (layer) => {
  it.layer(layer)((it) => {
    it.effect("AUTO leaves after the hold, once, and is the lead's message then", () =>
      Effect.gen(function* () {
        const { as, lead, shown, write } = yield* prepare("org_1")
        const lead_id = yield* lead("grace@example.com")
        const email = yield* write(lead_id, "auto", { body_html: "<p>Hello Grace</p>" })
        assert.deepInclude(email, {
          state: "queued",
          review_id: null,
          from: "ada@sender.example",
          review_strategy: "AUTO"
        })
        const { got, round } = mailbox()
        assert.strictEqual(yield* round("org_1"), 0)
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* round("org_1"), 1)
        assert.strictEqual(yield* round("org_1"), 0)
        const offers = got.flatMap(({ unsubscribe }) => unsubscribe ?? [])
        assert.match(offers[0]?.mailto ?? "", /^mailto:ada@sender\.example\?subject=unsubscribe%20[\w-]{43}$/)
        assert.deepStrictEqual(
          got.map(({ unsubscribe: _, ...sent }) => sent),
          [
            {
              references: [],
              messageId: `${email.email_id}@sender.example`,
              from: { name: "Ada Martin", address: "ada@sender.example" },
              to: { name: "Grace Hopper", address: "grace@example.com" },
              subject: "Invoices",
              text: "Hello Grace",
              html: "<p>Hello Grace</p>"
            }
          ]
        )
        assert.deepInclude(yield* shown(email.email_id), { state: "sent", attempts: 1, reason: null })
        const messages = yield* eventsOf("org_1", "message.sent")
        assert.lengthOf(messages, 1)
        assert.deepInclude(messages[0]?.data, { channel: "EMAIL", email_id: email.email_id, is_first: true })
        const { lead: after } = yield* ok("lead.get", { lead_id }, as)
        assert.include(JSON.stringify(after), "Hello Grace")
        assert.strictEqual(yield* code("email.cancel", { email_id: email.email_id }, as), "WRONG_STATE")
      })
    )

    it.effect("count in the mission that they were written for, and in no other", () =>
      Effect.gen(function* () {
        const { as, lead, write } = yield* prepare("org_counted")
        const lead_id = yield* lead("grace@example.com")
        for (const mission_id of ["auto", "manual"]) {
          yield* ok("lead.mission.add", { mission_id, lead_ids: [lead_id] }, as)
        }
        yield* write(lead_id, "auto")
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* mailbox().round("org_counted"), 1)
        const elsewhere = { channel: "EMAIL", direction: "outbound", content: "From elsewhere", external_id: "e1" }
        yield* ok("lead.message.record", { lead_id, ...elsewhere }, as)
        const counted = (mission_id: string) =>
          Effect.map(ok("mission.stats", { mission_id }, as), ({ stats }) => [
            stats.messages_sent,
            ...stats.series.map((one: { messages_sent: number }) => one.messages_sent)
          ])
        assert.deepStrictEqual(yield* counted("auto"), [2, 2])
        assert.deepStrictEqual(yield* counted("manual"), [1, 1])
        assert.deepStrictEqual(yield* counted("webhook"), [0])
      })
    )

    it.effect("MANUAL waits for a decision that names what was read", () =>
      Effect.gen(function* () {
        const { as, lead, shown, write } = yield* prepare("org_2")
        const lead_id = yield* lead("grace@example.com")
        const { got, round } = mailbox()
        const [first, second, third] = [
          yield* write(lead_id, "manual"),
          yield* write(lead_id, "manual", { body_html: "<b>Hello</b>" }),
          yield* write(lead_id, "manual")
        ]
        assert.deepInclude(first, { state: "in_review", review_id: first.email_id, expires_at: null })
        const { reviews } = yield* ok("email.review.list", { mission_id: "manual" }, as)
        assert.deepStrictEqual(
          reviews.map((one: { email_id: string }) => one.email_id).toSorted(),
          [first.email_id, second.email_id, third.email_id].toSorted()
        )
        const decide = (review: { email_id: string; content_hash: string }, said: object) => ({
          review_id: review.email_id,
          content_hash: review.content_hash,
          ...said
        })
        const stale = { ...first, content_hash: "0".repeat(64) }
        assert.strictEqual(
          yield* code("email.review.decide", decide(stale, { decision: "approve" }), as),
          "CONTENT_CHANGED"
        )
        const mixed = decide(first, { decision: "approve", subject: "Other" })
        assert.strictEqual(yield* code("email.review.decide", mixed, as), "INVALID_INPUT")
        assert.strictEqual(yield* code("email.review.decide", decide(first, { decision: "edit" }), as), "INVALID_INPUT")
        yield* ok("email.review.decide", decide(first, { decision: "approve" }), as)
        const edit = { decision: "edit", subject: "Better", body_text: "Hello again" }
        const { review } = yield* ok("email.review.decide", decide(second, edit), as)
        assert.deepInclude(review, { subject: "Better", body_text: "Hello again", body_html: null, decision: "edit" })
        yield* ok("email.review.decide", decide(third, { decision: "reject", reason: "Too long" }), as)
        assert.strictEqual(
          yield* code("email.review.decide", decide(third, { decision: "approve" }), as),
          "WRONG_STATE"
        )
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* round("org_2"), 2)
        assert.deepStrictEqual(got.map(({ subject }) => subject).toSorted(), ["Better", "Invoices"])
        assert.deepInclude(yield* shown(third.email_id), { state: "rejected", reason: "Too long" })
        assert.deepStrictEqual(
          (yield* eventsOf("org_2", "email.review.requested,email.review.decided")).map(({ type }) => type),
          [...Array(3).fill("email.review.requested"), ...Array(3).fill("email.review.decided")]
        )
        const decided = yield* ok("email.review.list", { state: ["sent", "rejected"] }, as)
        assert.lengthOf(decided.reviews, 3)
      })
    )

    it.effect("reviews are read page by page as a resource, each once", () =>
      Effect.gen(function* () {
        const { as, lead, write } = yield* prepare("org_pages")
        const lead_id = yield* lead("grace@example.com")
        const written: Array<string> = []
        for (let n = 0; n < 23; n++) written.push((yield* write(lead_id, "manual")).email_id)
        const first = yield* ok("resource.email-reviews", {}, as)
        assert.deepInclude(yield* ok("resource.more-email-reviews", { cursor: "first" }, as), first)
        const seen: Array<string> = []
        const sizes: Array<number> = []
        for (let page = first; ; ) {
          sizes.push(page.reviews.length)
          seen.push(...page.reviews.map((one: { email_id: string }) => one.email_id))
          if (page.next_uri === null || sizes.length > 3) break
          const cursor = page.next_uri.slice("svc://email/reviews/".length)
          page = yield* ok("resource.more-email-reviews", { cursor }, as)
        }
        assert.deepStrictEqual(sizes, [10, 10, 3])
        assert.deepStrictEqual(seen.toSorted(), written.toSorted())
      })
    )

    it.effect(
      "WEBHOOK asks the mission's address, signed, and people when no decision comes; nothing leaves by itself",
      () =>
        Effect.gen(function* () {
          const { as, lead, shown, write } = yield* prepare("org_3")
          const lead_id = yield* lead("grace@example.com")
          const email = yield* write(lead_id, "webhook")
          assert.deepInclude(email, { state: "in_review", review_strategy: "WEBHOOK" })
          const posted: Array<WebhookRequest> = []
          const sender = WebhookSender.of({
            post: (request) =>
              Effect.sync(() => {
                posted.push(request)
                return { _tag: "Answered", status: 200, retryAfterSeconds: null, snippet: "" }
              })
          })
          const deliver = Effect.provideService(deliverDue({ organizationId: "org_3" }), WebhookSender, sender)
          assert.strictEqual(yield* deliver, 1)
          assert.strictEqual(yield* deliver, 0)
          assert.strictEqual(posted[0]?.url, url)
          assert.lengthOf(posted[0]?.secrets ?? [], 1)
          const body = JSON.parse(posted[0]?.body ?? "{}")
          assert.deepInclude(body, { type: "email.review.requested", organization_id: "org_3" })
          const { agent, body_html, body_text, content_hash, expires_at, mission, subject } = email
          assert.deepStrictEqual(body.data, {
            review_id: email.email_id,
            mission,
            agent,
            lead: { id: lead_id, name: "Grace Hopper", email: "grace@example.com", company: "Navy" },
            subject,
            body_text,
            body_html,
            content_hash,
            expires_at
          })
          const { webhooks } = yield* ok("webhook.list", {}, as)
          assert.lengthOf(webhooks, 1)
          assert.deepInclude(webhooks[0], { purpose: "email_reviews", url })
          const again = yield* write(lead_id, "webhook")
          assert.lengthOf((yield* ok("webhook.list", {}, as)).webhooks, 1)
          yield* ok(
            "email.review.decide",
            { review_id: again.email_id, content_hash: again.content_hash, decision: "approve" },
            as
          )
          const { got, round } = mailbox()
          yield* TestClock.adjust(reviewMillis + 1_000)
          assert.strictEqual(yield* round("org_3"), 1)
          assert.lengthOf(got, 1)
          assert.deepInclude(yield* shown(email.email_id), {
            state: "in_review",
            review_strategy: "MANUAL",
            expires_at: null
          })
          assert.lengthOf(yield* eventsOf("org_3", "email.review.expired"), 1)
          yield* TestClock.adjust("30 days")
          assert.strictEqual(yield* round("org_3"), 0)
          assert.deepInclude(yield* shown(email.email_id), { state: "in_review" })
        })
    )

    it.effect("every outcome is told as it is: refused, refused for now, and unknown, which is never sent again", () =>
      Effect.gen(function* () {
        const { as, lead, shown, write } = yield* prepare("org_4")
        const simulated = Effect.provide(dispatchEmails({ organizationId: "org_4" }), SimulatedEmail.layer)
        const to = (name: string) => Effect.flatMap(lead(`${name}@example.com`), (id) => write(id, "auto"))
        const blocked = yield* to("a-blocked")
        const down = yield* to("b-down")
        const unknown = yield* to("c-unknown")
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* simulated, 0)
        assert.deepInclude(yield* shown(blocked.email_id), { state: "failed", reason: "Simulated: no such mailbox." })
        assert.deepInclude(yield* shown(down.email_id), { state: "queued", attempts: 1 })
        assert.deepInclude(yield* shown(unknown.email_id), { state: "ambiguous", attempts: 1, sent_at: null })
        yield* TestClock.adjust("61 seconds")
        yield* simulated
        assert.deepInclude(yield* shown(down.email_id), { state: "queued", attempts: 2 })
        const { got, round } = mailbox()
        yield* TestClock.adjust("10 days")
        assert.strictEqual(yield* round("org_4"), 1)
        assert.deepStrictEqual(
          got.map(({ to: { address } }) => address),
          ["b-down@example.com"]
        )
        assert.strictEqual(yield* code("email.cancel", { email_id: unknown.email_id }, as), "WRONG_STATE")
        assert.strictEqual(
          yield* code("email.resolve", { email_id: blocked.email_id, outcome: "sent" }, as),
          "WRONG_STATE"
        )
        const settled = yield* ok("email.resolve", { email_id: unknown.email_id, outcome: "sent" }, as)
        assert.strictEqual(settled.email.state, "sent")
        assert.deepStrictEqual(
          (yield* eventsOf("org_4", "email.failed,email.unknown,message.sent")).map(({ type }) => type).toSorted(),
          ["email.failed", "email.unknown", "message.sent", "message.sent"]
        )
      })
    )

    it.effect("a killed process's e-mail becomes ambiguous, is sent by nobody else, and a late yes still counts", () =>
      Effect.gen(function* () {
        const { lead, shown, write } = yield* prepare("org_5")
        const email = yield* write(yield* lead("grace@example.com"), "auto")
        yield* TestClock.adjust("11 seconds")
        const repo = yield* TransmissionsRepo
        const at = yield* now
        const leases = {
          kind: "email",
          organizationId: "org_5",
          now: at,
          isPaced: false,
          leaseSeconds: 15,
          limit: 5
        } as const
        const asWorker = <A>(step: Effect.Effect<A, Failure, EmailNeeds | Actor | Execution>) =>
          Effect.provideService(
            runAsService("org_5", step),
            EmailGateway,
            EmailGateway.of({ send: () => Effect.die("nothing is sent here") })
          )
        const [due] = yield* repo.take(leases)
        const claim = due === undefined ? undefined : yield* asWorker(emails.claim(due, "claim"))
        if (claim === undefined) return assert.fail()
        const { got, round } = mailbox()
        assert.strictEqual(yield* round("org_5"), 0)
        assert.deepInclude(yield* shown(email.email_id), { state: "sending" })
        yield* TestClock.adjust("14 seconds")
        assert.isTrue(yield* repo.renew(claim.lease, 15), "its process lives")
        yield* TestClock.adjust("14 seconds")
        yield* round("org_5")
        assert.deepInclude(yield* shown(email.email_id), { state: "sending" })
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* round("org_5"), 0)
        assert.lengthOf(got, 0)
        assert.deepInclude(yield* shown(email.email_id), { state: "ambiguous" })
        assert.isFalse(yield* repo.renew(claim.lease, 15), "it was given up")
        const late = { _tag: "Confirmed", messageId: "m@sender.example" } as const
        assert.isTrue(yield* asWorker(emails.record(claim, late)))
        assert.deepInclude(yield* shown(email.email_id), { state: "sent", attempts: 1 })
      })
    )

    it.effect("a reply to what waits, or while a try fails, asks a person again", () =>
      Effect.gen(function* () {
        const { as, lead, shown, write } = yield* prepare("org_20")
        const reply = (lead_id: string) =>
          Effect.flatMap(now, (date) =>
            ok("lead.message.record", { lead_id, channel: "EMAIL", direction: "inbound", content: "Later", date }, as)
          )
        const waiting = yield* lead("waiting@example.com")
        const first = yield* write(waiting, "auto")
        yield* TestClock.adjust("11 seconds")
        yield* reply(waiting)
        const { got, round } = mailbox()
        yield* round("org_20")
        assert.lengthOf(got, 0)
        const held = { state: "in_review", reason: "lead_replied", review_strategy: "MANUAL" }
        assert.deepInclude(yield* shown(first.email_id), held)
        const asked = yield* lead("asked@example.com")
        const second = yield* write(asked, "auto")
        yield* TestClock.adjust("11 seconds")
        const services = yield* Effect.context<Dispatch>()
        const busy = mailbox(() =>
          Effect.gen(function* () {
            yield* TestClock.adjust("1 second")
            yield* reply(asked)
            return { _tag: "Unavailable", reason: "Busy." } as const
          }).pipe(Effect.provideContext(services), Effect.orDie)
        )
        yield* busy.round("org_20")
        assert.lengthOf(busy.got, 1)
        assert.deepInclude(yield* shown(second.email_id), held)
      })
    )

    it.effect("an address that is suppressed gets none, although the lead has another one now", () =>
      Effect.gen(function* () {
        const { lead, shown, write } = yield* prepare("org_21")
        const email = yield* write(yield* lead("new@example.com"), "auto")
        const repo = yield* TransmissionsRepo
        const row = (yield* repo.find("org_21", email.email_id))?.row
        if (row?.kind !== "email") return assert.fail()
        yield* repo.save("org_21", [{ ...row, id: "eml_elsewhere", toAddress: "old@example.com" }])
        const entry = { kind: "email", value: "old@example.com", leadId: null, until: null } as const
        const createdAt = yield* now
        yield* (yield* PrivacyRepo).addSuppressions("org_21", [
          { ...entry, organizationId: "org_21", reason: "asked for it", createdAt }
        ])
        yield* TestClock.adjust("11 seconds")
        const { got, round } = mailbox()
        assert.strictEqual(yield* round("org_21"), 1)
        assert.deepStrictEqual(
          got.map(({ to }) => to.address),
          ["new@example.com"]
        )
        assert.deepInclude(yield* shown("eml_elsewhere"), { state: "cancelled", reason: "lead_suppressed" })
      })
    )

    it.effect("one sender's many delay no other's few", () =>
      Effect.gen(function* () {
        const repo = yield* TransmissionsRepo
        for (const [organizationId, count] of [
          ["org_22", 12],
          ["org_23", 3]
        ] as const) {
          const { lead, write } = yield* prepare(organizationId)
          for (let index = 0; index < count; index++) yield* write(yield* lead(`p${index}@example.com`), "auto")
          yield* TestClock.adjust("1 second")
        }
        yield* TestClock.adjust("11 seconds")
        const taken: Array<string> = []
        yield* eachDue("emails", { limit: 8, batch: 1 }, (organizationId) =>
          Effect.gen(function* () {
            const request = { organizationId, now: yield* now, isPaced: false, leaseSeconds: 60, limit: 1 }
            const found = yield* repo.take({ ...request, kind: "email" })
            taken.push(...found.map(() => organizationId))
            yield* TestClock.adjust("10 millis")
            return found.length
          })
        )
        assert.lengthOf(taken, 8)
        assert.lengthOf(
          taken.filter((organizationId) => organizationId === "org_23"),
          3
        )
      })
    )

    it.effect("several workers share what is due, each e-mail by one", () =>
      Effect.gen(function* () {
        const { lead, write } = yield* prepare("org_6")
        for (let index = 0; index < 12; index++) yield* write(yield* lead(`l${index}@example.com`), "auto")
        yield* TestClock.adjust("11 seconds")
        const { got, round } = mailbox()
        const counts = yield* Effect.all([round("org_6"), round("org_6"), round("org_6")], { concurrency: "unbounded" })
        assert.strictEqual(
          counts.reduce((sum, count) => sum + count, 0),
          12
        )
        assert.strictEqual(new Set(got.map(({ messageId }) => messageId)).size, 12)
        assert.lengthOf(got, 12)
      })
    )

    it.effect("nobody is written to who must not be, nor for a mission that rests or has ended", () =>
      Effect.gen(function* () {
        const { as, lead, shown, write } = yield* prepare("org_7")
        const lead_id = yield* lead("grace@example.com")
        const suppressed = yield* write(lead_id, "auto")
        const reviewed = yield* write(lead_id, "manual")
        const other = yield* lead("other@example.com")
        yield* ok("lead.suppress", { lead_id, reason: "Asked" }, as)
        const waiting = yield* write(other, "auto")
        yield* ok("mission.pause", { mission_id: "auto", reason: "Later" }, as)
        const { got, round } = mailbox()
        yield* TestClock.adjust("1 hour")
        yield* round("org_7")
        assert.deepInclude(yield* shown(waiting.email_id), { state: "queued", attempts: 0 })
        yield* ok("mission.resume", { mission_id: "auto" }, as)
        yield* round("org_7")
        assert.deepStrictEqual(
          got.map(({ to }) => to.address),
          ["other@example.com"]
        )
        assert.deepInclude(yield* shown(suppressed.email_id), { state: "cancelled", reason: "lead_suppressed" })
        const approve = { review_id: reviewed.email_id, content_hash: reviewed.content_hash, decision: "approve" }
        assert.strictEqual(yield* code("email.review.decide", approve, as), "LEAD_SUPPRESSED")
        const text = { subject: "x", body_text: "y" }
        assert.strictEqual(yield* code("email.send", { lead_id, mission_id: "auto", ...text }, as), "LEAD_SUPPRESSED")
        const last = yield* write(other, "auto")
        yield* ok("mission.update", { mission_id: "auto", status: "archived" }, as)
        yield* TestClock.adjust("1 hour")
        yield* round("org_7")
        assert.deepInclude(yield* shown(last.email_id), { state: "cancelled", reason: "mission_archived" })
        const late = yield* write(other, "manual")
        yield* ok("mission.complete", { mission_id: "manual" }, as)
        const decide = { review_id: late.email_id, content_hash: late.content_hash }
        assert.strictEqual(yield* code("email.review.decide", { ...decide, decision: "approve" }, as), "WRONG_STATE")
        yield* ok("email.review.decide", { ...decide, decision: "reject" }, as)
        const bare = yield* ok("lead.upsert", { linkedin_url: "https://www.linkedin.com/in/bare", name: "B" }, as)
        const input = { mission_id: "manual", ...text }
        assert.strictEqual(yield* code("email.send", { lead_id: bare.lead_id, ...input }, as), "INVALID_INPUT")
        const wrong = { lead_id: other, ...input, from_email: "eve@else.example" }
        assert.strictEqual(yield* code("email.send", wrong, as), "INVALID_INPUT")
        assert.strictEqual(
          yield* code("email.send", { lead_id: other, ...input, subject: "a\r\nBcc: x@y.z" }, as),
          "INVALID_INPUT"
        )
      })
    )

    it.effect("a merged lead's e-mails are the winner's, an erased lead's are gone, an export shows them", () =>
      Effect.gen(function* () {
        const { as, lead, write } = yield* prepare("org_8")
        const winner = yield* lead("winner@example.com")
        const loser = yield* lead("loser@example.com")
        yield* write(loser, "webhook", { subject: "Secret subject", body_text: "Secret words" })
        yield* ok("lead.merge", { winner_lead_id: winner, loser_lead_ids: [loser] }, as)
        const listed = yield* ok("email.list", { lead_id: winner }, as)
        assert.lengthOf(listed.emails, 1)
        assert.strictEqual(listed.emails[0].lead.id, winner)
        const file = JSON.stringify(yield* ok("lead.export", { lead_id: winner }, as))
        assert.include(file, "Secret words")
        yield* ok("lead.erase", { lead_id: winner, confirm: winner, reason: "Asked" }, as)
        assert.lengthOf((yield* ok("email.list", {}, as)).emails, 0)
        const { webhooks } = yield* ok("webhook.list", {}, as)
        const { deliveries } = yield* ok("webhook.deliveries", { webhook_id: webhooks[0].webhook_id }, as)
        assert.lengthOf(deliveries, 0)
        assert.notInclude(JSON.stringify(yield* eventsOf("org_8", "email.review.requested")), "Secret")
      })
    )

    it.effect("leave within the agent's working hours and the lead's, and say until when they wait", () =>
      Effect.gen(function* () {
        const { as, lead, shown, write } = yield* prepare("org_hours")
        const { got, round } = mailbox()
        const paced = Effect.provideService(round("org_hours"), SendOptions, { ...defaultSendOptions, pacing: true })
        const goTo = (instant: string) =>
          Effect.flatMap(Clock.currentTimeMillis, (at) => TestClock.adjust(Date.parse(instant) - at))
        const week = (hours: object) =>
          ok("agent.update", { agent_handle: "ada-martin", timezone: "Europe/Berlin", working_hours: hours }, as)
        // A Friday; clocks in Berlin are an hour ahead.
        yield* goTo("1970-02-06T16:30:00Z")
        yield* week({})
        const lead_id = yield* lead("grace@example.com")
        const open = yield* write(lead_id, "auto")
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* paced, 1, "half past five in Berlin")
        assert.deepInclude(yield* shown(open.email_id), { state: "sent", reason: null })

        yield* goTo("1970-02-06T17:00:00Z")
        const late = yield* write(lead_id, "auto")
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* paced, 0)
        const monday = "1970-02-09T08:00:00.000Z"
        const waits = { state: "queued", reason: "outside_hours", next_attempt_at: monday, attempts: 0 }
        assert.deepInclude(yield* shown(late.email_id), waits)
        yield* goTo("1970-02-09T07:59:59Z")
        assert.strictEqual(yield* paced, 0)
        assert.deepInclude(yield* shown(late.email_id), waits)
        yield* goTo(monday)
        assert.strictEqual(yield* paced, 1)

        // Hours that are changed hold at the latest ten minutes later.
        yield* goTo("1970-02-09T17:30:00Z")
        const evening = yield* write(lead_id, "auto")
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* paced, 0)
        yield* week({ monday: [{ start: "09:00", end: "20:00" }] })
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* paced, 1)
        assert.deepInclude(yield* shown(evening.email_id), { state: "sent" })

        // Both time zones, where the agent says so.
        yield* week({ tuesday: [{ start: "09:00", end: "20:00" }], useLeadTimezone: true })
        yield* ok("lead.upsert", { lead_id, timezone: "America/New_York" }, as)
        yield* goTo("1970-02-10T08:00:00Z")
        const both = yield* write(lead_id, "auto")
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* paced, 0, "three in the morning in New York")
        assert.deepInclude(yield* shown(both.email_id), { next_attempt_at: "1970-02-10T14:00:00.000Z" })
        yield* goTo("1970-02-10T14:00:00Z")
        assert.strictEqual(yield* paced, 1)

        // Not for tests and simulations.
        yield* goTo("1970-02-11T03:00:00Z")
        yield* write(lead_id, "auto")
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* paced, 0)
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* round("org_hours"), 1)
        assert.lengthOf(got, 5)
      })
    )

    it.effect("an address in a private network is not asked, and nobody is erased while they are written to", () =>
      Effect.gen(function* () {
        const { as, lead, write } = yield* prepare("org_11")
        const lead_id = yield* lead("grace@example.com")
        const mission = { missionHandle: "webhook", emailReviewWebhookUrl: "http://10.0.0.1/decide" }
        // The specification wants an address only; whether it may be reached is asked when somebody is to be asked there.
        yield* ok("PATCH /missions/{missionHandle}", mission, as)
        const input = { lead_id, mission_id: "webhook", subject: "x", body_text: "y" }
        assert.strictEqual(yield* code("email.send", input, as), "INVALID_INPUT")
        assert.lengthOf((yield* ok("email.list", {}, as)).emails, 0)
        yield* write(lead_id, "auto")
        yield* TestClock.adjust("11 seconds")
        let release: (outcome: EmailOutcome) => void = () => undefined
        const slow = mailbox(() =>
          Effect.callback<EmailOutcome>((resume) => {
            release = (outcome) => resume(Effect.succeed(outcome))
          })
        )
        const sending = yield* Effect.forkChild(slow.round("org_11"))
        while (slow.got.length === 0) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        const erase = { lead_id, confirm: lead_id, reason: "Asked" }
        assert.strictEqual(yield* code("lead.erase", erase, as), "DRAFT_IN_FLIGHT")
        release({ _tag: "Confirmed", messageId: null })
        yield* Fiber.join(sending)
        yield* ok("lead.erase", erase, as)
        assert.lengthOf((yield* ok("email.list", {}, as)).emails, 0)
      })
    )

    it.effect("nobody of another organization sees or decides anything", () =>
      Effect.gen(function* () {
        const { lead, write } = yield* prepare("org_9")
        const { as: stranger } = yield* prepare("org_10")
        const lead_id = yield* lead("grace@example.com")
        const { content_hash, email_id } = yield* write(lead_id, "manual")
        const decide = { review_id: email_id, content_hash, decision: "approve" }
        assert.strictEqual(yield* code("email.review.decide", decide, stranger), "NOT_FOUND")
        assert.strictEqual(yield* code("email.cancel", { email_id }, stranger), "NOT_FOUND")
        assert.strictEqual(yield* code("email.resolve", { email_id, outcome: "sent" }, stranger), "NOT_FOUND")
        const text = { subject: "x", body_text: "y" }
        assert.strictEqual(yield* code("email.send", { lead_id, mission_id: "auto", ...text }, stranger), "NOT_FOUND")
        assert.lengthOf((yield* ok("email.list", {}, stranger)).emails, 0)
        const reader = { actor: { ...owner("org_9"), scopes: ["email:read"] as const } }
        assert.lengthOf((yield* ok("email.list", {}, reader)).emails, 1)
        assert.strictEqual(yield* code("email.review.decide", decide, reader), "FORBIDDEN_SCOPE")
      })
    )
  })
})
