import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import type { Identity } from "#core/leads/identity/Identity.ts"
import { readIdentityInput } from "#core/leads/identity/IdentityInput.ts"
import type { LinkedInAccount } from "#core/outreach/provider/LinkedInAccount.ts"
import { type FoundPerson, LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { Recipient } from "#core/outreach/provider/ProviderReads.ts"
import { layer, SimulatorLedger } from "#memory/simulator/SimulatedGateway.ts"
import { audienceSize, personAt } from "#memory/simulator/SimulatedPeople.ts"
import { effort } from "../../support/effort.ts"

const account = (id = "acc_1"): LinkedInAccount => ({
  id,
  organizationId: "org_a",
  agentId: "agt_1",
  gateway: "simulator",
  gatewayAccountId: "sim-agt_1",
  status: "OK",
  tier: "SALES_NAVIGATOR",
  features: ["sales_navigator"],
  createdAt: "2026-11-21T08:00:00.000Z",
  updatedAt: "2026-11-21T08:00:00.000Z"
})

const person = (slug: string | undefined, changes: Partial<Recipient> = {}): Recipient => {
  const identities: ReadonlyArray<Identity> = slug === undefined ? [] : [{ kind: "slug", value: slug, derived: false }]
  return { leadId: `ld_${slug}`, identities, invitedAt: null, ...changes }
}

const send = Effect.fnUntraced(function* (recipient: Recipient, from = account()) {
  const gateway = yield* LinkedInGateway
  return yield* gateway.startChat(from, { recipient, idempotencyKey: "que_1", text: "Hello" })
})

const stand = Effect.fnUntraced(function* (recipient: Recipient, from = account()) {
  const look = yield* (yield* LinkedInGateway).relation(from, recipient)
  return look._tag === "Known" ? `${look.relation.connected} ${look.relation.invitation}` : look._tag
})

const invite = Effect.fnUntraced(function* (recipient: Recipient) {
  const gateway = yield* LinkedInGateway
  const result = yield* gateway.sendInvitation(account(), { recipient, idempotencyKey: "que_1", note: null })
  return result._tag === "Refused" ? result.kind : result._tag
})

const searchUrl = (keywords: string, page?: number) =>
  `https://www.linkedin.com/sales/search/people?query=(keywords%3A${encodeURIComponent(keywords)})${
    page === undefined ? "" : `&page=${page}`
  }`

const search = Effect.fnUntraced(function* (url: string, cursor: string | null = null, limit = 25) {
  return yield* (yield* LinkedInGateway).searchPeople(account(), { url, cursor, limit })
})

const world = layer({ acceptSeconds: 30 })

describe("The simulated gateway", () => {
  it.effect("decides by the end of the public slug", () =>
    Effect.gen(function* () {
      const expected: ReadonlyArray<readonly [string | undefined, string, string]> = [
        ["grace", "true none", "Confirmed"],
        ["2nd-grace", "true none", "Confirmed"],
        ["grace-2nd", "false none", "Refused"],
        ["grace-blocked", "true none", "Refused"],
        ["grace-down", "Unavailable", "Unavailable"],
        ["grace-unknown", "true none", "Unknown"]
      ]
      for (const [slug, relation, result] of expected) {
        assert.strictEqual(yield* stand(person(slug)), relation, slug)
        assert.strictEqual((yield* send(person(slug)))._tag, result, slug)
      }
      const accepted = yield* (yield* SimulatorLedger).accepted
      assert.deepStrictEqual(
        accepted.map(({ leadId }) => leadId),
        ["ld_grace", "ld_2nd-grace", "ld_grace-unknown"],
        "what was lost on the way back did arrive"
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("takes two seconds for the slow", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(send(person("grace-slow")))
      yield* TestClock.adjust("1999 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Confirmed")
    }).pipe(Effect.provide(world))
  )

  it.effect("lets an invited person accept after a while, for the account that invited", () =>
    Effect.gen(function* () {
      const far = person("ida-2nd")
      assert.strictEqual(yield* invite(person("grace")), "already_connected")
      assert.strictEqual(yield* invite(far), "Confirmed")
      assert.strictEqual(yield* invite(far), "already_pending")
      assert.strictEqual(yield* stand(far), "false pending")
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* stand(far), "true none")
      assert.strictEqual(yield* stand(far, account("acc_2")), "false none")
      assert.strictEqual((yield* send(far))._tag, "Confirmed")
    }).pipe(Effect.provide(world))
  )

  it.effect("believes the caller's record of an invitation after a restart", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      const invitedAt = "1970-01-01T00:59:45.000Z"
      assert.strictEqual(yield* stand(person("ida-2nd", { invitedAt })), "false pending")
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* stand(person("ida-2nd", { invitedAt })), "true none")
    }).pipe(Effect.provide(world))
  )

  it.effect("gives every agent an account, and every message an id of its own", () =>
    Effect.gen(function* () {
      const gateway = yield* LinkedInGateway
      assert.deepStrictEqual(gateway.automaticAccount({ id: "agt_9" }), {
        gatewayAccountId: "sim-agt_9",
        tier: "SALES_NAVIGATOR",
        features: ["sales_navigator"]
      })
      const ids = new Set<string | null>()
      for (let i = 0; i < 5; i++) {
        const result = yield* send(person("grace"))
        if (result._tag === "Confirmed") ids.add(result.externalId)
      }
      assert.strictEqual(ids.size, 5)
    }).pipe(Effect.provide(world))
  )

  it.effect("finds the same sixty people of an audience, 25 a page", () =>
    Effect.gen(function* () {
      const all: Array<FoundPerson> = []
      let cursor: string | null = null
      const sizes: Array<number> = []
      do {
        const page: { people: ReadonlyArray<FoundPerson>; next: string | null; total: number } = yield* search(
          searchUrl("finance"),
          cursor,
          100
        )
        assert.strictEqual(page.total, 60)
        all.push(...page.people)
        sizes.push(page.people.length)
        cursor = page.next
      } while (cursor !== null)
      assert.deepStrictEqual(sizes, [25, 25, 10])
      assert.strictEqual(new Set(all.map(({ salesNavToken }) => salesNavToken)).size, 60)
      assert.strictEqual(new Set(all.map(({ publicSlug }) => publicSlug)).size, 60)
      assert.deepStrictEqual((yield* search(searchUrl("finance"))).people, all.slice(0, 25))
      assert.deepStrictEqual((yield* search(searchUrl("finance", 2))).people, all.slice(25, 50))
      assert.notDeepEqual((yield* search(searchUrl("sales"))).people[0], all[0])
      assert.strictEqual((yield* search(searchUrl("sim-3 people"))).people.length, 3)
      assert.deepStrictEqual(yield* search(searchUrl("sim-0")), { people: [], next: null, total: 0 })
      const lost = yield* Effect.flip(search(searchUrl("finance"), "nowhere"))
      assert.strictEqual(lost.code, "GATEWAY_REJECTED")
      const wrong = yield* Effect.flip(search("https://www.linkedin.com/in/grace"))
      assert.strictEqual(wrong.code, "NOT_A_PEOPLE_SEARCH")
    }).pipe(Effect.provide(world))
  )
})

