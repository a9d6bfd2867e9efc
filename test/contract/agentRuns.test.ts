/** Undoing what an agent did: what goes back, what stays and why. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { organization } from "../support/organization.ts"
import { actor, ask, lead, ok, refused } from "../support/World.ts"
import { eachOutreach, onDay } from "./outreachWorld.ts"

const agentKey = "agentkey2222"
const since = "1970-01-01T00:00:00Z"
const byAgent = Effect.map(CurrentOrganization, (id) => ({ actor: actor(id, { kind: "AI_AGENT", keyId: agentKey }) }))
const did = (command: Parameters<typeof ok>[0], input: object) =>
  Effect.flatMap(byAgent, (extra) => ok(command, input, extra))
const undo = (input: object = {}) => ok("agent-run.undo", { key_id: agentKey, since, ...input })
const setUp = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", handle: "ada" })
  yield* ok("mission.create", { name: "Autumn", agent_handle: "ada" })
})
const leadOf = (input: object) => Effect.map(ok("lead.get", input), ({ lead }) => lead)
const idOf = (input: object) => Effect.map(did("lead.upsert", input), ({ lead_id }) => String(lead_id))
const countsOf = ({ undone_changes }: { undone_changes: ReadonlyArray<{ change: string; count: number }> }) =>
  Object.fromEntries(undone_changes.map(({ change, count }) => [change, count]))
const reasonsOf = ({
  kept_because
}: {
  kept_because: ReadonlyArray<{ reason: string; subjects: ReadonlyArray<{ id: string }> }>
}) => Object.fromEntries(kept_because.map(({ reason, subjects }) => [reason, subjects.map(({ id }) => id)]))

eachOutreach("undoing an agent's run", (layer) =>
  it.layer(layer, { timeout: "120 seconds" })((it) => {
    it.effect("puts everything back as it was, and rehearses that first", () =>
      Effect.gen(function* () {
        yield* setUp
        yield* ok("lead.upsert", {
          email: "kim@example.com",
          name: "Kim Berg",
          company: "Berg AG",
          mission_id: "autumn"
        })
        const kim = yield* leadOf({ email: "kim@example.com" })
        const offer = yield* ok("offer.create", { name: "Audit", one_liner: "One", value_proposition: "Two" })
        const mission = (yield* ok("mission.get", { mission_id: "autumn" })).mission
        const draft = yield* ok("linkedin.draft.create", {
          lead_id: kim.id,
          agent_handle: "ada",
          variations: [{ body_text: "As written" }]
        })

        yield* did("lead.upsert", {
          lead_id: kim.id,
          company: "Other AG",
          linkedin_url: "https://linkedin.com/in/kimberg"
        })
        yield* did("lead.upsert", { lead_id: kim.id, company: "Third AG" })
        yield* did("lead.note.add", { lead_id: kim.id, text: "Wrong." })
        yield* did("lead.status.set", { lead_id: kim.id, status: "Interested" })
        yield* did("lead.mission.remove", { mission_id: "autumn", lead_ids: [kim.id] })
        yield* did("offer.update", { offer_id: offer.offer.id, one_liner: "Worse" })
        yield* did("mission.update", { mission_id: "autumn", objective: "Something else" })
        yield* did("mission.pause", { mission_id: "autumn" })
        yield* did("linkedin.draft.update", { draft_id: draft.draft.draft_id, variations: [{ body_text: "Worse" }] })
        yield* did("linkedin.draft.flag", { draft_id: draft.draft.draft_id, flagged: true, note: "Look" })
        const created = yield* idOf({ email: "new@example.com", name: "New Person", mission_id: "autumn" })
        const own = yield* did("linkedin.draft.create", {
          lead_id: created,
          agent_handle: "ada",
          variations: [{ body_text: "Hello" }]
        })
        yield* did("mission.create", { name: "Of the agent" })
        yield* did("offer.create", { name: "Of the agent", one_liner: "One", value_proposition: "Two" })

        const before = yield* ok("event.list", { limit: 100 })
        const rehearsal = yield* ask(
          "agent-run.undo",
          { key_id: agentKey, since },
          { options: { responseProfile: "full", dryRun: true, idempotencyKey: undefined } }
        )
        assert.strictEqual((yield* ok("event.list", { limit: 100 })).events.length, before.events.length)
        const undone = yield* undo()
        assert.isTrue(rehearsal.envelope.ok)
        if (rehearsal.envelope.ok)
          assert.deepStrictEqual(Object(rehearsal.envelope.data).undone_changes, undone.undone_changes)
        assert.deepStrictEqual([undone.kept_because, undone.complete], [[], true])
        assert.deepStrictEqual(countsOf(undone), {
          "lead.created": 1,
          "lead.updated": 3,
          "lead.status_changed": 1,
          "mission.leads_added": 1,
          "mission.updated": 2,
          "mission.status_changed": 1,
          "mission.created": 1,
          "offer.created": 1,
          "offer.updated": 1,
          "draft.created": 1,
          "draft.updated": 1,
          "draft.flagged": 1
        })

        const after = yield* leadOf({ email: "kim@example.com" })
        assert.deepStrictEqual(after, kim)
        assert.include(yield* refused("lead.get", { linkedin_url: "https://linkedin.com/in/kimberg" }), "404")
        const sold = (yield* ok("offer.get", { offer_id: offer.offer.id })).offer
        assert.deepStrictEqual({ ...sold, updatedAt: offer.offer.updatedAt }, offer.offer)
        const restored = (yield* ok("mission.get", { mission_id: "autumn" })).mission
        assert.deepStrictEqual([restored.objective, restored.status], [mission.objective, mission.status])
        const text = (yield* ok("linkedin.draft.get", { draft_id: draft.draft.draft_id })).draft.variations[0]
          ?.body_text
        assert.strictEqual(text, "As written")
        assert.include(yield* refused("lead.get", { lead_id: created }), "404")
        assert.include(yield* refused("linkedin.draft.get", { draft_id: own.draft.draft_id }), "404")
        assert.include(yield* refused("mission.get", { mission_id: "of-the-agent" }), "404")
        const notes = (yield* ok("lead.timeline", { lead_id: kim.id })).events.filter(
          ({ type }: { type: string }) => type === "note"
        )
        assert.deepStrictEqual(notes, [])
        const again = yield* undo()
        assert.deepStrictEqual([again.undone, again.kept], [0, 0])
      }).pipe(inOrganization("org_undo_all"))
    )

    it.effect("keeps what somebody else touched since, what was sent and what protects a person", () =>
      Effect.gen(function* () {
        yield* setUp
        const touched = yield* idOf({ email: "touched@example.com", name: "Touched" })
        yield* did("lead.upsert", { lead_id: touched, company: "Wrong" })
        const edited = yield* lead({ email: "edited@example.com", name: "Edited", company: "Right" })
        yield* did("lead.upsert", { lead_id: edited, company: "Wrong" })
        yield* ok("lead.upsert", { lead_id: edited, job_title: "Head" })
        const quiet = yield* idOf({ email: "quiet@example.com", name: "Quiet" })
        yield* did("lead.upsert", { lead_id: quiet, company: "Wrong" })
        const stopped = yield* idOf({ email: "stopped@example.com", name: "Stopped" })
        yield* did("lead.suppress", { lead_id: stopped, reason: "Asked" })
        const linked = yield* idOf({ email: "linked@example.com", name: "Linked" })
        yield* did("lead.mission.add", { mission_id: "autumn", lead_ids: [touched, linked] })
        yield* ok("lead.note.add", { lead_id: touched, text: "Called." })
        const merged = yield* idOf({ email: "merged@example.com", name: "Merged" })
        const loser = yield* idOf({ email: "loser@example.com", name: "Loser" })
        yield* did("lead.merge", { winner_lead_id: merged, loser_lead_ids: [loser] })
        yield* did("agent.create", { first_name: "Of", last_name: "Agent", handle: "of-agent" })

        const undone = yield* undo()
        const because = reasonsOf(undone)
        assert.sameMembers(because["TOUCHED"] ?? [], [touched, edited])
        assert.strictEqual((yield* leadOf({ lead_id: edited })).company, "Wrong")
        assert.include(because["PROTECTED"] ?? [], stopped)
        assert.includeMembers(because["FINAL"] ?? [], [merged, "agent.create"])
        assert.includeMembers(because["LATER_KEPT"] ?? [], [touched, stopped, merged])
        assert.strictEqual((yield* leadOf({ lead_id: touched })).company, "Wrong")
        assert.strictEqual((yield* leadOf({ lead_id: stopped })).status, "DoNotContact")
        assert.include(yield* refused("lead.get", { lead_id: quiet }), "404")
        assert.include(yield* refused("lead.get", { lead_id: linked }), "404")
      }).pipe(inOrganization("org_undo_some"))
    )

    it.effect("gives emails back their way without review only for somebody who may approve them", () =>
      Effect.gen(function* () {
        yield* setUp
        yield* did("mission.update", { mission_id: "autumn", email_review_strategy: "MANUAL" })
        const missionId = (yield* ok("mission.get", { mission_id: "autumn" })).mission.id
        const strategy = Effect.map(
          ok("GET /missions/{missionHandle}", { missionHandle: "autumn" }),
          ({ mission }) => mission.emailReviewStrategy
        )
        const id = yield* CurrentOrganization
        const policies = { ...noPolicies, organization: { agents: "deny" } } as const
        const another = { actor: actor(id, { kind: "AI_AGENT", keyId: "otheragent22", policies }) }
        const kept = yield* ok("agent-run.undo", { key_id: agentKey, since }, another)
        assert.deepStrictEqual(reasonsOf(kept), { IN_USE: [missionId] })
        assert.strictEqual(yield* strategy, "MANUAL")
        assert.deepStrictEqual((yield* undo()).kept_because, [])
        assert.strictEqual(yield* strategy, "AUTO")
      }).pipe(inOrganization("org_undo_review"))
    )

    it.effect("takes back an import with the drafts written to its leads", () =>
      Effect.gen(function* () {
        yield* setUp
        const file = yield* did("import.csv", {
          mission_id: "autumn",
          content: "Email,Name\nrow1@example.com,Row One\nrow2@example.com,Row Two\n",
          name: "Rows"
        })
        const one = (yield* leadOf({ email: "row1@example.com" })).id
        yield* did("lead.upsert", { lead_id: one, company: "Enriched" })
        yield* did("linkedin.draft.create", { lead_id: one, agent_handle: "ada", variations: [{ body_text: "Hi" }] })
        const undone = yield* undo()
        assert.deepStrictEqual([undone.kept_because, countsOf(undone)["import.started"]], [[], 3])
        assert.strictEqual((yield* ok("import.get", { import_id: file.import_id })).import.state, "undone")
        assert.include(yield* refused("lead.get", { lead_id: one }), "404")
      }).pipe(inOrganization("org_undo_import"))
    )

    it.effect("lists runs, which a pause ends, and undoes one of them", () =>
      Effect.gen(function* () {
        yield* onDay(0)
        yield* setUp
        const first = yield* idOf({ email: "first@example.com", name: "First" })
        yield* did("lead.note.add", { lead_id: first, text: "One." })
        yield* onDay(1)
        const second = yield* idOf({ email: "second@example.com", name: "Second" })
        const { complete, runs } = yield* ok("agent-run.list", {})
        assert.isTrue(complete)
        assert.deepStrictEqual(
          runs.map(
            ({
              commands,
              key_id
            }: {
              commands: ReadonlyArray<{ command_id: string; count: number }>
              key_id: string
            }) => [key_id, ...commands.map(({ command_id, count }) => `${command_id} ${count}`)]
          ),
          [
            [agentKey, "lead.upsert 1"],
            [agentKey, "lead.note.add 1", "lead.upsert 1"]
          ]
        )
        yield* undo({ since: runs[0]?.started_at })
        assert.include(yield* refused("lead.get", { lead_id: second }), "404")
        assert.strictEqual((yield* leadOf({ lead_id: first })).id, first)
        yield* undo({ since: runs[1]?.started_at, until: runs[0]?.started_at })
        assert.include(yield* refused("lead.get", { lead_id: first }), "404")
      }).pipe(inOrganization("org_undo_runs"))
    )

    it.effect("stores nothing of a person who is erased, and shows them what it stores before", () =>
      Effect.gen(function* () {
        const id = yield* lead({ email: "erased@example.com", name: "Person", company: "Known before" })
        yield* did("lead.upsert", { lead_id: id, company: "Known after" })
        const file = JSON.stringify(yield* ok("lead.export", { lead_id: id }))
        assert.include(file, "Known before")
        yield* ok("lead.erase", { lead_id: id, confirm: id })
        const undone = yield* undo()
        assert.deepStrictEqual([undone.undone, reasonsOf(undone)], [0, {}])
      }).pipe(inOrganization("org_undo_erased"))
    )

    it.effect("is the business of its organization only, and of whoever may do anything there", () =>
      Effect.gen(function* () {
        yield* organization("org_undo_b")
        const id = yield* idOf({ email: "mine@example.com", name: "Mine" })
        const theirs = yield* ok("agent-run.undo", { key_id: agentKey, since }, { actor: actor("org_undo_b") })
        assert.deepStrictEqual([theirs.undone, theirs.kept], [0, 0])
        assert.deepStrictEqual((yield* ok("agent-run.list", {}, { actor: actor("org_undo_b") })).runs, [])
        assert.include(
          yield* refused(
            "agent-run.undo",
            { key_id: agentKey, since },
            { actor: actor("org_undo_a", { scopes: ["leads:write", "leads:merge", "linkedin:send"] }) }
          ),
          "403 FORBIDDEN_SCOPE"
        )
        assert.strictEqual((yield* leadOf({ lead_id: id })).id, id)
      }).pipe(inOrganization("org_undo_a"))
    )
  })
)
