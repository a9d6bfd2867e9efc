import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { SendResult } from "#core/outreach/provider/ProviderReads.ts"
import { owner } from "../../support/memory.ts"
import { ask, keyed, make, ok, verdict } from "../../support/World.ts"
import {
  type Approved,
  agents,
  draftFor,
  eventTypes,
  linkedInWorld,
  read,
  send,
  sent,
  stored,
  taken
} from "./linkedInWorld.ts"

/** A world whose gateway answers messages as scripted, and says who is connected and whether a chat is known. */
const scriptedWorld = (
  message: Effect.Effect<SendResult>,
  { connected = true, chatId = null }: { readonly connected?: boolean; readonly chatId?: string | null } = {}
) => {
  const gateway = Layer.effect(
    LinkedInGateway,
    Effect.map(LinkedInGateway, (simulated) =>
      LinkedInGateway.of({
        ...simulated,
        relation: () => Effect.succeed({ _tag: "Known", relation: { connected, chatId, invitation: "none" } }),
        sendToChat: () => message,
        startChat: () => message,
        sendInvitation: () => message
      })
    )
  )
  return make({ backend: "memory", gateway })
}

const codeOf = ({ envelope }: { readonly envelope: { readonly ok: boolean; readonly status: number } }) =>
  `${envelope.status} ${Reflect.get(Object(Reflect.get(envelope, "error")), "code") ?? "ok"}`

