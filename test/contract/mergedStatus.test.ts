/** Whatever two leads stand for, what they become by a merge is what a lead of that status is. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { LeadStatus } from "#core/leads/LeadStatus.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { lead, make, ok, type World } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const agents = Effect.forEach(["Ada", "Bob"], (first_name) => ok("agent.create", { first_name, last_name: "Martin" }))

/** A lead with an address, a profile and an approved draft, which then took a status. */
const person = Effect.fnUntraced(function* (name: string, agent_handle: string, status: LeadStatus) {
  const lead_id = yield* lead({ email: `${name}@example.com`, linkedin_url: `linkedin.com/in/${name}` })
  const { draft } = yield* ok("linkedin.draft.create", { lead_id, agent_handle, variations: ["Hello"] })
  yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
  yield* ok("lead.status.set", { lead_id, status })
  return { lead_id, draft_id: draft.draft_id, identifiers: [`${name}@example.com`, `linkedin.com/in/${name}`] }
})

const pairs = LeadStatus.literals.flatMap((winner) => LeadStatus.literals.map((loser) => ({ winner, loser })))

/** On every store those of a status with itself and with those that have consequences; in memory all of them. */
const consequential: ReadonlyArray<LeadStatus> = ["DoNotContact", "NotInterested"]
const tried = pairs.filter(
  ({ loser, winner }) => winner === loser || consequential.includes(winner) || consequential.includes(loser)
)

const ways = {
  "lead.merge": (winner: string, loser: string) =>
    ok("lead.merge", { winner_lead_id: winner, loser_lead_ids: [loser] }),
  "lead.upsert": (lead_id: string, _: string, email: string) =>
    ok("lead.upsert", { lead_id, email, on_conflict: "merge" })
}

const suite = (layer: Layer.Layer<World, Failure>, chosen: typeof pairs) =>
  it.layer(layer)((it) => {
    it.effect.each(Object.entries(ways))("has its consequences for what either had, merged by %s", ([way, merge]) =>
      Effect.gen(function* () {
        yield* agents
        yield* Effect.forEach(chosen, ({ loser, winner }, index) =>
          Effect.gen(function* () {
            const a = yield* person(`a${index}`, "ada-martin", winner)
            const b = yield* person(`b${index}`, "bob-martin", loser)
            yield* merge(a.lead_id, b.lead_id, `b${index}@example.com`)
            const { lead: merged } = yield* ok("lead.get", { lead_id: a.lead_id })
            assert.strictEqual((yield* ok("lead.get", { lead_id: b.lead_id })).lead_id, a.lead_id)
            const about = `${winner} takes in ${loser}`
            const isOver = merged.status === "DoNotContact"
            assert.strictEqual(isOver, winner === "DoNotContact" || loser === "DoNotContact", about)
            const { results } = yield* ok("lead.suppression.check", {
              identifiers: [a.lead_id, b.lead_id, ...a.identifiers, ...b.identifiers]
            })
            const suppressed = results.map((one: { suppressed: boolean }) => one.suppressed)
            assert.deepStrictEqual(suppressed, Array(6).fill(isOver), about)
            const { drafts } = yield* ok("linkedin.draft.list", { lead_id: a.lead_id })
            const statuses = drafts.map(({ status }: { status: string }) => status)
            assert.lengthOf(statuses, 2, about)
            if (isOver) assert.deepStrictEqual(statuses, ["CANCELLED", "CANCELLED"], about)
            if (merged.status === "NotInterested") assert.notInclude(statuses, "READY_TO_SEND", about)
            const isOpen = !isOver && ![winner, loser].includes("NotInterested")
            if (isOpen) assert.deepStrictEqual(statuses, ["READY_TO_SEND", "READY_TO_SEND"], about)
          })
        )
      }).pipe(inOrganization(`org_merged_${way.replace(".", "_")}`))
    )
  })

eachBackend("status of merged leads", (layer) => suite(layer, tried))
describe("status of all merged leads in memory", () => suite(make({ backend: "memory" }), pairs))
