import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ResourceReader } from "#core/kernel/resource/ResourceReader.ts"
import { ReportsRepo } from "#core/reports/ReportsRepo.ts"
import { CurrentOrganization, currentOwner, inOrganization } from "../support/inOrganization.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { StatementCounter } from "../support/StatementCounter.ts"
import { ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const searchUrl = "https://www.linkedin.com/sales/search/people?query=(keywords%3Asim-4%2520cfo)"

/** Some of everything there is to read. */
const addSamples = Effect.gen(function* () {
  yield* ok("offer.create", { offer_id: "sample-offer", name: "A", one_liner: "a", value_proposition: "b" })
  yield* ok("offer.create", { name: "Idea", is_draft: true })
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("agent.create", { first_name: "Gone", last_name: "Soon" })
  yield* ok("agent.delete", { agent_handle: "gone-soon" })
  yield* ok("mission.create", {
    name: "Spring outreach",
    agent_handle: "ada-martin",
    offer_id: "sample-offer"
  })
  yield* ok("mission.create", { name: "Old", agent_handle: "ada-martin" })
  yield* ok("mission.update", { mission_id: "old", status: "archived" })
  const lead = yield* ok("lead.upsert", {
    email: "grace@example.com",
    name: "Grace",
    linkedin_url: "linkedin.com/in/g"
  })
  yield* ok("lead.upsert", { email: "stop@example.com", name: "No", status: "DoNotContact" })
  yield* ok("import.sales-nav.search", { url: searchUrl, mission_id: "spring-outreach" })
  const { draft } = yield* ok("linkedin.draft.create", {
    lead_id: lead.lead_id,
    agent_handle: "ada-martin",
    variations: ["Hello"]
  })
  yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true })
})

