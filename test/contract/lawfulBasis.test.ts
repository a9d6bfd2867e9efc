/** The lawful basis of leads, on every store: what waits for it, and what imports say of it. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { now } from "#core/kernel/schema/IdsAndTime.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { currentOwner, inOrganization } from "../support/inOrganization.ts"
import { accepted, code, lead, ok, refused, warned } from "../support/World.ts"
import { eachBackend, eachBackendWith } from "./backends.ts"
import { busyGateways, type Case, Provider, prepare, provider, round } from "./gateWorld.ts"
import { invitationRow } from "./outreachRows.ts"

const required = { lawful_basis: "required" }

const stateOf = ({ id, organizationId }: Case) =>
  Effect.map(
    Effect.flatMap(TransmissionsRepo, ({ find }) => find(organizationId, id)),
    (view) => `${view?.row.state} ${view?.row.reason}`
  )

/** How often the provider was asked in a round of the dispatcher. */
const asked = ({ organizationId }: Case) =>
  Effect.gen(function* () {
    const { asked } = yield* Provider
    const before = asked.length
    yield* round(organizationId)
    return asked.length - before
  })

eachBackendWith(busyGateways)("a first contact without a lawful basis", (world) =>
  it.layer(world.pipe(Layer.provideMerge(provider)))((it) => {
    for (const kind of ["message", "invitation", "email"] as const) {
      it.effect(`waits, of the kind ${kind}, until the lead has one`, () =>
        Effect.gen(function* () {
          const about = yield* prepare(kind)
          yield* about.run("policy.set", required)
          assert.strictEqual(yield* asked(about), 0)
          assert.strictEqual(yield* stateOf(about), "queued no_lawful_basis")
          const waits: unknown = (yield* about.run("review.explain", { about: about.lead_id }))["waits"]
          const [said] = (Array.isArray(waits) ? waits : []).filter((wait) => wait.reason === "no_lawful_basis")
          assert.deepInclude(said, {
            until: null,
            command: "lead.upsert",
            input: { lead_id: about.lead_id },
            summary: { start: "Won't send until the lead has a lawful basis.", end: null }
          })
          yield* about.run("lead.upsert", { lead_id: about.lead_id, company: "Example Corp" })
          yield* TestClock.adjust("10 minutes")
          assert.strictEqual(yield* asked(about), 0, "something else became known")
          yield* about.run("lead.upsert", { lead_id: about.lead_id, lawful_basis: "legitimate_interests" })
          yield* TestClock.adjust("10 minutes")
          assert.strictEqual(yield* asked(about), 1)
        })
      )

      it.effect(`waits no more, of the kind ${kind}, when an import or the policy says so`, () =>
        Effect.gen(function* () {
          const about = yield* prepare(kind)
          yield* about.run("policy.set", required)
          assert.strictEqual(yield* asked(about), 0)
          const leads = [{ email: "grace@quiet.example" }]
          yield* about.run("import.leads.add", { mission_id: "spring", leads, lawful_basis: "contract" })
          yield* TestClock.adjust("10 minutes")
          assert.strictEqual(yield* asked(about), 1)
          const other = yield* prepare(kind)
          yield* other.run("policy.set", required)
          assert.strictEqual(yield* asked(other), 0)
          yield* other.run("policy.set", { lawful_basis: null })
          yield* TestClock.adjust("10 minutes")
          assert.strictEqual(yield* asked(other), 1)
        })
      )

      it.effect(`leaves, of the kind ${kind}, for a lead that was written to before`, () =>
        Effect.gen(function* () {
          const about = yield* prepare(kind)
          const { lead_id, run } = about
          const message = { lead_id, channel: "LINKEDIN", direction: "outbound", content: "Hello" }
          yield* run("lead.message.record", message)
          yield* run("policy.set", required)
          assert.strictEqual(yield* asked(about), 1)
        })
      )
    }

    it.effect("is a message only if no invitation was sent before", () =>
      Effect.gen(function* () {
        const about = yield* prepare("message")
        const at = yield* now
        const { organizationId } = about
        const queued = (yield* (yield* TransmissionsRepo).find(organizationId, about.id))?.row
        const owners = { agentId: queued?.agentId ?? "", accountId: queued?.accountId ?? "", draftId: null }
        const invitation = { ...invitationRow(organizationId, about.lead_id, at), ...owners }
        const sent = { state: "accepted", sentAt: at, endedAt: at } as const
        yield* (yield* TransmissionsRepo).save(organizationId, [{ ...invitation, ...sent }])
        yield* about.run("policy.set", required)
        assert.strictEqual(yield* asked(about), 1)
      })
    )

    it.effect("may be drafted and approved", () =>
      Effect.gen(function* () {
        const { run } = yield* prepare("message")
        yield* run("policy.set", required)
        const { lead_id } = yield* run("lead.upsert", { email: "hopper@quiet.example", name: "Ada Hopper" })
        const { draft } = yield* run("linkedin.draft.create", { lead_id, variations: ["Hello"] })
        const approved = yield* run("linkedin.draft.approve", { draft_id: Object(draft).draft_id })
        assert.strictEqual(Object(approved["draft"]).status, "READY_TO_SEND")
      })
    )
  })
)

