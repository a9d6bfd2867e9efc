import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import type { Page, Position } from "#core/kernel/schema/Page.ts"
import type { LeadFilter, LeadSort, ListedLead } from "#core/leads/history/LeadHistory.ts"
import type { Identity } from "#core/leads/identity/Identity.ts"
import { emptyContent, type LeadMessageRow, type LeadRow } from "#core/leads/Lead.ts"
import { emptyResolution, resolveOne } from "#core/leads/LeadBatch.ts"
import { LeadsRepo, maxMessagesRead } from "#core/leads/LeadsRepo.ts"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { missionRow } from "../core/leads/leadWorld.ts"
import { organization } from "../support/organization.ts"
import { eachBackend } from "./backends.ts"
import { instant, leadRow } from "./outreachRows.ts"

/** What is shown of a mission without a brief and an offer. */
const bareBrief = {
  status: "ACTIVE",
  offerName: null,
  offerOneLiner: null,
  valueProposition: null,
  brief: {
    language: "en",
    objective: "",
    description: "",
    whoAreThey: "",
    whyWeContactThem: "",
    desiredAction: "",
    keyMessage: "",
    ctaUrl: "",
    toneInstructions: ""
  },
  proof: []
} as const

const email = (value: string): Identity => ({ kind: "email", value, derived: false })

/** Stores a lead, or changes it. */
const save = (row: LeadRow, identities: ReadonlyArray<Identity> = [], missionId?: string, second = 0) =>
  Effect.flatMap(LeadsRepo, (repo) =>
    Effect.flatMap(repo.find(row.organizationId, { leadId: row.id, identities: [] }), ({ leads }) =>
      repo.write({
        organizationId: row.organizationId,
        ...(leads.length === 0 ? { created: [row], rows: [] } : { rows: [row] }),
        held: identities.map((identity) => ({ ...identity, leadId: row.id })),
        links:
          missionId === undefined
            ? []
            : [{ missionId, leadId: row.id, at: instant(second), touch: missionId === "used" }]
      })
    )
  )

const messageOf = (
  organizationId: string,
  id: string,
  leadId: string,
  changes: Partial<LeadMessageRow> = {}
): LeadMessageRow => ({
  id,
  organizationId,
  leadId,
  direction: "outbound",
  channel: "LINKEDIN",
  content: `Text of ${id}\n☃`,
  senderName: null,
  externalId: null,
  date: instant(1),
  ...changes
})

/** Makes an organization with the missions `mis_1`, `mis_2` and `used`; answers what makes leads and messages of it. */
const prepare = Effect.fnUntraced(function* (organizationId: string) {
  yield* organization(organizationId)
  const missions = yield* MissionsRepo
  for (const id of ["mis_1", "mis_2", "used"]) {
    const mission = missionRow(id, { organizationId })
    yield* missions.insert(mission, [mission.handle])
  }
  return {
    lead: (id: string, changes?: Partial<LeadRow>) => leadRow(organizationId, id, changes),
    message: (id: string, leadId: string, changes?: Partial<LeadMessageRow>) =>
      messageOf(organizationId, id, leadId, changes)
  }
})

const found = (organizationId: string, leadId: string) =>
  Effect.flatMap(LeadsRepo, (repo) => repo.find(organizationId, { identities: [], leadId }))

/** All ids of a search, read two at a time. */
const idsOf = (organizationId: string, filter: Partial<LeadFilter>, sort: LeadSort = "name") =>
  Effect.gen(function* () {
    const repo = yield* LeadsRepo
    const ids: Array<string> = []
    let after: Position | undefined
    do {
      const page: Page<ListedLead> & { readonly total: number } = yield* repo.search(
        organizationId,
        filter,
        sort,
        { limit: 2, after },
        instant(59)
      )
      ids.push(...page.items.map(({ id }) => id))
      after = page.next
      if (after === undefined) assert.strictEqual(page.total, ids.length)
    } while (after !== undefined)
    return ids
  })

