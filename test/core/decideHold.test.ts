/** Restored, failed over, or as it was: for every combination of what a process can find in its database. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type DatabaseFacts, decideHold, type OnFailover } from "#core/outreach/decideHold.ts"
import { mayHaveLeft, SendingHold } from "#core/outreach/SendOptions.ts"

const minute = 60_000
const hour = 60 * minute
const now = 1_000 * hour
const gapSeconds = 24 * 3_600

const found = (facts: Partial<DatabaseFacts> = {}): DatabaseFacts => ({
  heldFor: null,
  isRewritten: false,
  isElsewhere: false,
  isNewTimeline: false,
  heartbeatAt: now - 5_000,
  now,
  startedAt: now - 10 * hour,
  isRecovered: false,
  seenAt: now - 5_000,
  ...facts
})

const cases: ReadonlyArray<
  readonly [what: string, facts: Partial<DatabaseFacts>, answer: ReturnType<typeof decideHold>]
> = [
  ["the database as it was", {}, null],
  ["a first heartbeat of a process", { seenAt: undefined }, null],
  ["a restored dump", { isRewritten: true }, "database_restored"],
  ["a clone on another server", { isElsewhere: true }, "database_restored"],
  ["a standby that was promoted", { isNewTimeline: true }, "resume"],
  [
    "one that lost the last heartbeats",
    { isNewTimeline: true, heartbeatAt: now - minute, seenAt: now - 5_000 },
    "resume"
  ],
  ["one that follows hours behind", { isNewTimeline: true, heartbeatAt: now - 4 * hour }, "database_restored"],
  ["a base backup that was recovered", { isNewTimeline: true, startedAt: now - 1_000 }, "database_restored"],
  ["a standby that was promoted elsewhere", { isNewTimeline: true, isElsewhere: true }, "database_restored"],
  [
    "a backup started in place",
    { isRecovered: true, startedAt: now - 1_000, heartbeatAt: now - hour },
    "database_restored"
  ],
  ["the same, while a process lives on", { heartbeatAt: now - 20_000 }, "database_restored"],
  ["a crash", { isRecovered: true, startedAt: now - 1_000, heartbeatAt: now - minute, seenAt: undefined }, null],
  ["a server that was off at night", { startedAt: now - 1_000, heartbeatAt: now - 12 * hour, seenAt: undefined }, null],
  ["no process for two days", { heartbeatAt: now - 48 * hour, seenAt: undefined }, "no_heartbeat"],
  [
    "an embedded database after a kill",
    { startedAt: undefined, isRecovered: true, heartbeatAt: now - hour, seenAt: undefined },
    null
  ]
]

const all = ["resume", "hold"] as const satisfies ReadonlyArray<OnFailover>
const bools = [false, true]
const ages = [0, 5_000, 2 * minute, 10 * minute, 20 * minute, 12 * hour, 48 * hour]

/** Every combination. */
const combinations: ReadonlyArray<DatabaseFacts> = bools.flatMap((isRewritten) =>
  bools.flatMap((isElsewhere) =>
    bools.flatMap((isNewTimeline) =>
      bools.flatMap((isRecovered) =>
        ages.flatMap((age) =>
          [undefined, ...ages].flatMap((started) =>
            [undefined, ...ages].map((seen) =>
              found({
                isRewritten,
                isElsewhere,
                isNewTimeline,
                isRecovered,
                heartbeatAt: now - age,
                startedAt: started === undefined ? undefined : now - started,
                seenAt: seen === undefined ? undefined : now - seen
              })
            )
          )
        )
      )
    )
  )
)

describe("what a process finds in its database", () => {
  it.each(cases)("%s", (_, facts, answer) => {
    assert.strictEqual(decideHold(found(facts), gapSeconds, "resume"), answer)
    assert.strictEqual(decideHold(found(facts), gapSeconds, "hold"), answer === "resume" ? "failover" : answer)
  })

  it("goes on after a failover alone, and as the setting says", () => {
    assert.isAbove(combinations.length, 7_000)
    for (const facts of combinations) {
      const [resumed, held] = all.map((setting) => decideHold(facts, gapSeconds, setting))
      const { heartbeatAt, isElsewhere, isNewTimeline, isRewritten, startedAt } = facts
      const isFailover =
        isNewTimeline &&
        !isElsewhere &&
        !isRewritten &&
        startedAt !== undefined &&
        startedAt < heartbeatAt &&
        now - heartbeatAt <= 15 * minute
      assert.deepStrictEqual([resumed === "resume", held === "failover"], [isFailover, isFailover])
      if (!isFailover) assert.strictEqual(resumed, held)
      if (isNewTimeline || isElsewhere || isRewritten) assert.isNotNull(resumed)
    }
  })

  it("stays held, whatever else is found", () => {
    for (const heldFor of ["database_restored", "failover", "no_heartbeat", "database_moved"] as const) {
      for (const facts of combinations)
        assert.strictEqual(decideHold({ ...facts, heldFor }, gapSeconds, "resume"), heldFor)
    }
  })

  it("is trusted less, the older its heartbeat is", () => {
    for (const facts of combinations) {
      if (decideHold(facts, gapSeconds, "resume") === null) continue
      for (const age of ages) {
        const older = { ...facts, heartbeatAt: Math.min(facts.heartbeatAt, now - age) }
        assert.isNotNull(decideHold(older, gapSeconds, "resume"))
      }
    }
  })
})

describe("what may have left without a record", () => {
  const [before, at, after] = ["2026-11-23T09:00:00.000Z", "2026-11-23T10:00:00.000Z", "2026-11-23T11:00:00.000Z"]
  const doubted = (failedOverAt: string | null, from: string, dueAt?: string) =>
    Effect.gen(function* () {
      const hold = yield* SendingHold
      const current = Effect.succeed({ hold: undefined, releasedAt: at, failedOverAt })
      return yield* Effect.provideService(mayHaveLeft(from, dueAt), SendingHold, { ...hold, current })
    }).pipe(Effect.runSync)

  it("is all that is older than a release, and after a failover what was due then", () => {
    assert.isTrue(doubted(null, before))
    assert.isTrue(doubted(null, before, after), "a backup may be older than a change of when it is due")
    assert.isFalse(doubted(null, after))
    assert.isTrue(doubted(at, before))
    assert.isTrue(doubted(at, before, before))
    assert.isFalse(doubted(at, before, after))
    assert.isFalse(doubted(at, after))
  })
})
