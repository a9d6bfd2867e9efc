/** Two processes that read the same inboxes, and send from the same mailbox, at the same moments. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import { InboxScript } from "#memory/simulator/SimulatedInbox.ts"
import { answer, events, keptMail, mail, prepare, read, said, send, sent, write } from "../contract/mailWorld.ts"
import { hasPostgres } from "../support/backends.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import * as World from "../support/World.ts"

const { lead, ok } = World

const rounds = 15

const together = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.all([effect, effect, effect], { concurrency: "unbounded" })

const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
const working_hours = Object.fromEntries(days.map((day) => [day, [{ start: "00:00", end: "24:00" }]]))

describe.skipIf(!hasPostgres())("several processes", () => {
  it.layer(World.make({ ...keptMail, backend: "postgres" }))((it) => {
    it.effect(`read nothing twice and lose nothing, in ${rounds} rounds`, () =>
      Effect.gen(function* () {
        const address = yield* prepare()
        const lead_id = yield* lead({ email: "grace@lead.example" })
        const { left } = yield* send(lead_id)
        const script = yield* InboxScript
        const texts: Array<string> = []
        for (let round = 0; round < rounds; round++) {
          const mails = [`${round} by address`, `${round} by reference`]
          texts.push(...mails)
          yield* script.put(address, mail({ text: mails[0] ?? "" }), answer(left, { text: mails[1] ?? "" }))
          if (round % 4 === 0) yield* script.renumber(address)
          yield* TestClock.adjust("6 minutes")
          yield* together(read)
        }
        assert.deepStrictEqual((yield* said(lead_id)).toSorted(), texts.toSorted())
        assert.lengthOf(yield* events("lead.replied"), texts.length)
      }).pipe(inOrganization("org_rounds_read"))
    )

    it.effect("never send more than a mailbox may, and say once that its limit is reached", () =>
      Effect.gen(function* () {
        const email = yield* prepare()
        yield* ok("agent.update", {
          ...{ agent_handle: "ada-martin", timezone: "UTC", working_hours },
          smart_deliverability: false
        })
        yield* ok("email.mailbox.set-limits", { email, hour: 5, day: 12 })
        for (let n = 0; n < 20; n++) yield* write(yield* lead({ email: `lead-${n}@lead.example` }))
        yield* TestClock.adjust("11 seconds")
        const organizationId = yield* CurrentOrganization
        const round = together(dispatchEmails({ organizationId }))
        yield* round
        yield* round
        assert.lengthOf(yield* sent, 5)
        assert.lengthOf(yield* events("usage.limit_reached"), 1)
        yield* TestClock.adjust("61 minutes")
        yield* round
        assert.lengthOf(yield* sent, 10)
        yield* TestClock.adjust("61 minutes")
        yield* round
        yield* TestClock.adjust("11 minutes")
        yield* round
        assert.lengthOf(yield* sent, 12)
        assert.strictEqual(new Set((yield* sent).map(({ messageId }) => messageId)).size, 12)
      }).pipe(
        Effect.provideService(SendOptions, { ...defaultSendOptions, pacing: true }),
        inOrganization("org_rounds_send")
      )
    )
  })
})
