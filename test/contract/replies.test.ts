/** What a message from a lead brings about, the same whichever way it comes in: recorded by a caller, or delivered by the provider. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { asService } from "#core/kernel/background/Worker.ts"
import { isoFromMillis, now } from "#core/kernel/schema/IdsAndTime.ts"
import { handleEvent } from "#core/outreach/conversations/InboundReceiver.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import { anyAccountOfAgent, LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import { eachBackendWith } from "./backends.ts"
import { busyGateways, type Case, fateOf, type Kind, Provider, prepare, provider, round } from "./gateWorld.ts"

const deliver = Effect.fnUntraced(function* ({ kind, organizationId }: Case, text: string, at: string) {
  const accounts = yield* AccountsRepo
  const since = { day: at, week: at }
  const [first] = yield* accounts.list(organizationId, (yield* LinkedInGateway).name, since)
  const account = yield* asService(organizationId, anyAccountOfAgent(first?.agent.id ?? ""))
  yield* accounts.ensure(account)
  const value = `grace${kind === "invitation" ? "-2nd" : ""}`
  const isNew = yield* handleEvent(organizationId, account.gateway, {
    _tag: "Message",
    gatewayAccountId: account.gatewayAccountId,
    key: null,
    message: {
      messageId: `msg-${organizationId}`,
      externalId: null,
      chatId: `chat-${organizationId}`,
      direction: "inbound",
      sender: {
        providerId: `id-${value}`,
        identities: [{ kind: "slug", value, derived: false }],
        fullName: "Grace Hopper",
        profileUrl: null,
        pictureUrl: null
      },
      text,
      at
    }
  })
  assert.isTrue(isNew)
})

const record =
  (channel: string) =>
  ({ lead_id, run }: Case, content: string, date: string) =>
    run("lead.message.record", { lead_id, channel, direction: "inbound", content, date })

/** The ways in. */
const ways = {
  "recorded from LinkedIn": record("LINKEDIN"),
  "recorded from a mailbox": record("EMAIL"),
  delivered: deliver
}

interface Expected {
  readonly text: string
  /** How long before now it was written. */
  readonly age?: number
  readonly status: string
  /** What becomes of what waits. */
  readonly fates: Readonly<Record<Kind, string>>
}

const week = 7 * 86_400_000

const reviewed = {
  message: "cancelled lead_replied, PENDING_REVIEW",
  invitation: "cancelled lead_replied",
  email: "in_review lead_replied"
}

const messages: Readonly<Record<string, Expected>> = {
  "a reply": { text: "Thank you, Thursday at ten suits me.", status: "Replied", fates: reviewed },
  "a reply from long before the approval": {
    text: "Thank you, call me in spring.",
    age: week,
    status: "Replied",
    fates: reviewed
  },
  "an opt-out": {
    text: "Please stop contacting me.",
    status: "DoNotContact",
    fates: {
      message: "cancelled lead_suppressed, CANCELLED",
      invitation: "cancelled lead_suppressed",
      email: "cancelled lead_suppressed"
    }
  },
  "an opt-out in other words": {
    text: "No thanks. Not now, not ever. Take the hint.",
    status: "Replied",
    fates: reviewed
  },
  "an uncertain opt-out": {
    text: "Please don't write to me on LinkedIn.",
    status: "Replied",
    fates: reviewed
  },
  "an uncertain opt-out from long before the approval": {
    text: "Please don't write to me before Easter.",
    age: week,
    status: "Replied",
    fates: reviewed
  }
}

eachBackendWith(busyGateways)("messages from leads", (world) =>
  it.layer(world.pipe(Layer.provideMerge(provider)))((it) => {
    for (const kind of ["message", "invitation", "email"] as const) {
      for (const [name, { age = 0, fates, status, text }] of Object.entries(messages)) {
        for (const [way, comeIn] of Object.entries(ways)) {
          it.effect(`${kind}: ${name}, ${way}: ${fates[kind]}`, () =>
            Effect.gen(function* () {
              const asking = yield* Provider
              yield* TestClock.adjust("8 days")
              const about = yield* prepare(kind)
              const { organizationId, run } = about
              yield* TestClock.adjust("1 second")
              yield* comeIn(about, text, isoFromMillis(Date.parse(yield* now) - age))
              assert.strictEqual(yield* fateOf(about), fates[kind])
              const { lead } = yield* run("lead.get", { lead_id: about.lead_id })
              assert.strictEqual(Object(lead).status, status)
              const { results } = yield* run("lead.suppression.check", { identifiers: ["grace@quiet.example"] })
              assert.strictEqual(Object(results)[0].suppressed, status === "DoNotContact")
              // Nothing resumes by itself, however much later.
              yield* TestClock.adjust("30 days")
              asking.asked.length = 0
              yield* round(organizationId)
              assert.lengthOf(asking.asked, 0)
              assert.strictEqual(yield* fateOf(about), fates[kind])
            })
          )
        }
      }
    }
  })
)
