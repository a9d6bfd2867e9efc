/** The pure parts of the review page, its safety rules first. */
import { assert, describe, it } from "@effect/vitest"
import { differenceOf } from "#console/draft/difference.ts"
import { verdictOf } from "#console/draft/guard.ts"
import { originOf, requestFacts } from "#console/draft/origin.ts"
import { inputText, isClean } from "#console/draft/Reading.ts"
import { segmentsOf } from "#console/draft/segments.ts"
import { actorName, peopleOf } from "#console/live/People.ts"
import { approval } from "#console/outbox/calls.ts"
import { type Decision, nextDue, undoOf } from "#console/outbox/Outbox.ts"
import { outcomeOf } from "#console/service/outcome.ts"
import type { Details } from "#console/service/shapes.ts"

const target = { itemId: "drf_1", contentHash: "hash", variation: 0 }
const read: Parameters<typeof verdictOf>[0] = {
  at: 1300,
  isRepeat: false,
  target,
  shown: { ...target, at: 1000 },
  isReviewable: true,
  isSaving: false,
  isRead: true,
  hasErrors: false,
  confirmedAt: undefined
}

describe("a key press that approves", () => {
  it("approves a text that was shown for 300 ms, and not a millisecond less", () => {
    assert.strictEqual(verdictOf(read), "approve")
    assert.strictEqual(verdictOf({ ...read, at: 1299 }), "ignore")
  })

  it("is ignored before the text came, and while the key repeats", () => {
    assert.strictEqual(verdictOf({ ...read, at: 900 }), "ignore")
    assert.strictEqual(verdictOf({ ...read, isRepeat: true }), "ignore")
    assert.strictEqual(verdictOf({ ...read, target: undefined }), "loading")
    assert.strictEqual(verdictOf({ ...read, shown: undefined }), "ignore")
  })

  it("is ignored when another item, text or variation is on the screen", () => {
    for (const other of [{ itemId: "drf_2" }, { contentHash: "changed" }, { variation: 1 }]) {
      assert.strictEqual(verdictOf({ ...read, target: { ...target, ...other } }), "ignore")
    }
  })

  it("approves an error only after a second press, 300 ms after the first", () => {
    const wrong = { ...read, hasErrors: true }
    assert.strictEqual(verdictOf(wrong), "confirm")
    assert.strictEqual(verdictOf({ ...wrong, confirmedAt: 1001 }), "ignore")
    assert.strictEqual(verdictOf({ ...wrong, confirmedAt: 1000 }), "approve")
  })

  it("approves nothing that is unsaved, not read to its end, or not in review", () => {
    assert.strictEqual(verdictOf({ ...read, isSaving: true }), "saving")
    assert.strictEqual(verdictOf({ ...read, isRead: false }), "scroll")
    assert.strictEqual(verdictOf({ ...read, isReviewable: false }), "closed")
  })
})

describe("a batch approval", () => {
  it("takes drafts with hints, and none with a warning or an error", () => {
    const draft = { variations: [{ body_text: "Hi" }], selected_body_text: null }
    const found = (...severities: ReadonlyArray<string>) =>
      ({
        item: { kind: "message", state: "in_review" },
        draft,
        findings: severities.map((severity) => ({ severity }))
      }) as unknown as Details
    assert.isTrue(isClean(found()))
    assert.isTrue(isClean(found("info", "info")))
    assert.isFalse(isClean(found("info", "warning")))
    assert.isFalse(isClean(found("error")))
  })
})

describe("the name of an actor", () => {
  const people = peopleOf({
    people: [
      { user_id: "usr_1", actor_kind: "USER", name: "Lea" },
      { user_id: "usr_2", actor_kind: "AI_AGENT", name: "Claude" }
    ]
  })
  it("is that of the key, and never an id of ours", () => {
    assert.strictEqual(actorName(people, "USER", "usr_1"), "Lea")
    assert.strictEqual(actorName(people, "AI_AGENT", "usr_2"), "Claude")
    assert.strictEqual(actorName(people, "USER", "usr_2"), "Claude")
    assert.strictEqual(actorName(people, "AI_AGENT", "usr_1"), "the AI agent of Lea")
    assert.strictEqual(actorName(people, "USER", "usr_3"), "someone else")
    assert.strictEqual(actorName(new Map(), "USER", "usr_3"), "…", "before the names were read")
    assert.strictEqual(actorName(people, "AI_AGENT", "usr_3"), "an AI agent")
    assert.strictEqual(actorName(people, "USER", "grace@example.com"), "grace@example.com")
    assert.strictEqual(actorName(people, "SYSTEM", "worker"), "the service")
  })
})

