import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { canonicalJson } from "#core/kernel/schema/Hash.ts"
import { displayName } from "#core/leads/decideWrite.ts"
import type { LeadStatus } from "#core/leads/LeadStatus.ts"
import { type ActionFacts, nextAction } from "#core/leads/NextAction.ts"
import { MissionStatus } from "#core/missions/MissionStatus.ts"
import { leadIdentities, leads } from "#memory/leads/LeadTables.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { effort } from "../../support/effort.ts"
import { ask } from "../../support/World.ts"
import { tokenOf } from "./identity/arbitraries.ts"
import { events, leadWorld } from "./leadWorld.ts"

const few = <A>(...values: ReadonlyArray<A>) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 })

/** Inputs about a handful of people, so that identifiers meet often. */
const input = fc
  .record({
    email: few("a@example.com", "b@example.com", "B@EXAMPLE.COM"),
    custom_id: few("1", "2"),
    linkedin_url: few("linkedin.com/in/a", "https://www.linkedin.com/in/B/"),
    linkedin_id: few(tokenOf(0x2a, 1), tokenOf(0x2a, 2), "urn:li:member:1"),
    sales_nav_id: few(tokenOf(0x2c, 1), `${tokenOf(0x2c, 2)},NAME_SEARCH,x`),
    name: few("Ada", "Grace"),
    company: few("C", ""),
    phone: fc.constantFrom(undefined, null, "1"),
    score: few(0, 7),
    skills: few<ReadonlyArray<string>>([], ["x"]),
    status: few("Replied", "Interested"),
    on_conflict: few("prefer_strongest", "merge")
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)))

/** Everything that is stored of leads. */
const state = Effect.flatMap(MemoryStore, (store) =>
  store.read("org_a", (tables) =>
    canonicalJson([
      tables.all(leads).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      tables
        .all(leadIdentities)
        .map(({ kind, leadId, value }) => `${kind} ${value} ${leadId}`)
        .toSorted()
    ])
  )
)

const check = <A>(arbitrary: fc.Arbitrary<A>, law: (value: A) => Effect.Effect<void, unknown, never>) =>
  fc.assert(
    fc.asyncProperty(arbitrary, (value) => Effect.runPromise(Effect.provide(law(value), TestClock.layer()))),
    { numRuns: effort(120) }
  )

describe("lead.upsert", () => {
  it("the same call again changes nothing and states nothing, whatever happened before", () =>
    check(fc.array(input, { minLength: 1, maxLength: 8 }), (inputs) =>
      Effect.gen(function* () {
        for (const one of inputs) {
          const { envelope: first } = yield* ask("lead.upsert", one)
          const stored = yield* state
          const told = (yield* events).length
          const { envelope: second } = yield* ask("lead.upsert", one)
          assert.deepStrictEqual(second.ok, first.ok, JSON.stringify([first, second]))
          if (first.ok && second.ok) assert.deepStrictEqual(second.data, first.data)
          assert.strictEqual(yield* state, stored)
          assert.strictEqual((yield* events).length, told)
        }
      }).pipe(Effect.provide(leadWorld))
    ))

  it("the order in which fields are written does not matter", () =>
    check(fc.array(input, { minLength: 1, maxLength: 6 }), (inputs) =>
      Effect.gen(function* () {
        const outcome = (list: ReadonlyArray<object>) =>
          Effect.gen(function* () {
            const answers: Array<unknown> = []
            for (const one of list) {
              const { envelope } = yield* ask("lead.upsert", one)
              answers.push(envelope.ok ? envelope.data : envelope.error.code)
            }
            return canonicalJson([answers, yield* state])
          }).pipe(Effect.provide(leadWorld))
        const reversed = inputs.map((one) => Object.fromEntries(Object.entries(one).reverse()))
        assert.strictEqual(yield* outcome(reversed), yield* outcome(inputs))
      })
    ))
})

describe("displayName", () => {
  it("reads names out of slugs and addresses, and has none for ids", () => {
    const of = (kind: "slug" | "email" | "custom_id", value: string) => displayName([{ kind, value, derived: false }])
    assert.strictEqual(of("slug", "grace-hopper-1a2b3"), "Grace Hopper")
    assert.strictEqual(of("slug", "12345"), "12345")
    assert.strictEqual(of("slug", "élodie"), "Élodie")
    assert.strictEqual(of("email", "grace.hopper+crm@example.com"), "Grace Hopper Crm")
    assert.strictEqual(of("email", "1@example.com"), "1@example.com")
    assert.isUndefined(of("custom_id", "grace"))
  })
})

describe("nextAction", () => {
  it("asks for nothing that a suppressed lead may not have", () => {
    const facts = fc.record({
      lastInboundAt: fc.constantFrom(null, "2026-11-21T08:00:09.000Z"),
      lastOutboundAt: fc.constantFrom(null, "2026-11-21T08:00:01.000Z"),
      snoozedUntil: fc.constantFrom(null, "2026-11-21T09:00:00.000Z", "2026-11-21T09:00:01.000Z"),
      draftRequest: fc.constantFrom(null, null, {
        instructions: "Thank her",
        missionId: null,
        userId: "usr_1",
        actorKind: "USER" as const,
        at: "2026-11-21T08:00:00.000Z"
      }),
      hasAmbiguousSend: fc.boolean(),
      openDraft: fc.constantFrom(
        null,
        "PENDING_REVIEW" as const,
        "REWRITE_REQUESTED" as const,
        "SNOOZED" as const,
        "READY_TO_SEND" as const
      ),
      missions: fc.subarray([...MissionStatus.literals]),
      isSuppressed: fc.boolean(),
      followUp: fc.constantFrom(null, { missionId: "mis_1", step: 0, dueAt: "2026-11-22T08:00:00.000Z" }),
      relation: fc.constantFrom(null, { connected: true, invitedAt: "2026-11-21T08:00:00.000Z" }),
      headline: fc.constantFrom("", "CTO"),
      jobTitle: fc.constant(""),
      company: fc.constantFrom("", "Initech"),
      email: fc.constantFrom("", "a@example.com"),
      linkedinUrl: fc.constantFrom("", "https://www.linkedin.com/in/a")
    })
    const today = "2026-11-21T09:00:00.000Z"
    const action = (one: Omit<ActionFacts, "status">, status: LeadStatus, at = today) =>
      nextAction({ ...one, status }, at)
    fc.assert(
      fc.property(facts, (one) => {
        assert.isNull(action(one, "DoNotContact"))
        if (one.isSuppressed) {
          assert.isNull(action(one, "New"))
          return
        }
        if (one.draftRequest !== null) {
          assert.strictEqual(action(one, "Replied"), "draft_requested")
          return
        }
        if (one.lastInboundAt !== null) {
          const isSnoozed = one.snoozedUntil !== null && one.snoozedUntil > today
          assert.strictEqual(action(one, "Replied"), isSnoozed ? null : "reply_waiting")
        }
        if (action(one, "New") === "draft_missing") assert.isNull(one.openDraft)
        if (action(one, "New") === "enrich") assert.strictEqual(one.linkedinUrl, "")
        if (action(one, "Waiting") === "invite_accepted") assert.isNull(one.lastOutboundAt ?? one.openDraft)
        assert.notStrictEqual(action(one, "Contacted"), "stale")
        if (action(one, "Contacted", "2026-11-28T08:00:01.000Z") === "stale") assert.isNotNull(one.lastOutboundAt)
      })
    )
  })
})
