/**
 * Generated rounds of what a person and an AI agent do, on the in-memory store and on PostgreSQL with the same clock and ids: each
 * step gives the same answer, and after them all lists and reports are equal.
 *
 * A failing round is shortened to few steps, which are printed. `SVC_TEST_ROUNDS=17-17` runs one round, and
 * `npm run campaign -- differential` two hundred.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { hasPostgres } from "../support/backends.ts"
import { effort } from "../support/effort.ts"
import { randomOf } from "../support/random.ts"
import { resources } from "../support/World.ts"
import { defect, makeSide, type Side, type Variant } from "./differentialSide.ts"
import { type Step, start, stepsOf } from "./differentialSteps.ts"

const stepsOfRound = 110

/** After how many hours due work is looked for: a week has all hours of work, and after a month everything has ended. */
const hour = 3_600_000
const later = [1, 7 * 24, 40 * 24]
const maxShortenings = 120

const [first = 1, last = effort(12)] = (process.env["SVC_TEST_ROUNDS"]?.split("-") ?? []).map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index)

const variantOf = (seed: number): Variant => ({
  pacing: randomOf(seed).next(2) === 0,
  agent: randomOf(seed + 1_000).pick([
    {},
    {},
    { approval: "ask" },
    { approval: "ask", mutate: "ask" },
    { agents: "ask" }
  ])
})

const looks = [
  ...["workspace.status", "mission.list", "mission.activity", "mission.next-actions", "linkedin.queue.forecast"],
  ...["linkedin.usage.get", "linkedin.account.list", "review.counts", "review.people", "lead.duplicates", "policy.get"],
  ...["key.list", "webhook.list", "offer.list", "agent.list", "agent-run.list", "import.list", "linkedin.draft.list"],
  ...["email.list", "email.review.list"]
]
const pages: ReadonlyArray<readonly [string, object]> = [
  ...["action", "score", "recent", "name"].map((sort) => ["lead.search", { sort, limit: 4 }] as const),
  ...["to_review", "approved", "sent", "replies", "problems", "snoozed"].map(
    (tab) => ["review.list", { tab, limit: 3 }] as const
  ),
  ...["waiting", "snoozed", "answered", "closed"].map(
    (reply) => ["review.list", { tab: "replies", reply, limit: 3 }] as const
  ),
  ...[
    { needs_action: true },
    { status: ["Contacted", "Replied", "DoNotContact"] },
    { query: "ad" },
    { query: "ÉLODIE" },
    { company: "acme" },
    { has_conversation: true },
    { relation: "connected" },
    { relation: "invited" },
    { mission_id: "spring", sort: "action" },
    { score_min: 12.5, sort: "score" }
  ].map((filter) => ["lead.search", { ...filter, limit: 3 }] as const),
  ...[{ group_by: "week" }, { from: "2026-11-17T10:30:00.000Z", to: "2026-11-19T12:00:00.000Z" }].flatMap((window) =>
    ["spring", "autumn"].map((mission_id) => ["mission.stats", { mission_id, ...window }] as const)
  ),
  ["linkedin.queue.list", { limit: 4 }],
  ["approval.list", { state: "all", limit: 3 }],
  ["event.list", { limit: 100 }],
  ["audit.list", { limit: 100 }]
]
const ofEach: ReadonlyArray<readonly [kind: string, field: string, commands: ReadonlyArray<string>]> = [
  ["mission_id", "mission_id", ["mission.get", "mission.stats", "mission.next-actions"]],
  [
    "lead_id",
    "lead_id",
    ["lead.get", "lead.timeline", "lead.export", "linkedin.conversation.get", "lead.score.explain"]
  ],
  ["draft_id", "draft_id", ["linkedin.draft.get", "linkedin.draft.check"]],
  ["import_id", "import_id", ["import.get", "import.leads.list"]],
  ["webhook_id", "webhook_id", ["webhook.get", "webhook.deliveries"]]
]
const maxOfEach = 15
const maxPages = 12