describe("Simulated people", () => {
  it("are all readable as leads, and every third is not connected", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(2_499), (fingerprint, place) => {
        const found = personAt(fingerprint, place)
        assert.deepStrictEqual(personAt(fingerprint, place), found)
        assert.strictEqual(found.degree, place % 3 === 2 ? 2 : 1)
        assert.strictEqual(found.publicSlug?.endsWith("-2nd"), place % 3 === 2)
        const read = readIdentityInput(
          { linkedin_url: found.profileUrl, sales_nav_id: found.salesNavToken },
          { deriveMemberId: true }
        )
        assert.isTrue(Result.isSuccess(read))
        if (Result.isSuccess(read)) {
          const kinds = read.success.identities.map(({ kind }) => kind)
          assert.includeMembers([...kinds], ["sales_nav_token", "slug"])
          const member = read.success.identities.find(({ kind }) => kind === "member_id")
          assert.strictEqual(member?.value, found.memberId, "the token holds the member id")
        }
      }),
      { numRuns: effort(300) }
    )
  })

  it("are as many as the keywords say", () => {
    assert.deepStrictEqual(
      ["", "finance", "sim-7", "heads of sim-40 sales", "sim-9999", "sim-", "sim-x", "sim-1000000", "xsim-4"].map(
        audienceSize
      ),
      [60, 60, 7, 40, 2_500, 60, 60, 60, 60]
    )
    fc.assert(fc.property(fc.string(), (keywords) => audienceSize(keywords) >= 0 && audienceSize(keywords) <= 2_500))
  })
})
