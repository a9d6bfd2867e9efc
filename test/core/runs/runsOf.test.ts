/** Runs of agents: what belongs together. */
import { assert, describe, it } from "@effect/vitest"
import { pauseMillis, runsOf } from "#core/runs/commands.ts"

const activity = (keyId: string, commandId: string, millis: number) => ({
  keyId,
  commandId,
  userId: "usr_1",
  actorKind: "AI_AGENT" as const,
  createdAt: new Date(millis).toISOString()
})

describe("runs of activities", () => {
  it("end at a pause of more than half an hour, key by key", () => {
    const late = 3 * pauseMillis
    const runs = runsOf([
      activity("a", "lead.upsert", late + pauseMillis),
      activity("b", "lead.upsert", late + 1),
      activity("a", "lead.note.add", late),
      activity("a", "lead.upsert", late - pauseMillis),
      activity("a", "lead.upsert", 0)
    ])
    assert.deepStrictEqual(
      runs.map(({ commands, ended_at, key_id, started_at }) => [
        key_id,
        Date.parse(started_at),
        Date.parse(ended_at),
        commands.map(({ command_id, count }) => `${command_id} ${count}`).join()
      ]),
      [
        ["a", late - pauseMillis, late + pauseMillis, "lead.upsert 2,lead.note.add 1"],
        ["b", late + 1, late + 1, "lead.upsert 1"],
        ["a", 0, 0, "lead.upsert 1"]
      ]
    )
  })
})