/** Everything that can be read at the end: the first page of each. */
const reports = function* (side: Side): Generator<Step> {
  const look = (what: string, input: object = {}): Step => ({ by: "person", what, input, seconds: 0 })
  for (const command of looks) yield look(command)
  for (const { command, entry } of resources) if (!entry.uri.includes("{")) yield look(command.id)
  for (const [kind, field, commands] of ofEach) {
    for (const name of side.known(kind, maxOfEach)) {
      for (const command of commands) yield look(command, { [field]: name })
    }
  }
  for (const [command, input] of pages) yield look(command, input)
}

interface Difference {
  readonly index: number
  readonly what: string
}

interface Compared {
  readonly found: string | undefined
  readonly text: string
}

const around = (text: string, at: number): string => text.slice(Math.max(0, at - 150), at + 350)

const differenceOf = (memory: string, postgres: string): string | undefined => {
  if (memory === postgres) return undefined
  const at = [...memory].findIndex((letter, index) => letter !== postgres[index])
  const place = at === -1 ? memory.length : at
  return `  memory:   ${around(memory, place)}\n  postgres: ${around(postgres, place)}`
}

/** Runs steps on both stores; the first difference. */
const play = (steps: ReadonlyArray<Step>, variant: Variant) =>
  Effect.gen(function* (): Effect.fn.Return<Difference | undefined, Failure, Scope.Scope> {
    let at = start
    yield* TestClock.setTime(at)
    const [memory, postgres] = [yield* makeSide("memory", variant), yield* makeSide("postgres", variant)]
    const compare = Effect.fnUntraced(function* (step: Step): Effect.fn.Return<Compared> {
      const [ours, theirs] = [yield* memory.run(step), yield* postgres.run(step)]
      const found =
        differenceOf(ours, theirs) ?? (ours.startsWith(defect) ? `  both: ${ours.slice(0, 400)}` : undefined)
      return { found: found === undefined ? undefined : `${JSON.stringify(step)}\n${found}`, text: ours }
    })
    for (const [index, step] of steps.entries()) {
      at += step.seconds * 1_000
      yield* TestClock.setTime(at)
      const { found } = yield* compare(step)
      if (found !== undefined) return { index, what: found }
      const missed = index % 10 === 9 ? yield* Effect.forEach(later, (hours) => postgres.missed(at + hours * hour)) : []
      if (missed.flat().length > 0) return { index, what: `  no worker is told of ${missed.flat().join()}` }
    }
    for (const report of reports(memory)) {
      let step: Step | undefined = report
      for (let page = 0; step !== undefined && page < maxPages; page++) {
        const { found, text }: Compared = yield* compare(step)
        if (found !== undefined) return { index: steps.length, what: found }
        const cursor: string | undefined = /"next_cursor":"(<next_cursor \d+>)"/.exec(text)?.[1]
        step = cursor === undefined ? undefined : { ...report, input: { ...Object(report.input), cursor } }
      }
    }
    return undefined
  }).pipe(Effect.scoped)

/** Fewer steps that still differ: parts are left out for as long as that keeps a difference. */
const shorten = Effect.fnUntraced(function* (failing: ReadonlyArray<Step>, variant: Variant) {
  let steps = failing
  let tries = 0
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = steps.length - size; from >= 0 && tries < maxShortenings; from -= size) {
      tries++
      const fewer = [...steps.slice(0, from), ...steps.slice(from + size)]
      const found = yield* play(fewer, variant)
      if (found !== undefined) steps = fewer.slice(0, found.index + 1)
      from = Math.min(from, steps.length)
    }
  }
  return steps
})

describe.skipIf(!hasPostgres())("what a person and an agent do", () => {
  for (const seed of seeds) {
    it.effect(`is the same in memory and on PostgreSQL, round ${seed}`, () =>
      Effect.gen(function* () {
        const variant = variantOf(seed)
        const steps = stepsOf(seed, stepsOfRound)
        const found = yield* play(steps, variant)
        if (found === undefined) return
        const short = yield* shorten(steps.slice(0, found.index + 1), variant)
        const last = yield* play(short, variant)
        const list = short.map((step) => JSON.stringify(step)).join("\n")
        assert.fail(
          `round ${seed}, step ${found.index} ${JSON.stringify(variant)}\n${found.what}\n\nIn ${short.length} steps:\n${list}\n\n${last?.what}`
        )
      })
    )
  }
})
