/** Threads of e-mails on every store: an answer refers to what it answers, and a mail keeps its id when it is sent again. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { inOrganization } from "../support/inOrganization.ts"
import { lead, ok } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"
import {
  addressOf,
  answer,
  full,
  inDays,
  keptMail,
  mail,
  prepare,
  receive,
  report,
  send,
  sendAfter,
  sent
} from "./mailWorld.ts"

const grace = lead({ name: "Grace", email: "grace@lead.example" })

const second = TestClock.adjust("1 second")

eachBackendWith(keptMail)("threads of e-mails", (world) =>
  it.layer(world)((it) => {
    it.effect("go on with the same subject, in both directions, the closest first", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const first = (yield* send(lead_id)).left
        assert.deepStrictEqual(first.references, [])
        yield* receive(answer(first, { messageId: "a1@lead.example", date: yield* inDays(0) }))
        yield* second
        const again = (yield* send(lead_id, { subject: "RE:  invoices" })).left
        assert.deepStrictEqual(again.references, ["a1@lead.example", first.messageId])
        yield* receive(answer(again, { messageId: "a2@lead.example", subject: "AW: RE: Invoices" }))
        yield* second
        const third = (yield* send(lead_id, { subject: "Re: Invoices" })).left
        assert.deepStrictEqual(third.references, [
          "a2@lead.example",
          again.messageId,
          "a1@lead.example",
          first.messageId
        ])
        assert.strictEqual(new Set((yield* sent).map(({ messageId }) => messageId)).size, 3)
      }).pipe(inOrganization("org_thread_same"))
    )

    it.effect("begin with another subject, and with another person", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const first = (yield* send(lead_id)).left
        yield* receive(answer(first))
        yield* second
        const other = (yield* send(lead_id, { subject: "Something else" })).left
        assert.deepStrictEqual(other.references, [])
        const person = yield* lead({ email: "hopper@lead.example" })
        assert.deepStrictEqual((yield* send(person)).left.references, [])
      }).pipe(inOrganization("org_thread_other"))
    )

    it.effect("begin with another mailbox", () =>
      Effect.gen(function* () {
        yield* prepare("ada", "bob")
        const lead_id = yield* grace
        const [ada, bob] = [yield* addressOf("ada"), yield* addressOf("bob")]
        const first = (yield* send(lead_id, { from_email: ada })).left
        const other = (yield* send(lead_id, { from_email: bob })).left
        assert.deepStrictEqual([first.from.address, other.from.address, other.references], [ada, bob, []])
      }).pipe(inOrganization("org_thread_mailbox"))
    )

    it.effect("go on although the person answers from another address", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const first = (yield* send(lead_id)).left
        const from = { name: "Grace", address: "grace@home.example" }
        yield* receive(answer(first, { messageId: "home@home.example", from }))
        yield* second
        const next = (yield* send(lead_id, { subject: "Re: Invoices" })).left
        assert.deepStrictEqual(next.references, ["home@home.example", first.messageId])
      }).pipe(inOrganization("org_thread_address"))
    )

    it.effect("name at most twenty mails, and never the one that is sent again", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const first = (yield* send(lead_id)).left
        yield* receive(report(first, full, { status: "4.2.2" }))
        for (let day = 0; day < 2; day++) assert.strictEqual(yield* sendAfter("1 day"), 0)
        assert.strictEqual(yield* sendAfter("1 day"), 1)
        const again = (yield* sent).at(-1)
        assert.deepStrictEqual([again?.messageId, again?.references], [first.messageId, []])
        assert.notDeepEqual(again?.unsubscribe, first.unsubscribe)
        yield* receive(...Array.from({ length: 25 }, (_, n) => answer(first, { messageId: `n${n}@lead.example` })))
        yield* second
        const next = (yield* send(lead_id, { subject: "Re: Invoices" })).left
        assert.lengthOf(next.references ?? [], 20)
      }).pipe(inOrganization("org_thread_again"))
    )

    it.effect("are not of mails that were recorded by hand, nor of those without an id", () =>
      Effect.gen(function* () {
        yield* prepare()
        const lead_id = yield* grace
        const first = (yield* send(lead_id)).left
        yield* receive(mail({ messageId: null, references: [first.messageId], text: "No id" }))
        yield* second
        const next = (yield* send(lead_id, { subject: "Re: Invoices" })).left
        assert.deepStrictEqual(next.references, [first.messageId])
        const message = { lead_id, channel: "EMAIL", direction: "inbound", content: "By hand", external_id: "by hand" }
        yield* second
        yield* ok("lead.message.record", message)
        assert.deepStrictEqual((yield* send(lead_id, { subject: "Re: Invoices" })).left.references, [])
      }).pipe(inOrganization("org_thread_id"))
    )
  })
)
