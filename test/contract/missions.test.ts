import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AgentsRepo } from "#core/agents/Agent.ts"
import type { ImportRun } from "#core/imports/ImportRun.ts"
import { ImportsRepo } from "#core/imports/ImportsRepo.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import type { Position } from "#core/kernel/schema/Page.ts"
import { LeadStatus } from "#core/leads/LeadStatus.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import type { MissionRow, MissionView } from "#core/missions/Mission.ts"
import { type MissionFilter, MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { type Offer, OffersRepo } from "#core/offers/Offer.ts"
import { organization } from "../support/organization.ts"
import { eachBackend } from "./backends.ts"
import { agentRow, instant, leadRow, missionRow, offerRow } from "./outreachRows.ts"

const insert = (row: MissionRow) => Effect.flatMap(MissionsRepo, (repo) => repo.insert(row, [row.handle]))

const offer = (organizationId: string): Offer => ({
  ...offerRow(organizationId, "audit", "Audit"),
  oneLiner: "A day with your books",
  valueProposition: "Finds what leaks",
  landingPageUrl: "https://example.com/audit"
})

const addLead = (organizationId: string, id: string, missionId: string, status: LeadStatus) => {
  const row = leadRow(organizationId, id, { name: id, status })
  const links = [{ missionId, leadId: id, at: instant(0), touch: false }]
  return Effect.flatMap(LeadsRepo, (repo) => repo.write({ organizationId, created: [row], rows: [], links }))
}

const importRun = (organizationId: string, missionId: string, id: string, second: number): ImportRun => ({
  id,
  organizationId,
  missionId,
  type: "API",
  name: `Import ${id}`,
  fingerprint: null,
  sourceUrl: second === 2 ? "https://www.linkedin.com/sales/search/people?x=ü" : null,
  context: null,
  state: "completed",
  reason: null,
  counts: { created: 4, updated: 3, skipped: 2, invalid: 1 },
  enrolled: 0,
  cursor: null,
  accountId: null,
  defaults: {},
  file: null,
  rowLimit: null,
  attempt: 1,
  createdAt: instant(second),
  updatedAt: instant(second),
  finishedAt: instant(second),
  rowsDeletedAt: null
})

const record = (id: string, second: number) => ({
  import_id: id,
  type: "API",
  name: `Import ${id}`,
  date: instant(second),
  count: 10,
  created_count: 4,
  skipped_count: 2,
  invalid_count: 1,
  source_url: second === 2 ? "https://www.linkedin.com/sales/search/people?x=ü" : null,
  context: null
})

const all: MissionFilter = { status: undefined, offerId: undefined, agent: undefined, query: undefined }

eachBackend("missions", (layer) =>
  it.layer(layer)((it) => {
    const linked: MissionRow = {
      ...missionRow("org_1", "linked"),
      name: "Größe „eins“",
      agentId: "agt_1",
      offerId: "audit",
      status: "ARCHIVED",
      beforeArchive: "PAUSED",
      channels: ["EMAIL", "LINKEDIN"],
      emailReviewStrategy: "WEBHOOK",
      emailReviewWebhookUrl: "https://example.com/review",
      importType: "SALES_NAV_SEARCH",
      whoAreThey: "CFOs\nand “others”",
      emailExamples: ["one", "two\n"]
    }

    it.effect("keeps a mission as it was given, for its organization alone, by id and by handle", () =>
      Effect.gen(function* () {
        for (const id of ["org_1", "org_2"]) {
          yield* organization(id)
          yield* (yield* OffersRepo).insert(offer(id))
          yield* (yield* AgentsRepo).insert(agentRow(id, "agt_1", "ada"), ["ada"])
        }
        const repo = yield* MissionsRepo
        assert.deepStrictEqual(yield* insert(linked), linked)
        assert.deepStrictEqual(yield* repo.findByIdOrHandle("org_1", "linked"), linked)
        assert.deepStrictEqual(yield* repo.hold("org_1", "mis_linked"), linked)
        assert.isUndefined(yield* repo.findByIdOrHandle("org_2", "linked"))
        assert.isUndefined(yield* repo.view("org_2", "mis_linked"))
        const bare = missionRow("org_2", "linked")
        assert.deepStrictEqual(yield* insert(bare), bare)
        const nothing = { stats: { leads: 0, contacted: 0, replied: 0 }, imports: [] }
        assert.deepStrictEqual(yield* repo.view("org_2", "linked"), {
          mission: bare,
          agentHandle: "",
          offer: null,
          ...nothing
        })
        assert.deepStrictEqual(yield* repo.view("org_1", "mis_linked"), {
          mission: linked,
          agentHandle: "ada",
          offer: {
            id: "audit",
            name: "Audit",
            oneLiner: "A day with your books",
            landingPageUrl: "https://example.com/audit"
          },
          ...nothing
        })
      })
    )

    it.effect("takes the first free handle, and none when none is free", () =>
      Effect.gen(function* () {
        yield* organization("org_free")
        const repo = yield* MissionsRepo
        yield* insert(missionRow("org_free", "linked"))
        const stored = yield* repo.insert(missionRow("org_free", "new"), ["linked", "linked-2"])
        assert.strictEqual(stored?.handle, "linked-2")
        assert.isUndefined(yield* repo.insert(missionRow("org_free", "newer"), ["linked"]))
        assert.isUndefined(yield* repo.findByIdOrHandle("org_free", "mis_newer"))
      })
    )

    it.effect("gives simultaneous newcomers of one name a handle each", () =>
      Effect.gen(function* () {
        yield* organization("org_h")
        const repo = yield* MissionsRepo
        const transaction = yield* Transaction
        const rows = Array.from({ length: 12 }, (_, index) => missionRow("org_h", `n${index}`))
        const stored = yield* Effect.forEach(
          rows,
          (row) =>
            transaction.run(
              repo.insert(row, ["same", ...Array.from({ length: 11 }, (_, index) => `same-${index + 2}`)])
            ),
          { concurrency: "unbounded" }
        )
        const expected = ["same", ...Array.from({ length: 11 }, (_, index) => `same-${index + 2}`)]
        assert.sameMembers(
          stored.map((row) => row?.handle ?? "none"),
          expected
        )
      })
    )

    it.effect("replaces only what was seen, and leaves the last use alone", () =>
      Effect.gen(function* () {
        for (const id of ["org_replace", "org_replace_b"]) {
          yield* organization(id)
          yield* (yield* AgentsRepo).insert(agentRow(id, "agt_1", "ada"), ["ada"])
        }
        const repo = yield* MissionsRepo
        const seen = missionRow("org_replace", "seen")
        yield* insert(seen)
        yield* repo.touch("org_replace", "mis_seen", instant(8))
        yield* repo.touch("org_replace", "mis_seen", instant(7))
        yield* repo.touch("org_replace_b", "mis_seen", instant(9))
        assert.deepStrictEqual(yield* repo.findByIdOrHandle("org_replace", "seen"), {
          ...seen,
          lastUsedAt: instant(8)
        })
        const changed: MissionRow = {
          ...seen,
          name: "Renamed",
          status: "ARCHIVED",
          beforeArchive: "ACTIVE",
          agentId: "agt_1",
          keyMessage: "k",
          updatedAt: instant(1)
        }
        assert.isFalse(yield* repo.replace(changed, instant(7)))
        assert.isFalse(yield* repo.replace({ ...changed, organizationId: "org_replace_b" }, instant(0)))
        assert.isTrue(yield* repo.replace(changed, instant(0)))
        assert.isFalse(yield* repo.replace({ ...changed, name: "Late" }, instant(0)))
        assert.deepStrictEqual(yield* repo.findByIdOrHandle("org_replace", "seen"), {
          ...changed,
          lastUsedAt: instant(8)
        })
      })
    )

    it.effect("counts its leads by status, and shows its imports newest first", () =>
      Effect.gen(function* () {
        yield* organization("org_counts")
        const repo = yield* MissionsRepo
        const imports = yield* ImportsRepo
        yield* insert(missionRow("org_counts", "busy"))
        yield* insert(missionRow("org_counts", "idle"))
        for (const [index, status] of LeadStatus.literals.entries()) {
          yield* addLead("org_counts", `ld_${index}`, "mis_busy", status)
        }
        yield* addLead("org_counts", "ld_x", "mis_busy", "Replied")
        yield* addLead("org_counts", "ld_y", "mis_idle", "Contacted")
        yield* imports.insert(importRun("org_counts", "mis_busy", "imp_1", 1))
        yield* imports.insert(importRun("org_counts", "mis_busy", "imp_2", 2))
        yield* imports.insert(importRun("org_counts", "mis_busy", "imp_3", 1))
        const view = yield* repo.view("org_counts", "busy")
        assert.deepStrictEqual(view?.stats, { leads: 9, contacted: 6, replied: 5 })
        assert.deepStrictEqual(view?.imports, [record("imp_2", 2), record("imp_3", 1), record("imp_1", 1)])
        assert.deepStrictEqual((yield* repo.view("org_counts", "idle"))?.stats, {
          leads: 1,
          contacted: 1,
          replied: 0
        })
        const page = yield* repo.list("org_counts", { ...all, query: "busy" }, { limit: 5, after: undefined })
        assert.deepStrictEqual(page.items, view === undefined ? [] : [view])
      })
    )

    it.effect("lists newest first without gaps or repeats, narrowed by every filter", () =>
      Effect.gen(function* () {
        yield* organization("org_l")
        yield* (yield* OffersRepo).insert(offer("org_l"))
        const agents = yield* AgentsRepo
        yield* agents.insert(agentRow("org_l", "agt_1", "ada"), ["ada"])
        const repo = yield* MissionsRepo
        const archived = { status: "ARCHIVED", beforeArchive: "DRAFT" } as const
        yield* insert({ ...missionRow("org_l", "b", 5), agentId: "agt_1" })
        yield* insert({ ...missionRow("org_l", "d", 5), offerId: "audit", status: "PAUSED" })
        yield* insert({ ...missionRow("org_l", "c", 5), ...archived, agentId: "agt_1", offerId: "audit" })
        yield* insert({ ...missionRow("org_l", "new", 6), name: "ÜBER uns 100%_" })
        const handles = (filter: Partial<MissionFilter>) =>
          Effect.map(repo.list("org_l", { ...all, ...filter }, { limit: 9, after: undefined }), ({ items }) =>
            items.map(({ mission }) => mission.handle)
          )
        assert.deepStrictEqual(yield* handles({}), ["new", "d", "c", "b"])
        assert.deepStrictEqual(yield* handles({ status: "archived" }), ["c"])
        assert.deepStrictEqual(yield* handles({ status: "active" }), ["new", "d", "b"])
        assert.deepStrictEqual(yield* handles({ agent: "ada" }), ["c", "b"])
        assert.deepStrictEqual(yield* handles({ agent: "agt_1", offerId: "audit" }), ["c"])
        assert.deepStrictEqual(yield* handles({ offerId: "nothing" }), [])
        assert.deepStrictEqual(yield* handles({ query: "über" }), ["new"])
        assert.deepStrictEqual(yield* handles({ query: "%_" }), ["new"])
        assert.deepStrictEqual(yield* handles({ query: "MISSION" }), ["d", "c", "b"])
        yield* agents.softDelete("org_l", "agt_1", instant(9))
        assert.deepStrictEqual(yield* handles({ agent: "ada" }), ["c", "b"])
        const seen: Array<string> = []
        let after: Position | undefined
        do {
          const page: { items: ReadonlyArray<MissionView>; next: Position | undefined } = yield* repo.list(
            "org_l",
            all,
            { limit: 3, after }
          )
          seen.push(...page.items.map(({ mission }) => mission.handle))
          after = page.next
        } while (after !== undefined)
        assert.deepStrictEqual(seen, ["new", "d", "c", "b"])
      })
    )

    it.effect("undoes everything of a transaction that fails", () =>
      Effect.gen(function* () {
        yield* organization("org_undone")
        const repo = yield* MissionsRepo
        const transaction = yield* Transaction
        yield* Effect.flip(transaction.run(Effect.andThen(insert(missionRow("org_undone", "gone")), Effect.fail("no"))))
        assert.isUndefined(yield* repo.findByIdOrHandle("org_undone", "gone"))
      })
    )
  })
)
