import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { scopeBundles } from "#core/kernel/command/Permission.ts"
import { IdentityOptions } from "#core/leads/identity/Identity.ts"
import { leads } from "#memory/leads/LeadTables.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { missions } from "#memory/missions/MissionTables.ts"
import { owner } from "../../support/memory.ts"
import { accepted, ok, refused } from "../../support/World.ts"
import { tokenOf } from "./identity/arbitraries.ts"
import { addMission, events, leadWorld, missionRow, upsert } from "./leadWorld.ts"

const types = Effect.map(events, (list) => list.map(({ type }) => type))

describe("lead.upsert", () => {
  it.effect("creates a lead from an e-mail with a name to show, and answers the closed shape", () =>
    Effect.gen(function* () {
      const { lead, lead_id } = yield* upsert({ email: " Grace.Hopper@Example.com ", company: "Example Corp" })
      assert.deepStrictEqual(lead, {
        id: lead_id,
        name: "Grace Hopper",
        title: "",
        company: "Example Corp",
        score: 0,
        avatarUrl: "",
        linkedinUrl: "",
        linkedin_url: "",
        status: "New",
        linkedinProfileEnriched: false,
        email: "Grace.Hopper@example.com",
        missions: [],
        sentMessages: [],
        receivedMessages: [],
        addedDate: "1970-01-01T00:00:00.000Z",
        isFlagged: false
      })
      assert.match(lead_id, /^ld_/)
      assert.deepStrictEqual(yield* types, ["lead.created"])
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("changes nothing the second time, and says nothing of it", () =>
    Effect.gen(function* () {
      const input = {
        email: "ada@example.com",
        linkedin_url: "https://www.linkedin.com/in/ada-lovelace/",
        sales_nav_id: `${tokenOf(0x2c, 77)},NAME_SEARCH,auth`,
        first_name: "Ada",
        last_name: "Lovelace",
        headline: "Analyst",
        skills: ["Engines"],
        experience: [{ role: "Analyst", company: "Babbage", description: "Notes" }],
        score: 80,
        is_flagged: true,
        status: "Interested",
        phone: ""
      }
      const first = yield* upsert(input)
      yield* TestClock.adjust("1 hour")
      const before = yield* Effect.flatMap(MemoryStore, (store) =>
        store.read("org_a", (tables) => JSON.stringify(tables.get(leads, first.lead_id)))
      )
      assert.deepStrictEqual(yield* upsert(input), first)
      const after = yield* Effect.flatMap(MemoryStore, (store) =>
        store.read("org_a", (tables) => JSON.stringify(tables.get(leads, first.lead_id)))
      )
      assert.strictEqual(after, before)
      // Another session of Sales Navigator is no news.
      yield* upsert({ ...input, sales_nav_id: `${tokenOf(0x2c, 77)},NAME_SEARCH,other` })
      assert.deepStrictEqual(yield* types, ["lead.created"])
      assert.deepStrictEqual(first.lead.experience, [
        { role: "Analyst", company: "Babbage", duration: "", description: "Notes" }
      ])
      assert.deepStrictEqual(
        [first.lead.name, first.lead.title, first.lead.linkedinUrl, first.lead.linkedin_url, first.lead.status],
        [
          "Ada Lovelace",
          "Analyst",
          "https://www.linkedin.com/in/ada-lovelace",
          "https://www.linkedin.com/in/ada-lovelace",
          "Interested"
        ]
      )
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("finds the lead by each of its identifiers, in any spelling and order", () =>
    Effect.gen(function* () {
      const all = {
        email: "ada@example.com",
        custom_id: "crm-1",
        linkedin_url: "linkedin.com/in/Ada-Lovelace",
        linkedin_id: tokenOf(0x2a, 77),
        sales_nav_id: tokenOf(0x2c, 77)
      }
      const { lead_id } = yield* upsert({ ...all, name: "Ada" })
      const spellings = [
        { lead_id },
        { prospect_id: lead_id },
        { email: "ADA@EXAMPLE.COM" },
        { email: "Ada <mailto:ada@example.com>" },
        { custom_id: " crm-1 " },
        { linkedin_url: "https://fr.linkedin.com/in/ada-lovelace/fr?x=1" },
        { linkedin_id: "urn:li:member:77" },
        { linkedin_url: `https://www.linkedin.com/sales/lead/${tokenOf(0x2c, 77)},name,xyz` },
        // The member id inside another token of the same person.
        { linkedin_id: tokenOf(0x2a, 77, 9) },
        Object.fromEntries(Object.entries(all).reverse())
      ]
      for (const input of spellings) assert.strictEqual((yield* upsert(input)).lead_id, lead_id, JSON.stringify(input))
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("tells no member by a token where the deployment does not derive it", () =>
    Effect.gen(function* () {
      const first = yield* upsert({ sales_nav_id: tokenOf(0x2c, 77), name: "Ada" })
      const other = yield* upsert({ linkedin_id: tokenOf(0x2a, 77), name: "Ada" })
      assert.notStrictEqual(other.lead_id, first.lead_id)
      assert.strictEqual((yield* upsert({ sales_nav_id: tokenOf(0x2c, 77) })).lead_id, first.lead_id)
    }).pipe(Effect.provide(leadWorld), Effect.provideService(IdentityOptions, { deriveMemberId: false }))
  )

  it.effect("keeps absent fields, clears null and empty ones, replaces arrays", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({
        email: "ada@example.com",
        name: "Ada",
        company: "Babbage",
        phone: "1",
        location: "London",
        skills: ["a", "b"],
        score: 5
      })
      const { lead } = yield* upsert({ lead_id, phone: null, location: "", skills: ["c"] })
      assert.deepStrictEqual(
        [lead.company, lead.phone, lead.location, lead.skills, lead.score, lead.name],
        ["Babbage", undefined, undefined, ["c"], 5, "Ada"]
      )
      const cleared = yield* upsert({ lead_id, skills: null, score: null, name: "" })
      assert.deepStrictEqual([cleared.lead.skills, cleared.lead.score, cleared.lead.name], [undefined, 0, "Ada"])
      const updates = (yield* events).slice(1)
      assert.deepStrictEqual(
        updates.map(({ data }) => data),
        [{ changed: ["location", "phone", "skills"] }, { changed: ["score", "skills"] }].map(({ changed }) => ({
          changed: updates.length === 2 ? changed : []
        }))
      )
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("a cleared e-mail address does not find the person any more", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "wrong@example.com", custom_id: "a", name: "Ada" })
      const { lead } = yield* upsert({ lead_id, email: null })
      assert.isUndefined(lead.email)
      const other = yield* upsert({ email: "wrong@example.com" })
      assert.notStrictEqual(other.lead_id, lead_id)
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("shows a new address, and one that is known only when lead_id says so", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "One@example.com", linkedin_url: "linkedin.com/in/one" })
      const shown = (input: object) =>
        Effect.map(upsert(input), ({ lead }) => [lead.email, lead.linkedinUrl.split("/").at(-1)])
      assert.deepStrictEqual(yield* shown({ email: "one@example.com" }), ["One@example.com", "one"])
      assert.deepStrictEqual(yield* shown({ lead_id, email: "two@example.com" }), ["two@example.com", "one"])
      assert.deepStrictEqual(yield* shown({ email: "one@example.com", linkedin_url: "linkedin.com/in/two" }), [
        "two@example.com",
        "two"
      ])
      assert.deepStrictEqual(yield* shown({ lead_id, email: "one@example.com" }), ["one@example.com", "two"])
      assert.deepStrictEqual(yield* shown({ linkedin_url: "linkedin.com/in/one" }), ["one@example.com", "two"])
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("puts names together from halves that come one by one", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "g.h@example.com", first_name: "Ana Maria", last_name: "Silva" })
      const nameAfter = (input: object) => Effect.map(upsert({ lead_id, ...input }), ({ lead }) => lead.name)
      assert.strictEqual(yield* nameAfter({ first_name: "Ana Maria" }), "Ana Maria Silva")
      assert.strictEqual(yield* nameAfter({ last_name: "Costa" }), "Ana Maria Costa")
      assert.strictEqual(yield* nameAfter({ name: "Dr. A. Costa" }), "Dr. A. Costa")
      assert.strictEqual(yield* nameAfter({ last_name: "Lima" }), "Dr. Lima")
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("refuses what names nobody or has nothing to show, and says what helps", () =>
    Effect.gen(function* () {
      const of = (input: unknown) => refused("lead.upsert", input)
      assert.include(yield* of({}), "IDENTIFIER_REQUIRED")
      assert.include(yield* of({ email: "", name: "Ada" }), "IDENTIFIER_REQUIRED")
      assert.include(yield* of({ linkedin_url: "https://www.linkedin.com/pub/ada/1/2/3" }), "legacy /pub/")
      assert.include(yield* of({ custom_id: "7" }), "INVALID_INPUT name: required")
      assert.include(yield* of({ linkedin_id: "urn:li:member:1" }), "INVALID_INPUT name: required")
      assert.include(yield* of({ email: "nobody" }), "INVALID_EMAIL email:")
      assert.include(yield* of({ linkedin_url: "https://www.linkedin.com/company/x" }), "NOT_A_PROFILE_URL")
      assert.include(yield* of({ lead_id: "ld_none" }), "NOT_FOUND")
      assert.include(yield* of({ lead_id: "ld_none", email: "ada@example.com" }), "NOT_FOUND")
      assert.include(yield* of({ lead_id: "a", prospect_id: "b" }), "INVALID_INPUT lead_id and prospect_id")
      assert.include(
        yield* of({ email: "a@example.com", headline: "a", title: "b" }),
        "INVALID_INPUT headline and title"
      )
      assert.include(yield* of({ email: "a@example.com", emial: "x" }), "UNKNOWN_FIELD")
      assert.include(yield* of({ email: "a@example.com", score: 101 }), "INVALID_INPUT score")
      assert.include(yield* of({ email: "a@example.com", timezone: "+01:00" }), "INVALID_INPUT timezone")
      assert.include(yield* of({ email: "a@example.com", avatar_url: "javascript:alert(1)" }), "avatar_url")
      assert.include(yield* of({ email: "a@example.com", mission_id: "nope" }), "NOT_FOUND")
      assert.deepStrictEqual(yield* events, [])
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("sees only its own organization", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "ada@example.com" })
      const other = { actor: owner("org_b") }
      assert.include(yield* refused("lead.upsert", { lead_id }, other), "NOT_FOUND")
      assert.notStrictEqual((yield* upsert({ email: "ada@example.com" }, other)).lead_id, lead_id)
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("refuses identifiers of several leads and names who holds what", () =>
    Effect.gen(function* () {
      const a = yield* upsert({ email: "a@example.com", linkedin_id: "urn:li:member:1", name: "A" })
      const b = yield* upsert({ email: "b@example.com", name: "B" })
      const before = (yield* events).length
      const message = yield* refused("lead.upsert", { email: "b@example.com", linkedin_id: "urn:li:member:1" })
      assert.include(message, "IDENTITY_CONFLICT")
      assert.include(message, a.lead_id)
      assert.include(message, `email b@example.com belongs to ${b.lead_id}`)
      const veto = yield* refused("lead.upsert", { email: "a@example.com", linkedin_id: "urn:li:member:2" })
      assert.include(veto, "contradict")
      assert.strictEqual((yield* events).length, before)
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect(
    "prefer_strongest moves a mutable identifier from a lead that keeps another, and its shown address with it",
    () =>
      Effect.gen(function* () {
        const a = yield* upsert({ linkedin_id: "urn:li:member:1", name: "A" })
        const b = yield* upsert({ email: "b@example.com", custom_id: "b", name: "B" })
        const { data, warnings } = yield* accepted("lead.upsert", {
          email: "b@example.com",
          linkedin_id: "urn:li:member:1",
          on_conflict: "prefer_strongest"
        })
        assert.deepStrictEqual([data.lead_id, data.lead.email], [a.lead_id, "b@example.com"])
        assert.include(warnings.join(), `moved from ${b.lead_id} to ${a.lead_id}`)
        assert.isUndefined((yield* upsert({ custom_id: "b" })).lead.email)
        assert.strictEqual((yield* upsert({ email: "b@example.com" })).lead_id, a.lead_id)

        const c = yield* upsert({ email: "c@example.com" })
        const kept = yield* accepted("lead.upsert", {
          email: "c@example.com",
          linkedin_id: "urn:li:member:1",
          on_conflict: "prefer_strongest"
        })
        assert.deepStrictEqual([kept.data.lead_id, kept.data.lead.email], [a.lead_id, "b@example.com"])
        assert.include(kept.warnings.join(), "stays with")
        assert.strictEqual((yield* upsert({ email: "c@example.com" })).lead.email, c.lead.email)
      }).pipe(Effect.provide(leadWorld))
  )

  it.effect("merge makes one lead that every identifier and id leads to", () =>
    Effect.gen(function* () {
      yield* addMission(missionRow("mis_1"))
      yield* addMission(missionRow("mis_2"))
      const a = yield* upsert({ linkedin_id: "urn:li:member:1", name: "A", company: "Kept", mission_id: "mis_1" })
      const b = yield* upsert({
        email: "b@example.com",
        company: "Lost",
        phone: "1",
        status: "Replied",
        mission_id: "mis_2"
      })
      const input = { email: "b@example.com", linkedin_id: "urn:li:member:1", on_conflict: "merge" }
      const limited = { ...owner(), scopes: scopeBundles.drafter }
      assert.include(yield* refused("lead.upsert", input, { actor: limited }), "FORBIDDEN_SCOPE")
      const before = (yield* events).length
      const { lead, lead_id } = yield* upsert(input)
      assert.deepStrictEqual(
        [lead_id, lead.name, lead.company, lead.phone, lead.email, lead.status, lead.missions],
        [a.lead_id, "A", "Kept", "1", "b@example.com", "Replied", ["Mission mis_1", "Mission mis_2"]]
      )
      assert.strictEqual((yield* upsert({ lead_id: b.lead_id })).lead_id, a.lead_id)
      assert.strictEqual((yield* upsert({ email: "b@example.com" })).lead_id, a.lead_id)
      assert.deepStrictEqual((yield* upsert({ lead_id: a.lead_id })).lead, lead)
      const after = (yield* events).slice(before)
      assert.deepStrictEqual(
        after.map(({ type }) => type),
        ["lead.merged", "lead.updated", "lead.status_changed"]
      )
      assert.deepStrictEqual(after[0]?.data, { merged: [b.lead_id] })
      assert.deepStrictEqual(after[2]?.data, { from: "New", to: "Replied" })
      // Merging on: the first loser still leads to the last winner.
      const c = yield* upsert({ custom_id: "c", name: "C" })
      yield* upsert({ lead_id: c.lead_id, email: "b@example.com", on_conflict: "merge" })
      assert.strictEqual((yield* upsert({ lead_id: b.lead_id })).lead_id, c.lead_id)
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("adds the lead to a mission once, by id or handle, and notes the mission's use", () =>
    Effect.gen(function* () {
      yield* addMission(missionRow("mis_1"))
      yield* addMission(missionRow("mis_2", { status: "ARCHIVED", beforeArchive: "ACTIVE" }))
      const { lead, lead_id } = yield* upsert({ email: "a@example.com", mission_handle: "handle-mis_1" })
      assert.deepStrictEqual([lead.mission, lead.missions], ["Mission mis_1", ["Mission mis_1"]])
      yield* upsert({ email: "a@example.com", mission_id: "mis_1" })
      const list = yield* events
      assert.deepStrictEqual(
        list.map(({ type }) => type),
        ["lead.created", "mission.leads_added"]
      )
      assert.deepStrictEqual(list[1], {
        type: "mission.leads_added",
        subject: "mis_1",
        data: { lead_ids: [lead_id], count: 1 }
      })
      const used = yield* Effect.flatMap(MemoryStore, (store) =>
        store.read("org_a", (tables) => tables.get(missions, "mis_1")?.lastUsedAt)
      )
      assert.strictEqual(used, "1970-01-01T00:00:00.000Z")
      const archived = yield* refused("lead.upsert", { email: "a@example.com", mission_id: "mis_2" })
      assert.include(archived, "MISSION_ARCHIVED")
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("lets nobody leave DoNotContact this way", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "a@example.com", status: "Contacted" })
      yield* upsert({ lead_id, status: "DoNotContact" })
      assert.include(yield* refused("lead.upsert", { lead_id, status: "New" }), "LEAD_SUPPRESSED")
      assert.strictEqual((yield* upsert({ lead_id, company: "Known" })).lead.status, "DoNotContact")
      assert.deepStrictEqual(yield* types, ["lead.created", "lead.suppressed", "lead.status_changed", "lead.updated"])
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("leaves nothing behind after a dry run", () =>
    Effect.gen(function* () {
      yield* ok("lead.upsert", { email: "a@example.com" }, { options: { dryRun: true } })
      assert.include(yield* refused("lead.get", { email: "a@example.com" }), "NOT_FOUND")
      assert.deepStrictEqual(yield* events, [])
    }).pipe(Effect.provide(leadWorld))
  )
})
