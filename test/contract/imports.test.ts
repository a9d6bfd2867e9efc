import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type ImportRow, type ImportRun, noCounts } from "#core/imports/ImportRun.ts"
import { type ImportFilter, ImportsRepo, type Progress } from "#core/imports/ImportsRepo.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import type { MissionRow } from "#core/missions/Mission.ts"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { organization } from "../support/organization.ts"
import { eachBackend } from "./backends.ts"
import { missionRow } from "./outreachRows.ts"

const at = (second: number) => `2026-11-21T08:00:${String(second).padStart(2, "0")}.000Z`

const mission = (organizationId: string, id: string): MissionRow => ({
  ...missionRow(organizationId, `handle-${id}`),
  id,
  name: `Mission ${id}`
})

const runOf = (organizationId: string, id: string, parts: Partial<ImportRun> = {}): ImportRun => ({
  id,
  organizationId,
  missionId: "mis_1",
  type: "SALES_NAV_SEARCH",
  name: `Import ${id}`,
  fingerprint: "f1",
  sourceUrl: "https://www.linkedin.com/sales/search/people?query=(keywords%3A%C3%BC)",
  context: null,
  state: "running",
  reason: null,
  counts: noCounts,
  enrolled: 0,
  cursor: null,
  accountId: "acc_1",
  defaults: {},
  file: null,
  rowLimit: 100,
  attempt: 1,
  createdAt: at(0),
  updatedAt: at(0),
  finishedAt: null,
  rowsDeletedAt: null,
  ...parts
})

const row = (importId: string, position: number, parts: Partial<ImportRow> = {}): ImportRow => ({
  importId,
  position,
  outcome: "created",
  reason: null,
  leadId: `ld_${position}`,
  source: null,
  ...parts
})

const progress = (of: ImportRun, parts: Partial<Progress> = {}): Progress => ({
  organizationId: of.organizationId,
  importId: of.id,
  attempt: of.attempt,
  rows: [],
  cursor: null,
  state: "running",
  reason: null,
  at: at(1),
  ...parts
})

const all: ImportFilter = { mission: undefined, type: undefined, state: undefined, staleBefore: at(0) }
const inMission = (id: string) => ({ id, handle: `handle-${id}`, name: `Mission ${id}` })

/** Makes an organization with the missions `mis_1` and `mis_2`; answers what makes runs of it. */
const prepare = Effect.fnUntraced(function* (organizationId: string) {
  const missions = yield* MissionsRepo
  yield* organization(organizationId)
  for (const id of ["mis_1", "mis_2"]) yield* missions.insert(mission(organizationId, id), [`handle-${id}`])
  return (id: string, parts: Partial<ImportRun> = {}) => runOf(organizationId, id, parts)
})

