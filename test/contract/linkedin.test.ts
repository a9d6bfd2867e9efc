import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AgentsRepo } from "#core/agents/Agent.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import type { Position } from "#core/kernel/schema/Page.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { isIdle } from "#core/outreach/carryOut.ts"
import { DraftsRepo } from "#core/outreach/DraftsRepo.ts"
import type { SendAttempt } from "#core/outreach/pacing/UsageLimits.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import type { LeadRelation, LinkedInAccount } from "#core/outreach/provider/LinkedInAccount.ts"
import type { DraftRow } from "#core/outreach/Transmission.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { organization } from "../support/organization.ts"
import { eachBackend } from "./backends.ts"
import { agentRow, draftRow as anyDraft, instant, leadRow, messageRow, missionRow } from "./outreachRows.ts"

const draftRow = (organizationId: string, id: string, changes: Partial<DraftRow> = {}): DraftRow =>
  anyDraft(organizationId, id, {
    variations: ["Hi", 'Grüß "dich"\n🙂'],
    createdBy: { userId: "usr_1", actorKind: "AI_AGENT" },
    ...changes
  })

const approved = (draft: DraftRow, second: number, queueItemId: string | null = null): DraftRow => ({
  ...draft,
  status: "READY_TO_SEND",
  selectedIndex: 0,
  selectedBodyText: "Hi",
  approvedBy: { userId: "usr_2", actorKind: "USER" },
  approvedAt: instant(second),
  queueItemId,
  updatedAt: instant(second)
})

const account = (organizationId: string, agentId = "agt_1", id = "acc_1"): LinkedInAccount => ({
  id,
  organizationId,
  agentId,
  gateway: "simulator",
  gatewayAccountId: `sim-${agentId}`,
  status: "OK",
  tier: "PREMIUM",
  features: ["premium"],
  createdAt: instant(0),
  updatedAt: instant(0)
})

const relation = (organizationId: string, changes: Partial<LeadRelation> = {}): LeadRelation => ({
  organizationId,
  accountId: "acc_1",
  leadId: "ld_1",
  connected: false,
  chatId: null,
  invitedAt: instant(3),
  checkedAt: instant(4),
  ...changes
})

/** An organization with two agents, three leads, a mission and an account. */
const seed = (organizationId: string) =>
  Effect.gen(function* () {
    yield* organization(organizationId)
    const agents = yield* AgentsRepo
    yield* agents.insert(agentRow(organizationId, "agt_1", "ada-martin"), ["ada-martin"])
    yield* agents.insert({ ...agentRow(organizationId, "agt_2", "bob", 1), linkedinUrl: "https://example.com/bob" }, [
      "bob"
    ])
    const rows = [
      leadRow(organizationId, "ld_1", { company: "Navy", jobTitle: "Admiral", linkedinUrl: "https://example.com/g" }),
      leadRow(organizationId, "ld_2", { lastOutboundAt: instant(1), status: "Contacted" }),
      leadRow(organizationId, "ld_3")
    ]
    const held = [
      { leadId: "ld_1", kind: "email" as const, value: "g@example.com", derived: false },
      { leadId: "ld_1", kind: "slug" as const, value: "grace", derived: false }
    ]
    yield* (yield* LeadsRepo).write({ organizationId, created: rows, rows: [], held })
    yield* (yield* MissionsRepo).insert(missionRow(organizationId, "spring"), ["spring"])
    yield* (yield* AccountsRepo).ensure(account(organizationId))
  })

/** Stores new drafts as `save` only changes what is there. */
const put = (...rows: ReadonlyArray<DraftRow>) =>
  Effect.gen(function* () {
    const drafts = yield* DraftsRepo
    for (const row of rows) {
      const fresh = { ...row, status: "PENDING_REVIEW" as const, queueItemId: null }
      assert.deepStrictEqual(yield* drafts.insert([fresh]), [undefined])
    }
  })

const any = { status: [], leadId: undefined, mission: undefined, agent: undefined }

