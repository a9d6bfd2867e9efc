import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { commands } from "#core/commands.ts"
import { scopeBundles } from "#core/kernel/command/Permission.ts"
import { failureTable } from "#core/kernel/failure/failureTable.ts"
import { type ReadCall, ResourceReader } from "#core/kernel/resource/ResourceReader.ts"
import { decoder } from "#core/kernel/schema/Decode.ts"
import { version } from "#core/kernel/schema/Version.ts"
import corePackage from "../../packages/core/package.json" with { type: "json" }
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { catalog, make, ok, resources } from "../support/World.ts"

const workspace = make({ backend: "memory" })

const read = (uri: string, extra: Partial<ReadCall> = {}) =>
  Effect.map(
    Effect.flatMap(ResourceReader, (reader) => reader.read({ uri, actor: owner(), ...extra })),
    ({ envelope }) => envelope
  )

const payloadOf = (uri: string, extra: Partial<ReadCall> = {}) =>
  Effect.map(read(uri, extra), (envelope) => {
    if (!envelope.ok) throw new Error(`${uri}: ${envelope.error.message}`)
    const { resource } = Object(envelope.data)
    assert.strictEqual(resource.uri, uri)
    return { ...Object(resource.payload) }
  })

const refusalOf = (uri: string, extra: Partial<ReadCall> = {}) =>
  Effect.map(read(uri, extra), (envelope) => (envelope.ok ? "ok" : `${envelope.status} ${envelope.error.code}`))

const searchUrl = "https://www.linkedin.com/sales/search/people?query=(keywords%3Asim-4%2520cfo)"

/** One of everything; answers the URI of each resource with something in it. */
/** The first page of a list, by the name of the resource of further pages. */
const furtherPages: Readonly<Record<string, string>> = {
  "more-pending-drafts": "first",
  "more-inbox": "first",
  "more-suppressions": "first",
  "more-email-reviews": "first"
}

const seeded = Effect.gen(function* () {
  yield* organization("org_a")
  yield* ok("offer.create", { offer_id: "sample-offer", name: "Invoices", one_liner: "a", value_proposition: "b" })
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("mission.create", { name: "Spring outreach", agent_handle: "ada-martin", offer_id: "sample-offer" })
  const { lead_id } = yield* ok("lead.upsert", { email: "grace@example.com", name: "Grace Hopper" })
  const imported = yield* ok("import.sales-nav.search", { url: searchUrl, mission_id: "spring-outreach" })
  const { draft } = yield* ok("linkedin.draft.create", { lead_id, agent_handle: "ada-martin", variations: ["Hello"] })
  const ids: Record<string, string> = {
    prospect: lead_id,
    import: imported.import_id,
    draft: draft.draft_id,
    offer: "sample-offer",
    ...furtherPages,
    mission: "spring-outreach",
    agent: "ada-martin"
  }
  return resources.map(({ entry }) => entry.uri.replace(/\{[a-z]+\}/, ids[entry.name] ?? "missing"))
})