describe("send_now", () => {
  it.effect("sends into a known conversation: DISPATCHED, with the message on the lead", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("grace")
      const { dispatch_result, draft: after, mode } = yield* sent(draft)
      assert.strictEqual(mode, "sent")
      assert.strictEqual(dispatch_result?.status, "sent")
      assert.strictEqual(dispatch_result?.messageId, after.dispatched_message_id)
      assert.strictEqual(dispatch_result?.externalMessageId, after.dispatched_external_message_id)
      assert.strictEqual(after.status, "DISPATCHED")
      assert.isNotNull(after.dispatched_at)
      assert.isNotNull(after.approved_at)
      assert.match(after.dispatched_queue_item_id ?? "", /^que_/)
      assert.deepStrictEqual(yield* read(draft), after)
      assert.deepStrictEqual(yield* taken, ["message:Hello grace"])
      const { attempts, items, messages, statuses } = yield* stored
      assert.deepStrictEqual(
        items.map(({ bypass, state }) => [state, bypass]),
        [["sent", true]]
      )
      assert.deepStrictEqual(
        attempts.map(({ action, outcome }) => [action, outcome]),
        [["message", "confirmed"]]
      )
      assert.deepStrictEqual(
        messages.map(({ content, direction, id, senderName }) => [id, direction, content, senderName]),
        [[after.dispatched_message_id, "outbound", "Hello grace", "Ada Martin"]]
      )
      assert.strictEqual(statuses.grace, "Contacted")
      assert.deepStrictEqual(yield* eventTypes("draft.", "message."), [
        "draft.created",
        "draft.approved",
        "draft.dispatched",
        "message.sent"
      ])
      assert.strictEqual(codeOf(yield* send(draft)), "409 DRAFT_FINAL")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("starts a chat when none is known, and says so", () =>
    Effect.gen(function* () {
      yield* agents()
      const { envelope } = yield* send(yield* draftFor("grace"))
      assert.isTrue(envelope.ok)
      assert.match(envelope.meta.warnings[0] ?? "", /^conversation_not_synced/)
    }).pipe(Effect.provide(scriptedWorld(Effect.succeed({ _tag: "Confirmed", messageId: "m-1", externalId: null }))))
  )

  it.effect("waits for people who are not connected, and invites only when asked", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("hedy-2nd")
      const first = yield* sent(draft)
      assert.strictEqual(first.mode, "sent")
      assert.deepStrictEqual(first.dispatch_result, {
        status: "waiting_relation",
        messageQueueId: first.draft.dispatched_queue_item_id
      })
      assert.strictEqual(first.draft.status, "READY_TO_SEND")
      assert.isNull(first.draft.dispatched_at)
      assert.deepStrictEqual(yield* taken, [])
      assert.strictEqual((yield* stored).statuses["hedy-2nd"], "Waiting")
      const again = yield* sent(draft, { send_invitation: true, invitation_note: "Hello!" })
      assert.deepStrictEqual(again.dispatch_result, first.dispatch_result, "the same queue item")
      assert.deepStrictEqual(yield* taken, ["invitation:Hello!"])
      yield* sent(draft, { send_invitation: true })
      assert.deepStrictEqual(yield* taken, ["invitation:Hello!"], "never a second invitation")
      assert.include(yield* eventTypes("invitation."), "invitation.sent")
      yield* TestClock.adjust("31 seconds")
      const last = yield* sent(draft)
      assert.strictEqual(last.draft.status, "DISPATCHED")
      assert.strictEqual(last.draft.dispatched_queue_item_id, first.draft.dispatched_queue_item_id)
      assert.deepStrictEqual(yield* taken, ["invitation:Hello!", "message:Hello hedy-2nd"])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("queues while the provider is down, with the first retry within 2 s and the bypass kept", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("ivy-down")
      const { dispatch_result, draft: after, mode } = yield* sent(draft)
      assert.strictEqual(mode, "sent")
      assert.deepStrictEqual(dispatch_result, { status: "queued", queueId: after.dispatched_queue_item_id })
      assert.strictEqual(after.status, "READY_TO_SEND")
      const { attempts, items, statuses } = yield* stored
      const [item] = items
      assert.strictEqual(item?.state, "queued")
      assert.isTrue(item?.bypass)
      assert.isAtMost(Date.parse(item?.notBefore ?? "2100"), 2_000)
      assert.strictEqual(attempts[0]?.outcome, "unavailable")
      assert.strictEqual(statuses["ivy-down"], "Waiting")
      assert.strictEqual(yield* verdict("linkedin.draft.cancel", { draft_id: draft.draft_id }), "ok")
      assert.strictEqual((yield* stored).items[0]?.state, "cancelled")
      assert.strictEqual((yield* stored).statuses["ivy-down"], "New", "nothing waits any more")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("answers 502 with the provider's code when it refuses, and leaves the draft as it was", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("joan-blocked")
      const refused = yield* send(draft)
      assert.strictEqual(codeOf(refused), "502 GATEWAY_REJECTED")
      assert.include(refused.envelope.ok ? "" : refused.envelope.error.message, "errors/blocked_recipient")
      assert.deepStrictEqual(yield* read(draft), draft)
      yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
      const approved = yield* read(draft)
      assert.strictEqual(codeOf(yield* send(draft)), "502 GATEWAY_REJECTED")
      assert.deepStrictEqual(yield* read(draft), approved)
      assert.deepStrictEqual(
        (yield* stored).items.map(({ reason, state }) => [state, reason]),
        [
          ["failed", "blocked"],
          ["queued", "blocked"]
        ]
      )
      assert.include(yield* eventTypes("draft."), "draft.dispatch_failed")
      assert.deepStrictEqual(yield* taken, [])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("blocks a message that may have been sent, whatever the key", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("kay-unknown")
      assert.strictEqual(codeOf(yield* send(draft, {}, keyed("k1"))), "409 SEND_OUTCOME_UNKNOWN")
      const after = yield* read(draft)
      assert.strictEqual(after.status, "READY_TO_SEND")
      assert.strictEqual((yield* stored).items[0]?.state, "ambiguous")
      for (const key of ["k1", "k2", "k3"]) {
        assert.strictEqual(codeOf(yield* send(draft, {}, keyed(key))), "409 SEND_OUTCOME_UNKNOWN", key)
      }
      const approve = { draft_id: draft.draft_id }
      assert.strictEqual(yield* verdict("linkedin.draft.approve", approve), "409 SEND_OUTCOME_UNKNOWN")
      assert.strictEqual(yield* verdict("linkedin.draft.cancel", approve), "409 SEND_OUTCOME_UNKNOWN")
      assert.strictEqual(yield* verdict("agent.delete", { agent_handle: "ada-martin" }), "409 AGENT_IN_USE")
      assert.lengthOf(yield* taken, 1)
      assert.deepStrictEqual(yield* eventTypes("draft.dispatch"), ["draft.dispatch_unknown"])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("answers in flight while it sends: the same draft is refused, another to the lead is queued", () =>
    Effect.gen(function* () {
      yield* agents(2)
      const draft = yield* draftFor("lou-slow", { agent_handle: "ada-martin" })
      const other = yield* draftFor("lou-slow", { agent_handle: "bob-berg", variations: ["From Bob"] })
      const first = yield* Effect.forkChild(send(draft, {}, keyed("slow")))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* stored).items[0]?.state, "sending")
      assert.strictEqual(codeOf(yield* send(draft)), "409 DRAFT_IN_FLIGHT")
      assert.strictEqual(codeOf(yield* send(draft, {}, keyed("slow"))), "409 IDEMPOTENCY_IN_PROGRESS")
      const { draft_id } = draft
      for (const command of ["linkedin.draft.cancel", "linkedin.draft.update"]) {
        const input = command.endsWith("update") ? { draft_id, variations: ["x"] } : { draft_id }
        assert.strictEqual(yield* verdict(command, input), "409 DRAFT_IN_FLIGHT", command)
      }
      assert.strictEqual((yield* sent(other)).dispatch_result?.status, "queued")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(codeOf(yield* Fiber.join(first)), "200 ok")
      assert.deepStrictEqual(yield* taken, ["message:Hello lou-slow"])
      const second = yield* Effect.forkChild(sent(other))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(second)).draft.status, "DISPATCHED")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("never passes suppression, an archived mission or a deleted agent", () =>
    Effect.gen(function* () {
      yield* agents(2)
      yield* ok("mission.create", { name: "Spring", agent_handle: "ada-martin" })
      const archived = yield* draftFor("a", { mission_id: "spring" })
      yield* ok("linkedin.draft.approve", { draft_id: archived.draft_id })
      yield* ok("mission.update", { mission_id: "spring", status: "archived" })
      assert.strictEqual((yield* read(archived)).status, "PENDING_REVIEW", "archiving takes approvals back")
      assert.strictEqual(codeOf(yield* send(archived)), "409 MISSION_ARCHIVED")
      const suppressed = yield* draftFor("b", { agent_handle: "ada-martin" })
      yield* ok("linkedin.draft.approve", { draft_id: suppressed.draft_id })
      yield* ok("lead.upsert", { lead_id: suppressed.lead.lead_id, status: "DoNotContact" })
      assert.strictEqual((yield* read(suppressed)).status, "CANCELLED")
      const orphan = yield* draftFor("c", { agent_handle: "bob-berg" })
      yield* ok("linkedin.draft.approve", { draft_id: orphan.draft_id })
      yield* ok("agent.delete", { agent_handle: "bob-berg", force: true })
      assert.strictEqual((yield* read(orphan)).status, "PENDING_REVIEW")
      assert.strictEqual(codeOf(yield* send(orphan)), "409 WRONG_STATE")
      assert.deepStrictEqual(yield* taken, [])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("moves what is queued back to review when the lead is not interested", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("meg-down")
      yield* sent(draft)
      yield* ok("lead.upsert", { lead_id: draft.lead.lead_id, status: "NotInterested" })
      assert.strictEqual((yield* read(draft)).status, "PENDING_REVIEW")
      const [item] = (yield* stored).items
      assert.deepStrictEqual([item?.state, item?.reason], ["cancelled", "lead_not_interested"])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("answers a repeated key from the record, refusals of the provider included", () =>
    Effect.gen(function* () {
      yield* agents()
      for (const slug of ["nan", "oda-2nd", "pam-down", "quin-blocked", "rae-unknown"]) {
        const draft = yield* draftFor(slug)
        const first = yield* send(draft, {}, keyed(slug))
        const before = yield* taken
        const second = yield* send(draft, {}, keyed(slug))
        assert.isTrue(second.replayed, slug)
        assert.deepStrictEqual(second.envelope, first.envelope, slug)
        assert.deepStrictEqual(yield* taken, before, slug)
        assert.strictEqual(codeOf(yield* send(draft, { body_text: "other" }, keyed(slug))), "409 IDEMPOTENCY_MISMATCH")
      }
      assert.lengthOf(yield* taken, 2)
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("stops before the provider in a dry run and leaves nothing behind", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("sue")
      const dry = { options: { dryRun: true } }
      const { envelope } = yield* send(draft, {}, dry)
      assert.isTrue(envelope.ok)
      assert.strictEqual(envelope.meta.warnings[0], "dry_run")
      const data: Partial<Approved> = envelope.ok ? Object(envelope.data) : {}
      assert.strictEqual(data.dispatch_result?.status, "sent")
      assert.strictEqual(data.draft?.status, "DISPATCHED")
      assert.deepStrictEqual(yield* read(draft), draft)
      assert.deepStrictEqual(yield* taken, [])
      const { attempts, items, messages } = yield* stored
      assert.deepStrictEqual([attempts, items, messages], [[], [], []])
      assert.strictEqual(
        yield* verdict("linkedin.draft.approve", { draft_id: "drf_x", send_now: true }, dry),
        "404 NOT_FOUND"
      )
      const plain = yield* ask("linkedin.draft.approve", { draft_id: draft.draft_id }, dry)
      assert.isTrue(plain.envelope.ok)
      assert.deepStrictEqual(yield* read(draft), draft)
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("queues on the provider's limit until it may go on, and stops an account that is not let in", () =>
    Effect.gen(function* () {
      yield* agents()
      const { dispatch_result } = yield* sent(yield* draftFor("tia"))
      assert.strictEqual(dispatch_result?.status, "queued")
      const [item] = (yield* stored).items
      assert.deepStrictEqual([item?.reason, item?.notBefore], ["limit", "1970-01-01T00:10:00.000Z"])
    }).pipe(
      Effect.provide(
        scriptedWorld(
          Effect.succeed({
            _tag: "Refused",
            kind: "limit",
            providerCode: "errors/limit_exceeded",
            retryAfterSeconds: 600
          })
        )
      )
    )
  )

  it.effect("marks an account that the provider does not let in, and refuses the next send", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("una")
      assert.strictEqual(codeOf(yield* send(draft)), "409 ACCOUNT_DISCONNECTED")
      assert.deepStrictEqual(yield* read(draft), draft)
      assert.lengthOf((yield* stored).attempts, 1)
      assert.strictEqual(codeOf(yield* send(draft)), "409 ACCOUNT_DISCONNECTED")
      assert.lengthOf((yield* stored).attempts, 1, "the second never reached the provider")
      assert.deepStrictEqual(yield* eventTypes("account."), ["account.status_changed"])
    }).pipe(
      Effect.provide(
        scriptedWorld(
          Effect.succeed({
            _tag: "Refused",
            kind: "account_down",
            providerCode: "errors/disconnected_account",
            retryAfterSeconds: null
          })
        )
      )
    )
  )

  it.effect("calls an answer that never comes, or a gateway that breaks, unknown", () =>
    Effect.gen(function* () {
      for (const message of [Effect.never, Effect.die(new Error("adapter bug"))]) {
        yield* Effect.gen(function* () {
          yield* agents()
          const draft = yield* draftFor("val")
          const fiber = yield* Effect.forkChild(send(draft))
          yield* TestClock.adjust("20 seconds")
          assert.strictEqual(codeOf(yield* Fiber.join(fiber)), "409 SEND_OUTCOME_UNKNOWN")
        }).pipe(Effect.provide(scriptedWorld(message)))
      }
    })
  )

  it.effect("does not give up a message because its caller went away", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("wyn-slow")
      const fiber = yield* Effect.forkChild(send(draft))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("2 seconds")
      yield* Effect.yieldNow
      assert.strictEqual((yield* read(draft)).status, "DISPATCHED")
      assert.lengthOf(yield* taken, 1)
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("has one winner among many at once", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("xia")
      const dispatch = yield* Dispatch
      const input = { draft_id: draft.draft_id, send_now: true }
      const call = { command: "linkedin.draft.approve", input, actor: owner() }
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => dispatch.run(call)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter(({ envelope }) => envelope.ok),
        1
      )
      assert.lengthOf(yield* taken, 1)
    }).pipe(Effect.provide(linkedInWorld))
  )
})