eachBackend("linkedin", (layer) =>
  it.layer(layer)((it) => {
    it.effect("keeps a draft with its surroundings, for its organization alone", () =>
      Effect.gen(function* () {
        yield* seed("org_1")
        yield* seed("org_2")
        const drafts = yield* DraftsRepo
        const queue = yield* TransmissionsRepo
        const row = draftRow("org_1", "drf_1", { missionId: "mis_spring" })
        assert.deepStrictEqual(yield* drafts.insert([row]), [undefined])
        const view = {
          row,
          item: null,
          lead: {
            id: "ld_1",
            name: "Lead ld_1",
            company: "Navy",
            jobTitle: "Admiral",
            linkedinUrl: "https://example.com/g",
            status: "New" as const,
            wasWritten: false,
            lawfulBasis: "",
            lastInboundAt: null,
            lastOutboundAt: null,
            awayUntil: null,
            timezone: ""
          },
          agent: {
            id: "agt_1",
            handle: "ada-martin",
            name: "Ada Martin",
            deleted: false,
            timezone: "UTC",
            workingHours: {}
          },
          mission: { id: "mis_spring", handle: "spring", name: "Mission spring", status: "ACTIVE" as const, steps: [] },
          rules: {}
        }
        assert.deepStrictEqual(yield* drafts.find("org_1", "drf_1"), view)
        assert.isUndefined(yield* drafts.find("org_2", "drf_1"))
        assert.isEmpty(yield* drafts.hold("org_2", { draftIds: ["drf_1"] }))
        const item = messageRow("org_1", "que_1", "drf_1")
        const ready = approved(row, 6, "que_1")
        yield* queue.save("org_1", [item])
        yield* drafts.save("org_2", [{ ...ready, organizationId: "org_2" }])
        yield* drafts.save("org_1", [ready])
        const held = yield* drafts.hold("org_1", { draftIds: ["drf_1"] })
        assert.deepStrictEqual(held, [{ ...view, row: ready, item }])
        const sent: DraftRow = {
          ...ready,
          status: "DISPATCHED",
          messageId: "msg_1",
          externalMessageId: "urn:1",
          dispatchedAt: instant(9),
          updatedAt: instant(9)
        }
        yield* drafts.save("org_1", [sent])
        assert.deepStrictEqual((yield* drafts.find("org_1", "drf_1"))?.row, sent)
      })
    )

    it.effect("has one open draft for a lead and agent", () =>
      Effect.gen(function* () {
        yield* seed("org_3")
        const drafts = yield* DraftsRepo
        const transaction = yield* Transaction
        yield* put(
          draftRow("org_3", "a"),
          draftRow("org_3", "b", { agentId: "agt_2" }),
          draftRow("org_3", "c", { leadId: "ld_2" })
        )
        assert.deepStrictEqual(yield* drafts.insert([draftRow("org_3", "d")]), ["a"])
        assert.isUndefined(yield* drafts.find("org_3", "d"))
        assert.strictEqual(yield* drafts.findOpen("org_3", "ld_1", "agt_1"), "a")
        const moved = draftRow("org_3", "c", { leadId: "ld_1" })
        const refused = yield* Effect.flip(transaction.run(drafts.give(moved)))
        assert.strictEqual(refused.code, "DRAFT_OPEN")
        assert.strictEqual((yield* drafts.find("org_3", "c"))?.lead.id, "ld_2")
        yield* drafts.save("org_3", [draftRow("org_3", "a", { status: "CANCELLED", cancelledAt: instant(3) })])
        assert.isUndefined(yield* drafts.findOpen("org_3", "ld_1", "agt_1"))
        assert.deepStrictEqual(yield* drafts.insert([draftRow("org_3", "d")]), [undefined])
      })
    )

    it.effect("lists newest first by any filter, and what is pending oldest first", () =>
      Effect.gen(function* () {
        yield* seed("org_4")
        const drafts = yield* DraftsRepo
        yield* put(
          draftRow("org_4", "b", { createdAt: instant(2), missionId: "mis_spring" }),
          draftRow("org_4", "B", { createdAt: instant(2), agentId: "agt_2" }),
          draftRow("org_4", "a", { createdAt: instant(2), leadId: "ld_2" }),
          draftRow("org_4", "z", { createdAt: instant(3), leadId: "ld_3" })
        )
        yield* drafts.save("org_4", [approved(draftRow("org_4", "z", { leadId: "ld_3", createdAt: instant(3) }), 5)])
        const seen: Array<string> = []
        let after: Position | undefined
        do {
          const { items, next } = yield* drafts.list("org_4", any, { limit: 1, after })
          seen.push(...items.map(({ row }) => row.id))
          after = next
        } while (after !== undefined)
        assert.deepStrictEqual(seen, ["z", "b", "a", "B"])
        const ids = (filter: Partial<Parameters<DraftsRepo["Service"]["list"]>[1]>) =>
          Effect.map(drafts.list("org_4", { ...any, ...filter }, { limit: 9, after: undefined }), ({ items }) =>
            items.map(({ row }) => row.id)
          )
        assert.deepStrictEqual(yield* ids({ status: ["READY_TO_SEND", "DISPATCHED"] }), ["z"])
        assert.deepStrictEqual(yield* ids({ leadId: "ld_2" }), ["a"])
        assert.deepStrictEqual(yield* ids({ mission: "spring" }), ["b"])
        assert.deepStrictEqual(yield* ids({ mission: "mis_spring" }), ["b"])
        assert.deepStrictEqual(yield* ids({ agent: "bob" }), ["B"])
        assert.deepStrictEqual(yield* ids({ agent: "agt_1", leadId: "ld_1" }), ["b"])
        const pending = yield* drafts.pending("org_4", { limit: 2, after: undefined })
        assert.deepStrictEqual([pending.total, pending.items.map(({ row }) => row.id)], [3, ["B", "a"]])
        const rest = yield* drafts.pending("org_4", { limit: 2, after: pending.next })
        assert.deepStrictEqual([rest.total, rest.items.map(({ row }) => row.id), rest.next], [3, ["b"], undefined])
        const none = yield* drafts.pending("org_4", { limit: 2, after: ["2999-01-01T00:00:00.000Z", "z"] })
        assert.deepStrictEqual([none.total, none.items], [3, []])
        assert.deepStrictEqual(yield* drafts.pending("org_none", { limit: 2, after: undefined }), {
          items: [],
          next: undefined,
          total: 0
        })
      })
    )

    it.effect("holds the open drafts of a lead, a mission or an agent", () =>
      Effect.gen(function* () {
        yield* seed("org_5")
        const drafts = yield* DraftsRepo
        const transaction = yield* Transaction
        yield* put(
          draftRow("org_5", "a", { missionId: "mis_spring" }),
          draftRow("org_5", "b", { agentId: "agt_2" }),
          draftRow("org_5", "c", { leadId: "ld_2", missionId: "mis_spring" })
        )
        yield* drafts.save("org_5", [
          draftRow("org_5", "c", {
            leadId: "ld_2",
            missionId: "mis_spring",
            status: "CANCELLED",
            cancelledAt: instant(3)
          })
        ])
        const ids = (owner: Parameters<DraftsRepo["Service"]["hold"]>[1]) =>
          transaction.run(Effect.map(drafts.hold("org_5", owner), (views) => views.map(({ row }) => row.id)))
        assert.deepStrictEqual(yield* ids({ leadId: "ld_1" }), ["a", "b"])
        assert.deepStrictEqual(yield* ids({ missionId: "mis_spring" }), ["a"])
        assert.deepStrictEqual(yield* ids({ agentId: "agt_2" }), ["b"])
      })
    )

    it.effect("keeps queue items, transmissions and relations", () =>
      Effect.gen(function* () {
        yield* seed("org_6")
        const queue = yield* TransmissionsRepo
        const drafts = yield* DraftsRepo
        yield* put(draftRow("org_6", "a"), draftRow("org_6", "b", { agentId: "agt_2" }))
        const item = messageRow("org_6", "que_1", "a", { state: "sending", notBefore: null, reason: null })
        yield* queue.save("org_6", [item, messageRow("org_6", "que_2", "b", { state: "cancelled" })])
        yield* drafts.save("org_6", [approved(draftRow("org_6", "a"), 3, "que_1")])
        const attempt: SendAttempt = {
          organizationId: "org_6",
          queueItemId: "que_1",
          number: 1,
          accountId: "acc_1",
          action: "message",
          outcome: null,
          detail: null,
          startedAt: instant(3),
          endedAt: null
        }
        yield* queue.saveAttempt(attempt)
        const isBusy = (leadId: string, id: string) => {
          const request = {
            organizationId: "org_6",
            accountId: "acc_1",
            actions: [],
            since: instant(0),
            isLocked: false
          }
          return Effect.map(queue.accountFacts({ ...request, item: { id, leadId } }), (facts) => facts.isBusy)
        }
        assert.isTrue(yield* isBusy("ld_1", "que_9"))
        assert.isFalse(yield* isBusy("ld_1", "que_1"))
        assert.isFalse(yield* isBusy("ld_2", "que_9"))
        assert.isFalse(yield* isIdle("org_6", "ld_1"))
        assert.strictEqual(yield* queue.countUnsent("org_6", "agt_1"), 1)
        assert.strictEqual(yield* queue.countUnsent("org_6", "agt_2"), 0)
        const ended: SendAttempt = {
          ...attempt,
          action: "invitation",
          outcome: "confirmed",
          detail: "urn:x",
          endedAt: instant(4)
        }
        const done = { ...item, state: "sent" as const, updatedAt: instant(4) }
        yield* queue.saveAttempt(ended)
        yield* queue.save("org_6", [done])
        assert.deepStrictEqual((yield* queue.find("org_6", "que_1"))?.row, done)
        assert.deepStrictEqual(yield* queue.attemptsOf("org_6", "que_1"), [ended])
        assert.isTrue(yield* isIdle("org_6", "ld_1"))
        const identities = [
          { kind: "slug", value: "grace", derived: false },
          { kind: "email", value: "g@example.com", derived: false }
        ] as const
        assert.deepStrictEqual(yield* queue.person("org_6", "acc_1", "ld_1"), { identities, relation: undefined })
        yield* queue.saveRelation(relation("org_6"))
        const known = relation("org_6", { connected: true, chatId: "chat" })
        yield* queue.saveRelation(known)
        assert.deepStrictEqual(yield* queue.person("org_6", "acc_1", "ld_1"), { identities, relation: known })
        assert.deepStrictEqual(yield* queue.person("org_6", "acc_1", "ld_3"), { identities: [], relation: undefined })
      })
    )

    it.effect("finds what is due, of one organization and of all", () =>
      Effect.gen(function* () {
        yield* seed("org_7")
        yield* seed("org_8")
        const queue = yield* TransmissionsRepo
        const drafts = yield* DraftsRepo
        const missions = yield* MissionsRepo
        const paused = { ...missionRow("org_7", "paused"), status: "PAUSED" as const }
        yield* missions.insert(paused, ["paused"])
        const rows = {
          approved: draftRow("org_7", "approved"),
          early: draftRow("org_7", "early", { agentId: "agt_2" }),
          held: draftRow("org_7", "held", { leadId: "ld_2", missionId: "mis_paused" }),
          forced: draftRow("org_7", "forced", { leadId: "ld_2", agentId: "agt_2", missionId: "mis_paused" }),
          stale: draftRow("org_7", "stale", { leadId: "ld_3" }),
          waiting: draftRow("org_7", "waiting", { leadId: "ld_3", agentId: "agt_2" })
        }
        yield* put(...Object.values(rows), draftRow("org_8", "other"))
        const items = [
          messageRow("org_7", "que_forced", "forced", { leadId: "ld_2", bypass: true, notBefore: instant(8) }),
          messageRow("org_7", "que_stale", "stale", {
            leadId: "ld_3",
            state: "sending",
            notBefore: null,
            updatedAt: instant(3)
          }),
          messageRow("org_7", "que_waiting", "waiting", {
            leadId: "ld_3",
            state: "waiting_relation",
            notBefore: instant(9)
          })
        ]
        yield* queue.save("org_7", items)
        yield* drafts.save("org_7", [
          approved(rows.approved, 4),
          approved(rows.early, 6),
          approved(rows.held, 4),
          approved(rows.forced, 4, "que_forced"),
          approved(rows.stale, 2, "que_stale"),
          approved(rows.waiting, 2, "que_waiting")
        ])
        yield* drafts.save("org_8", [approved(draftRow("org_8", "other"), 1)])
        const request = { organizationId: "org_7", approvedBefore: instant(5), limit: 10 }
        assert.deepStrictEqual(yield* queue.unqueued(request), ["approved"])
        assert.deepStrictEqual(yield* queue.unqueued({ ...request, organizationId: "org_8" }), ["other"])
        assert.deepStrictEqual(yield* queue.unqueued({ ...request, limit: 0 }), [])
        const taking = { kind: "message", organizationId: "org_7", isPaced: true, leaseSeconds: 15, limit: 10 } as const
        const takeRequest = { ...taking, now: instant(8) }
        const found = { organizationId: "org_7", fence: 1 }
        const lost = { ...takeRequest, state: "sending" as const }
        assert.deepStrictEqual(yield* queue.takeUnsettled(lost), [
          { ...found, draftId: "stale", leadId: "ld_3", id: "que_stale", state: "sending" as const }
        ])
        assert.deepStrictEqual(yield* queue.takeUnsettled(lost), [], "it is leased")
        assert.deepStrictEqual(yield* queue.take(takeRequest), [
          { ...found, draftId: "forced", leadId: "ld_2", id: "que_forced", state: "queued" as const }
        ])
        const later = { ...takeRequest, now: instant(9) }
        assert.deepStrictEqual(yield* queue.take(later), [
          { ...found, draftId: "waiting", leadId: "ld_3", id: "que_waiting", state: "waiting_relation" as const }
        ])
        assert.deepStrictEqual(yield* queue.take(later), [], "both are leased")
      })
    )

    it.effect("gives everything of merged leads to the winner", () =>
      Effect.gen(function* () {
        yield* seed("org_9")
        const queue = yield* TransmissionsRepo
        const drafts = yield* DraftsRepo
        const transaction = yield* Transaction
        const theirs = draftRow("org_9", "a", { leadId: "ld_2" })
        yield* put(theirs, draftRow("org_9", "b", { leadId: "ld_1", agentId: "agt_2" }))
        yield* queue.save("org_9", [messageRow("org_9", "que_1", "a", { leadId: "ld_2" })])
        yield* queue.saveRelation(relation("org_9", { leadId: "ld_2", chatId: "theirs" }))
        yield* queue.saveRelation(relation("org_9", { leadId: "ld_3", chatId: "third" }))
        yield* transaction.run(queue.adopt("org_9", "ld_1", ["ld_2", "ld_3"], instant(1)))
        const moved = yield* drafts.find("org_9", "a")
        assert.deepStrictEqual([moved?.lead.id, moved?.row.updatedAt], ["ld_1", "2026-11-21T08:00:01.001Z"])
        assert.strictEqual((yield* queue.find("org_9", "que_1"))?.row.leadId, "ld_1")
        assert.strictEqual((yield* queue.person("org_9", "acc_1", "ld_1")).relation?.chatId, "theirs")
        assert.isUndefined((yield* queue.person("org_9", "acc_1", "ld_2")).relation)
        yield* put(draftRow("org_9", "c", { leadId: "ld_2" }))
        const refused = yield* Effect.flip(transaction.run(queue.adopt("org_9", "ld_1", ["ld_2"], instant(2))))
        assert.strictEqual(refused.code, "DRAFT_OPEN")
      })
    )

    it.effect("shows each live agent with its account and use", () =>
      Effect.gen(function* () {
        yield* seed("org_10")
        const accounts = yield* AccountsRepo
        const queue = yield* TransmissionsRepo
        yield* accounts.ensure({ ...account("org_10"), status: "ERROR" })
        yield* put(draftRow("org_10", "a"))
        yield* queue.save("org_10", [messageRow("org_10", "que_1", "a")])
        const attempts: ReadonlyArray<readonly [SendAttempt["action"], SendAttempt["outcome"], number]> = [
          ["message", "confirmed", 5],
          ["message", "unknown", 6],
          ["message", "confirmed", 1],
          ["invitation", "confirmed", 3],
          ["invitation", "confirmed", 9]
        ]
        for (const [index, [action, outcome, second]] of attempts.entries()) {
          yield* queue.saveAttempt({
            organizationId: "org_10",
            queueItemId: "que_1",
            number: index + 1,
            accountId: "acc_1",
            action,
            outcome,
            detail: null,
            startedAt: instant(second),
            endedAt: instant(second)
          })
        }
        const none = { messagesDay: 0, invitationsDay: 0, invitationsWeek: 0 }
        const ada = { id: "agt_1", handle: "ada-martin", name: "Ada Martin", linkedinUrl: "", createdAt: instant(0) }
        const bob = {
          id: "agt_2",
          handle: "bob",
          name: "Ada Martin",
          linkedinUrl: "https://example.com/bob",
          createdAt: instant(1)
        }
        const since = { day: instant(5), week: instant(2) }
        assert.deepStrictEqual(yield* accounts.list("org_10", "simulator", since), [
          {
            agent: ada,
            account: account("org_10"),
            isUnlinked: false,
            use: { messagesDay: 1, invitationsDay: 1, invitationsWeek: 2 }
          },
          { agent: bob, account: null, isUnlinked: false, use: none }
        ])
        assert.isNull((yield* accounts.ofAgent("org_10", "agt_1", "unipile"))?.account)
        const down = { status: "CREDENTIALS" } as const
        assert.isDefined(yield* accounts.saveFacts("org_10", "acc_1", down, instant(0)))
        assert.isUndefined(yield* accounts.saveFacts("org_10", "acc_1", down, instant(9)))
        assert.isUndefined(yield* accounts.saveFacts("org_none", "acc_1", { status: "OK" }, instant(9)))
        const stored = yield* accounts.ofAgent("org_10", "agt_1", "simulator")
        assert.deepStrictEqual(
          [stored?.account?.status, stored?.account?.updatedAt],
          ["CREDENTIALS", "2026-11-21T08:00:00.001Z"]
        )
        yield* (yield* AgentsRepo).softDelete("org_10", "agt_2", instant(9))
        assert.isUndefined(yield* accounts.ofAgent("org_10", "agt_2", "simulator"))
        assert.lengthOf(yield* accounts.list("org_10", "simulator", since), 1)
      })
    )
  })
)
