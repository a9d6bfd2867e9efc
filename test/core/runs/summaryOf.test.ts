/** What stays because no event tells it. */
import { assert, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { commandsThatStay, silent } from "#core/runs/commands.ts"

it("commands that leave nothing to undo are commands that change something", () => {
  const changing = commands.filter(({ risk }) => risk !== "read").map(({ id }) => id)
  assert.includeMembers([...changing], [...silent])
  const activity = { keyId: "k", userId: "u", actorKind: "AI_AGENT", createdAt: "2026-01-01T00:00:00.000Z" } as const
  assert.deepStrictEqual(
    commandsThatStay([
      { ...activity, commandId: "lead.upsert" },
      { ...activity, commandId: "policy.set" }
    ]),
    [{ ...activity, commandId: "policy.set" }]
  )
})
