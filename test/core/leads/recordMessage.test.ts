import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Actor, Execution } from "#core/kernel/command/Execution.ts"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { LeadConsequences } from "#core/leads/LeadConsequences.ts"
import { applyOptOut, clearWaiting, markWaiting, type NewMessage, recordOnce } from "#core/leads/recordMessage.ts"
import { owner } from "../../support/memory.ts"
import { ok } from "../../support/World.ts"
import { leadWorld, upsert } from "./leadWorld.ts"

const recordMessage = (message: NewMessage) => Effect.map(recordOnce(message), ({ id }) => id)

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
    onStatus: (_org, leadId, drafts, reason) =>
      Effect.sync(() => {
        told.push(`${drafts} ${leadId} ${reason}`)
        return false
      }),
    onReply: (_org, leadId) => Effect.sync(() => void told.push(`reply ${leadId}`)),
    onMerge: () => Effect.void,
    onDetached: () => Effect.succeed(false),
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

const shown = (lead_id: string) => Effect.map(ok<Shown>("lead.get", { lead_id }), ({ lead }) => lead)

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
        `lead.replied ${reply.answer} LINKEDIN`,
        `reply ${lead_id}`
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

describe("what is queued and what is said", () => {
  it.effect("moves a lead, says so, takes effect, and leaves a suppressed lead as it is", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* upsert({ email: "a@example.com" })
      const told = (move: ReturnType<typeof applyOptOut>) => Effect.map(asCommand(move), (done) => done.told)
      assert.deepStrictEqual(yield* told(markWaiting(lead_id)), ["lead.status_changed New Waiting"])
      assert.deepStrictEqual(yield* told(markWaiting(lead_id)), [])
      assert.deepStrictEqual(yield* told(clearWaiting(lead_id)), ["lead.status_changed Waiting New"])
      assert.deepStrictEqual(yield* told(applyOptOut(lead_id, "opt-out")), [
        "lead.suppressed ",
        "lead.status_changed New DoNotContact opt-out",
        `Cancel ${lead_id} lead_suppressed`
      ])
      assert.deepStrictEqual(yield* told(markWaiting(lead_id)), [])
      assert.deepStrictEqual(yield* told(markWaiting("ld_none")), [])
    }).pipe(Effect.provide(leadWorld))
  )
})
