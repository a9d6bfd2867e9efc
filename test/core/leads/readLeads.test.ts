import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { leadMessages, leads } from "#memory/leads/LeadTables.ts"
import { MemoryStore, type Tables } from "#memory/MemoryStore.ts"
import { drafts } from "#memory/outreach/LinkedInTables.ts"
import { draftRow, instant } from "../../contract/outreachRows.ts"
import { owner } from "../../support/memory.ts"
import { accepted, ok, refused } from "../../support/World.ts"
import { addMission, leadWorld, missionRow, upsert } from "./leadWorld.ts"

const write = (f: (tables: Tables) => void) => Effect.flatMap(MemoryStore, (store) => store.write("org_a", f))

const draft = (id: string, leadId: string) => {
  const at = instant(0)
  return draftRow("org_a", id, { leadId, variations: ["Hello"], createdAt: at, updatedAt: at })
}

/** Messages of a lead, the n-th at second n, the last one from the lead. */
const converse = (leadId: string, count: number) =>
  write((tables) => {
    for (let n = 1; n <= count; n++) {
      const isInbound = n === count
      const date = `2026-11-21T08:00:0${n}.000Z`
      tables.set(leadMessages, `msg_${leadId}_${n}`, {
        id: `msg_${leadId}_${n}`,
        organizationId: "org_a",
        leadId,
        direction: isInbound ? "inbound" : "outbound",
        channel: "LINKEDIN",
        content: `Text ${n}`,
        senderName: null,
        externalId: null,
        date
      })
      const row = tables.get(leads, leadId)
      if (row === undefined) return
      const last = isInbound ? { lastInboundAt: date } : { lastOutboundAt: date }
      tables.set(leads, leadId, { ...row, ...last })
    }
  })

