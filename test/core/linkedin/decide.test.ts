/** The state machine of messages with their drafts, invitations and emails. */

import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { decide } from "#core/outreach/carryOut.ts"
import type { ApprovalChoice } from "#core/outreach/DraftInput.ts"
import { type Decision, type Event, type Events, type Life, stateOf } from "#core/outreach/Life.ts"
import { DraftQueueState, DraftStatus } from "#core/outreach/LinkedInDraft.ts"
import { steps } from "#core/outreach/steps.ts"
import {
  type EmailRow,
  emailStates,
  freshRow,
  InvitationState,
  isFinal,
  type Message
} from "#core/outreach/Transmission.ts"
import { draftRow, instant, invitationRow, messageRow } from "../../contract/outreachRows.ts"
import { effort } from "../../support/effort.ts"

const hash = "hash-now"
const at = instant(9)
const created = (...variations: ReadonlyArray<string>): Life => ({
  draft: draftRow("org_1", "drf_1", { variations }),
  row: null
})
const approve = (life: Life, choice: ApprovalChoice = {}) =>
  decide(life, { _tag: "Approve", choice, contentHash: hash }, at)
const revise = (life: Life, variations?: ReadonlyArray<string>, isMoved = false) =>
  decide(life, { _tag: "Revise", reason: "draft_changed", variations, isMoved }, at)
const withdraw = (life: Life) => decide(life, { _tag: "Withdraw", reason: "item_cancelled" }, at)
const cancel = (life: Life) => decide(life, { _tag: "Cancel", reason: "draft_cancelled" }, at)
const start = (life: Life) => decide(life, { _tag: "Start" }, at)
const confirmed = (attempt: number): Event<"Confirm"> => ({
  _tag: "Confirm",
  attempt,
  externalId: "ext_1",
  recordedAs: "msg_1",
  isFirst: true
})
const lost: Event = { _tag: "Lose", detail: "Nobody knows" }

/** The draft of a life that has one. */
const draftOf = ({ draft }: Life) => draft ?? assert.fail("has a draft")
const done = (result: Result.Result<Decision, Failure>): Life => Result.getOrThrow(result).life
const codeOf = (result: Result.Result<unknown, Failure>): string =>
  Result.match(result, { onSuccess: () => "ok", onFailure: ({ code }) => code })

/** The life with a message in a state. */
const carried = (life: Life, state: Message["state"]): Life => ({
  draft: { ...draftOf(life), queueItemId: "que_1" },
  row: messageRow("org_1", "que_1", "drf_1", { state })
})
const flying = (life: Life): Life => done(start(carried(life, "queued")))
const selection = ({ draft }: Life) => [draft?.status, draft?.selectedIndex, draft?.selectedBodyText]
const tagsOf = (result: Result.Result<Decision, Failure>) =>
  Result.getOrThrow(result).effects.map((effect) => (effect._tag === "Emit" ? effect.event.type : effect._tag))

const three = created("a", "b", "c")
const approved = done(approve(three, { variationIndex: 1 }))

