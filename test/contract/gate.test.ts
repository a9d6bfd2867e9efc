/** The gate on every store: what keeps a message, an invitation or an e-mail from leaving, at its claim and while a try fails. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { now } from "#core/kernel/schema/IdsAndTime.ts"
import { eachBackendWith } from "./backends.ts"
import { busyGateways, type Case, fateOf, type Kind, Provider, prepare, provider, round } from "./gateWorld.ts"

const until = "2099-01-01T00:00:00Z"

/** What may happen, and is named in the tests. */
const events: Readonly<Record<string, (about: Case) => Effect.Effect<unknown, never, Dispatch>>> = {
  "the lead is DoNotContact": ({ lead_id, run }) =>
    run("lead.status.set", { lead_id, status: "DoNotContact", reason: "Asked" }),
  "the lead is NotInterested": ({ lead_id, run }) =>
    run("lead.status.set", { lead_id, status: "NotInterested", reason: "No" }),
  "the lead is suppressed": ({ lead_id, run }) => run("lead.suppress", { lead_id, reason: "Later", until }),
  "its domain is suppressed": ({ run }) =>
    run("lead.suppress", { domain: "quiet.example", reason: "A customer", until }),
  "its address or profile is suppressed": ({ kind, run }) =>
    run("lead.suppress", {
      reason: "Later",
      until,
      ...(kind === "email"
        ? { email: "grace@quiet.example" }
        : { linkedin_url: `https://www.linkedin.com/in/grace${kind === "invitation" ? "-2nd" : ""}` })
    }),
  "the mission is paused": ({ run }) => run("mission.pause", { mission_id: "spring", reason: "Later" }),
  "the mission is completed": ({ run }) => run("mission.complete", { mission_id: "spring", reason: "Done" }),
  "the mission is archived": ({ run }) => run("mission.update", { mission_id: "spring", status: "archived" }),
  "the agent is deleted": ({ run }) => run("agent.delete", { agent_handle: "ada-martin", force: true }),
  "the account is unlinked": ({ kind, run }) =>
    kind === "email"
      ? run("agent.update", { agent_handle: "ada-martin", email_accounts: [] })
      : run("linkedin.account.unlink", { agent_handle: "ada-martin" }),
  "the lead replies": ({ kind, lead_id, run }) =>
    Effect.flatMap(now, (date) =>
      run("lead.message.record", {
        lead_id,
        channel: kind === "email" ? "EMAIL" : "LINKEDIN",
        direction: "inbound",
        content: "Thank you, not now.",
        date
      })
    )
}

/** What becomes of a transmission and its draft: [before its claim, while its try fails], or one for both. */
type Fates = Readonly<Record<string, string | readonly [string, string]>>

const taken = (reason: string) => `cancelled ${reason}`
const reviewed = (reason: string) => `${taken(reason)}, PENDING_REVIEW`

const fates: Readonly<Record<Kind, Fates>> = {
  message: {
    "the lead is DoNotContact": `${taken("lead_suppressed")}, CANCELLED`,
    "the lead is NotInterested": reviewed("lead_not_interested"),
    "the lead is suppressed": reviewed("lead_suppressed"),
    "its domain is suppressed": reviewed("lead_suppressed"),
    "its address or profile is suppressed": reviewed("lead_suppressed"),
    "the mission is paused": "queued, READY_TO_SEND",
    "the mission is completed": "queued, READY_TO_SEND",
    "the mission is archived": reviewed("mission_archived"),
    "the agent is deleted": [reviewed("agent_deleted"), "failed no_account, PENDING_REVIEW"],
    "the account is unlinked": "failed no_account, PENDING_REVIEW",
    "the lead replies": reviewed("lead_replied")
  },
  invitation: {
    "the lead is DoNotContact": taken("lead_suppressed"),
    "the lead is NotInterested": taken("lead_not_interested"),
    "the lead is suppressed": taken("lead_suppressed"),
    "its domain is suppressed": taken("lead_suppressed"),
    "its address or profile is suppressed": taken("lead_suppressed"),
    "the mission is paused": "queued",
    "the mission is completed": "queued",
    "the mission is archived": taken("mission_archived"),
    "the agent is deleted": [taken("agent_deleted"), taken("no_account")],
    "the account is unlinked": taken("no_account"),
    "the lead replies": taken("lead_replied")
  },
  email: {
    "the lead is DoNotContact": taken("lead_suppressed"),
    "the lead is NotInterested": "in_review lead_not_interested",
    "the lead is suppressed": taken("lead_suppressed"),
    "its domain is suppressed": taken("lead_suppressed"),
    "its address or profile is suppressed": taken("lead_suppressed"),
    "the mission is paused": "queued",
    "the mission is completed": "queued",
    "the mission is archived": taken("mission_archived"),
    "the agent is deleted": "failed agent_deleted",
    "the account is unlinked": "failed no_account",
    "the lead replies": "in_review lead_replied"
  }
}

const moments = ["before its claim", "while its try fails"] as const

