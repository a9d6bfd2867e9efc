/** Received mails on every store: whose answer a mail is, and that nothing leaves after one. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { code, lead, ok } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"
import {
  addressOf,
  answer,
  conversation,
  events,
  inDays,
  keptMail,
  mail,
  prepare,
  receive,
  said,
  send,
  sendAfter,
  stateOf,
  write
} from "./mailWorld.ts"

const grace = lead({ name: "Grace", email: "grace@lead.example", linkedin_url: "https://www.linkedin.com/in/grace" })

const statusOf = (lead_id: string) => Effect.map(ok("lead.get", { lead_id }), ({ lead: found }) => found.status)

const from = (address: string) => ({ from: { name: "", address } })

const away = { "auto-submitted": "auto-replied" }

/** An approved message to a lead; answers its draft. */
const approved = Effect.fnUntraced(function* (lead_id: string) {
  const { draft } = yield* ok("linkedin.draft.create", {
    ...{ lead_id, agent_handle: "ada-martin", mission_id: "spring" },
    variations: ["Hello"]
  })
  const draft_id = String(draft.draft_id)
  yield* ok("linkedin.draft.approve", { draft_id })
  return draft_id
})

const draftStatus = (draft_id: string) =>
  Effect.map(ok("linkedin.draft.get", { draft_id }), ({ draft }) => draft.status)