eachBackend("resources", (layer) => {
  // No other test works in this database: what waits is counted in all of it.
  it.layer(layer)((it) => {
    it.effect("what waits is counted over all organizations, in one statement, and what ended is not", () =>
      Effect.gen(function* () {
        yield* organization("org_waits_b")
        yield* addSamples
        const reports = yield* ReportsRepo
        const counter = yield* Effect.serviceOption(StatementCounter)
        assert.deepStrictEqual((yield* reports.backlog).waiting, [])
        for (const organizationId of ["org_waits", "org_waits_b"]) {
          const actor = owner(organizationId)
          yield* ok("agent.create", { first_name: "Eve", last_name: "Waits" }, { actor })
          const linkedin_url = "https://www.linkedin.com/in/waiting-2nd"
          const lead = yield* ok("lead.upsert", { name: "Wanda", linkedin_url }, { actor })
          const { draft } = yield* ok(
            "linkedin.draft.create",
            { lead_id: lead.lead_id, agent_handle: "eve-waits", variations: ["Hello"] },
            { actor }
          )
          yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true }, { actor })
        }
        if (Option.isSome(counter)) yield* counter.value.reset
        const { connections, waiting } = yield* reports.backlog
        if (Option.isSome(counter)) assert.strictEqual((yield* counter.value.read).statements, 1)
        assert.deepStrictEqual(waiting, [{ queue: "linkedin", state: "waiting_relation", count: 2 }])
        for (const { count } of connections) assert.isAbove(count, 0)
      }).pipe(inOrganization("org_waits"))
    )
  })

  it.layer(layer)((it) => {
    it.effect("count what there is, by state, for one organization", () =>
      Effect.gen(function* () {
        yield* organization("org_count_b")
        yield* addSamples
        const organizationId = yield* CurrentOrganization
        const status = yield* ok("workspace.status", {})
        assert.deepStrictEqual(status.organization, { id: organizationId, name: `Name of ${organizationId}` })
        assert.deepStrictEqual(status.offers, { ready: 1, draft: 1 })
        assert.deepStrictEqual([status.missions.ACTIVE, status.missions.ARCHIVED, status.agents], [1, 1, 1])
        assert.deepStrictEqual([status.leads.New, status.leads.DoNotContact, status.leads.Contacted], [4, 1, 1])
        assert.deepStrictEqual([status.drafts.DISPATCHED, status.queue.sent], [1, 1])
        assert.deepStrictEqual([status.imports.completed, status.gateway.accounts.OK], [1, 1])
        const repo = yield* ReportsRepo
        const other = yield* repo.status("org_count_b", {
          staleBefore: "2026-01-01T00:00:00.000Z",
          gateway: "simulator"
        })
        assert.deepStrictEqual(other, { organizationName: "Name of org_count_b", counts: [] })
        const nobody = yield* repo.status("org_none", {
          staleBefore: "2026-01-01T00:00:00.000Z",
          gateway: "simulator"
        })
        assert.isUndefined(nobody.organizationName)
      }).pipe(inOrganization("org_count"))
    )

    it.effect("have pages that end, and together everything once", () =>
      Effect.gen(function* () {
        const count = 60
        for (let n = 0; n < count; n++) {
          const { lead_id } = yield* ok("lead.upsert", { email: `p${n}@example.com`, name: `Person ${n}` })
          yield* ok("lead.message.record", { lead_id, channel: "EMAIL", direction: "inbound", content: "Hello" })
          yield* ok("lead.suppress", { domain: `d${n}.example`, reason: "Rival" })
        }
        for (const [name, list, key] of [
          ["inbox", "leads", "lead_id"],
          ["suppressions", "suppressions", "value"]
        ] as const) {
          const seen: Array<unknown> = []
          for (let cursor: string | undefined = "first"; cursor !== undefined; ) {
            const page: Readonly<Record<string, unknown>> = yield* ok(`resource.more-${name}`, { cursor })
            const items = page[list] as ReadonlyArray<Readonly<Record<string, unknown>>>
            assert.strictEqual(page["total"], count)
            assert.isAtMost(items.length, 25)
            seen.push(...items.map((item) => item[key]))
            cursor = (page["next_uri"] as string | null)?.slice(`svc://${name}/`.length)
          }
          assert.deepStrictEqual([seen.length, new Set(seen).size], [count, count], name)
        }
      }).pipe(inOrganization("org_pages"))
    )

    it.effect("are read in one statement for each list, and another organization reads nothing of them", () =>
      Effect.gen(function* () {
        yield* organization("org_read_b")
        yield* addSamples
        const reader = yield* ResourceReader
        const counter = yield* Effect.serviceOption(StatementCounter)
        const { leads } = yield* ok("lead.search", { query: "Grace" })
        const { imports } = yield* ok("import.list", {})
        const { drafts } = yield* ok("linkedin.draft.list", {})
        const ids: Record<string, string> = {
          prospect: leads[0].lead_id,
          import: imports[0].import_id,
          draft: drafts[0].draft_id,
          offer: "sample-offer",
          mission: "spring-outreach",
          "more-pending-drafts": "first",
          "more-inbox": "first",
          "more-suppressions": "first",
          "more-email-reviews": "first",
          agent: "ada-martin"
        }
        for (const { entry } of reader.resources) {
          const uri = entry.uri.replace(/\{[a-z]+\}/, ids[entry.name] ?? "missing")
          if (Option.isSome(counter)) yield* counter.value.reset
          const { envelope } = yield* reader.read({ uri, actor: yield* currentOwner })
          assert.isTrue(envelope.ok, `${uri} ${JSON.stringify(envelope)}`)
          // The queue is a list of messages and a list of invitations; until when a lead is kept, a policy says.
          const lists = uri === "svc://linkedin/queue" || uri.startsWith("svc://prospects/") ? 2 : 1
          if (Option.isSome(counter)) assert.isAtMost((yield* counter.value.read).statements, lists, uri)
          // The first page of a list is everybody's own.
          if (!entry.uri.includes("{") || entry.name.startsWith("more-")) continue
          const foreign = yield* reader.read({ uri, actor: owner("org_read_b") })
          assert.strictEqual(foreign.envelope.status, 404, uri)
        }
      }).pipe(inOrganization("org_read"))
    )
  })
})