eachBackendWith(busyGateways)("the gate", (world) =>
  it.layer(world.pipe(Layer.provideMerge(provider)))((it) => {
    for (const kind of ["message", "invitation", "email"] as const) {
      for (const [name, happen] of Object.entries(events)) {
        for (const moment of moments) {
          const fate = fates[kind][name] ?? ""
          const becomes = typeof fate === "string" ? fate : fate[moments.indexOf(moment)]
          it.effect(`${kind}: ${name} ${moment}: ${becomes}`, () =>
            Effect.gen(function* () {
              const asking = yield* Provider
              const isTried = moment === "while its try fails"
              const about = yield* prepare(kind)
              const happens = Effect.andThen(TestClock.adjust("1 second"), happen(about))
              asking.asked.length = 0
              if (isTried) {
                const services = yield* Effect.context<Dispatch>()
                asking.meanwhile = Effect.provideContext(happens, services)
              } else {
                yield* happens
              }
              yield* round(about.organizationId)
              asking.meanwhile = Effect.void
              assert.lengthOf(asking.asked, isTried ? 1 : 0)
              assert.strictEqual(yield* fateOf(about), becomes)
              yield* TestClock.adjust("2 hours")
              yield* round(about.organizationId)
              assert.lengthOf(asking.asked, isTried ? 1 : 0, "it is not tried later either")
            })
          )
        }
      }
    }

    const sentence = "Written by an AI assistant."
    const disclosed = `Hello. ${sentence.toUpperCase()}`
    const undisclosed: Fates = {
      message: reviewed("no_disclosure"),
      invitation: taken("no_disclosure"),
      email: "in_review no_disclosure"
    }
    /** What is sent as it is, by what it says: [a name, what is said, how it may lose its disclosure]. */
    const said: ReadonlyArray<readonly [string, Parameters<typeof prepare>[1], object | undefined]> = [
      ["a person's answer", { text: "Hello", isAnswer: true }, undefined],
      ["an agent's first text", { text: "Hello", by: "AI_AGENT" }, undefined],
      [
        "an agent's answer that discloses it",
        { text: disclosed, by: "AI_AGENT", isAnswer: true, disclosure: sentence },
        undefined
      ],
      [
        "an agent's answer whose disclosure is required no more",
        { text: disclosed, by: "AI_AGENT", isAnswer: true, disclosure: sentence },
        { disclosure: null }
      ],
      [
        "an agent's answer after another disclosure was set",
        { text: disclosed, by: "AI_AGENT", isAnswer: true, disclosure: sentence },
        { disclosure: "No person wrote this." }
      ],
      ["a person's text after a disclosure was set", { text: "Hello" }, { disclosure: sentence }]
    ]
    for (const kind of ["message", "invitation", "email"] as const) {
      for (const [name, how, policy] of said) {
        for (const moment of moments) {
          it.effect(`${kind}: ${name}, ${moment}: ${policy === undefined ? "is sent" : "is not sent"}`, () =>
            Effect.gen(function* () {
              const asking = yield* Provider
              const isTried = moment === "while its try fails"
              const about = yield* prepare(kind, how)
              const happens = policy === undefined ? Effect.void : Effect.asVoid(about.run("policy.set", policy))
              asking.asked.length = 0
              if (isTried) {
                const services = yield* Effect.context<Dispatch>()
                asking.meanwhile = Effect.provideContext(happens, services)
              } else yield* happens
              yield* round(about.organizationId)
              asking.meanwhile = Effect.void
              assert.lengthOf(asking.asked, isTried || policy === undefined ? 1 : 0)
              const fate = yield* fateOf(about)
              if (policy === undefined) assert.match(fate, /^queued/)
              else assert.strictEqual(fate, undisclosed[kind])
            })
          )
        }
      }
    }

    it.effect("email: an agent's answer that no person approved and that discloses nothing goes to a person", () =>
      Effect.gen(function* () {
        const asking = yield* Provider
        const about = yield* prepare("email", { text: "Hello", by: "AI_AGENT", isAnswer: true })
        asking.asked.length = 0
        yield* round(about.organizationId)
        assert.deepStrictEqual(asking.asked, [])
        assert.strictEqual(yield* fateOf(about), "in_review no_disclosure")
        const { content_hash, provenance } = yield* about.run("review.get", { item_id: about.id })
        assert.deepInclude(Object(provenance)[0], { action: "created", actor_kind: "AI_AGENT" })
        yield* about.run("email.review.decide", { review_id: about.id, decision: "approve", content_hash })
        yield* TestClock.adjust("11 seconds")
        yield* round(about.organizationId)
        assert.lengthOf(asking.asked, 1)
      })
    )

    it.effect("knows an address that is suppressed while a try fails, although the lead has another one now", () =>
      Effect.gen(function* () {
        const asking = yield* Provider
        const about = yield* prepare("email")
        const services = yield* Effect.context<Dispatch>()
        asking.asked.length = 0
        asking.meanwhile = about
          .run("lead.upsert", { lead_id: about.lead_id, email: "new@elsewhere.example" })
          .pipe(
            Effect.andThen(about.run("lead.suppress", { domain: "quiet.example", reason: "A customer" })),
            Effect.provideContext(services)
          )
        yield* round(about.organizationId)
        asking.meanwhile = Effect.void
        assert.deepStrictEqual(asking.asked, ["grace@quiet.example"])
        assert.strictEqual(yield* fateOf(about), taken("lead_suppressed"))
      })
    )
  })
)
