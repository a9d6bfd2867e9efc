/** Who wrote, changed and reviewed a draft, on every store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import { keptSteps } from "#core/outreach/Evidence.ts"
import { agents, draftFor, lead } from "../core/linkedin/linkedInWorld.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { actor, counted, ok, refused } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

interface Step {
  readonly user_id: string
  readonly action: string
  readonly actor_kind: string
  readonly key_id: string | null
  readonly client: { readonly name: string } | null
  readonly model: string | null
}

const stepsOf = (draft_id: string) =>
  Effect.map(ok("linkedin.draft.get", { draft_id }), ({ provenance }) => provenance as ReadonlyArray<Step>)
const actions = (steps: ReadonlyArray<Step>) => steps.map(({ action }) => action)

eachBackend("the provenance of a draft", (layer) =>
  it.layer(layer)((it) => {
    it.effect("names the writer's key, user, client and model, and each who changed or reviewed it", () =>
      Effect.gen(function* () {
        yield* agents()
        const client = { name: "sales-bot", version: "1.2" }
        const bot = {
          kind: "AI_AGENT",
          userId: "usr_bot",
          keyId: "botkey234567",
          client,
          policies: noPolicies
        } as const
        const writer = { actor: actor("org_prov", bot) }
        const input = { lead_id: yield* lead("grace"), variations: ["Hello Grace"], model: "writer-4" }
        const { data, statements } = yield* counted("linkedin.draft.create", input, writer)
        assert.isAtMost(statements, 4)
        const { draft_id } = data.draft
        yield* ok("linkedin.draft.update", { draft_id, variations: ["Hi Grace"] })
        yield* ok("linkedin.draft.request-rewrite", { draft_id, instructions: "Shorter" })
        yield* ok("linkedin.draft.update", { draft_id, variations: ["Grace?"], model: "writer-5" }, writer)
        yield* ok("linkedin.draft.approve", { draft_id })
        yield* ok("linkedin.draft.reopen", { draft_id })
        yield* ok("linkedin.draft.approve", { draft_id, body_text: "Grace, a question" })
        yield* ok("linkedin.draft.reject", { draft_id, reason: "She left" })
        const steps = yield* stepsOf(draft_id)
        assert.deepStrictEqual(actions(steps), [
          "created",
          "updated",
          "rewrite_requested",
          "updated",
          "approved",
          "reopened",
          "approved_with_edits",
          "rejected"
        ])
        const [created, updated, , rewritten] = steps
        assert.deepInclude(created, {
          user_id: "usr_bot",
          actor_kind: "AI_AGENT",
          key_id: "botkey234567",
          client,
          model: "writer-4"
        })
        assert.deepInclude(updated, { user_id: "usr_org_prov", actor_kind: "USER", client: null, model: null })
        assert.deepInclude(rewritten, { actor_kind: "AI_AGENT", model: "writer-5" })
        assert.deepStrictEqual((yield* ok("review.get", { item_id: draft_id })).provenance, steps)
        const { export: file } = yield* ok("lead.export", { lead_id: input.lead_id })
        assert.deepStrictEqual(file.drafts[0].provenance, steps)
      }).pipe(inOrganization("org_prov"))
    )

    it.effect("keeps the creation and the latest steps, and none of what changed nothing", () =>
      Effect.gen(function* () {
        yield* agents()
        const { draft_id } = yield* draftFor("alan", { model: "first" })
        for (let count = 0; count < keptSteps + 5; count++) {
          yield* ok("linkedin.draft.update", { draft_id, variations: [`Hi ${count}`], model: `m${count}` })
          yield* ok("linkedin.draft.update", { draft_id, variations: [`Hi ${count}`], model: "unchanged" })
        }
        const steps = yield* stepsOf(draft_id)
        assert.lengthOf(steps, keptSteps)
        assert.deepInclude(steps[0], { action: "created", model: "first" })
        assert.deepInclude(steps[1], { action: "updated", model: "m6" })
        assert.deepInclude(steps.at(-1), { action: "updated", model: `m${keptSteps + 4}` })
      }).pipe(inOrganization("org_kept"))
    )

    it.effect("shows what is written in a model's name, and is erased with the lead", () =>
      Effect.gen(function* () {
        yield* agents()
        const { draft_id, lead: person } = yield* draftFor("ada", { model: "m\u202e\u200b1\u{e0041}" })
        assert.strictEqual((yield* stepsOf(draft_id))[0]?.model, "m1")
        assert.match(
          String(yield* refused("linkedin.draft.update", { draft_id, model: "a\nb" })),
          /^400 INVALID_INPUT model/
        )
        assert.match(
          String(yield* refused("linkedin.draft.update", { draft_id, model: "x".repeat(101) })),
          /^400 INVALID_INPUT model.*100/
        )
        yield* ok("lead.erase", { lead_id: person.lead_id, confirm: person.lead_id })
        assert.match(String(yield* refused("linkedin.draft.get", { draft_id })), /^404/)
      }).pipe(inOrganization("org_shown"))
    )
  })
)