describe("resources", () => {
  it.effect("lists entries of the spec's shape, with commands that exist", () =>
    Effect.gen(function* () {
      const { entries } = yield* ResourceReader
      const uris = entries.map(({ uri }) => uri)
      for (const uri of ["svc://status", "svc://linkedin/drafts/pending", "svc://prospects/{id}", "svc://catalog"]) {
        assert.include(uris, uri)
      }
      assert.strictEqual(new Set(uris).size, uris.length)
      for (const entry of entries) {
        assert.hasAllKeys(entry, ["uri", "name", "title", "description", "summary", "mimeType", "related_commands"])
        assert.strictEqual(entry.mimeType, "application/json")
        for (const id of entry.related_commands) assert.isDefined(catalog.find(id), `${entry.uri}: ${id}`)
      }
      for (const command of commands) {
        for (const id of command.relatedCommands) assert.isDefined(catalog.find(id), `${command.id}: ${id}`)
        for (const uri of command.relatedResources) assert.include(uris, uri, command.id)
      }
      for (const { command, entry } of resources) {
        const names = [...entry.uri.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name)
        assert.deepStrictEqual(Object.keys(command.input.fields), names, entry.uri)
      }
    }).pipe(Effect.provide(workspace))
  )

  it.effect("reads every one, in both profiles, as its schema says", () =>
    Effect.gen(function* () {
      const uris = yield* seeded
      for (const [index, uri] of uris.entries()) {
        const resource = resources[index]
        assert.isDefined(resource)
        for (const responseProfile of ["full", "compact"] as const) {
          const { generated_at, ...payload } = yield* payloadOf(uri, { responseProfile })
          assert.match(generated_at, /^\d{4}-\d\d-\d\dT.*Z$/)
          const decoded = decoder(resource?.command.output ?? resources[0].command.output)(payload)
          assert.isTrue(Result.isSuccess(decoded), `${uri} ${JSON.stringify(decoded)}`)
        }
      }
    }).pipe(Effect.provide(workspace))
  )

  it.effect("shows another organization what it shows of things that do not exist", () =>
    Effect.gen(function* () {
      const uris = yield* seeded
      for (const [index, { entry }] of resources.entries()) {
        if (!entry.uri.includes("{")) continue
        const foreign = yield* read(uris[index] ?? "", { actor: owner("org_b") })
        // The first page of a list is everybody's own.
        if (!(entry.name in furtherPages))
          assert.strictEqual(foreign.ok ? "ok" : `${foreign.status} ${foreign.error.code}`, "404 NOT_FOUND", entry.uri)
        for (const id of ["nothing", "%20", "a%2Fb", "Ü", "%00", "x".repeat(300)]) {
          const uri = entry.uri.replace(/\{[a-z]+\}/, id)
          assert.strictEqual(yield* refusalOf(uri), "404 NOT_FOUND", uri)
        }
      }
      const status = yield* payloadOf("svc://status", { actor: owner("org_b") })
      assert.deepStrictEqual(status.offers, { ready: 0, draft: 0 })
      const pending = yield* payloadOf("svc://linkedin/drafts/pending", { actor: owner("org_b") })
      assert.deepStrictEqual([pending.drafts, pending.total], [[], 0])
    }).pipe(Effect.provide(workspace))
  )

  it.effect("refuses what is no resource, and keys without the scope", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusalOf("svc://nothing"), "404 UNKNOWN_RESOURCE")
      assert.strictEqual(yield* refusalOf("svc://status/"), "404 UNKNOWN_RESOURCE")
      assert.strictEqual(yield* refusalOf("svc://status?x=1"), "404 UNKNOWN_RESOURCE")
      assert.strictEqual(yield* refusalOf("https://example.com"), "400 INVALID_INPUT")
      assert.strictEqual(yield* refusalOf("\ud800"), "400 INVALID_INPUT")
      const actor = { ...owner(), scopes: ["offers:read"] as const }
      assert.strictEqual(yield* refusalOf("svc://agents", { actor }), "403 FORBIDDEN_SCOPE")
      assert.strictEqual(yield* refusalOf("svc://offers", { actor }), "ok")
      const reader = { ...owner(), scopes: scopeBundles.read_only, mode: "draft_only" as const }
      for (const { entry } of resources.filter((resource) => !resource.entry.uri.includes("{"))) {
        assert.strictEqual(yield* refusalOf(entry.uri, { actor: reader }), "ok", entry.uri)
      }
    }).pipe(Effect.provide(workspace))
  )

  it.effect("shows drafts with the hash that approving them takes", () =>
    Effect.gen(function* () {
      yield* seeded
      const { drafts, total } = yield* payloadOf("svc://linkedin/drafts/pending")
      assert.strictEqual(total, 1)
      const { content_hash, draft } = drafts[0]
      const one = yield* payloadOf(`svc://linkedin/drafts/${draft.draft_id}`)
      assert.strictEqual(one.content_hash, content_hash)
      assert.match(content_hash, /^[0-9a-f]{64}$/)
      const approved = yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id, content_hash })
      assert.strictEqual(approved.mode, "approved")
      assert.deepStrictEqual((yield* payloadOf("svc://linkedin/drafts/pending")).drafts, [])
    }).pipe(Effect.provide(workspace))
  )

  it.effect("lists every error code and every command", () =>
    Effect.gen(function* () {
      const { errors } = yield* payloadOf("svc://errors")
      assert.lengthOf(errors, Object.keys(failureTable).length)
      const { catalog_hash, categories } = yield* payloadOf("svc://catalog")
      assert.match(catalog_hash, /^[0-9a-f]{64}$/)
      const ids = categories.flatMap((category: { commands: ReadonlyArray<{ command_id: string }> }) =>
        category.commands.map(({ command_id }) => command_id)
      )
      assert.sameMembers(
        ids,
        commands.map(({ id }) => id)
      )
    }).pipe(Effect.provide(workspace))
  )

  it.effect("names only what exists in the guide", () =>
    Effect.gen(function* () {
      const { steps } = yield* payloadOf("svc://guide")
      const uris = resources.map(({ entry }) => entry.uri)
      for (const step of steps) {
        for (const id of step.commands) assert.isDefined(catalog.find(id), id)
        for (const uri of step.resources) assert.include(uris, uri)
      }
    }).pipe(Effect.provide(workspace))
  )
})

describe("workspace.status", () => {
  it.effect("names every state, counts what there is, and says what to do", () =>
    Effect.gen(function* () {
      const empty = yield* ok("workspace.status", {})
      assert.deepStrictEqual(empty.warnings, ["There is no agent yet: create one with agent.create."])
      assert.deepStrictEqual(empty.drafts, { PENDING_REVIEW: 0, READY_TO_SEND: 0, DISPATCHED: 0, CANCELLED: 0 })
      yield* seeded
      const status = yield* ok("workspace.status", {})
      assert.deepStrictEqual(status.organization, { id: "org_a", name: "Name of org_a" })
      assert.strictEqual(status.version, version)
      assert.deepStrictEqual(status.offers, { ready: 1, draft: 0 })
      assert.deepStrictEqual([status.leads.New, status.missions.ACTIVE, status.agents], [5, 1, 1])
      assert.deepStrictEqual([status.drafts.PENDING_REVIEW, status.imports.completed], [1, 1])
      assert.deepStrictEqual([status.gateway.name, status.gateway.healthy], ["simulator", true])
      assert.strictEqual(status.gateway.accounts.OK, 1)
      assert.deepStrictEqual(status.warnings, ["1 draft is waiting for review in svc://linkedin/drafts/pending."])
    }).pipe(Effect.provide(workspace))
  )

  it("says the version of the package", () => assert.strictEqual(version, corePackage.version))
})