describe("approve", () => {
  it("needs an index exactly when the choice is open", () => {
    assert.strictEqual(draftOf(done(approve(created("only")))).selectedBodyText, "only")
    assert.strictEqual(codeOf(approve(three)), "VARIATION_REQUIRED")
    assert.strictEqual(codeOf(approve(three, { bodyText: "mine" })), "VARIATION_REQUIRED")
    assert.deepEqual(selection(approved), ["READY_TO_SEND", 1, "b"])
  })

  it.each([-1, 3, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses the index %s as invalid input",
    (variationIndex) => {
      const result = approve(three, { variationIndex })
      assert.strictEqual(codeOf(result), "INVALID_INPUT")
      assert.include(
        Result.isFailure(result) ? result.failure.message : "",
        "variation_index must be a whole number from 0 to 2"
      )
    }
  )

  it("takes body_text in place of the chosen text, and needs it without variations", () => {
    const edited = done(approve(three, { variationIndex: 2, bodyText: "mine" }))
    assert.deepEqual(selection(edited), ["READY_TO_SEND", 2, "mine"])
    assert.deepEqual(draftOf(edited).variations, ["a", "b", "c"])
    assert.strictEqual(codeOf(approve(created())), "DRAFT_EMPTY")
    assert.strictEqual(codeOf(approve(created(" \n"))), "DRAFT_EMPTY")
    assert.strictEqual(codeOf(approve(created("a"), { bodyText: " " })), "DRAFT_EMPTY")
    assert.strictEqual(codeOf(approve(created(), { variationIndex: 0, bodyText: "x" })), "INVALID_INPUT")
    assert.deepEqual(selection(done(approve(created(), { bodyText: "x" }))), ["READY_TO_SEND", null, "x"])
  })

  it("guards against a text that changed", () => {
    assert.strictEqual(codeOf(approve(created("a"), { contentHash: "hash-before" })), "CONTENT_CHANGED")
    assert.strictEqual(codeOf(approve(created("a"), { contentHash: hash })), "ok")
    assert.strictEqual(codeOf(approve(approved, { variationIndex: 1, contentHash: "hash-before" })), "CONTENT_CHANGED")
  })

  it("changes nothing when repeated, also without an index and with an edited text", () => {
    const edited = done(approve(three, { variationIndex: 1, bodyText: "mine" }))
    for (const life of [approved, edited, carried(edited, "queued"), flying(edited)]) {
      for (const choice of [{}, { variationIndex: 1 }, { bodyText: draftOf(life).selectedBodyText ?? "" }]) {
        const again = Result.getOrThrow(approve(life, choice))
        assert.deepStrictEqual([again.life, again.effects], [life, []])
      }
    }
  })

  it("switches to another variation and cancels a waiting queue item", () => {
    const switched = done(approve(carried(approved, "waiting_relation"), { variationIndex: 0 }))
    assert.deepEqual(selection(switched), ["READY_TO_SEND", 0, "a"])
    assert.deepInclude(switched.row, { state: "cancelled", reason: "draft_changed" })
    assert.isNull(draftOf(switched).queueItemId)
    assert.strictEqual(codeOf(approve(flying(approved), { variationIndex: 0 })), "DRAFT_IN_FLIGHT")
  })
})

describe("revise, cancel and withdraw", () => {
  it("take the approval back only when text or recipient change", () => {
    const waiting = carried(approved, "queued")
    assert.strictEqual(done(revise(waiting, ["a", "b", "c"])), waiting)
    assert.strictEqual(done(revise(waiting)), waiting)
    for (const result of [revise(waiting, ["a", "b"]), revise(waiting, undefined, true)]) {
      assert.deepEqual(selection(done(result)), ["PENDING_REVIEW", null, null])
      assert.deepInclude(done(result).row, { state: "cancelled", reason: "draft_changed" })
      assert.deepEqual(tagsOf(result), ["Uninvite", "draft.updated", "Idle"])
    }
  })

  it("refuse while sending, while the outcome is unknown, and after the end", () => {
    const lives = {
      DRAFT_IN_FLIGHT: flying(approved),
      SEND_OUTCOME_UNKNOWN: done(decide(flying(approved), lost, at)),
      DRAFT_FINAL: done(decide(flying(approved), confirmed(1), at))
    }
    for (const [code, life] of Object.entries(lives)) {
      for (const result of [revise(life, []), cancel(life), withdraw(life), start(life)]) {
        assert.strictEqual(codeOf(result), code)
      }
    }
    assert.strictEqual(codeOf(approve(lives.SEND_OUTCOME_UNKNOWN, { variationIndex: 1 })), "SEND_OUTCOME_UNKNOWN")
  })

  it("keep drafts under review when approvals are withdrawn", () => {
    assert.strictEqual(done(withdraw(three)), three)
    assert.deepEqual(selection(done(withdraw(approved))), ["PENDING_REVIEW", null, null])
  })
})

describe("sending", () => {
  it("sends nothing that is not approved", () => {
    for (const event of [{ _tag: "Start" }, confirmed(0), lost] as const) {
      assert.strictEqual(codeOf(decide(three, event, at)), "WRONG_STATE")
    }
  })

  it("goes back to review after a failure, and settles an unknown outcome both ways", () => {
    const unknown = done(decide(flying(approved), lost, at))
    const sent = { externalId: null, recordedAs: "msg_1", isFirst: false }
    const settled = decide(unknown, { _tag: "Settle", sent, reason: "not_sent" }, at)
    assert.strictEqual(draftOf(done(settled)).status, "DISPATCHED")
    assert.deepEqual(tagsOf(settled), ["SettleAttempts", "Invited", "draft.dispatched", "message.sent"])
    const failed = done(decide(unknown, { _tag: "Settle", sent: undefined, reason: "not_sent" }, at))
    assert.deepEqual(selection(failed), ["PENDING_REVIEW", null, null])
    assert.deepInclude(failed.row, { state: "failed", reason: "not_sent" })
    assert.isNull(done(approve(failed, { variationIndex: 0 })).draft?.queueItemId)
  })

  it("restores what was before a refused send_now", () => {
    const before = { row: draftOf(approved), item: messageRow("org_1", "que_1", "drf_1", { reason: "hold" }) }
    const refused = { _tag: "Fail", attempt: 1, reason: "blocked", detail: "no" } as const
    const restored = done(decide(flying(approved), { ...refused, before }, at))
    assert.strictEqual(restored.draft?.updatedAt, before.row.updatedAt)
    assert.deepInclude(restored.row, { state: "queued", reason: "blocked", attempts: 1, notBefore: instant(2) })
    const removed = done(decide(flying(approved), { ...refused, before: { ...before, item: null } }, at))
    assert.deepEqual([stateOf(removed), removed.row?.state], ["READY_TO_SEND", "failed"])
  })

  it("leaves an outcome of another attempt, and one that came after it was settled, without effect", () => {
    const life = flying(approved)
    for (const attempt of [0, 2]) assert.strictEqual(codeOf(decide(life, confirmed(attempt), at)), "DRAFT_IN_FLIGHT")
    const retried = done(
      decide(life, { _tag: "Retry", attempt: 1, reason: "unavailable", notBefore: at, failures: 1 }, at)
    )
    assert.strictEqual(retried.row?.state, "queued")
    assert.notStrictEqual(codeOf(decide(retried, confirmed(1), at)), "ok")
  })
})

describe("any history", () => {
  const mail: EmailRow = {
    ...freshRow,
    kind: "email",
    id: "eml_1",
    organizationId: "org_1",
    agentId: "agt_1",
    leadId: "ld_1",
    accountId: null,
    draftId: null,
    missionId: null,
    followUp: null,
    fromAddress: "ada@example.com",
    toAddress: "noor@example.com",
    subject: "Hi",
    bodyText: "Hi",
    bodyHtml: null,
    strategy: "MANUAL",
    state: "in_review",
    decision: null,
    decidedBy: null,
    decidedAt: null,
    approved: null,
    notBefore: null,
    messageId: null,
    createdBy: "usr_1",
    steps: [],
    createdAt: instant(0),
    updatedAt: instant(0)
  }
  const texts = fc.array(fc.constantFrom("a", "b", " ", "c"), { maxLength: 3 })
  const births: fc.Arbitrary<Life> = fc.oneof(
    texts.map((variations) => created(...variations)),
    fc.constantFrom(flying(approved), carried(approved, "waiting_relation")),
    fc.constant({ draft: null, row: invitationRow("org_1", "ld_1", instant(2)) }),
    fc.constantFrom("in_review", "queued").map((state) => ({ draft: null, row: { ...mail, state } }))
  )
  const attempt = fc.integer({ min: 0, max: 2 })
  const delivery = { externalId: null, recordedAs: "msg_1", isFirst: false }
  const review = { reason: "draft_changed" } as const
  const choice = fc.record(
    {
      variationIndex: fc.integer({ min: -1, max: 3 }),
      bodyText: fc.constantFrom("x", " "),
      contentHash: fc.constantFrom(hash, "old")
    },
    { requiredKeys: [] }
  )
  /** Everything that may happen: a kind of event that is forgotten does not compile. */
  const happenings: { readonly [T in keyof Events]: fc.Arbitrary<Omit<Event<T>, "_tag">> } = {
    Revise: fc.record({ variations: texts, isReaddressed: fc.boolean() }).map((change) => ({ ...review, ...change })),
    Note: fc.constant({ ...review, draft: { steps: [] } }),
    Approve: choice.map((chosen) => ({ choice: chosen, contentHash: hash })),
    Judge: fc.boolean().map((isRejected) => ({ isRejected, email: {} })),
    Expire: fc.constant(review),
    Withdraw: fc.constant(review),
    Reopen: fc.constant(review),
    Cancel: fc.constant(review),
    Detach: fc.constant(review),
    Wait: fc.boolean().map((isHeld) => ({ reason: "spacing", notBefore: at, isHeld })),
    Start: fc.constant({}),
    Confirm: attempt.map((number) => ({ ...delivery, attempt: number })),
    FindPending: attempt.map((number) => ({ attempt: number })),
    AwaitRelation: attempt.map((number) => ({ attempt: number, notBefore: at, expiresAt: at, invitedAt: null })),
    Retry: attempt.map((number) => ({ attempt: number, reason: "unavailable", notBefore: at, failures: 1 })),
    Fail: attempt.map((number) => ({ attempt: number, reason: "blocked", detail: "no" })),
    Lose: fc.option(attempt).map((number) => ({ detail: "lost", ...(number === null ? {} : { attempt: number }) })),
    Bounce: fc.boolean().map((again) => ({ reason: "bounced_soft", detail: "no", notBefore: again ? at : null })),
    Postpone: fc.constant({ notBefore: at }),
    Block: fc.constant({ reason: "no_account", detail: "" }),
    Settle: fc.boolean().map((isSent) => ({ sent: isSent ? delivery : undefined, reason: "not_sent" })),
    Accept: fc.constant({}),
    Recall: fc.constant({})
  }
  const names = Object.keys(steps) as ReadonlyArray<keyof Events>
  const happening = fc.oneof(
    ...names.map((_tag) => happenings[_tag].map((event) => ({ ...event, _tag }) as Event)),
    // Without these, few get far.
    { weight: 4, arbitrary: fc.constant<Event>({ _tag: "Approve", choice: { bodyText: "x" }, contentHash: hash }) },
    { weight: 4, arbitrary: fc.constant<Event>({ _tag: "Start" }) }
  )

  it("ends, is fenced, and is sent only after it was being sent or was settled", () => {
    fc.assert(
      fc.property(births, fc.array(happening, { maxLength: 16 }), (birth, events) => {
        let life = birth
        for (const event of events) {
          const before = life
          const state = stateOf(before)
          const kind = before.draft === null ? before.row?.kind : "message"
          const result = decide(before, event, at)
          if (Result.isFailure(result)) continue
          const { effects, life: after } = result.success
          if (after === before) assert.isEmpty(effects)
          // What is over stays so, but for a draft that is reopened or noted on.
          if (kind === "message" ? state === "DISPATCHED" : isFinal(before.row?.state)) {
            assert.strictEqual(event._tag, "Note")
          }
          if (state === "CANCELLED") assert.include(["Note", "Reopen"], event._tag)
          const next = stateOf(after)
          if (next !== state && (next === "DISPATCHED" || next === "sent" || next === "pending")) {
            assert.isTrue(
              event._tag === "Settle" || state === "sending" || state === "ambiguous",
              `${event._tag} ${state}`
            )
          }
          if (next === "sending" && state !== "sending") assert.strictEqual(event._tag, "Start")
          if (state === "ambiguous" && next === "queued") assert.strictEqual(kind, "email")
          if ("attempt" in event && event.attempt !== undefined) {
            assert.strictEqual(event.attempt, before.row?.attempts)
            assert.include(["sending", "ambiguous"], state)
          }
          if (after.draft?.status === "PENDING_REVIEW")
            assert.deepEqual(selection(after), ["PENDING_REVIEW", null, null])
          if (after.draft?.status === "READY_TO_SEND") assert.match(after.draft.selectedBodyText ?? "", /\S/)
          if (after.row !== null && isFinal(after.row.state)) assert.isNull(after.row.notBefore)
          // The next message of an approved draft is queued beside the machine.
          const isFree = after.draft?.status === "READY_TO_SEND" && (after.row === null || isFinal(after.row.state))
          life = isFree ? carried(after, "queued") : after
        }
      }),
      { numRuns: effort(4_000) }
    )
  })

  const states = {
    message: ["PENDING_REVIEW", "READY_TO_SEND", "DISPATCHED", "CANCELLED", ...DraftQueueState.literals],
    invitation: InvitationState.literals,
    email: emailStates
  } as const
  const lives = [
    ...states.message.map((state): readonly [string, Life] => {
      const isStatus = Schema.is(DraftStatus)(state)
      const approvedLife = isStatus ? approved : carried(approved, state)
      const status = isStatus ? state : state === "sent" ? "DISPATCHED" : "READY_TO_SEND"
      const bare = status === "PENDING_REVIEW" ? three : approvedLife
      return [`message ${state}`, { ...bare, draft: { ...draftOf(bare), status } }]
    }),
    ...states.invitation.map((state): readonly [string, Life] => {
      return [`invitation ${state}`, { draft: null, row: { ...invitationRow("org_1", "ld_1", instant(2)), state } }]
    }),
    ...states.email.map((state): readonly [string, Life] => [
      `email ${state}`,
      { draft: null, row: { ...mail, state } }
    ])
  ]
  const refusals = ["WRONG_STATE", "DRAFT_FINAL", "DRAFT_IN_FLIGHT", "SEND_OUTCOME_UNKNOWN"]
  const own: Readonly<Record<string, ReadonlyArray<string>>> = {
    Approve: ["CONTENT_CHANGED", "DRAFT_EMPTY", "INVALID_INPUT", "VARIATION_REQUIRED"],
    Revise: ["INVALID_INPUT"]
  }

  it.each(lives)("of a life in state %s goes on or is refused for a declared reason, whatever happens", (_, life) => {
    const kind = life.draft === null ? life.row?.kind : "message"
    for (const name of names) {
      for (const event of fc.sample(happenings[name], 8)) {
        const result = decide(life, { ...event, _tag: name } as Event, at)
        const from: Readonly<Record<string, ReadonlyArray<string>>> = steps[name].from
        const isAllowed = from[kind ?? ""]?.includes(stateOf(life)) === true
        if (Result.isSuccess(result)) assert.isTrue(isAllowed, name)
        else assert.include([...refusals, ...(isAllowed ? (own[name] ?? []) : [])], result.failure.code, name)
        const isFenced = "attempt" in event || name === "Settle" || name in own
        assert.isTrue(Result.isSuccess(result) || !isAllowed || isFenced, `${name} in ${stateOf(life)}`)
      }
    }
  })
})
