/** Reports on what was sent, on every store: what each kind of bounce does, once, and what a complaint does. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { InboxScript } from "#memory/simulator/SimulatedInbox.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { code, lead, ok } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"
import {
  answer,
  busy,
  events,
  full,
  gone,
  keptMail,
  mail,
  prepare,
  read,
  receive,
  report,
  said,
  send,
  sendAfter,
  sent,
  server,
  spam,
  stateOf,
  write
} from "./mailWorld.ts"

const grace = lead({ name: "Grace", email: "grace@lead.example", linkedin_url: "https://www.linkedin.com/in/grace" })

const statusOf = (lead_id: string) => Effect.map(ok("lead.get", { lead_id }), ({ lead: found }) => found.status)

const next = (lead_id: string) => ({ lead_id, mission_id: "spring", subject: "Again", body_text: "Hello" })

/** Lets a report come, whose e-mail is sent again after so many days. */
const retried = Effect.fnUntraced(function* (id: string, diagnostic: string, status: string, days: number) {
  const left = (yield* sent).at(-1) ?? assert.fail("nothing left")
  yield* receive(report(left, diagnostic, { status }))
  assert.match(yield* stateOf(id), /^queued bounced_/)
  for (let day = 1; day < days; day++) assert.strictEqual(yield* sendAfter("1 day"), 0)
  assert.strictEqual(yield* sendAfter("1 day"), 1)
  assert.strictEqual(yield* stateOf(id), "sent null")
})

