import { assert, it } from "@effect/vitest"
import type { ActorIdentity } from "@svc/core/Actor"
import * as Catalog from "@svc/core/Catalog"
import { commands } from "@svc/core/commands"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import type { Failure } from "@svc/core/Failure"
import { layerSequential } from "@svc/core/Ids"
import * as ImportRunner from "@svc/core/imports/ImportRunner"
import * as LinkedInPorts from "@svc/core/linkedin/LinkedInPorts"
import { defaultSendOptions, SendOptions } from "@svc/core/linkedin/SendOptions"
import * as memory from "@svc/core/memory"
import { ResourceReader, layer as readerLayer } from "@svc/core/ResourceReader"
import { makeResources } from "@svc/core/resources"
import * as SimulatedGateway from "@svc/core/simulator/SimulatedGateway"
import { Backlog } from "@svc/core/status/Backlog"
import { WorkspaceStatusRepo } from "@svc/core/status/WorkspaceStatusRepo"
import * as repositories from "@svc/postgres/repositories"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { CurrentOrganization, currentOwner, inOrganization } from "../support/inOrganization.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { StatementCounter } from "../support/StatementCounter.ts"
import { eachBackend } from "./backends.ts"

const resources = makeResources(commands)
const catalog = Catalog.make([...commands, ...resources.map(({ command }) => command)])

const serviceOn = <A>(repos: Layer.Layer<A | memory.Repositories, Failure>) =>
  readerLayer(resources).pipe(
    Layer.provideMerge(dispatchLayer(catalog)),
    Layer.provide(ImportRunner.layer),
    Layer.provideMerge(LinkedInPorts.layer),
    Layer.provide(Layer.succeed(SendOptions, defaultSendOptions)),
    Layer.provideMerge(Layer.mergeAll(SimulatedGateway.layer({ acceptSeconds: 30 }), layerSequential)),
    Layer.provideMerge(repos)
  )

const run = (command: string, input: object, actor?: ActorIdentity) =>
  Effect.gen(function* () {
    const call = { command, input, actor: actor ?? (yield* currentOwner) }
    const { envelope } = yield* (yield* Dispatch).run(call)
    if (!envelope.ok) throw new Error(`${command}: ${envelope.error.message}`)
    return { ...Object(envelope.data) }
  })

const searchUrl = "https://www.linkedin.com/sales/search/people?query=(keywords%3Asim-4%2520cfo)"

