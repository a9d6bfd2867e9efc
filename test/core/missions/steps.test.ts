/** The commands that read and set the steps of a mission. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inOrganization } from "../../support/inOrganization.ts"
import { code, make, ok, refused } from "../../support/World.ts"

const step = { after: "no_reply", working_days: 4, channel: "LINKEDIN", purpose: "Ask one question" } as const

const set = (steps: ReadonlyArray<object>) => ({ mission_id: "spring", steps })

describe("steps of a mission", () => {
  it.layer(make({ backend: "memory" }))((it) => {
    it.effect("are read as they were set, and stated once", () =>
      Effect.gen(function* () {
        const { mission } = yield* ok("mission.create", { name: "Spring", handle: "spring" })
        const steps = [step, { ...step, channel: "EMAIL", evidence: "A reference of the offer" }]
        const stored = yield* ok("mission.steps.set", set(steps))
        assert.deepStrictEqual(stored, { mission_id: mission.id, steps })
        assert.deepStrictEqual(yield* ok("mission.steps.set", set(steps)), stored)
        assert.deepStrictEqual(yield* ok("mission.steps.get", { mission_id: "spring" }), stored)
        yield* ok("mission.update", { mission_id: "spring", name: "Spring again" })
        assert.deepStrictEqual(yield* ok("mission.steps.get", { mission_id: "spring" }), stored)
        const { events } = yield* ok("event.list", { types: "mission.updated" })
        assert.lengthOf(
          events.filter(({ data }: { readonly data: object }) => "changed" in data),
          1
        )
        assert.notProperty((yield* ok("mission.get", { mission_id: "spring" })).mission, "steps")
      }).pipe(inOrganization("org_read"))
    )

    it.effect("are refused where they make no sense", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Spring", handle: "spring" })
        assert.include(yield* refused("mission.steps.set", set([{ ...step, working_days: 0 }])), "working_days")
        assert.strictEqual(yield* code("mission.steps.set", set(Array(6).fill(step))), "INVALID_INPUT")
        assert.strictEqual(yield* code("mission.steps.set", set([{ ...step, purpose: " " }])), "INVALID_INPUT")
        assert.strictEqual(yield* code("mission.steps.get", { mission_id: "autumn" }), "NOT_FOUND")
        yield* ok("mission.update", { mission_id: "spring", status: "archived" })
        assert.strictEqual(yield* code("mission.steps.set", set([step])), "MISSION_ARCHIVED")
      }).pipe(inOrganization("org_refuse"))
    )
  })
})