eachBackendWith(keptMail)("received mails", (world) =>
  it.layer(world)((it) => {
    it.effect("are replies by reference, by address, and by the subject of a colleague", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        yield* receive(
          answer(left, { ...from("grace@home.example"), subject: "Something else", text: "by reference" }),
          mail({ references: ["x@y", `<${left.messageId}>`], ...from("z@other.example"), text: "in brackets" }),
          mail({ ...from("GRACE@Lead.Example"), subject: "Hello", text: "by address" }),
          mail({ ...from("boss@lead.example"), subject: "AW: invoices", text: "by subject" })
        )
        assert.deepStrictEqual((yield* said(lead_id)).toSorted(), [
          "by address",
          "by reference",
          "by subject",
          "in brackets"
        ])
        assert.strictEqual(yield* statusOf(lead_id), "Replied")
      }).pipe(inOrganization("org_re_match"))
    )

    it.effect("of a colleague are nobody's when two leads fit, the subject is new, or the domain is everybody's", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const [second, public_] = [
          yield* lead({ email: "second@lead.example" }),
          yield* lead({ email: "somebody@gmail.com" })
        ]
        yield* send(lead_id)
        yield* send(public_)
        const boss = from("boss@lead.example")
        yield* receive(
          mail({ ...boss, subject: "Invoices" }),
          mail({ ...boss, subject: "Re: Bills" }),
          mail({ ...boss, subject: "Re:" }),
          mail(from("other@gmail.com")),
          mail({ ...boss, from: null })
        )
        yield* send(second)
        yield* receive(mail(boss))
        for (const one of [lead_id, second, public_]) assert.deepStrictEqual(yield* said(one), [])
        assert.deepStrictEqual(yield* events("lead.replied,message.received"), [])
        yield* ok("lead.erase", { lead_id: second, confirm: second })
        yield* receive(mail(boss))
        assert.lengthOf(yield* said(lead_id), 1)
        yield* TestClock.adjust("91 days")
        yield* receive(mail({ ...boss, text: "Late" }))
        assert.lengthOf(yield* said(lead_id), 1)
      }).pipe(inOrganization("org_re_colleague"))
    )

    it.effect("return to review what waits on any channel, and say so", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        const queued = yield* write(lead_id, { subject: "Again" })
        const checked = yield* write(lead_id, { subject: "Third", mission_id: "checked" })
        const draft_id = yield* approved(lead_id)
        assert.strictEqual(yield* draftStatus(draft_id), "READY_TO_SEND")
        yield* receive(answer(left))
        assert.strictEqual(yield* stateOf(queued), "in_review lead_replied")
        assert.strictEqual(yield* stateOf(checked), "in_review lead_replied")
        assert.strictEqual(yield* draftStatus(draft_id), "PENDING_REVIEW")
        assert.strictEqual(yield* statusOf(lead_id), "Replied")
        const found = yield* events("message.received,lead.replied")
        assert.deepStrictEqual(
          found.map(({ data, subject, type }) => [type, subject.id, data["channel"]]),
          [
            ["message.received", lead_id, "EMAIL"],
            ["lead.replied", lead_id, "EMAIL"]
          ]
        )
        assert.strictEqual(yield* sendAfter("1 day"), 0)
        const { items } = yield* ok("review.list", { tab: "replies" })
        assert.lengthOf(items, 1)
      }).pipe(inOrganization("org_re_consequences"))
    )

    it.effect("that ask for no further contact opt the person out", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        const queued = yield* write(lead_id, { subject: "Again" })
        yield* receive(answer(left, { text: "Please remove me from your list.", quoted: "> Hello" }))
        assert.strictEqual(yield* statusOf(lead_id), "DoNotContact")
        assert.strictEqual(yield* stateOf(queued), "cancelled lead_suppressed")
        const next = { lead_id, mission_id: "spring", subject: "Once more", body_text: "Hello" }
        assert.strictEqual(yield* code("email.send", next), "LEAD_SUPPRESSED")
      }).pipe(inOrganization("org_re_opt_out"))
    )

    it.effect("quote an opt-out phrase of ours without opting anybody out", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        yield* receive(answer(left, { quoted: "> unsubscribe\n> Please remove me from your list." }))
        assert.strictEqual(yield* statusOf(lead_id), "Replied")
      }).pipe(inOrganization("org_re_quote"))
    )

    it.effect("keep the subject, what they quote, and the names of what is attached", () =>
      Effect.gen(function* () {
        const address = yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        yield* receive(answer(left, { text: "Yes", quoted: "> Hello", attachments: ["cv.pdf", "naïve 💌.txt"] }))
        const [received, written] = yield* conversation(lead_id)
        const { date: _, message_id: __, ...shown } = received
        assert.deepStrictEqual(shown, {
          direction: "inbound",
          content: "Yes",
          subject: "Re: Invoices",
          quoted: "> Hello",
          attachments: ["cv.pdf", "naïve 💌.txt"],
          mailbox: address,
          sender_name: "Grace"
        })
        assert.deepInclude(written, { direction: "outbound", subject: "Invoices", quoted: "", mailbox: address })
      }).pipe(inOrganization("org_re_parts"))
    )

    it.effect("of ourselves, of strangers and about nothing of ours leave nothing behind", () =>
      Effect.gen(function* () {
        const address = yield* prepare("ada", "bob")
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        yield* receive(
          answer(left, from(address)),
          answer(left, from((yield* addressOf("bob")).toUpperCase())),
          answer(left, { ...from(address), headers: new Map(Object.entries(away)) }),
          mail({ ...from("stranger@elsewhere.example"), subject: "Offer" }),
          mail({ ...from("stranger@elsewhere.example"), references: ["eml_01NOBODY@elsewhere.example"] }),
          mail({ ...from("mailer-daemon@relay.example"), subject: "Undelivered Mail Returned to Sender" }),
          mail({ from: null, messageId: null, subject: "" })
        )
        const [only, ...others] = yield* conversation(lead_id)
        assert.deepStrictEqual([only.direction, others], ["outbound", []])
        assert.strictEqual(yield* statusOf(lead_id), "Contacted")
        const types = "message.received,lead.replied,email.bounced,email.complained,email.auto_replied"
        assert.deepStrictEqual(yield* events(types), [])
        assert.lengthOf((yield* ok("lead.search", {})).leads, 1)
      }).pipe(inOrganization("org_re_strangers"))
    )

    it.effect("that say until when somebody is away put everything off until then", () =>
      Effect.gen(function* () {
        yield* prepare()
        yield* TestClock.setTime(Date.parse("2026-03-02T09:00:00.000Z"))
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        const queued = yield* write(lead_id, { subject: "Again" })
        const draft_id = yield* approved(lead_id)
        const headers = new Map(Object.entries(away))
        yield* receive(answer(left, { headers, subject: "Automatic reply", text: "I am away until 8 March 2026." }))
        assert.strictEqual(yield* sendAfter("11 minutes"), 0)
        yield* dispatchDue({ organizationId: yield* CurrentOrganization })
        const { emails } = yield* ok("email.list", {})
        const waiting = emails.find((one: { readonly email_id: string }) => one.email_id === queued)
        assert.deepInclude(waiting, { state: "queued", reason: "lead_away" })
        const { items } = yield* ok("linkedin.queue.list", { kind: "message" })
        assert.deepInclude(
          items.find((one: { readonly draft_id: string }) => one.draft_id === draft_id),
          { state: "queued", reason: "lead_away" }
        )
        for (const item_id of [queued, draft_id]) {
          const explained = yield* ok("review.explain", { about: item_id })
          assert.include(JSON.stringify(explained), "lead_away")
          assert.include(JSON.stringify(explained), "2026-03-09T00:00:00.000Z")
        }
        assert.deepStrictEqual(yield* said(lead_id), [])
        assert.strictEqual(yield* statusOf(lead_id), "Contacted")
        const [event] = yield* events("email.auto_replied")
        assert.deepInclude(event, { data: { until: "2026-03-09T00:00:00.000Z" } })
        yield* TestClock.setTime(Date.parse("2026-03-08T23:59:00.000Z"))
        assert.strictEqual(yield* sendAfter("0 seconds"), 0)
        yield* TestClock.setTime(Date.parse("2026-03-09T00:10:00.000Z"))
        assert.strictEqual(yield* sendAfter("0 seconds"), 1)
        yield* dispatchDue({ organizationId: yield* CurrentOrganization })
        assert.strictEqual(yield* draftStatus(draft_id), "DISPATCHED")
      }).pipe(inOrganization("org_re_away"))
    )

    it.effect("that are automatic and name no day put nothing off, and a real one ends the absence", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        const headers = new Map(Object.entries(away))
        const notice = (text: string) => answer(left, { headers, subject: "Automatic reply", text })
        yield* receive(notice("I am away."))
        const second = yield* write(lead_id, { subject: "Again" })
        assert.strictEqual(yield* sendAfter("11 seconds"), 1)
        assert.strictEqual(yield* stateOf(second), "sent null")
        const day = (yield* inDays(30)).slice(0, 10)
        yield* receive(notice(`I am back on ${day}.`), notice("I am away."), notice(`Back on ${yield* inDays(3)}`))
        const third = yield* write(lead_id, { subject: "Third" })
        assert.strictEqual(yield* sendAfter("1 hour"), 0)
        assert.strictEqual(yield* stateOf(third), "queued lead_away")
        yield* receive(answer(left, { text: "I am back already." }))
        assert.strictEqual(yield* stateOf(third), "in_review lead_replied")
        const fourth = yield* write(lead_id, { subject: "Fourth" })
        assert.strictEqual(yield* sendAfter("11 seconds"), 1)
        assert.strictEqual(yield* stateOf(fourth), "sent null")
      }).pipe(inOrganization("org_re_back"))
    )

    it.effect("that are automatic believe neither a sender's clock nor a day long ago", () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("14 days")
        yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        const headers = new Map(Object.entries(away))
        yield* receive(
          answer(left, { headers, date: "2090-01-01T00:00:00.000Z", text: "I am back on 2090-02-01." }),
          answer(left, { headers, date: yield* inDays(-7), text: `I am back on ${(yield* inDays(-1)).slice(0, 10)}.` })
        )
        assert.deepStrictEqual(
          (yield* events("email.auto_replied")).map(({ data }) => data["until"]),
          [null, null]
        )
        yield* write(lead_id, { subject: "Again" })
        assert.strictEqual(yield* sendAfter("11 seconds"), 1)
      }).pipe(inOrganization("org_re_clock"))
    )
  })
)