eachBackend("leads", (layer) =>
  it.layer(layer)((it) => {
    const full = leadRow("org_1", "ld_full", {
      ...emptyContent,
      name: "Ada Łovelace",
      firstName: "Ada",
      lastName: "Łovelace",
      headline: "Analyst",
      jobTitle: "Engineer",
      company: "Babbage & Co",
      email: "Ada@example.com",
      linkedinUrl: "https://www.linkedin.com/in/ada",
      salesNavTriple: "a,b,c",
      avatarUrl: "https://example.com/a.png",
      description: "Line one\nline two",
      score: 12.5,
      isFlagged: true,
      experience: [{ role: "r", company: "c", duration: "" }],
      education: [{ school: "s", degree: "", year: "1840" }],
      skills: ["x", "y"],
      recentPosts: [{ content: "p", date: "d", likes: 3, url: "https://example.com" }],
      status: "Replied",
      provenance: { name: "user", company: "import" },
      lastInboundAt: instant(9),
      lastOutboundAt: instant(8)
    })

    it.effect("keeps a lead as it was given, for its organization alone", () =>
      Effect.gen(function* () {
        yield* prepare("org_1")
        yield* organization("org_2")
        const identities: ReadonlyArray<Identity> = [
          { kind: "member_id", value: "7", derived: true },
          { kind: "slug", value: "ada", derived: false },
          email("ada@example.com")
        ]
        yield* save(full, identities, "mis_2", 5)
        yield* save(full, [], "mis_1", 4)
        yield* save(full, [], "mis_1", 7)
        const { leadId, leads } = yield* found("org_1", "ld_full")
        assert.strictEqual(leadId, "ld_full")
        assert.deepStrictEqual(leads, [
          {
            row: full,
            identities,
            missions: [
              { id: "mis_1", handle: "handle-mis_1", name: "Mission mis_1", linkedAt: instant(4) },
              { id: "mis_2", handle: "handle-mis_2", name: "Mission mis_2", linkedAt: instant(5) }
            ],
            messages: [],
            suppressions: [],
            briefs: [
              { missionId: "mis_1", ...bareBrief },
              { missionId: "mis_2", ...bareBrief }
            ],
            openDraft: null,
            hasAmbiguousSend: false,
            relation: null,
            followUps: { isBounced: false, acceptedAt: null, inMissions: [] }
          }
        ])
        const repo = yield* LeadsRepo
        const reference = { identities, leadId: "ld_full" }
        const named = { identities, leadIds: ["ld_full", "ld_none"], missions: ["handle-mis_1", "none"] }
        const resolved = yield* (yield* Transaction).run(repo.resolve("org_1", named))
        assert.deepStrictEqual(resolved.leads[0]?.row, full)
        assert.deepStrictEqual(resolved.leads[0]?.identities, identities)
        assert.deepStrictEqual([...resolved.leadIds], [["ld_full", "ld_full"]])
        const mission = { id: "mis_1", handle: "handle-mis_1", name: "Mission mis_1", status: "ACTIVE" }
        assert.deepStrictEqual([...resolved.missions], [["handle-mis_1", mission]])
        assert.deepStrictEqual(yield* repo.resolve("org_2", named), emptyResolution)
        assert.deepStrictEqual(yield* repo.find("org_2", reference), { leadId: undefined, leads: [] })
        const renamed = { ...full, name: "Renamed", updatedAt: instant(1) }
        yield* save(renamed)
        assert.deepStrictEqual((yield* found("org_1", "ld_full")).leads[0]?.row, renamed)
      })
    )

    it.effect("finds leads by identifiers, several at once, and moves and releases identifiers", () =>
      Effect.gen(function* () {
        const { lead } = yield* prepare("org_find")
        const repo = yield* LeadsRepo
        yield* save(lead("ld_a"), [email("a@example.com"), { kind: "slug", value: "a", derived: false }])
        yield* save(lead("ld_b"), [email("b@example.com"), { kind: "custom_id", value: "b", derived: false }])
        const both = [email("b@example.com"), { kind: "slug", value: "a", derived: false } as const]
        const ids = (identities: ReadonlyArray<Identity>) =>
          Effect.map(repo.resolve("org_find", { identities, leadIds: [], missions: [] }), ({ leads }) =>
            leads.map(({ row }) => row.id)
          )
        assert.deepStrictEqual(yield* ids(both), ["ld_a", "ld_b"])
        assert.deepStrictEqual(yield* ids([email("c@example.com")]), [])
        yield* repo.write({
          organizationId: "org_find",
          rows: [],
          held: [{ ...email("b@example.com"), leadId: "ld_a" }],
          released: [
            { ...email("a@example.com"), leadId: "ld_a" },
            { ...email("b@example.com"), leadId: "ld_b" }
          ]
        })
        assert.deepStrictEqual(yield* ids([email("b@example.com")]), ["ld_a"])
        assert.deepStrictEqual(yield* ids([email("a@example.com")]), [])
      })
    )

    it.effect("stores a message of a provider once, and reads the latest in their order", () =>
      Effect.gen(function* () {
        const { lead, message } = yield* prepare("org_message")
        const repo = yield* LeadsRepo
        yield* save(lead("ld_m"))
        const first = message("msg_1", "ld_m", { externalId: "x", senderName: "Ada", date: instant(3) })
        assert.isUndefined(yield* repo.addMessage(first))
        assert.deepStrictEqual(yield* repo.addMessage({ ...first, id: "msg_2" }), { id: "msg_1", leadId: "ld_m" })
        assert.isUndefined(yield* repo.addMessage({ ...first, id: "msg_3", channel: "EMAIL" }))
        assert.isUndefined(yield* repo.addMessage(message("msg_4", "ld_m", { direction: "inbound", date: instant(2) })))
        const read = Effect.map(found("org_message", "ld_m"), ({ leads }) => leads[0]?.messages ?? [])
        assert.deepStrictEqual(
          (yield* read).map(({ id }) => id),
          ["msg_4", "msg_1", "msg_3"]
        )
        assert.deepStrictEqual((yield* read)[1], {
          id: "msg_1",
          direction: "outbound",
          channel: "LINKEDIN",
          content: "Text of msg_1\n☃",
          senderName: "Ada",
          date: instant(3),
          isPending: false
        })
        for (let n = 0; n < maxMessagesRead; n++)
          yield* repo.addMessage(message(`msg_x${n}`, "ld_m", { date: instant(9) }))
        assert.strictEqual((yield* read).length, maxMessagesRead)
        assert.isTrue((yield* read).every(({ id }) => id.startsWith("msg_x")))
      })
    )

    it.effect("merges leads: what they hold goes to the winner, and their ids lead there", () =>
      Effect.gen(function* () {
        const { lead, message } = yield* prepare("org_merge")
        const repo = yield* LeadsRepo
        yield* save(lead("ld_w"), [email("w@example.com")], "mis_1", 5)
        yield* save(lead("ld_l"), [email("l@example.com")], "mis_1", 3)
        yield* save(lead("ld_l"), [], "mis_2", 4)
        yield* repo.addMessage(message("msg_l", "ld_l"))
        yield* (yield* Transaction).run(repo.merge("org_merge", "ld_w", ["ld_l"], instant(9)))
        const { leadId, leads } = yield* found("org_merge", "ld_l")
        assert.strictEqual(leadId, "ld_w")
        assert.deepStrictEqual(
          leads.map(({ identities, messages, missions, row }) => [
            row.id,
            identities.map(({ value }) => value),
            messages.map(({ id }) => id),
            missions.map(({ id, linkedAt }) => [id, linkedAt])
          ]),
          [
            [
              "ld_w",
              ["l@example.com", "w@example.com"],
              ["msg_l"],
              [
                ["mis_1", instant(3)],
                ["mis_2", instant(4)]
              ]
            ]
          ]
        )
        yield* save(lead("ld_last"))
        yield* repo.merge("org_merge", "ld_last", ["ld_w"], instant(9))
        assert.strictEqual((yield* found("org_merge", "ld_l")).leadId, "ld_last")
        const resolved = yield* resolveOne("org_merge", { identities: [email("l@example.com")], leadId: "ld_w" })
        assert.deepStrictEqual([resolved.leadId, resolved.leads.map(({ row }) => row.id)], ["ld_last", ["ld_last"]])
        const listed = yield* idsOf("org_merge", { query: "lead ld_" })
        assert.include(listed, "ld_last")
        assert.notInclude(listed, "ld_w")
        assert.notInclude(listed, "ld_l")
      })
    )

    it.effect("notes the use of a mission to the minute", () =>
      Effect.gen(function* () {
        const { lead } = yield* prepare("org_used")
        const lastUsed = Effect.map(
          Effect.flatMap(MissionsRepo, (repo) => repo.findByIdOrHandle("org_used", "used")),
          (mission) => mission?.lastUsedAt
        )
        yield* save(lead("ld_u1"), [], "used", 1)
        assert.strictEqual(yield* lastUsed, instant(1))
        yield* save(lead("ld_u2"), [], "used", 59)
        assert.strictEqual(yield* lastUsed, instant(1))
      })
    )

    it.effect("searches by every filter and sorts alike everywhere, letters beyond ASCII included", () =>
      Effect.gen(function* () {
        yield* organization("org_3")
        yield* organization("org_3b")
        const missions = yield* MissionsRepo
        yield* missions.insert(missionRow("mis_3", { organizationId: "org_3" }), ["handle-mis_3"])
        const people: ReadonlyArray<readonly [string, Partial<LeadRow>]> = [
          ["a", { name: "Élodie Ünal", company: "ÉCOLE", score: 1, updatedAt: instant(1) }],
          ["b", { name: "élodie zeta", jobTitle: "Chief", score: 99.5, updatedAt: instant(5), email: "b@example.com" }],
          [
            "c",
            { name: "Zoe A", headline: "100% _real_", isFlagged: true, updatedAt: instant(3), createdAt: instant(3) }
          ],
          [
            "d",
            { name: "adam", status: "Contacted", lastOutboundAt: instant(2), lastInboundAt: instant(3), score: 50 }
          ],
          ["e", { name: "adam", status: "NotInterested", lastInboundAt: instant(3) }],
          ["f", { name: "𝒜dam", status: "DoNotContact", lastInboundAt: instant(3), score: 100 }],
          ["g", { name: "ﬀ", status: "New", score: 99.5 }]
        ]
        for (const [id, changes] of people) {
          const identities = id === "b" ? [email("b3@example.com")] : []
          yield* save(leadRow("org_3", id, changes), identities, id === "g" ? "mis_3" : undefined)
        }
        const ids = (filter: Partial<LeadFilter>, sort?: LeadSort) => idsOf("org_3", filter, sort)
        assert.deepStrictEqual(yield* ids({}, "name"), ["d", "e", "c", "b", "a", "g", "f"])
        assert.deepStrictEqual(yield* ids({}, "score"), ["f", "b", "g", "d", "a", "c", "e"])
        assert.deepStrictEqual(yield* ids({}, "recent"), ["b", "c", "a", "g", "f", "e", "d"])
        assert.deepStrictEqual(yield* ids({}, "action"), ["d", "g", "f", "b", "a", "c", "e"])
        assert.deepStrictEqual(yield* ids({ query: "ÉLODIE" }), ["b", "a"])
        assert.deepStrictEqual(yield* ids({ query: "% _" }), ["c"])
        assert.deepStrictEqual(yield* ids({ firstName: "Él" }), ["b", "a"])
        assert.deepStrictEqual(yield* ids({ lastName: "ÜNAL" }), ["a"])
        assert.deepStrictEqual(yield* ids({ lastName: "𝒜dam" }), ["f"])
        assert.deepStrictEqual(yield* ids({ company: "école" }), ["a"])
        assert.deepStrictEqual(yield* ids({ company: "" }), ["d", "e", "c", "b", "a", "g", "f"])
        assert.deepStrictEqual(yield* ids({ jobTitle: "CHIEF" }), ["b"])
        assert.deepStrictEqual(yield* ids({ email: "b3@example.com" }), ["b"])
        assert.deepStrictEqual(yield* ids({ email: "b@example.com" }), [])
        assert.deepStrictEqual(yield* ids({ statuses: ["Contacted", "NotInterested"] }), ["d", "e"])
        assert.deepStrictEqual(yield* ids({ mission: "mis_3" }), ["g"])
        assert.deepStrictEqual(yield* ids({ mission: "handle-mis_3" }), ["g"])
        assert.deepStrictEqual(yield* ids({ mission: "mis_1" }), [])
        assert.deepStrictEqual(yield* ids({ importId: "imp_1" }), [])
        assert.deepStrictEqual(yield* ids({ scoreMin: 99.5 }, "score"), ["f", "b", "g"])
        assert.deepStrictEqual(yield* ids({ isFlagged: true }), ["c"])
        assert.deepStrictEqual(yield* ids({ isFlagged: false, hasEmail: true }), ["b"])
        assert.deepStrictEqual(yield* ids({ hasConversation: true }), ["d", "e", "f"])
        assert.deepStrictEqual(yield* ids({ relation: "none", hasConversation: true }), ["d", "e", "f"])
        assert.deepStrictEqual(yield* ids({ relation: "invited" }), [])
        assert.deepStrictEqual(yield* ids({ needsAction: true }, "action"), ["d", "g"])
        assert.deepStrictEqual(yield* ids({ needsAction: false, hasConversation: true }), ["e", "f"])
        assert.deepStrictEqual(yield* ids({ createdAfter: instant(2) }), ["c"])
        assert.deepStrictEqual(yield* ids({ updatedAfter: instant(3) }), ["b"])
        assert.deepStrictEqual(yield* idsOf("org_3b", {}), [])
      })
    )

    it.effect("undoes everything of a transaction that fails", () =>
      Effect.gen(function* () {
        const { lead } = yield* prepare("org_undone")
        const gone = save(lead("ld_gone"), [email("gone@example.com")], "mis_1")
        const failed = yield* Effect.flip((yield* Transaction).run(Effect.andThen(gone, Effect.fail("no"))))
        assert.strictEqual(failed, "no")
        const repo = yield* LeadsRepo
        const reference = { identities: [email("gone@example.com")], leadId: "ld_gone" }
        assert.deepStrictEqual(yield* repo.find("org_undone", reference), { leadId: undefined, leads: [] })
      })
    )
  })
)
