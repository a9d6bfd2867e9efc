/** The lawful basis of leads, on every store: what waits for it, what imports say of it, and how long leads are kept by it. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { asService } from "#core/kernel/background/Worker.ts"
import { now } from "#core/kernel/schema/IdsAndTime.ts"
import type { Position } from "#core/kernel/schema/Page.ts"
import { eraseExpired } from "#core/leads/privacy/LeadRetention.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import { anyAccountOfAgent } from "#core/outreach/provider/LinkedInGateway.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import { CurrentOrganization, currentOwner, inOrganization } from "../support/inOrganization.ts"
import { accepted, ask, code, lead, ok, refused, warned } from "../support/World.ts"
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

const day = 86_400_000

/** Asked without the policies that a test's actor has, so that those of the organization count. */
const basisOf = (lead_id: string) =>
  Effect.gen(function* () {
    const { policies: _, ...actor } = yield* currentOwner
    return (yield* ok("lead.get", { lead_id }, { actor })).basis
  })

const isKept = (lead_id: string) => Effect.map(code("lead.get", { lead_id }), (found) => found === "ok")

/** Deletes what is due in the organization; answers how many leads. */
const retained = Effect.gen(function* () {
  const { leads = 0 } = yield* deleteOldRows(yield* CurrentOrganization, eraseExpired)
  return leads
})

