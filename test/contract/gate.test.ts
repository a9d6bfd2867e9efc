/** The gate on every store: what keeps a message, an invitation or an e-mail from leaving, at its claim and while a try fails. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { now } from "#core/kernel/schema/Time.ts"
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

    it.effect("knows an address that is suppressed while a try fails, although the lead has another one now", () =>
      Effect.gen(function* () {
        const asking = yield* Provider
        const about = yield* prepare("email")
        yield* about.run("lead.upsert", { lead_id: about.lead_id, email: "new@elsewhere.example" })
        const services = yield* Effect.context<Dispatch>()
        asking.asked.length = 0
        asking.meanwhile = Effect.provideContext(
          about.run("lead.suppress", { domain: "quiet.example", reason: "A customer" }),
          services
        )
        yield* round(about.organizationId)
        asking.meanwhile = Effect.void
        assert.deepStrictEqual(asking.asked, ["grace@quiet.example"])
        assert.strictEqual(yield* fateOf(about), taken("lead_suppressed"))
      })
    )
  })
)
