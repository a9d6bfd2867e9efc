/** Leases, limits and turns of the queue, on every backend: what many processes may rely on at once. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { AgentsRepo } from "#core/agents/Agent.ts"
import { eachDue } from "#core/kernel/background/Worker.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { DraftsRepo } from "#core/outreach/DraftsRepo.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import type { Message } from "#core/outreach/Transmission.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { type Begun, beginWithin } from "../support/beginWithin.ts"
import { organization } from "../support/organization.ts"
import { eachBackend } from "./backends.ts"
import { agentRow, draftRow, instant, invitationRow, leadRow, messageRow } from "./outreachRows.ts"

const itemRow = (organizationId: string, leadId: string, notBefore: string): Message =>
  messageRow(organizationId, `que_${leadId}`, `drf_${leadId}`, { leadId, notBefore })

/** An organization with so many queued messages of one account, each to another person. */
const seed = Effect.fnUntraced(function* (organizationId: string, count: number, notBefore: string) {
  yield* organization(organizationId)
  yield* (yield* AgentsRepo).insert(agentRow(organizationId, "agt_1", "ada-martin"), ["ada-martin"])
  const ids = Array.from({ length: count }, (_, index) => `l${String(index).padStart(4, "0")}`)
  const rows = ids.map((id) => leadRow(organizationId, id))
  yield* (yield* LeadsRepo).write({ organizationId, created: rows, rows: [] })
  yield* (yield* AccountsRepo).ensure({
    id: "acc_1",
    organizationId,
    agentId: "agt_1",
    gateway: "simulator",
    gatewayAccountId: "sim-1",
    status: "OK",
    tier: "PREMIUM",
    features: [],
    createdAt: instant(0),
    updatedAt: instant(0)
  })
  const drafts = yield* DraftsRepo
  yield* Effect.forEach(ids, (id) => drafts.insert([draftRow(organizationId, `drf_${id}`, { leadId: id })]), {
    concurrency: 8,
    discard: true
  })
  const items = ids.map((id) => itemRow(organizationId, id, notBefore))
  yield* (yield* TransmissionsRepo).save(organizationId, items)
  yield* drafts.save(
    organizationId,
    items.map((item) => ({
      ...draftRow(organizationId, item.draftId, { leadId: item.leadId }),
      status: "READY_TO_SEND" as const,
      selectedIndex: 0,
      selectedBodyText: "Hi",
      approvedBy: { userId: "usr_1", actorKind: "USER" as const },
      approvedAt: instant(2),
      queueItemId: item.id
    }))
  )
  return items
})

const begin = (
  item: Message,
  caps: { day: number | null; week: number | null } | null,
  fence?: number,
  at = instant(9)
) => beginWithin(item, "message", caps === null ? null : [{ counts: ["message"], caps }], at, fence)

const counted = (answers: ReadonlyArray<Begun>) => {
  const of = (tag: Begun["_tag"]) => answers.filter(({ _tag }) => _tag === tag).length
  return { begun: of("Begun"), held: of("Held"), lost: of("Lost") }
}