eachBackend("leads by their lawful basis", (world) =>
  it.layer(world)((it) => {
    it.effect("say where they come from, why they are kept, and until when", () =>
      Effect.gen(function* () {
        const lead_id = yield* lead({ email: "a@x.example", source: "Fair", lawful_basis: "consent" })
        const kept = { source: "Fair", lawful_basis: "consent", kept_until: null }
        assert.deepStrictEqual(yield* basisOf(lead_id), kept)
        const days = { consent: 730, none: 180 }
        const { leads } = yield* ok("policy.set", { retention_days: days })
        assert.deepStrictEqual(leads, { lawful_basis: null, retention_days: days })
        yield* TestClock.adjust("1 second")
        const at = Date.parse((yield* ok("lead.search", {})).leads[0].updated_at)
        const until = (count: number) => new Date(at + count * day).toISOString()
        assert.deepStrictEqual(yield* basisOf(lead_id), { ...kept, kept_until: until(730) })
        const { export: file } = yield* ok("lead.export", { lead_id })
        assert.deepInclude(file.leads[0], { lawfulBasis: "consent", source: "Fair" })
        yield* ok("lead.upsert", { lead_id, lawful_basis: null, source: null })
        const cleared = yield* basisOf(lead_id)
        assert.deepInclude(cleared, { source: null, lawful_basis: null })
        assert.strictEqual(yield* code("lead.upsert", { lead_id, lawful_basis: "interest" }), "INVALID_INPUT")
        assert.deepInclude((yield* ok("policy.set", { retention_days: null })).leads, { retention_days: null })
        for (const retention_days of [{ none: 29 }, { consent: 3_651 }, { consent: 40.5 }, 40]) {
          assert.strictEqual(yield* code("policy.set", { retention_days }), "INVALID_INPUT")
        }
        const ofKey = yield* refused("policy.set", { key_id: "somekey23456", retention_days: { none: 30 } })
        assert.match(ofKey, /retention_days are rules of the whole organization/)
      }).pipe(inOrganization("org_basis"))
    )

    it.effect("are erased as lead.erase does once their time is over", () =>
      Effect.gen(function* () {
        yield* ok("policy.set", { retention_days: { consent: 60, none: 30 } })
        const none = yield* lead({ email: "none@x.example", name: "None" })
        const changed = yield* lead({ email: "changed@x.example" })
        const written = yield* lead({ email: "written@x.example" })
        const consent = yield* lead({ email: "consent@x.example", lawful_basis: "consent" })
        const contract = yield* lead({ email: "contract@x.example", lawful_basis: "contract" })
        yield* ok("lead.status.set", { lead_id: none, status: "DoNotContact", reason: "Asked" })
        const all = [none, changed, written, consent, contract]
        const kept = Effect.map(Effect.filter(all, isKept), (ids) => ids.map((id) => all.indexOf(id)))
        yield* TestClock.adjust("20 days")
        yield* ok("lead.upsert", { lead_id: changed, company: "Example Corp" })
        const message = { channel: "EMAIL", direction: "inbound", content: "Hello", date: "1970-01-01T00:00:00Z" }
        yield* ok("lead.message.record", { lead_id: written, ...message })
        assert.strictEqual(yield* retained, 0)
        yield* TestClock.adjust("10 days")
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* retained, 1)
        assert.deepStrictEqual(yield* kept, [1, 2, 3, 4])
        assert.strictEqual(yield* retained, 0)
        const { events } = yield* ok("event.list", { types: "lead.erased" })
        assert.lengthOf(events, 1)
        assert.deepInclude(events[0], {
          actor: { kind: "SYSTEM", id: "dispatcher" },
          subject: { type: "lead", id: none }
        })
        assert.deepInclude(events[0].data, { tombstones: 1, reason: "retention_days: none" })
        assert.strictEqual(yield* code("lead.upsert", { email: "none@x.example", name: "None" }), "LEAD_SUPPRESSED")
        yield* TestClock.adjust("20 days")
        assert.strictEqual(yield* retained, 2)
        assert.deepStrictEqual(yield* kept, [3, 4])
        yield* TestClock.adjust("1000 days")
        assert.strictEqual(yield* retained, 1)
        assert.deepStrictEqual(yield* kept, [4])
        yield* ok("policy.set", { retention_days: { contract: 3_650 } })
        assert.strictEqual(yield* retained, 0)
        yield* ok("policy.set", { retention_days: { contract: 1_000 } })
        assert.strictEqual(yield* retained, 1)
      }).pipe(inOrganization("org_retained"))
    )

    it.effect("stay when they change, merge or get another basis before", () =>
      Effect.gen(function* () {
        yield* ok("policy.set", { retention_days: { none: 30 } })
        const ids = yield* Effect.forEach(["a", "b", "c", "d", "e"], (name) => lead({ email: `${name}@x.example` }))
        const [noted = "", merged = "", winner = "", based = "", idle = ""] = ids
        yield* TestClock.adjust("31 days")
        yield* ok("lead.note.add", { lead_id: noted, text: "Call back" })
        yield* ok("lead.merge", { winner_lead_id: winner, loser_lead_ids: [merged] })
        yield* ok("lead.upsert", { lead_id: based, lawful_basis: "contract" })
        assert.strictEqual(yield* retained, 1)
        assert.isFalse(yield* isKept(idle))
        for (const id of [noted, winner, merged, based]) assert.isTrue(yield* isKept(id))
        yield* TestClock.adjust("31 days")
        assert.strictEqual(yield* retained, 2)
        assert.isTrue(yield* isKept(based))
      }).pipe(inOrganization("org_changed"))
    )

    it.effect("are either written to or erased when both happen at once", () =>
      Effect.gen(function* () {
        yield* ok("policy.set", { retention_days: { none: 30 } })
        const fates: Array<string> = []
        for (let round = 0; round < 40; round++) {
          const lead_id = yield* lead({ email: `p${round}@x.example` })
          yield* TestClock.adjust("31 days")
          const message = { lead_id, channel: "EMAIL", direction: "inbound", content: "Hello" }
          const write = code("lead.message.record", message)
          const both = [write, retained] as const
          const [written, erased] =
            round % 2 === 0
              ? yield* Effect.all(both, { concurrency: 2 })
              : (yield* Effect.all([both[1], both[0]], { concurrency: 2 })).toReversed()
          fates.push(`${written} ${Number(erased) > 0} ${yield* isKept(lead_id)}`)
          yield* ask("lead.erase", { lead_id, confirm: lead_id })
        }
        assert.isEmpty(fates.filter((fate) => !["ok false true", "NOT_FOUND true false"].includes(fate)))
      }).pipe(inOrganization("org_both"))
    )

    it.effect("stay while something is being sent to them", () =>
      Effect.gen(function* () {
        yield* ok("policy.set", { retention_days: { none: 30 } })
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
        const organizationId = yield* CurrentOrganization
        const sending = yield* lead({ email: "a@x.example" })
        const idle = yield* lead({ email: "b@x.example" })
        const { draft } = yield* ok("linkedin.draft.create", { lead_id: sending, variations: ["Hello"] })
        const account = yield* asService(organizationId, anyAccountOfAgent(draft.agent.agent_id))
        yield* (yield* AccountsRepo).ensure(account)
        const row = {
          ...invitationRow(organizationId, sending, "2026-01-01T00:00:00.000Z"),
          agentId: account.agentId,
          accountId: account.id,
          draftId: null
        }
        const { save } = yield* TransmissionsRepo
        yield* save(organizationId, [{ ...row, state: "sending" }])
        yield* TestClock.adjust("31 days")
        assert.strictEqual(yield* retained, 1)
        assert.isFalse(yield* isKept(idle))
        assert.strictEqual(yield* retained, 0)
        yield* save(organizationId, [{ ...row, state: "cancelled" }])
        assert.strictEqual(yield* retained, 1)
        assert.isFalse(yield* isKept(sending))
      }).pipe(inOrganization("org_in_flight"))
    )

    it.effect("are erased in the order of their last change, also beyond a turn, and read page by page", () =>
      Effect.gen(function* () {
        yield* ok("policy.set", { retention_days: { none: 30 } })
        const organizationId = yield* CurrentOrganization
        yield* ok("mission.create", { name: "Spring", handle: "spring" })
        const leads = Array.from({ length: 101 }, (_, n) => ({ email: `p${n}@x.example` }))
        yield* ok("import.leads.add", { mission_id: "spring", leads })
        yield* TestClock.adjust("1 second")
        const last = yield* lead({ email: "last@x.example" })
        yield* TestClock.adjust("31 days")
        const young = yield* lead({ email: "young@x.example" })
        const { unchangedSince } = yield* PrivacyRepo
        const read = (after?: Position) =>
          unchangedSince(organizationId, "2100-01-01T00:00:00.000Z", { limit: 60, after })
        const first = yield* read()
        const second = yield* read(first.next)
        const all = [...first.items, ...second.items]
        assert.lengthOf(new Set(all.map(({ id }) => id)), 103)
        assert.deepStrictEqual([all.at(-2)?.id, all.at(-1)?.id, second.next], [last, young, undefined])
        assert.deepStrictEqual(yield* eraseExpired(organizationId), { count: 100, isMore: true })
        assert.isTrue(yield* isKept(last))
        assert.strictEqual(yield* retained, 2)
        assert.isFalse(yield* isKept(last))
        assert.isTrue(yield* isKept(young))
      }).pipe(inOrganization("org_many"))
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
