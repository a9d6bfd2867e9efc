/** Undoing an agent's run while people work on the same leads and drafts. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { hasPostgres } from "../support/backends.ts"
import { inOrganization } from "../support/inOrganization.ts"
import * as World from "../support/World.ts"
import { actor, ask, lead, ok } from "../support/World.ts"

const rounds = 40
/** An agent for each round. */
const keyOf = (round: number) => `agentkey${String.fromCharCode(97 + Math.floor(round / 26), 97 + (round % 26))}aa`
const codeOf = (command: string, input: object) =>
  Effect.map(ask(command, input), ({ envelope }) => (envelope.ok ? "ok" : envelope.error.code))

describe.skipIf(!hasPostgres())("an agent's run that is undone while people work", () => {
  it.layer(World.make({ backend: "postgres" }))((it) => {
    it.effect("goes back or stays as a whole, and never takes a person's change along", () =>
      Effect.gen(function* () {
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", handle: "ada" })
        let wentBack = 0
        for (let round = 0; round < rounds; round++) {
          const key_id = keyOf(round)
          const byAgent = { actor: actor("org_undo_race", { kind: "AI_AGENT", keyId: key_id }) }
          const leadId = yield* lead({ email: `race${round}@example.com`, name: "Kim" }, byAgent)
          const others = yield* lead({ email: `other${round}@example.com`, name: "Kim" })
          const { draft } = yield* ok(
            "linkedin.draft.create",
            { lead_id: others, agent_handle: "ada", variations: [{ body_text: "Agent" }] },
            byAgent
          )
          const { draft_id } = draft
          const since = "1970-01-01T00:00:00Z"
          const undo = ok("agent-run.undo", { key_id, since })
          const { content_hash } = yield* ok("review.get", { item_id: draft_id })
          const [first, second, noted, approved] = yield* Effect.all(
            [
              undo,
              undo,
              codeOf("lead.upsert", { lead_id: leadId, job_title: `Head ${round}` }),
              codeOf("linkedin.draft.approve", { draft_id, variation_index: 0, content_hash })
            ],
            { concurrency: 4 }
          )
          const text = (yield* ok("linkedin.draft.get", { draft_id })).draft
          assert.include(["ok", "NOT_FOUND"], noted)
          assert.strictEqual(yield* codeOf("lead.get", { lead_id: leadId }), noted)
          assert.include(["ok", "DRAFT_FINAL"], approved)
          assert.strictEqual(text.status, approved === "ok" ? "READY_TO_SEND" : "CANCELLED")
          const back = (noted === "ok" ? 0 : 1) + (approved === "ok" ? 0 : 1)
          assert.strictEqual(first.undone + second.undone, back, `round ${round}`)
          wentBack += back
        }
        assert.isAbove(wentBack, 0)
      }).pipe(inOrganization("org_undo_race"))
    )
  })
})