eachBackend("the queue's limits", (layer) =>
  it.layer(layer)((it) => {
    it.effect("let exactly five of 200 begin that come at once at five below the limit", () =>
      Effect.gen(function* () {
        const items = yield* seed("org_1", 215, instant(5))
        const caps = { day: 20, week: null }
        for (const item of items.slice(0, 15)) assert.strictEqual((yield* begin(item, caps))._tag, "Begun")
        const rest = items.slice(15)
        const answers = yield* Effect.forEach(rest, (item) => begin(item, caps), { concurrency: 200 })
        assert.deepStrictEqual(counted(answers), { begun: 5, held: 195, lost: 0 })
        const held = answers.find(({ _tag }) => _tag === "Held")
        const until = "2026-11-22T08:00:09.000Z"
        assert.deepStrictEqual(held, { _tag: "Held", until })
        const heldItem = rest.find((_, index) => answers[index]?._tag === "Held")
        assert.isDefined(heldItem)
        if (heldItem === undefined) return
        const queue = yield* TransmissionsRepo
        const known = (accountId: string) => {
          const request = { organizationId: "org_1", accountId, actions: [], since: instant(0), isLocked: false }
          return Effect.map(queue.accountFacts({ ...request, item: heldItem }), ({ account }) => account !== null)
        }
        assert.deepStrictEqual([yield* known("acc_1"), yield* known("acc_2")], [true, false])
        assert.strictEqual((yield* begin(heldItem, null))._tag, "Begun", "send_now is not held back")
        const bySixthDay = { day: null, week: 21 }
        const another = rest.find((item, index) => answers[index]?._tag === "Held" && item.id !== heldItem.id)
        if (another === undefined) return assert.fail()
        const inSixDays = "2026-11-27T08:00:08.000Z"
        assert.strictEqual((yield* begin(another, bySixthDay, undefined, inSixDays))._tag, "Held", "and is counted")
        const inSeven = "2026-11-28T08:00:10.000Z"
        assert.strictEqual((yield* begin(another, bySixthDay, undefined, inSeven))._tag, "Begun")
      })
    )

    it.effect("let one process have an item, until its lease ends", () =>
      Effect.gen(function* () {
        yield* seed("org_2", 40, instant(5))
        const queue = yield* TransmissionsRepo
        const take = (now: string) =>
          queue.take({ kind: "message", organizationId: "org_2", now, isPaced: true, leaseSeconds: 15, limit: 8 })
        const taken = (yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], () => take(instant(6)), {
          concurrency: 8
        })).flat()
        assert.lengthOf(new Set(taken.map(({ id }) => id)), taken.length, "two got the same")
        let all = taken
        for (let round = 0; round < 10; round++) all = [...all, ...(yield* take(instant(6)))]
        assert.lengthOf(all, 40)
        assert.deepStrictEqual(yield* take(instant(20)), [])
        const again = yield* take(instant(21))
        assert.lengthOf(again, 8, "a silent process's items are taken over")
        const [first] = again
        const item = first === undefined ? undefined : (yield* queue.find("org_2", first.id))?.row
        if (first === undefined || item?.kind !== "message") return assert.fail()
        assert.strictEqual(first.fence, 2)
        assert.strictEqual((yield* begin(item, null, 1))._tag, "Lost", "the first process comes too late")
        assert.deepStrictEqual(yield* begin(item, null, 2), { _tag: "Begun", fence: 3 })
        assert.isFalse(yield* queue.renew({ organizationId: "org_2", id: item.id, fence: 2 }, 15))
        assert.isTrue(yield* queue.renew({ organizationId: "org_2", id: item.id, fence: 3 }, 15))
      })
    )

    it.effect("let no organization's many items delay another's few", () =>
      Effect.gen(function* () {
        yield* seed("org_3", 300, instant(3))
        yield* seed("org_4", 10, instant(5))
        const queue = yield* TransmissionsRepo
        const request = { kind: "message", now: instant(9), isPaced: true, leaseSeconds: 15, limit: 2 } as const
        // Items of the tests before are leased or begun.
        let served = 0
        yield* TestClock.setTime(Date.parse(instant(9)))
        yield* eachDue("linkedin", { limit: 48, batch: 2 }, (organizationId) =>
          Effect.map(queue.take({ ...request, organizationId }), ({ length }) => {
            if (organizationId === "org_4") served += length
            return length
          }).pipe(Effect.tap(TestClock.adjust("1 milli")))
        )
        assert.strictEqual(served, 10)
      })
    )

    it.effect("let no account's many invitations delay another's few", () =>
      Effect.gen(function* () {
        const queue = yield* TransmissionsRepo
        const invite = (organizationId: string, items: ReadonlyArray<Message>, second: number) =>
          queue.save(
            organizationId,
            items.map(({ leadId }) => invitationRow(organizationId, leadId, instant(second)))
          )
        yield* invite("org_7", yield* seed("org_7", 60, instant(59)), 3)
        yield* invite("org_8", yield* seed("org_8", 5, instant(59)), 5)
        // One at a time, as a worker takes them.
        const request = { kind: "invitation", isPaced: true, leaseSeconds: 15, limit: 1 } as const
        const taken: Array<string> = []
        yield* eachDue("linkedin", { limit: 12, batch: 1 }, (organizationId) =>
          Effect.map(queue.take({ ...request, organizationId, now: instant(9 + taken.length) }), ({ length }) => {
            if (length > 0) taken.push(organizationId)
            return length
          }).pipe(Effect.tap(TestClock.adjust("1 milli")))
        )
        assert.lengthOf(taken, 12)
        assert.lengthOf(
          taken.filter((organizationId) => organizationId === "org_8"),
          5
        )
      })
    )

    it.effect("let one process look for a message of unknown outcome, when its time has come", () =>
      Effect.gen(function* () {
        const items = yield* seed("org_6", 4, instant(3))
        const queue = yield* TransmissionsRepo
        const unknown = items.map((item, index) => ({
          ...item,
          state: "ambiguous" as const,
          notBefore: index === 3 ? null : instant(10 + index)
        }))
        yield* queue.save("org_6", unknown)
        const request = { organizationId: "org_6", leaseSeconds: 15, limit: 9 }
        const ids = (now: string) =>
          Effect.map(queue.takeUnsettled({ ...request, kind: "message", now, state: "ambiguous" }), (taken) =>
            taken.map(({ fence, id }) => `${id} ${fence}`).toSorted()
          )
        const first = items[0]?.id
        const second = items[1]?.id
        assert.deepStrictEqual(yield* ids(instant(9)), [])
        assert.deepStrictEqual(yield* ids(instant(11)), [`${first} 1`, `${second} 1`])
        assert.deepStrictEqual(yield* ids(instant(11)), [], "leased")
        assert.deepStrictEqual(yield* ids(instant(26)), [`${first} 2`, `${second} 2`, `${items[2]?.id} 1`])
        const isPaced = true
        assert.deepStrictEqual(
          yield* queue.take({ kind: "message", ...request, isPaced, now: instant(50) }),
          [],
          "never to be sent"
        )
      })
    )

    it.effect("hold an account as a whole, and not its bypassing items", () =>
      Effect.gen(function* () {
        const items = yield* seed("org_5", 3, instant(3))
        const queue = yield* TransmissionsRepo
        const [, second] = items
        if (second === undefined) return assert.fail()
        yield* queue.save("org_5", [{ ...second, bypass: true }])
        yield* queue.holdAccount("org_5", "acc_1", "message", {
          reason: "outside_hours",
          until: instant(50),
          recheckAt: instant(30)
        })
        const request = { organizationId: "org_5", now: instant(9), isPaced: true, leaseSeconds: 15, limit: 9 }
        const ids = (changes: Partial<typeof request> = {}) =>
          Effect.map(queue.take({ kind: "message", ...request, ...changes }), (taken) => taken.map(({ id }) => id))
        assert.deepStrictEqual(yield* ids(), [second.id])
        assert.lengthOf(yield* ids({ now: instant(29) }), 1)
        yield* queue.stop("org_5", "acc_1", "message", instant(58))
        assert.deepStrictEqual(yield* ids({ now: instant(57) }), [], "the provider's own limit holds all")
        assert.lengthOf(yield* ids({ now: instant(58) }), 3)
        const [usage] = yield* queue.usage("org_5", { gateway: "simulator", accountId: undefined }, instant(0))
        assert.deepInclude(usage, {
          accountId: "acc_1",
          message: {
            pacedReason: "outside_hours",
            pacedUntil: instant(50),
            recheckAt: instant(30),
            stoppedUntil: instant(58)
          }
        })
        assert.deepStrictEqual(
          usage?.waiting.map(({ bypass, id }) => [id, bypass]),
          [second, ...items.filter(({ id }) => id !== second.id)].map(({ id }) => [id, id === second.id])
        )
      })
    )
  })
)
