/** Servers whose clocks differ work on one store: what came first is decided by the order of changes, not by their times. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { countedIds } from "../generated/differentialSide.ts"
import { effort } from "../support/effort.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { randomOf } from "../support/random.ts"
import { actor, code, lead, ok } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"

/** By how many seconds a clock may be off; more than a minute holds sending, and nothing else. */
const offsets = [0, 1, -1, 30, -30, 59, -59, 90, -90, 3_600, -3_600, 86_400, -86_400]

const start = Date.parse("2026-11-16T09:00:00.000Z")

/** Runs on a server whose clock is off by so many seconds. */
const on =
  (seconds: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.andThen(TestClock.setTime(start + seconds * 1_000), effect)

// Ids of one process never go back; those of several follow the clock of each.
eachBackendWith({ ids: countedIds })("servers with different clocks", (layer) =>
  it.layer(layer)((it) => {
    it.effect("undo what one did, but for what others touched since", () =>
      Effect.gen(function* () {
        const { pick } = randomOf(34)
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", handle: "ada" })
        for (let round = 0; round < effort(20); round++) {
          const [agent, person, undo] = [pick(offsets), pick(offsets), pick(offsets)].map((seconds) => on(seconds))
          if (agent === undefined || person === undefined || undo === undefined) return
          const key_id = `agentkey${String.fromCharCode(97 + Math.floor(round / 26), 97 + (round % 26))}aa`
          const by = { actor: actor("org_clocks", { kind: "AI_AGENT", keyId: key_id }) }
          const others = yield* person(lead({ email: `other${round}@example.com` }))
          const leads = yield* Effect.forEach(["a", "b"], (name) =>
            agent(lead({ email: `${name}${round}@example.com` }, by))
          )
          for (const name of ["a", "b"]) yield* agent(ok("mission.create", { name, handle: `${name}-${round}` }, by))
          const [, touched] = leads
          yield* person(ok("lead.upsert", { lead_id: touched, job_title: "Head" }))
          const draft = { lead_id: others, agent_handle: "ada", mission_id: `b-${round}`, variations: ["Hello"] }
          const { draft_id } = (yield* person(ok("linkedin.draft.create", draft))).draft
          yield* person(ok("linkedin.draft.cancel", { draft_id }))
          const undone = yield* undo(ok("agent-run.undo", { key_id, since: "1970-01-01T00:00:00Z" }))
          const found = yield* Effect.forEach(leads, (lead_id) => code("lead.get", { lead_id }))
          const missions = yield* Effect.forEach(["a", "b"], (name) =>
            code("mission.get", { mission_id: `${name}-${round}` })
          )
          assert.deepStrictEqual(
            [found, missions],
            [
              ["NOT_FOUND", "ok"],
              ["NOT_FOUND", "ok"]
            ],
            JSON.stringify(undone)
          )
          assert.deepStrictEqual(
            undone.kept_because.map(({ count, reason }: Record<string, unknown>) => [reason, count]),
            [["TOUCHED", 2]]
          )
        }
      }).pipe(inOrganization("org_clocks"))
    )
  })
)