describe("lead.get", () => {
  it.effect("answers the lead by any identifier with its context", () =>
    Effect.gen(function* () {
      yield* addMission(missionRow("mis_1"))
      const { lead_id } = yield* upsert({ email: "ada@example.com", custom_id: "7", mission_id: "mis_1" })
      yield* converse(lead_id, 5)
      yield* write((tables) => tables.set(drafts, "drf_1", draft("drf_1", lead_id)))
      const data = yield* ok<Record<string, unknown>>("lead.get", { custom_id: "7" })
      assert.deepStrictEqual(data, yield* ok("lead.get", { prospect_id: lead_id }))
      assert.strictEqual(data.lead_id, lead_id)
      assert.deepInclude(data.lead, {
        lastInteraction: "2026-11-21T08:00:05.000Z",
        mission: "Mission mis_1",
        receivedMessages: [
          {
            id: `msg_${lead_id}_5`,
            content: "Text 5",
            channel: "LINKEDIN",
            date: "2026-11-21T08:00:05.000Z",
            timestamp: "2026-11-21T08:00:05.000Z"
          }
        ]
      })
      assert.deepInclude(data.prospect_context, {
        relation: null,
        draft_request: null,
        suppression: null,
        next_action: { kind: "reply_waiting", why: "The lead wrote last; reply." },
        open_draft: {
          draft_id: "drf_1",
          status: "PENDING_REVIEW",
          agent_handle: "",
          mission_id: null,
          created_at: "2026-11-21T08:00:00.000Z"
        },
        missions: [
          {
            mission_id: "mis_1",
            handle: "handle-mis_1",
            name: "Mission mis_1",
            status: "ACTIVE",
            linked_at: "1970-01-01T00:00:00.000Z",
            offer_name: null,
            offer_one_liner: null,
            offer_value_proposition: null,
            brief: {
              language: "en",
              objective: null,
              description: null,
              target_audience: null,
              why_we_contact_them: null,
              desired_action: null,
              key_message: null,
              cta_url: null,
              tone_instructions: null
            },
            proof: []
          }
        ]
      })
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("refuses strangers, several leads, and foreign ids", () =>
    Effect.gen(function* () {
      const a = yield* upsert({ email: "a@example.com" })
      yield* upsert({ email: "b@example.com", custom_id: "b" })
      assert.include(yield* refused("lead.get", { email: "c@example.com" }), "NOT_FOUND")
      assert.include(yield* refused("lead.get", { email: "a@example.com", custom_id: "b" }), "IDENTITY_CONFLICT")
      assert.include(yield* refused("lead.get", {}), "IDENTIFIER_REQUIRED")
      assert.include(yield* refused("lead.get", { lead_id: a.lead_id }, { actor: owner("org_b") }), "NOT_FOUND")
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("compact drops posts, job descriptions and all but the last three messages, and says so", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({
        email: "ada@example.com",
        recent_posts: [{ content: "Post", date: "2026" }],
        experience: [{ role: "r", company: "c", description: "long" }]
      })
      yield* converse(lead_id, 9)
      const compact = { options: { responseProfile: "compact" } } as const
      const { data, warnings } = yield* accepted("lead.get", { lead_id }, compact)
      const { lead, prospect_context } = data
      assert.isUndefined(lead.recentPosts)
      assert.deepStrictEqual(lead.experience, [{ role: "r", company: "c", duration: "" }])
      assert.strictEqual(lead.sentMessages?.length, 3)
      assert.strictEqual(prospect_context.conversation?.length, 3)
      assert.include(warnings.join(), "response_profile full")
    }).pipe(Effect.provide(leadWorld))
  )
})

interface Found {
  readonly leads: ReadonlyArray<{ readonly name: string; readonly next_action: string | null }>
  readonly count: number
  readonly next_cursor: string | null
}

const search = (input: object) =>
  Effect.map(ok<Found>("lead.search", input), (data) => ({ ...data, names: data.leads.map(({ name }) => name) }))

const people = Effect.gen(function* () {
  yield* addMission(missionRow("mis_1"))
  const list = [
    { email: "ada@example.com", name: "Ada Lovelace", company: "Babbage & Co", score: 10, status: "Contacted" },
    { email: "grace@example.com", name: "Grace Hopper", job_title: "Admiral", score: 90, mission_id: "mis_1" },
    { custom_id: "k", name: "katherine Johnson", is_flagged: true, score: 90 },
    { custom_id: "m", name: "Mary Jackson", status: "DoNotContact", mission_id: "mis_1" }
  ]
  for (const input of list) {
    yield* upsert(input)
    yield* TestClock.adjust("1 second")
  }
})

describe("lead.search", () => {
  it.effect("filters by everything that is known, in any case", () =>
    Effect.gen(function* () {
      yield* people
      const names = (input: object) => Effect.map(search({ sort: "name", ...input }), (found) => found.names)
      assert.deepStrictEqual(yield* names({}), ["Ada Lovelace", "Grace Hopper", "katherine Johnson", "Mary Jackson"])
      assert.deepStrictEqual(yield* names({ query: "BABBAGE" }), ["Ada Lovelace"])
      assert.deepStrictEqual(yield* names({ query: "grace@" }), ["Grace Hopper"])
      assert.deepStrictEqual(yield* names({ first_name: "Kath" }), ["katherine Johnson"])
      assert.deepStrictEqual(yield* names({ last_name: "hopper" }), ["Grace Hopper"])
      assert.deepStrictEqual(yield* names({ job_title: "admi", company: "" }), ["Grace Hopper"])
      assert.deepStrictEqual(yield* names({ email: "ADA@example.com" }), ["Ada Lovelace"])
      assert.deepStrictEqual(yield* names({ status: ["Contacted", "DoNotContact"] }), ["Ada Lovelace", "Mary Jackson"])
      assert.deepStrictEqual(yield* names({ mission_id: "handle-mis_1" }), ["Grace Hopper", "Mary Jackson"])
      assert.include(yield* refused("lead.search", { mission_id: "none" }), "NOT_FOUND")
      assert.deepStrictEqual(yield* names({ import_id: "none" }), [])
      assert.deepStrictEqual(yield* names({ score_min: 10.5 }), ["Grace Hopper", "katherine Johnson"])
      assert.deepStrictEqual(yield* names({ is_flagged: true }), ["katherine Johnson"])
      assert.deepStrictEqual(yield* names({ has_email: false }), ["katherine Johnson", "Mary Jackson"])
      assert.deepStrictEqual(yield* names({ has_conversation: true }), [])
      assert.deepStrictEqual(yield* names({ relation: "connected" }), [])
      assert.deepStrictEqual(yield* names({ needs_action: true }), ["Grace Hopper"])
      assert.deepStrictEqual(yield* names({ created_after: "1970-01-01T00:00:01Z" }), [
        "katherine Johnson",
        "Mary Jackson"
      ])
      assert.include(yield* refused("lead.search", { email: "x" }), "INVALID_EMAIL email:")
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("sorts by urgency, score, change and name, page by page, with the count of all", () =>
    Effect.gen(function* () {
      yield* people
      const orders = {
        action: ["Grace Hopper", "katherine Johnson", "Ada Lovelace", "Mary Jackson"],
        score: ["Grace Hopper", "katherine Johnson", "Ada Lovelace", "Mary Jackson"],
        recent: ["Mary Jackson", "katherine Johnson", "Grace Hopper", "Ada Lovelace"],
        name: ["Ada Lovelace", "Grace Hopper", "katherine Johnson", "Mary Jackson"]
      }
      for (const [sort, expected] of Object.entries(orders)) {
        const seen: Array<string> = []
        let cursor: string | null = null
        do {
          const page: Found & { readonly names: ReadonlyArray<string> } = yield* search({
            sort,
            limit: 1,
            ...(cursor === null ? {} : { cursor })
          })
          assert.strictEqual(page.count, 4)
          seen.push(...page.names)
          cursor = page.next_cursor
        } while (cursor !== null)
        assert.deepStrictEqual(seen, expected, sort)
      }
      assert.strictEqual((yield* search({ sort: "action" })).leads[0]?.next_action, "draft_missing")
      const { next_cursor } = yield* search({ limit: 1 })
      assert.include(yield* refused("lead.search", { limit: 1, query: "a", cursor: next_cursor }), "INVALID_CURSOR")
    }).pipe(Effect.provide(leadWorld))
  )
})