/** Some of everything there is to read. */
const addSamples = Effect.gen(function* () {
  yield* run("offer.create", { offer_id: "sample-offer", name: "A", one_liner: "a", value_proposition: "b" })
  yield* run("offer.create", { name: "Idea", is_draft: true })
  yield* run("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* run("agent.create", { first_name: "Gone", last_name: "Soon" })
  yield* run("agent.delete", { agent_handle: "gone-soon" })
  yield* run("mission.create", {
    name: "Spring outreach",
    agent_handle: "ada-martin",
    offer_id: "sample-offer"
  })
  yield* run("mission.create", { name: "Old", agent_handle: "ada-martin" })
  yield* run("mission.update", { mission_id: "old", status: "archived" })
  const lead = yield* run("lead.upsert", {
    email: "grace@example.com",
    name: "Grace",
    linkedin_url: "linkedin.com/in/g"
  })
  yield* run("lead.upsert", { email: "stop@example.com", name: "No", status: "DoNotContact" })
  yield* run("import.sales-nav.search", { url: searchUrl, mission_id: "spring-outreach" })
  const { draft } = yield* run("linkedin.draft.create", {
    lead_id: lead.lead_id,
    agent_handle: "ada-martin",
    variations: ["Hello"]
  })
  yield* run("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true })
})

eachBackend<Dispatch | ResourceReader | WorkspaceStatusRepo | memory.Repositories>(
  "resources",
  {
    memory: serviceOn(memory.layer),
    sql: (base) => serviceOn(repositories.layer.pipe(Layer.provideMerge(base)))
  },
  (layer) => {
    // No other test works in this database: what waits is counted in all of it.
    it.layer(layer)((it) => {
      it.effect("what waits is counted over all organizations, in one statement, and what ended is not", () =>
        Effect.gen(function* () {
          yield* organization("org_waits_b")
          yield* addSamples
          const backlog = yield* Backlog
          const counter = yield* Effect.serviceOption(StatementCounter)
          assert.deepStrictEqual((yield* backlog.read).waiting, [])
          for (const organizationId of ["org_waits", "org_waits_b"]) {
            const actor = owner(organizationId)
            yield* run("agent.create", { first_name: "Eve", last_name: "Waits" }, actor)
            const linkedin_url = "https://www.linkedin.com/in/waiting-2nd"
            const lead = yield* run("lead.upsert", { name: "Wanda", linkedin_url }, actor)
            const { draft } = yield* run(
              "linkedin.draft.create",
              { lead_id: lead.lead_id, agent_handle: "eve-waits", variations: ["Hello"] },
              actor
            )
            yield* run("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true }, actor)
          }
          if (Option.isSome(counter)) yield* counter.value.reset
          const { connections, waiting } = yield* backlog.read
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
          const status = yield* run("workspace.status", {})
          assert.deepStrictEqual(status.organization, { id: organizationId, name: `Name of ${organizationId}` })
          assert.deepStrictEqual(status.offers, { ready: 1, draft: 1 })
          assert.deepStrictEqual([status.missions.ACTIVE, status.missions.ARCHIVED, status.agents], [1, 1, 1])
          assert.deepStrictEqual([status.leads.New, status.leads.DoNotContact, status.leads.Contacted], [4, 1, 1])
          assert.deepStrictEqual([status.drafts.DISPATCHED, status.queue.sent], [1, 1])
          assert.deepStrictEqual([status.imports.completed, status.gateway.accounts.OK], [1, 1])
          const repo = yield* WorkspaceStatusRepo
          const other = yield* repo.count("org_count_b", {
            staleBefore: "2026-01-01T00:00:00.000Z",
            gateway: "simulator"
          })
          assert.deepStrictEqual(other, { organizationName: "Name of org_count_b", counts: [] })
          const nobody = yield* repo.count("org_none", {
            staleBefore: "2026-01-01T00:00:00.000Z",
            gateway: "simulator"
          })
          assert.isUndefined(nobody.organizationName)
        }).pipe(inOrganization("org_count"))
      )

      it.effect("are read in one statement for each list, and another organization reads nothing of them", () =>
        Effect.gen(function* () {
          yield* organization("org_read_b")
          yield* addSamples
          const reader = yield* ResourceReader
          const counter = yield* Effect.serviceOption(StatementCounter)
          const { leads } = yield* run("lead.search", { query: "Grace" })
          const { imports } = yield* run("import.list", {})
          const { drafts } = yield* run("linkedin.draft.list", {})
          const ids: Record<string, string> = {
            prospect: leads[0].lead_id,
            import: imports[0].import_id,
            draft: drafts[0].draft_id,
            offer: "sample-offer",
            mission: "spring-outreach",
            agent: "ada-martin"
          }
          for (const { entry } of resources) {
            const uri = entry.uri.replace(/\{[a-z]+\}/, ids[entry.name] ?? "missing")
            if (Option.isSome(counter)) yield* counter.value.reset
            const { envelope } = yield* reader.read({ uri, actor: yield* currentOwner })
            assert.isTrue(envelope.ok, `${uri} ${JSON.stringify(envelope)}`)
            // The queue is a list of messages and a list of invitations.
            const lists = uri === "svc://linkedin/queue" ? 2 : 1
            if (Option.isSome(counter)) assert.isAtMost((yield* counter.value.read).statements, lists, uri)
            if (!entry.uri.includes("{")) continue
            const foreign = yield* reader.read({ uri, actor: owner("org_read_b") })
            assert.strictEqual(foreign.envelope.status, 404, uri)
          }
        }).pipe(inOrganization("org_read"))
      )
    })
  }
)