eachBackend("imports", (layer) =>
  it.layer(layer)((it) => {
    it.effect("keeps a run as it was given, for its organization alone", () =>
      Effect.gen(function* () {
        const imports = yield* ImportsRepo
        const run = yield* prepare("org_1")
        yield* prepare("org_2")
        assert.isUndefined(yield* imports.insert(run("imp_1")))
        assert.deepStrictEqual(yield* imports.find("org_1", "imp_1", 5), {
          run: run("imp_1"),
          mission: inMission("mis_1"),
          refused: []
        })
        assert.isUndefined(yield* imports.find("org_2", "imp_1", 5))
        assert.isUndefined(yield* imports.outcome("org_2", "imp_1", 100))
        assert.isUndefined(yield* imports.latest("org_2", "mis_1", "f1"))
        assert.isUndefined(yield* imports.advance({ ...progress(run("imp_1")), organizationId: "org_2" }))
      })
    )

    it.effect("runs an audience once at a time in a mission", () =>
      Effect.gen(function* () {
        const imports = yield* ImportsRepo
        const run = yield* prepare("org_once")
        yield* prepare("org_once_b")
        yield* imports.insert(run("imp_1"))
        const twin = yield* imports.insert(run("imp_2", { createdAt: at(3), updatedAt: at(3) }))
        assert.strictEqual(twin?.id, "imp_1")
        assert.isUndefined(yield* imports.find("org_once", "imp_2", 5))
        assert.isUndefined(yield* imports.insert(run("imp_3", { fingerprint: "f2" })))
        assert.isUndefined(yield* imports.insert(run("imp_4", { missionId: "mis_2" })))
        assert.isUndefined(yield* imports.insert(run("imp_5", { organizationId: "org_once_b" })))
        assert.isUndefined(yield* imports.insert(run("imp_6", { fingerprint: null, type: "API" })))
        assert.isUndefined(yield* imports.insert(run("imp_7", { fingerprint: null, type: "API" })))
      })
    )

    it.effect("stores rows with the progress, and nothing for a runner that was replaced", () =>
      Effect.gen(function* () {
        const imports = yield* ImportsRepo
        const run = yield* prepare("org_rows")
        yield* imports.insert(run("imp_1"))
        const counts = { created: 1, updated: 2, skipped: 2, invalid: 1 }
        const rows = [
          row("imp_1", 0),
          row("imp_1", 1, { outcome: "updated", leadId: "ld_b" }),
          row("imp_1", 2, { outcome: "skipped", reason: "UNCHANGED" }),
          row("imp_1", 3, { outcome: "skipped", reason: "IDENTITY_CONFLICT", leadId: null }),
          row("imp_1", 4, { outcome: "updated", leadId: "ld_a" }),
          row("imp_1", 5, { outcome: "invalid", reason: "IDENTIFIER_REQUIRED", leadId: null })
        ]
        const replaced = progress(run("imp_1"), { attempt: 0, rows })
        assert.isUndefined(yield* imports.advance(replaced))
        const advanced = run("imp_1", { counts, cursor: "next", updatedAt: at(1) })
        assert.deepStrictEqual(yield* imports.advance({ ...replaced, attempt: 1, cursor: "next" }), advanced)
        const found = yield* imports.find("org_rows", "imp_1", 1)
        assert.deepStrictEqual(found?.run, advanced)
        assert.deepStrictEqual(found?.refused, [{ position: 3, outcome: "skipped", reason: "IDENTITY_CONFLICT" }])
        assert.deepStrictEqual(
          (yield* imports.find("org_rows", "imp_1", 9))?.refused.map(({ position }) => position),
          [3, 5]
        )
        const repeated = row("imp_1", 6, { outcome: "updated", leadId: "ld_b" })
        const failed = progress(run("imp_1"), {
          rows: [repeated],
          state: "failed",
          reason: "No.",
          at: at(2)
        })
        assert.deepStrictEqual((yield* imports.advance(failed))?.counts, { ...counts, updated: 3 })
        const outcome = yield* imports.outcome("org_rows", "imp_1", 100)
        assert.deepStrictEqual(outcome?.updatedIds, ["ld_b", "ld_a"])
        assert.strictEqual(outcome?.run.finishedAt, at(2))
        assert.strictEqual(outcome?.run.reason, "No.")
        assert.isUndefined(yield* imports.advance(failed), "an ended run takes no rows")
      })
    )

    it.effect("takes a run up again, once", () =>
      Effect.gen(function* () {
        const imports = yield* ImportsRepo
        const run = yield* prepare("org_up")
        yield* imports.insert(run("imp_1"))
        const failed = { rows: [row("imp_1", 0)], cursor: "next", state: "failed", reason: "No." } as const
        assert.isDefined(yield* imports.advance(progress(run("imp_1"), { ...failed, at: at(2) })))
        const seen = yield* imports.latest("org_up", "mis_1", "f1")
        assert.isDefined(seen)
        if (seen === undefined) return
        const continuation = { rowLimit: 200, accountId: "acc_2", at: at(5) }
        assert.isUndefined(yield* imports.resume({ ...seen, updatedAt: at(9) }, continuation))
        const resumed = yield* imports.resume(seen, continuation)
        assert.deepStrictEqual(resumed, {
          ...seen,
          state: "running",
          reason: null,
          finishedAt: null,
          attempt: 2,
          rowLimit: 200,
          accountId: "acc_2",
          updatedAt: at(5)
        })
        assert.isUndefined(yield* imports.resume(seen, continuation))
        assert.isUndefined(yield* imports.advance(progress(seen)), "the first runner writes no more")
      })
    )

    it.effect("does not take a run up beside a running one of the same audience", () =>
      Effect.gen(function* () {
        const imports = yield* ImportsRepo
        const run = yield* prepare("org_beside")
        const old = run("imp_8", { missionId: "mis_2", fingerprint: "f8", state: "failed", finishedAt: at(1) })
        assert.isUndefined(yield* imports.insert(old))
        assert.isUndefined(yield* imports.insert({ ...old, id: "imp_9", state: "running", createdAt: at(2) }))
        assert.isUndefined(yield* imports.resume(old, { rowLimit: 1, accountId: null, at: at(3) }))
        assert.strictEqual((yield* imports.latest("org_beside", "mis_2", "f8"))?.id, "imp_9")
      })
    )

    it.effect("one of many simultaneous imports of an audience wins", () =>
      Effect.gen(function* () {
        const imports = yield* ImportsRepo
        const run = yield* prepare("org_many")
        const ids = Array.from({ length: 8 }, (_, index) => `imp_race_${index}`)
        const answers = yield* Effect.forEach(ids, (id) => imports.insert(run(id, { fingerprint: "race" })), {
          concurrency: "unbounded"
        })
        assert.strictEqual(answers.filter((answer) => answer === undefined).length, 1)
        const winner = yield* imports.latest("org_many", "mis_1", "race")
        for (const answer of answers) assert.include([undefined, winner?.id], answer?.id)
      })
    )

    it.effect("lists newest first, by mission, type and the state that is shown", () =>
      Effect.gen(function* () {
        const imports = yield* ImportsRepo
        yield* organization("org_3")
        yield* (yield* MissionsRepo).insert(mission("org_3", "mis_9"), ["handle-mis_9"])
        const make = (id: string, second: number, parts: Partial<ImportRun>) =>
          imports.insert(
            runOf("org_3", id, {
              missionId: "mis_9",
              fingerprint: id,
              createdAt: at(second),
              updatedAt: at(second),
              ...parts
            })
          )
        yield* make("a", 1, {})
        yield* make("B", 1, { state: "completed", finishedAt: at(1) })
        yield* make("c", 4, {})
        yield* make("d", 3, { type: "API", fingerprint: null, state: "interrupted" })
        const list = (filter: Partial<ImportFilter>, limit = 10, after?: ReadonlyArray<string | number>) =>
          Effect.map(imports.list("org_3", { ...all, ...filter }, { limit, after }), (page) => ({
            ids: page.items.map((item) => item.run.id),
            next: page.next,
            missions: new Set(page.items.map((item) => item.mission.handle))
          }))
        const first = yield* list({}, 3)
        assert.deepStrictEqual(first.ids, ["c", "d", "a"])
        assert.deepStrictEqual(first.missions, new Set(["handle-mis_9"]))
        const second = yield* list({}, 3, first.next)
        assert.deepStrictEqual([second.ids, second.next], [["B"], undefined])
        assert.deepStrictEqual((yield* list({ mission: "handle-mis_9" })).ids, ["c", "d", "a", "B"])
        assert.deepStrictEqual((yield* list({ mission: "mis_9", type: "API" })).ids, ["d"])
        assert.deepStrictEqual((yield* list({ mission: "handle-mis_1" })).ids, [])
        const stale = { staleBefore: at(2) }
        assert.deepStrictEqual((yield* list({ ...stale, state: "running" })).ids, ["c"])
        assert.deepStrictEqual((yield* list({ ...stale, state: "interrupted" })).ids, ["d", "a"])
        assert.deepStrictEqual((yield* list({ state: "completed" })).ids, ["B"])
      })
    )

    it.effect("undoes rows with the transaction that wrote them", () =>
      Effect.gen(function* () {
        const imports = yield* ImportsRepo
        const run = yield* prepare("org_undone")
        yield* imports.insert(run("imp_10", { fingerprint: "f10" }))
        const rows = [row("imp_10", 0, { outcome: "invalid", reason: "INVALID_EMAIL", leadId: null })]
        yield* Effect.flip(
          (yield* Transaction).run(
            Effect.andThen(imports.advance(progress(run("imp_10"), { rows })), Effect.fail("no"))
          )
        )
        const found = yield* imports.find("org_undone", "imp_10", 5)
        assert.deepStrictEqual([found?.refused, found?.run.counts], [[], noCounts])
      })
    )
  })
)