/** Asked without the policies that a test's actor has, so that those of the organization count. */
const basisOf = (lead_id: string) =>
  Effect.gen(function* () {
    const { policies: _, ...actor } = yield* currentOwner
    return (yield* ok("lead.get", { lead_id }, { actor })).basis
  })

eachBackend("leads by their lawful basis", (world) =>
  it.layer(world)((it) => {
    it.effect("say where they come from, and why they are kept", () =>
      Effect.gen(function* () {
        const lead_id = yield* lead({ email: "a@x.example", source: "Fair", lawful_basis: "consent" })
        assert.deepStrictEqual(yield* basisOf(lead_id), { source: "Fair", lawful_basis: "consent" })
        const { export: file } = yield* ok("lead.export", { lead_id })
        assert.deepInclude(file.leads[0], { lawfulBasis: "consent", source: "Fair" })
        yield* ok("lead.upsert", { lead_id, lawful_basis: null, source: null })
        assert.deepStrictEqual(yield* basisOf(lead_id), { source: null, lawful_basis: null })
        assert.strictEqual(yield* code("lead.upsert", { lead_id, lawful_basis: "interest" }), "INVALID_INPUT")
        const { leads } = yield* ok("policy.set", required)
        assert.deepStrictEqual(leads, required)
        const ofKey = yield* refused("policy.set", { key_id: "somekey23456", ...required })
        assert.match(ofKey, /lawful_basis are rules of the whole organization/)
      }).pipe(inOrganization("org_basis"))
    )

    it.effect("get what their import says, unless their row or somebody before said otherwise", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Spring", handle: "spring" })
        yield* lead({ email: "known@x.example", name: "Known", lawful_basis: "consent" })
        const cleared = yield* lead({ email: "cleared@x.example", name: "Cleared", lawful_basis: "consent" })
        yield* ok("lead.upsert", { lead_id: cleared, lawful_basis: null })
        const content = [
          "Email,Name,Legal basis,Lead source",
          "known@x.example,Known,,",
          "cleared@x.example,Cleared,,",
          "own@x.example,Own,Public Task,Register",
          "none@x.example,None,,",
          "wrong@x.example,Wrong,because,"
        ].join("\n")
        const file = { mission_handle: "spring", content }
        const said = { source: "Fair", lawful_basis: "legitimate_interests" }
        const first = yield* ok("import.csv", { ...file, ...said })
        assert.deepInclude(first, { created_count: 2, updated_count: 2, invalid_count: 1 })
        const got = Effect.gen(function* () {
          const { leads } = yield* ok("lead.search", { limit: 50 })
          const ids: ReadonlyArray<readonly [string, string]> = leads.map((one: { name: string; lead_id: string }) => [
            one.name,
            one.lead_id
          ])
          const bases = yield* Effect.forEach(ids, ([name, id]) =>
            Effect.map(
              basisOf(id),
              ({ lawful_basis, source }) => [name, `${lawful_basis} ${source}`] as [string, string]
            )
          )
          return Object.fromEntries(bases) as Record<string, string>
        })
        const expected = {
          Known: "consent Fair",
          Cleared: "null Fair",
          Own: "public_task Register",
          None: "legitimate_interests Fair"
        }
        assert.deepStrictEqual(yield* got, expected)
        const again = yield* accepted("import.csv", { ...file, ...said, lawful_basis: "contract" })
        assert.deepInclude(again.data, { import_id: first.import_id, already_exists: true })
        assert.include(again.warnings, "lawful_basis: ignored, as the import keeps what it started with.")
        assert.isEmpty((yield* warned("import.csv", file)).filter((text) => text.includes("ignored, as")))
        assert.deepStrictEqual(yield* got, expected)
        const more = yield* ok("import.csv", { ...file, again: true, lawful_basis: "contract", source: "List" })
        assert.notStrictEqual(more.import_id, first.import_id)
        assert.deepStrictEqual(yield* got, expected, "nobody is left without one")
        assert.strictEqual(yield* code("import.csv", { ...file, lawful_basis: "because" }), "INVALID_INPUT")
      }).pipe(inOrganization("org_defaults"))
    )

    it.effect("get what their search was started with, also when it goes on", () =>
      Effect.gen(function* () {
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
        yield* ok("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada-martin" })
        const url = "https://www.linkedin.com/search/results/people/?keywords=fintech"
        const search = { url, mission_handle: "spring", limit: 10 }
        yield* ok("import.linkedin.search", { ...search, source: "LinkedIn", lawful_basis: "legitimate_interests" })
        const warnings = yield* warned("import.linkedin.search", {
          ...search,
          limit: 20,
          refresh: true,
          source: "Other"
        })
        assert.include(warnings.join(" "), "source: ignored")
        const { leads } = yield* ok("lead.search", { limit: 50 })
        assert.isAbove(leads.length, 10)
        for (const { lead_id } of leads) {
          assert.deepInclude(yield* basisOf(lead_id), { source: "LinkedIn", lawful_basis: "legitimate_interests" })
        }
      }).pipe(inOrganization("org_searched"))
    )
  })
)
