import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import {
  changeStatus,
  commandStatus,
  type MissionLifecycle,
  MissionStatus,
  refuseArchived,
  setCommandStatus
} from "#core/missions/MissionStatus.ts"

const status = fc.constantFrom(...MissionStatus.literals)
const messageOf = <A>(result: Result.Result<A, { code: string; message: string }>): string =>
  Result.match(result, { onSuccess: () => "allowed", onFailure: ({ code, message }) => `${code}: ${message}` })

const lifeIn = (from: MissionStatus): MissionLifecycle => ({ status: from, beforeArchive: null })
const transition = (from: MissionStatus, to: MissionStatus) =>
  Result.map(changeStatus(lifeIn(from), to), (life) => life.status)

describe("MissionStatus", () => {
  it("allows exactly the allowed moves, and staying", () => {
    const allowed = MissionStatus.literals.flatMap((from) =>
      MissionStatus.literals
        .filter((to) => from !== to && Result.isSuccess(transition(from, to)))
        .map((to) => `${from} ${to}`)
    )
    assert.deepEqual(allowed, [
      "DRAFT ACTIVE",
      "DRAFT ARCHIVED",
      "ACTIVE PAUSED",
      "ACTIVE COMPLETED",
      "ACTIVE ARCHIVED",
      "PAUSED ACTIVE",
      "PAUSED COMPLETED",
      "PAUSED ARCHIVED",
      "COMPLETED ARCHIVED",
      "ARCHIVED DRAFT",
      "ARCHIVED PAUSED"
    ])
    for (const same of MissionStatus.literals) assert.deepEqual(transition(same, same), Result.succeed(same))
  })

  it("names both states and the next step when it refuses", () => {
    assert.strictEqual(
      messageOf(transition("DRAFT", "COMPLETED")),
      "WRONG_STATE: A mission in status DRAFT cannot become COMPLETED. From DRAFT it can become ACTIVE, ARCHIVED."
    )
    assert.include(messageOf(transition("ARCHIVED", "ACTIVE")), "Restore it first with mission.update, status active")
    assert.include(
      messageOf(transition("COMPLETED", "ACTIVE")),
      "cannot become ACTIVE. A completed mission can only be archived"
    )
  })

  it("restores what was archived, but never to a sending mission", () => {
    const restored = (before: MissionStatus) =>
      setCommandStatus(setCommandStatus(lifeIn(before), "archived"), "active").status
    assert.deepEqual(MissionStatus.literals.slice(0, 4).map(restored), ["DRAFT", "PAUSED", "PAUSED", "PAUSED"])
  })

  it("keeps its memory right over any sequence of command statuses", () => {
    const wishes = fc.array(fc.constantFrom("active" as const, "archived" as const))
    fc.assert(
      fc.property(status, wishes, (first, sequence) => {
        let life = setCommandStatus(lifeIn(first), "archived")
        for (const wish of sequence) {
          const next = setCommandStatus(life, wish)
          assert.strictEqual(commandStatus(next.status), wish)
          assert.isTrue(Result.isSuccess(transition(life.status, next.status)))
          assert.notStrictEqual(next.status, "ACTIVE")
          assert.isTrue(next.status === "ARCHIVED" || next.beforeArchive === null)
          assert.deepEqual(setCommandStatus(next, wish), next)
          life = next
        }
      })
    )
    const active = lifeIn("ACTIVE")
    assert.deepEqual(setCommandStatus(active, "active"), active)
    assert.deepEqual(changeStatus(active, "ARCHIVED"), Result.succeed(setCommandStatus(active, "archived")))
  })

  it("refuses new work in archived missions only", () => {
    assert.strictEqual(
      messageOf(refuseArchived("ARCHIVED", "import")),
      "MISSION_ARCHIVED: An archived mission does not accept imports. Restore it with mission.update, status active."
    )
    for (const open of MissionStatus.literals.slice(0, 4)) assert.isTrue(Result.isSuccess(refuseArchived(open, "send")))
  })
})
