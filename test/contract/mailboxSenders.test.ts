/** Mailboxes as senders, on every store: limits, ramp-up, one mailbox for one person, and domains that are not set up. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { DomainCheck } from "#core/email/DomainCheck.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { code, lead, ok } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"
import { addressOf, events, keptMail, prepare, send, sendAfter, sent, stateOf, write } from "./mailWorld.ts"

const leads = (count: number, name = "lead") =>
  Effect.forEach(Array.from({ length: count }), (_, n) => lead({ email: `${name}-${n}@lead.example` }))

const limit = (email: string, limits: object) => ok("email.mailbox.set-limits", { email, ...limits })

const states = (ids: ReadonlyArray<string>) => Effect.forEach(ids, stateOf)

/** With hours and limits, as the service has them. */
const paced = Effect.provideService(SendOptions, { ...defaultSendOptions, pacing: true })

const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
const working_hours = Object.fromEntries(days.map((day) => [day, [{ start: "00:00", end: "24:00" }]]))

/** The agent works day and night, so that nothing but limits holds anything. */
const always = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
  const address = yield* prepare(...names)
  yield* ok("agent.update", { agent_handle: "ada-martin", timezone: "UTC", working_hours })
  return address
})

const careless = ok("agent.update", { agent_handle: "ada-martin", smart_deliverability: false })

/** What the DNS says meanwhile. */
const setUp = (isSetUp: boolean) =>
  Effect.provideService(DomainCheck, {
    check: () => {
      const verdict = isSetUp ? "pass" : "missing"
      return Effect.succeed({ spf: verdict, dkim: "unknown", dmarc: verdict, problems: [] })
    }
  })

/** Sends what may leave in some time, looking every eleven minutes. */
const during = (hours: number) =>
  Effect.gen(function* () {
    let count = 0
    for (let minutes = 0; minutes < hours * 60; minutes += 11) count += yield* sendAfter("11 minutes")
    return count
  })