eachBackendWith(keptMail)("reports on what was sent", (world) =>
  it.layer(world)((it) => {
    it.effect("that there is no such mailbox block the address for e-mails only, until a person lifts it", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { id, left } = yield* send(lead_id)
        const queued = yield* write(lead_id, { subject: "Second" })
        yield* receive(report(left, gone, { status: "5.1.1" }))
        assert.strictEqual(yield* stateOf(id), "failed bounced_hard")
        const [event] = yield* events("email.bounced")
        assert.deepStrictEqual(
          [event?.subject.id, event?.data["reason"], event?.data["next_attempt_at"]],
          [id, "bounced_hard", null]
        )
        assert.strictEqual(yield* sendAfter("1 day"), 0)
        assert.match(yield* stateOf(queued), /lead_suppressed$/)
        assert.strictEqual(yield* statusOf(lead_id), "Contacted")
        assert.deepStrictEqual(yield* said(lead_id), [])
        assert.strictEqual(yield* code("email.send", next(lead_id)), "LEAD_SUPPRESSED")
        const { draft } = yield* ok("linkedin.draft.create", {
          ...{ lead_id, agent_handle: "ada-martin", mission_id: "spring" },
          variations: ["Hello"]
        })
        yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
        // Another address of the person is another matter.
        yield* ok("lead.upsert", { lead_id, email: "hopper@lead.example" })
        assert.strictEqual(yield* code("email.send", next(lead_id)), "ok")
        yield* ok("lead.upsert", { lead_id, email: "grace@lead.example" })
        assert.strictEqual(yield* code("email.send", next(lead_id)), "LEAD_SUPPRESSED")
        yield* ok("lead.suppression.lift", { lead_id, reason: "It exists after all." })
        assert.strictEqual(yield* code("email.send", next(lead_id)), "ok")
      }).pipe(inOrganization("org_bounce_hard"))
    )

    it.effect("that a mailbox is full send it again after 3 and 7 days, then give it up", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { id, left } = yield* send(lead_id)
        yield* retried(id, full, "4.2.2", 3)
        yield* retried(id, full, "4.2.2", 7)
        yield* receive(report(left, full, { status: "4.2.2" }))
        assert.strictEqual(yield* stateOf(id), "failed bounced_full")
        assert.deepStrictEqual(new Set((yield* sent).map(({ messageId }) => messageId)), new Set([left.messageId]))
        assert.lengthOf(yield* sent, 3)
        assert.strictEqual(yield* code("email.send", next(lead_id)), "ok")
      }).pipe(inOrganization("org_bounce_full"))
    )

    it.effect("that it may pass send it again after 1 and 3 days, however often the server was busy meanwhile", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { id, left } = yield* send(lead_id)
        yield* retried(id, busy, "4.7.1", 1)
        yield* receive(report(left, busy, { status: "4.7.1" }))
        server.answer = () => Effect.succeed({ _tag: "Unavailable", reason: "Busy." })
        for (let day = 1; day <= 3; day++) assert.strictEqual(yield* sendAfter("1 day"), 0)
        server.answer = undefined
        assert.strictEqual(yield* sendAfter("1 hour"), 1)
        yield* receive(report(left, busy, { status: "4.7.1" }))
        assert.strictEqual(yield* stateOf(id), "failed bounced_soft")
      }).pipe(inOrganization("org_bounce_soft"))
    )

    it.effect("that the text was refused give it up, and block nobody", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { id, left } = yield* send(lead_id)
        yield* receive(report(left, spam, { status: "5.7.1" }))
        assert.strictEqual(yield* stateOf(id), "failed bounced_policy")
        assert.strictEqual(yield* code("email.send", next(lead_id)), "ok")
      }).pipe(inOrganization("org_bounce_policy"))
    )

    it.effect("that it is late, or has arrived, do nothing", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { id, left } = yield* send(lead_id)
        const status = { recipient: left.to.address, status: "4.4.1", diagnostic: "Connection timed out" }
        yield* receive(
          report(left, "", { statuses: [{ ...status, action: "delayed" }] }),
          report(left, "", { statuses: [{ ...status, action: "delivered", status: "2.0.0" }] }),
          report(left, "", { statuses: [{ ...status, action: "relayed", status: "2.0.0" }] })
        )
        assert.strictEqual(yield* stateOf(id), "sent null")
        assert.deepStrictEqual(yield* events("email.bounced"), [])
      }).pipe(inOrganization("org_bounce_late"))
    )

    it.effect("that come twice change nothing the second time", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { id, left } = yield* send(lead_id)
        const same = report(left, full, { status: "4.2.2" })
        yield* receive(same, same, report(left, full, { status: "4.2.2" }))
        assert.strictEqual(yield* stateOf(id), "queued bounced_full")
        assert.lengthOf(yield* events("email.bounced"), 1)
        const other = yield* lead({ email: "gone@lead.example" })
        const second = yield* send(other)
        yield* receive(report(second.left, gone), report(second.left, gone))
        assert.strictEqual(yield* stateOf(second.id), "failed bounced_hard")
        assert.lengthOf(yield* events("email.bounced"), 2)
      }).pipe(inOrganization("org_bounce_twice"))
    )

    it.effect("that name another recipient, or no e-mail of ours, block nobody", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { left } = yield* send(lead_id)
        yield* receive(
          report(left, gone, { recipient: "forwarded@elsewhere.example" }),
          report({ ...left, messageId: "eml_01UNKNOWN@lead.example" }, gone),
          report({ ...left, messageId: "1@lead.example" }, gone)
        )
        assert.strictEqual(yield* code("email.send", next(lead_id)), "ok")
        assert.strictEqual(yield* statusOf(lead_id), "Contacted")
      }).pipe(inOrganization("org_bounce_other"))
    )

    it.effect("name their e-mail in whatever part of them, and those of an erased person do nothing", () =>
      Effect.gen(function* () {
        yield* prepare()
        const parts = [
          (id: string) => ({ reported: null, references: [id] }),
          (id: string) => ({ reported: null, text: `Headers:\nMessage-ID: <${id}>\nSubject: Invoices` }),
          (id: string) => ({ reported: null, quoted: `> Message-ID: <${id}>` }),
          (id: string) => ({ reported: null, statuses: [], text: `${gone}\n\nMessage-ID: <${id}>` })
        ]
        for (const [index, part] of parts.entries()) {
          const { id, left } = yield* send(yield* lead({ email: `gone-${index}@lead.example` }))
          yield* receive(report(left, gone, part(left.messageId)))
          assert.strictEqual(yield* stateOf(id), "failed bounced_hard", String(index))
        }
        const lead_id = yield* lead({ email: "erased@lead.example" })
        const { left } = yield* send(lead_id)
        yield* ok("lead.erase", { lead_id, confirm: lead_id })
        assert.strictEqual(
          yield* receive(report(left, gone), answer(left), mail({ feedback: "abuse", reported: left.messageId })),
          3
        )
        assert.lengthOf(yield* events("email.bounced"), parts.length)
        assert.deepStrictEqual(yield* events("email.complained,lead.replied"), [])
      }).pipe(inOrganization("org_bounce_parts"))
    )

    it.effect("and an answer, in either order, leave the answer and what follows from it", () =>
      Effect.gen(function* () {
        yield* prepare()
        for (const isFirst of [true, false]) {
          const lead_id = yield* lead({ email: `${isFirst ? "first" : "second"}@lead.example` })
          const { id, left } = yield* send(lead_id)
          const mails = [answer(left), report(left, full, { status: "4.2.2" })]
          yield* receive(...(isFirst ? mails : mails.toReversed()))
          assert.lengthOf(yield* said(lead_id), 1)
          assert.strictEqual(yield* statusOf(lead_id), "Replied")
          for (let day = 0; day < 4; day++) assert.strictEqual(yield* sendAfter("1 day"), 0, String(isFirst))
          assert.strictEqual(yield* stateOf(id), "in_review lead_replied", String(isFirst))
        }
      }).pipe(inOrganization("org_bounce_race"))
    )

    it.effect("of an e-mail whose outcome was unknown settle it", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const id = yield* write(lead_id)
        server.answer = () => Effect.succeed({ _tag: "Unknown", reason: "The connection broke." })
        assert.strictEqual(yield* sendAfter("11 seconds"), 0)
        server.answer = undefined
        const left = (yield* sent).at(-1) ?? assert.fail("nothing left")
        yield* receive(report(left, gone))
        assert.strictEqual(yield* stateOf(id), "failed bounced_hard")
      }).pipe(inOrganization("org_bounce_unknown"))
    )

    it.effect("of an e-mail that is being sent are not lost", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const id = yield* write(lead_id)
        const script = yield* InboxScript
        const context = yield* Effect.context<Effect.Services<typeof read>>()
        server.answer = (email) =>
          Effect.gen(function* () {
            yield* script.put(email.from.address, report(email, gone))
            assert.strictEqual(yield* read, 1)
            return { _tag: "Confirmed", messageId: email.messageId } as const
          }).pipe(Effect.provideContext(context), Effect.orDie)
        yield* sendAfter("11 seconds")
        server.answer = undefined
        assert.strictEqual(yield* stateOf(id), "failed bounced_hard")
        assert.strictEqual(yield* code("email.send", next(lead_id)), "LEAD_SUPPRESSED")
      }).pipe(inOrganization("org_bounce_sending"))
    )

    it.effect("of a complaint opt the person out, once", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const { id, left } = yield* send(lead_id)
        const complaint = (feedback: string) => mail({ feedback, reported: left.messageId, subject: "FW: Invoices" })
        yield* receive(complaint("not-spam"), complaint("dkim"))
        assert.strictEqual(yield* statusOf(lead_id), "Contacted")
        yield* receive(complaint("abuse"))
        assert.strictEqual(yield* statusOf(lead_id), "DoNotContact")
        yield* receive(complaint("abuse"))
        const found = yield* events("email.complained")
        assert.deepStrictEqual([found[0]?.subject.id, found[0]?.data], [id, { lead_id }])
        assert.strictEqual(yield* code("email.send", next(lead_id)), "LEAD_SUPPRESSED")
        assert.deepStrictEqual(yield* said(lead_id), [])
        yield* TestClock.adjust("1 second")
      }).pipe(inOrganization("org_complaint"))
    )
  })
)
