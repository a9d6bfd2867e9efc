/** Undoing what an agent did: what is taken back, what stays and why. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import { pageSize } from "#core/runs/undoRun.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { organization } from "../support/organization.ts"
import { actor, ask, lead, ok, refused } from "../support/World.ts"
import { eachOutreach, onDay } from "./outreachWorld.ts"

interface Author {
  readonly actor_kind: string
  readonly id: string
  readonly at: string
}

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
const dayOf = ({ at }: { at?: string }) =>
  Math.floor((Date.parse(at ?? "") - Date.parse("2026-11-16T00:00:00Z")) / 86_400_000)
const draftFor = (lead_id: string, by: typeof did) =>
  Effect.map(
    by("linkedin.draft.create", { lead_id, agent_handle: "ada", variations: [{ body_text: "As written" }] }),
    ({ draft }) => String(draft.draft_id)
  )
const countsOf = ({ undone_changes }: { undone_changes: ReadonlyArray<{ change: string; count: number }> }) =>
  Object.fromEntries(undone_changes.map(({ change, count }) => [change, count]))
const reasonsOf = ({
  kept_because
}: {
  kept_because: ReadonlyArray<{ reason: string; subjects: ReadonlyArray<{ id: string }> }>
}) => Object.fromEntries(kept_because.map(({ reason, subjects }) => [reason, subjects.map(({ id }) => id)]))

eachOutreach("undoing an agent's run", (layer) =>
  it.layer(layer, { timeout: "120 seconds" })((it) => {
    it.effect("takes back what was added, leaves values as they are, and rehearses that first", () =>
      Effect.gen(function* () {
        yield* onDay(0)
        yield* setUp
        yield* ok("lead.upsert", { email: "kim@example.com", name: "Kim Berg", company: "Berg AG" })
        const kim = yield* leadOf({ email: "kim@example.com" })
        const offer = yield* ok("offer.create", { name: "Audit", one_liner: "One", value_proposition: "Two" })
        const mission = (yield* ok("mission.get", { mission_id: "autumn" })).mission
        const draft = yield* draftFor(kim.id, ok)

        yield* onDay(1)
        yield* did("lead.upsert", { lead_id: kim.id, company: "Other AG", mission_id: "autumn" })
        yield* did("lead.status.set", { lead_id: kim.id, status: "Interested" })
        yield* did("offer.update", { offer_id: offer.offer.id, one_liner: "Worse" })
        yield* did("mission.update", { mission_id: "autumn", objective: "Something else" })
        yield* did("mission.pause", { mission_id: "autumn" })
        yield* did("mission.resume", { mission_id: "autumn" })
        yield* did("linkedin.draft.update", { draft_id: draft, variations: [{ body_text: "Worse" }] })
        const created = yield* idOf({ email: "new@example.com", name: "New Person", mission_id: "autumn" })
        yield* did("lead.upsert", { lead_id: created, company: "Enriched" })
        const own = yield* draftFor(created, did)
        yield* did("linkedin.draft.update", { draft_id: own, variations: [{ body_text: "Hello again" }] })
        const sold = yield* did("offer.create", { name: "Of the agent", one_liner: "One", value_proposition: "Two" })
        yield* did("mission.create", { name: "Of the agent", offer_id: sold.offer.id })

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
          assert.deepStrictEqual(rehearsal.envelope.data, { ...undone, until: Object(rehearsal.envelope.data).until })
        assert.isTrue(undone.complete)
        assert.deepStrictEqual(countsOf(undone), {
          "lead.created": 1,
          "lead.updated": 1,
          "mission.leads_added": 2,
          "mission.created": 1,
          "offer.created": 1,
          "draft.created": 1,
          "draft.updated": 1
        })
        assert.include(yield* refused("lead.get", { lead_id: created }), "404")
        assert.include(yield* refused("linkedin.draft.get", { draft_id: own }), "404")
        assert.include(yield* refused("mission.get", { mission_id: "of-the-agent" }), "404")
        assert.include(yield* refused("offer.get", { offer_id: sold.offer.id }), "404")
        const after = yield* leadOf({ lead_id: kim.id })
        assert.deepStrictEqual([after.company, after.status], ["Other AG", "Interested"])
        assert.deepStrictEqual(after.missionIds ?? [], kim.missionIds ?? [])
        assert.strictEqual((yield* ok("offer.get", { offer_id: offer.offer.id })).offer.oneLiner, "Worse")

        const [values, ...others] = undone.kept_because
        assert.deepStrictEqual([values.reason, values.count, others], ["CHANGED_VALUE", 7, []])
        const listed = new Map(
          values.subjects.map((one: { change: string; id: string; author: Author; former_author: Author | null }) => [
            `${one.change} ${one.id}`,
            [one.author, one.former_author].map((by) => by && `${by.actor_kind} ${by.id} ${dayOf(by)}`)
          ])
        )
        for (const line of [
          `lead.updated ${kim.id}`,
          `lead.status_changed ${kim.id}`,
          `offer.updated ${offer.offer.id}`,
          `mission.updated ${mission.id}`,
          `mission.status_changed ${mission.id}`,
          `draft.updated ${draft}`
        ]) {
          assert.deepStrictEqual(listed.get(line), ["AI_AGENT usr_org_undo_all 1", "USER usr_org_undo_all 0"], line)
        }
        const again = yield* undo()
        assert.deepStrictEqual([again.undone, again.kept], [0, 7])
      }).pipe(inOrganization("org_undo_all"))
    )

    it.effect("keeps what somebody else touched since, what was sent and what protects a person", () =>
      Effect.gen(function* () {
        yield* setUp
        const touched = yield* idOf({ email: "touched@example.com", name: "Touched" })
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
        assert.sameMembers([...new Set(because["TOUCHED"])], [touched])
        assert.include(because["PROTECTED"] ?? [], stopped)
        assert.includeMembers(because["FINAL"] ?? [], [merged, "agent.create"])
        assert.strictEqual((yield* leadOf({ lead_id: touched })).id, touched)
        assert.strictEqual((yield* leadOf({ lead_id: stopped })).status, "DoNotContact")
        assert.include(yield* refused("lead.get", { lead_id: quiet }), "404")
        assert.include(yield* refused("lead.get", { lead_id: linked }), "404")
      }).pipe(inOrganization("org_undo_some"))
    )

    it.effect("keeps an offer, a mission and a lead that somebody else refers to", () =>
      Effect.gen(function* () {
        yield* setUp
        const offer = yield* did("offer.create", { name: "Used", one_liner: "One", value_proposition: "Two" })
        yield* ok("mission.create", { name: "Theirs", agent_handle: "ada", offer_id: offer.offer.id })
        yield* ok("mission.update", { mission_id: "theirs", status: "archived" })
        const { mission } = yield* did("mission.create", { name: "Own", agent_handle: "ada" })
        const visitor = yield* lead({ email: "visitor@example.com", name: "Visitor" })
        yield* ok("lead.mission.add", { mission_id: "own", lead_ids: [visitor] })
        const id = yield* idOf({ email: "linked@example.com", name: "Linked" })
        yield* ok("lead.mission.add", { mission_id: "autumn", lead_ids: [id] })
        const undone = yield* undo()
        assert.strictEqual(undone.undone, 0)
        assert.sameMembers(Object.values(reasonsOf(undone)).flat(), [offer.offer.id, mission.id, id])
      }).pipe(inOrganization("org_undo_used"))
    )

    it.effect("takes more leads out of a mission than one event names, but none that was merged", () =>
      Effect.gen(function* () {
        yield* setUp
        const ids = yield* Effect.forEach(Array.from({ length: 103 }), (_, index) =>
          lead({ email: `many${index}@example.com`, name: "Many" })
        )
        const winner = yield* lead({ email: "winner@example.com", name: "Winner" })
        yield* ok("lead.mission.add", { mission_id: "autumn", lead_ids: [winner] })
        yield* did("lead.mission.add", { mission_id: "autumn", lead_ids: ids })
        yield* ok("lead.merge", { winner_lead_id: winner, loser_lead_ids: [ids[102]] })
        const undone = yield* undo()
        assert.deepStrictEqual([undone.undone, reasonsOf(undone)], [102, { TOUCHED: [ids[102]] }])
        const left = yield* ok("lead.search", { mission_id: "autumn" })
        assert.deepStrictEqual(
          left.leads.map((one: { lead_id: string }) => one.lead_id),
          [winner]
        )
      }).pipe(inOrganization("org_undo_links"))
    )

    it.effect(
      "returns approvals to review, and cancels what waits to be sent or decided, but nothing that was sent",
      () =>
        Effect.gen(function* () {
          const email = [{ provider: "SMTP", email: "ada@sender.example" }]
          yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", handle: "ada", email_accounts: email })
          for (const strategy of ["AUTO", "MANUAL"]) {
            const more = { channels: ["EMAIL"], email_review_strategy: strategy }
            yield* ok("mission.create", { name: strategy, agent_handle: "ada", ...more })
          }
          const person = (name: string) =>
            lead({ email: `${name}@example.com`, name, linkedin_url: `https://linkedin.com/in/${name}` })
          const first = yield* person("first")
          const second = yield* person("second")
          const third = yield* person("third-down")
          const approve = (draft_id: string, more: object) =>
            Effect.flatMap(ok("review.get", { item_id: draft_id }), ({ content_hash }) =>
              did("linkedin.draft.approve", { draft_id, variation_index: 0, content_hash, ...more })
            )
          const text = { subject: "Invoices", body_text: "Hello" }
          const mail = (by: typeof did, lead_id: string, mission_id: string) =>
            Effect.map(by("email.send", { lead_id, mission_id, ...text }), ({ email: one }) => one)
          const waiting = yield* draftFor(first, ok)
          const gone = yield* draftFor(second, ok)
          const theirs = yield* mail(ok, first, "manual")

          yield* approve(waiting, {})
          yield* did("linkedin.draft.flag", { draft_id: waiting, flagged: true })
          yield* approve(gone, { send_now: true })
          const decision = { review_id: theirs.email_id, decision: "approve", content_hash: theirs.content_hash }
          yield* did("email.review.decide", decision)
          const queued = yield* mail(did, second, "auto")
          const reviewed = yield* mail(did, third, "manual")
          assert.strictEqual(
            (yield* did("linkedin.invitation.send", { lead_id: third, agent_handle: "ada" })).result,
            "queued"
          )
          const id = yield* CurrentOrganization
          const asking = { ...noPolicies, key: { mutate: "ask" } } as const
          const asker = actor(id, { kind: "AI_AGENT", keyId: agentKey, policies: asking })
          const { envelope } = yield* ask("offer.create", { name: "Later" }, { actor: asker })
          const approval_request_id = envelope.meta.approval_request_id

          const undone = yield* undo()
          assert.deepStrictEqual(countsOf(undone), {
            "approval.requested": 1,
            "invitation.queued": 1,
            "email.review.requested": 1,
            "email.queued": 1,
            "email.review.decided": 1,
            "draft.approved": 1
          })
          assert.includeMembers(reasonsOf(undone)["SENT"] ?? [], [gone])
          assert.include(reasonsOf(undone)["CHANGED_VALUE"] ?? [], waiting)
          const statusOf = (draft_id: string) =>
            Effect.map(ok("linkedin.draft.get", { draft_id }), ({ draft }) => draft.status)
          assert.deepStrictEqual([yield* statusOf(waiting), yield* statusOf(gone)], ["PENDING_REVIEW", "DISPATCHED"])
          const states = new Map(
            (yield* ok("email.list", { limit: 100 })).emails.map((one: { email_id: string; state: string }) => [
              one.email_id,
              one.state
            ])
          )
          assert.deepStrictEqual(
            [theirs, queued, reviewed].map(({ email_id }) => states.get(email_id)),
            ["in_review", "cancelled", "cancelled"]
          )
          assert.deepStrictEqual((yield* ok("linkedin.queue.list", { state: ["queued"] })).items, [])
          const { approval } = yield* ok("approval.get", { approval_request_id })
          assert.deepStrictEqual([approval.state, approval.reason], ["rejected", "undone"])
        }).pipe(inOrganization("org_undo_queue"))
    )

    it.effect("reaches what was added behind more changes that stay than are read at once", () =>
      Effect.gen(function* () {
        yield* setUp
        const kim = yield* lead({ email: "kim@example.com", name: "Kim" })
        const created = yield* idOf({ email: "new@example.com", name: "New Person" })
        for (let round = 0; round <= pageSize; round++) yield* did("lead.note.add", { lead_id: kim, text: "Note." })
        const undone = yield* undo()
        assert.deepStrictEqual([undone.undone, undone.kept, undone.complete], [1, pageSize + 1, true])
        assert.include(yield* refused("lead.get", { lead_id: created }), "404")
      }).pipe(inOrganization("org_undo_many"))
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
        yield* did("lead.upsert", { lead_id: first, company: "One" })
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
            [agentKey, "lead.upsert 2"]
          ]
        )
        yield* undo({ since: runs[0]?.started_at })
        assert.include(yield* refused("lead.get", { lead_id: second }), "404")
        assert.strictEqual((yield* leadOf({ lead_id: first })).id, first)
        yield* undo({ since: runs[1]?.started_at, until: runs[0]?.started_at })
        assert.include(yield* refused("lead.get", { lead_id: first }), "404")
      }).pipe(inOrganization("org_undo_runs"))
    )

    it.effect("keeps no former values of a person in events", () =>
      Effect.gen(function* () {
        const id = yield* lead({ email: "erased@example.com", name: "Person", company: "Known before" })
        yield* did("lead.upsert", { lead_id: id, company: "Known after" })
        const file = JSON.stringify(yield* ok("lead.export", { lead_id: id }))
        assert.notInclude(file, "Known before")
        yield* ok("lead.erase", { lead_id: id, confirm: id })
        const undone = yield* undo()
        assert.deepStrictEqual([undone.undone, reasonsOf(undone)], [0, { CHANGED_VALUE: [id] }])
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
