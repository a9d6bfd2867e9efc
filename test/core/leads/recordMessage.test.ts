import { assert, describe, it } from "@effect/vitest"
import { Actor } from "@svc/core/Actor"
import { Execution } from "@svc/core/Execution"
import type { Failure } from "@svc/core/Failure"
import { applyStatusEvent, LeadConsequences, type NewMessage, recordMessage } from "@svc/core/leads/index"
import * as Effect from "effect/Effect"
import { owner } from "../../support/memory.ts"
import { leadWorld, ok, upsert } from "./leadWorld.ts"

const asCommand = <A, R>(effect: Effect.Effect<A, Failure, R>) => {
  const told: Array<string> = []
  const execution = Execution.of({
    dryRun: false,
    emit: ({ data, type }) => Effect.sync(() => void told.push(`${type} ${Object.values(data).join(" ")}`)),
    warn: () => Effect.void,
    commit: (step) => step,
    finish: () => Effect.die("not used")
  })
  const dependents = LeadConsequences.of({
    onStatus: (_org, leadId, { cancelDrafts, cancelQueueItems }, reason) =>
      Effect.sync(() => {
        told.push(`cancel ${leadId} ${cancelQueueItems} ${cancelDrafts} ${reason}`)
        return false
      }),
    onMerge: () => Effect.void,
    onUnlinked: () => Effect.succeed({ cancelled: 0, kept: 0, idleLeadIds: [] })
  })
  return effect.pipe(
    Effect.map((answer) => ({ answer, told })),
    Effect.provideService(Execution, execution),
    Effect.provideService(LeadConsequences, dependents),
    Effect.provideService(Actor, owner())
  )
}

const message = (leadId: string, changes: Partial<NewMessage> = {}): NewMessage => ({
  leadId,
  direction: "outbound",
  channel: "LINKEDIN",
  content: "Hello",
  senderName: null,
  externalId: null,
  date: "2026-11-21T08:00:01.000Z",
  ...changes
})

interface Shown {
  readonly lead: {
    readonly status: string
    readonly lastInteraction?: string
    readonly sentMessages: ReadonlyArray<unknown>
  }
}

const shown = (lead_id: string) => Effect.map(ok<Shown>("lead.get", { lead_id }), ({ data }) => data.lead)

describe("recordMessage", () => {
  it.effect("moves the status forward only, and says so once", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "a@example.com" })
      const sent = yield* asCommand(recordMessage(message(lead_id, { externalId: "x" })))
      assert.deepStrictEqual(sent.told, ["lead.status_changed New Contacted"])
      const again = yield* asCommand(recordMessage(message(lead_id, { externalId: "x" })))
      assert.deepStrictEqual([again.answer, again.told], [sent.answer, []])
      const inbound = message(lead_id, { direction: "inbound", date: "2026-11-21T08:00:09.000Z" })
      const reply = yield* asCommand(recordMessage(inbound))
      assert.deepStrictEqual(reply.told, [
        "lead.status_changed Contacted Replied",
        `message.received ${reply.answer} LINKEDIN true`,
        `lead.replied ${reply.answer} LINKEDIN`
      ])
      const older = yield* asCommand(recordMessage(message(lead_id)))
      assert.deepStrictEqual(older.told, [])
      const lead = yield* shown(lead_id)
      assert.deepStrictEqual(
        [lead.status, lead.lastInteraction, lead.sentMessages.length],
        ["Replied", "2026-11-21T08:00:09.000Z", 2]
      )
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("records what was really sent to a lead that must not be contacted, and leaves it there", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "a@example.com", status: "DoNotContact" })
      const sent = yield* asCommand(recordMessage(message(lead_id)))
      assert.deepStrictEqual(sent.told, [])
      assert.strictEqual((yield* shown(lead_id)).status, "DoNotContact")
      assert.strictEqual((yield* shown(lead_id)).sentMessages.length, 1)
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("finds a merged lead where it went, and fails for one that is not there", () =>
    Effect.gen(function* () {
      const a = yield* upsert({ email: "a@example.com" })
      const b = yield* upsert({ custom_id: "b", name: "B" })
      const { lead_id } = yield* upsert({ email: "a@example.com", custom_id: "b", on_conflict: "merge" })
      const loser = lead_id === a.lead_id ? b.lead_id : a.lead_id
      yield* asCommand(recordMessage(message(loser)))
      assert.strictEqual((yield* shown(lead_id)).sentMessages.length, 1)
      const failure = yield* Effect.flip(asCommand(recordMessage(message("ld_none"))))
      assert.strictEqual(failure.code, "NOT_FOUND")
    }).pipe(Effect.provide(leadWorld))
  )
})

describe("applyStatusEvent", () => {
  it.effect("states changes, lets them take effect, and refuses what a suppressed lead may not have", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "a@example.com" })
      const told = (event: Parameters<typeof applyStatusEvent>[1]) =>
        Effect.map(asCommand(applyStatusEvent(lead_id, event)), (done) => done.told)
      assert.deepStrictEqual(yield* told("outbound_waiting"), ["lead.status_changed New Waiting"])
      assert.deepStrictEqual(yield* told("outbound_waiting"), [])
      assert.deepStrictEqual(yield* told("nothing_waiting"), ["lead.status_changed Waiting New"])
      assert.deepStrictEqual(yield* told("not_interested"), [
        "lead.status_changed New NotInterested",
        `cancel ${lead_id} true false lead_not_interested`
      ])
      assert.deepStrictEqual(yield* told("opt_out"), [
        "lead.suppressed ",
        "lead.status_changed NotInterested DoNotContact",
        `cancel ${lead_id} true true lead_suppressed`
      ])
      const failure = yield* Effect.flip(asCommand(applyStatusEvent(lead_id, "outbound_waiting")))
      assert.strictEqual(failure.code, "LEAD_SUPPRESSED")
    }).pipe(Effect.provide(leadWorld))
  )
})