describe("the history of an item", () => {
  const step = { at: "2026-11-23T12:00:00.000Z", user_id: "usr_1", key_id: null, client: null, model: null } as const
  const created = {
    ...step,
    action: "created",
    actor_kind: "AI_AGENT",
    client: { name: "sales-bot", version: "1.2" },
    model: "writer-4"
  } as const
  const people = peopleOf({ people: [{ user_id: "usr_1", actor_kind: "USER", name: "Lea" }] })
  it("names people, programs and models", () => {
    const approved = { ...step, action: "approved_with_edits", actor_kind: "USER" } as const
    const [first, second] = originOf(people, [created, approved])
    assert.match(first ?? "", /^Written by the AI agent of Lea with sales-bot 1\.2 \(model writer-4\), Mon 23 Nov, /)
    assert.match(second ?? "", /^Approved with edits by Lea, Mon 23 Nov, /)
    assert.match(originOf(people, [{ ...created, client: { name: "bot", version: null } }])[0] ?? "", / with bot \(/)
  })
  it("shows the first step and the latest four, and says how many are left out", () => {
    const changes = Array.from({ length: 9 }, () => ({ ...step, action: "updated", actor_kind: "USER" }) as const)
    const lines = originOf(people, [created, ...changes])
    assert.lengthOf(lines, 6)
    assert.match(lines[0] ?? "", /^Written/)
    assert.strictEqual(lines[1], "… 5 more …")
    assert.lengthOf(originOf(people, [created, ...changes.slice(0, 4)]), 5)
  })
})

describe("an approval", () => {
  const details = (kind: string) =>
    ({
      content_hash: "h",
      draft: kind === "message" ? { variations: [{}], lead: { linkedin_url: "u" } } : null,
      item: { item_id: "i", kind, lead: { name: "Grace" } }
    }) as unknown as Details

  it("is for now, in turn or from a time on, as far as the item can be", () => {
    const inputOf = (...given: Parameters<typeof approval>) => approval(...given)?.call.input
    const morning = { not_before: "next_morning" }
    const hashed = { draft_id: "i", content_hash: "h", profile_url: "u" }
    assert.deepStrictEqual(inputOf(details("message"), 0), hashed)
    assert.deepStrictEqual(inputOf(details("message"), 0, { send_now: true }), { ...hashed, send_now: true })
    assert.deepStrictEqual(inputOf(details("message"), 0, morning), { ...hashed, not_before: "next_morning" })
    assert.deepStrictEqual(inputOf(details("email"), 0, morning), {
      review_id: "i",
      decision: "approve",
      not_before: "next_morning",
      content_hash: "h"
    })
    assert.isUndefined(inputOf(details("email"), 0, { send_now: true }))
    assert.isUndefined(inputOf(details("approval"), 0, morning))
    assert.strictEqual(
      approval(details("message"), 0, morning)?.label,
      "Approved for Grace, from the next working morning on"
    )
  })
})

describe("a difference", () => {
  it("is of whole words, and has both texts in it", () => {
    const [before, after] = ["Hi Ada, one question about June.", "Hi Ada, this is another text.\n\nBest"]
    const changes = differenceOf(before, after)
    assert.deepStrictEqual(changes, [
      { kind: "same", text: "Hi Ada, " },
      { kind: "removed", text: "one question about June." },
      { kind: "added", text: "this is another text.\n\nBest" }
    ])
  })
})

describe("the input of a held command", () => {
  it("is a line for each field", () => {
    const input = { offer_id: "o", oneLiner: "a\nb", is_draft: true, tags: ["x", 1], more: { deep: null }, none: null }
    assert.strictEqual(
      inputText(input),
      'Offer id: o\nOne liner:\na\nb\nIs draft: yes\nTags: x, 1\nMore:\n{\n  "deep": null\n}\nNone: none'
    )
  })
})

describe("the words of findings", () => {
  it("are marked with the worst severity, and the parts are the text", () => {
    const text = "Hi {{name}}, 44%"
    const segments = segmentsOf(text, [
      { start: 3, end: 11, severity: "warning" },
      { start: 5, end: 9, severity: "error" },
      { start: null, end: null, severity: "error" }
    ])
    assert.strictEqual(segments.map((segment) => segment.text).join(""), text)
    assert.deepStrictEqual(
      segments.map(({ severity }) => severity),
      [undefined, "warning", "error", "warning", undefined]
    )
  })
})

describe("decisions that wait", () => {
  const decision = (id: string, item_id: string, notBefore: number, tried = false) =>
    ({ id, owner: "Acme/Lea", item: { item_id }, notBefore, tried, reverse: null }) as unknown as Decision

  it("keep their order per item, and are never sent as somebody else", () => {
    const waiting = [decision("1", "a", 500), decision("2", "a", 0), decision("3", "b", 0)]
    assert.strictEqual(nextDue(waiting, "Acme/Lea", 100), waiting[2])
    assert.deepStrictEqual(nextDue(waiting.slice(0, 2), "Acme/Lea", 100), { wait: 400 })
    assert.isUndefined(nextDue(waiting, "Acme/Ben", 100))
  })

  it("are forgotten when undone before they were sent, and reversed after, if that is possible", () => {
    const unsent = decision("1", "a", 0)
    assert.strictEqual(undoOf(unsent, [unsent]), "forget")
    assert.strictEqual(undoOf(unsent, [{ ...unsent, tried: true }]), "impossible")
    const reversible = { ...unsent, reverse: { command: "linkedin.draft.reopen", input: {} } }
    assert.strictEqual(undoOf(reversible, []), "reverse")
  })
})

describe("a response", () => {
  it("refuses a decision only when sending it again could not succeed", () => {
    const kindOf = (status: number, code: string) => {
      const outcome = outcomeOf(status, { ok: false, error: { code } }, null)
      return outcome.ok ? "ok" : outcome.problem.kind
    }
    assert.strictEqual(kindOf(409, "CONTENT_CHANGED"), "refused")
    assert.strictEqual(kindOf(409, "IDEMPOTENCY_IN_PROGRESS"), "running")
    assert.strictEqual(kindOf(503, "UNAVAILABLE"), "unavailable")
    assert.strictEqual(kindOf(401, "UNAUTHENTICATED"), "signed_out")
  })
})

describe("an approval request", () => {
  const request: Parameters<typeof requestFacts>[0] = {
    approval_request_id: "apr_1",
    state: "pending",
    command_id: "offer.create",
    command_hash: "h",
    requested_by: { kind: "AI_AGENT", user_id: "usr_1", key_id: "k" },
    requested_at: "2026-11-23T08:00:00.000Z",
    expires_at: "2026-11-30T08:00:00.000Z",
    approvers: null,
    link: "/review/d/apr_1",
    ask_again_after_seconds: 30,
    resolved_by: null,
    resolved_at: null,
    decided_through: null,
    client_answer: null,
    reason: "",
    outcome: null
  }
  const people = new Map([
    ["USER usr_1", "Ada"],
    ["USER usr_2", "Ben"],
    ["USER usr_3", "Cy"]
  ])
  const facts = (changes: Partial<typeof request>) =>
    requestFacts({ ...request, ...changes }, people, (instant) => instant.slice(0, 10))

  it("says who asked, until when it can be decided, and by whom", () => {
    assert.deepStrictEqual(facts({}), ["Approval request of the AI agent of Ada", "expires 2026-11-30"])
    assert.strictEqual(facts({ approvers: ["usr_2"] })[2], "decided by Ben")
    assert.strictEqual(facts({ approvers: ["usr_1", "usr_2", "usr_3"] })[2], "decided by Ada, Ben or Cy")
  })

  it("says what became of it", () => {
    const by = {
      resolved_by: { kind: "USER" as const, user_id: "usr_2", key_id: null },
      resolved_at: "2026-11-24T08:00Z"
    }
    assert.deepStrictEqual(facts({ ...by, state: "approved" }).slice(1), ["approved by Ben", "2026-11-24"])
    const client = { ...by, state: "rejected" as const, decided_through: "An editor" }
    assert.deepStrictEqual(facts(client).slice(1), ["rejected by Ben in An editor", "2026-11-24"])
    assert.deepStrictEqual(facts({ state: "expired" }).slice(1), ["expired 2026-11-30"])
  })
})