eachBackendWith(keptMail)("mailboxes that send", (world) =>
  it.layer(world)((it) => {
    it.effect("keep their limits of an hour and of a day, and say once that one is reached", () =>
      Effect.gen(function* () {
        const address = yield* always()
        yield* careless
        yield* limit(address, { hour: 2, day: 5 })
        const ids = yield* Effect.forEach(yield* leads(8), (lead_id) => write(lead_id))
        assert.strictEqual(yield* sendAfter("11 seconds"), 2)
        for (let minute = 0; minute < 5; minute++) assert.strictEqual(yield* sendAfter("0 seconds"), 0)
        assert.deepStrictEqual((yield* states(ids)).filter((state) => state.startsWith("queued")).length, 6)
        assert.lengthOf(yield* events("usage.limit_reached"), 1)
        const { mailboxes } = yield* ok("email.mailbox.list", {})
        assert.deepInclude(mailboxes[0], {
          usage: [
            { window: "hour", used: 2, limit: 2 },
            { window: "day", used: 2, limit: 5 }
          ]
        })
        assert.isNotNull(mailboxes[0].paused_until)
        assert.strictEqual(yield* during(1.2), 2)
        assert.strictEqual(yield* during(20), 1)
        assert.strictEqual(yield* during(12), 3)
        assert.lengthOf(yield* sent, 8)
        const [event] = yield* events("usage.limit_reached")
        assert.deepInclude(event?.data, { action: "email" })
        assert.strictEqual(event?.subject.id, address)
      }).pipe(paced, inOrganization("org_pace_limits"))
    )

    it.effect("may send at once when their limits are raised, and nothing at 0", () =>
      Effect.gen(function* () {
        const address = yield* always()
        yield* careless
        yield* limit(address, { hour: 0 })
        const ids = yield* Effect.forEach(yield* leads(3), (lead_id) => write(lead_id))
        assert.strictEqual(yield* during(30), 0)
        for (const state of yield* states(ids)) assert.match(state, /^queued/)
        yield* limit(address, { hour: null })
        assert.strictEqual(yield* sendAfter("0 seconds"), 3)
      }).pipe(paced, inOrganization("org_pace_raised"))
    )

    it.effect("each have limits of their own, and keep a person", () =>
      Effect.gen(function* () {
        yield* always("ada", "bob")
        yield* careless
        const [ada, bob] = [yield* addressOf("ada"), yield* addressOf("bob")]
        yield* limit(ada, { day: 1 })
        const [first, second, third] = yield* leads(3)
        const by = (from_email: string) => ({ from_email })
        yield* send(first ?? "", by(ada))
        yield* write(second ?? "", by(ada))
        yield* write(third ?? "", by(bob))
        assert.strictEqual(yield* sendAfter("11 seconds"), 1)
        assert.deepStrictEqual(
          (yield* sent).map(({ from }) => from.address),
          [ada, bob]
        )
        // Without a wish it is the one that wrote before.
        for (const [lead_id, address] of [
          [first, ada],
          [third, bob]
        ]) {
          const { email } = yield* ok("email.send", { lead_id, mission_id: "spring", subject: "x", body_text: "Hello" })
          assert.strictEqual(email.from, address)
        }
        const wrong = { lead_id: first, mission_id: "spring", subject: "x", body_text: "y", from_email: "z@z.example" }
        assert.strictEqual(yield* code("email.send", wrong), "INVALID_INPUT")
        const chosen = yield* ok("email.send", { ...wrong, from_email: bob.toUpperCase() })
        assert.strictEqual(chosen.email.from, bob)
      }).pipe(paced, inOrganization("org_pace_several"))
    )

    it.effect("are shared out among people, and each keeps one until it is taken away", () =>
      Effect.gen(function* () {
        yield* always("ada", "bob")
        const people = yield* leads(12)
        const froms = Effect.forEach(people, (lead_id) =>
          Effect.map(
            ok("email.send", { lead_id, mission_id: "checked", subject: "x", body_text: "Hello" }),
            ({ email }) => String(email.from)
          )
        )
        const first = yield* froms
        assert.strictEqual(new Set(first).size, 2)
        assert.deepStrictEqual(yield* froms, first)
        const bob = yield* addressOf("bob")
        yield* ok("agent.update", { agent_handle: "ada-martin", email_accounts: [{ provider: "IMAP", email: bob }] })
        assert.deepStrictEqual(new Set(yield* froms), new Set([bob]))
      }).pipe(paced, inOrganization("org_pace_person"))
    )

    it.effect("begin slowly, unless they are told not to", () =>
      Effect.gen(function* () {
        const address = yield* always()
        const dayLimit = Effect.map(ok("email.mailbox.list", {}), ({ mailboxes }) =>
          Number(mailboxes[0].usage[1].limit)
        )
        yield* limit(address, { day: 100 })
        const [from, to] = [85, 100]
        const within = (percent: number) =>
          Effect.map(dayLimit, (found) => {
            assert.isAtLeast(found, Math.floor((percent * from) / 100))
            assert.isAtMost(found, Math.floor((percent * to) / 100))
          })
        yield* within(40)
        yield* limit(address, { ramp: false })
        yield* within(100)
        yield* limit(address, { ramp: true })
        for (const percent of [60, 80, 100]) {
          yield* TestClock.adjust("7 days")
          yield* within(percent)
        }
      }).pipe(paced, inOrganization("org_pace_ramp"))
    )

    it.effect("of a domain that is not set up wait where the organization requires it, until it is", () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("1 day")
        const address = yield* always()
        yield* ok("policy.set", { email_authentication: "required" })
        const lead_id = yield* lead({ email: "grace@lead.example" })
        const id = yield* write(lead_id)
        assert.strictEqual(yield* sendAfter("11 seconds"), 0)
        assert.strictEqual(yield* stateOf(id), "queued domain_unauthenticated")
        const explained = yield* ok("review.explain", { about: id })
        assert.include(JSON.stringify(explained), "domain_unauthenticated")
        const { mailboxes } = yield* ok("email.mailbox.list", {})
        assert.deepInclude(mailboxes[0], { email: address })
        assert.deepInclude(mailboxes[0].domain, { spf: "missing", dmarc: "missing" })
        for (let minute = 0; minute < 3; minute++) assert.strictEqual(yield* sendAfter("11 minutes"), 0)
        yield* ok("policy.set", { email_authentication: null })
        assert.strictEqual(yield* sendAfter("11 minutes"), 1)
      }).pipe(paced, inOrganization("unset_domain"))
    )

    it.effect("of a domain that was set up send again after ten minutes", () =>
      Effect.gen(function* () {
        yield* always()
        yield* ok("policy.set", { email_authentication: "required" })
        const id = yield* write(yield* lead({ email: "grace@lead.example" }))
        assert.strictEqual(yield* setUp(false)(sendAfter("11 seconds")), 0)
        assert.strictEqual(yield* stateOf(id), "queued domain_unauthenticated")
        assert.strictEqual(yield* setUp(true)(sendAfter("0 seconds")), 0)
        assert.strictEqual(yield* setUp(true)(sendAfter("11 minutes")), 1)
        // What was found holds for a day.
        yield* setUp(false)(send(yield* lead({ email: "hopper@lead.example" })))
      }).pipe(paced, inOrganization("org_domain"))
    )

    it.effect("of a domain that is not set up send where nothing is required", () =>
      Effect.gen(function* () {
        yield* always()
        yield* send(yield* lead({ email: "grace@lead.example" }))
      }).pipe(paced, inOrganization("unset_free"))
    )
  })
)
