import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { tokenKindOf } from "#core/leads/identity/Identity.ts"
import type { FoundPerson } from "#core/outreach/provider/LinkedInGateway.ts"
import type { Script } from "../support/fakeUnipile/Script.ts"
import { personOf } from "../support/fakeUnipile/World.ts"
import { account, bySlug, impatient, type Setting, to, withFake } from "./unipileWorld.ts"

const search = "https://www.linkedin.com/sales/search/people?query=(keywords%3Aceo)"

const allPages = Effect.fnUntraced(function* ({ gateway }: Setting) {
  const people: Array<FoundPerson> = []
  let cursor: string | null = null
  do {
    const page: { people: ReadonlyArray<FoundPerson>; next: string | null; total: number } =
      yield* gateway.searchPeople(account, { url: search, cursor, limit: 100 })
    people.push(...page.people)
    cursor = page.next
    assert.strictEqual(page.total, 2_500)
  } while (cursor !== null)
  return people
})

describe("a people search", () => {
  it.live("reads 2,500 rows, over a page that fails twice", () =>
    withFake([], (setting) =>
      Effect.gen(function* () {
        Object.assign(setting.fake.search, { total: 2_500, failAtPage: 13, failures: 2 })
        const people = yield* allPages(setting)
        assert.strictEqual(new Set(people.map(({ salesNavToken }) => salesNavToken)).size, 2_500)
        const [first, second] = people
        assert.strictEqual(tokenKindOf(first?.salesNavToken ?? ""), "sales_nav_token")
        assert.deepInclude(first, {
          firstName: "Found",
          publicSlug: "found-0-row",
          jobTitle: "Head of Sales",
          company: "Northwind Foods",
          degree: 1,
          memberId: String(personOf("found-0-row").memberId)
        })
        assert.strictEqual(second?.publicSlug ?? null, null)
      })
    )
  )

  it.live("fails as the port says", () =>
    withFake([], (setting) =>
      Effect.gen(function* () {
        const { fake, gateway } = setting
        const code = (cursor: string | null, url = search) =>
          Effect.map(Effect.flip(gateway.searchPeople(account, { url, cursor, limit: 25 })), (failure) => failure.code)
        Object.assign(fake.search, { total: 100, failAtPage: 1, failures: 3 })
        assert.strictEqual(yield* code(null), "GATEWAY_ERROR")
        const { next } = yield* gateway.searchPeople(account, { url: search, cursor: null, limit: 25 })
        fake.advance(3_600_001)
        assert.strictEqual(yield* code(next), "GATEWAY_REJECTED")
        assert.strictEqual(yield* code(null, "https://www.linkedin.com/feed"), "GATEWAY_REJECTED")
        const answers: ReadonlyArray<readonly [Script["answer"], string]> = [
          [{ status: 429, type: "errors/too_many_requests", headers: { "retry-after": "7" } }, "USAGE_LIMIT"],
          [{ status: 503, type: "errors/no_channel" }, "UNAVAILABLE"],
          [{ status: 401, type: "errors/missing_credentials" }, "GATEWAY_UNCONFIGURED"],
          [{ status: 403, type: "errors/account_restricted" }, "GATEWAY_REJECTED"],
          [{ status: 200, body: "<html>" }, "GATEWAY_ERROR"],
          [{ status: 200, body: '{"items":"none"}' }, "GATEWAY_ERROR"],
          [{ status: 200, body: '{"items":[],"cursor":7}' }, "GATEWAY_ERROR"],
          [{ status: 403, body: "<html>" }, "GATEWAY_ERROR"],
          ["drop", "GATEWAY_ERROR"]
        ]
        for (const [answer, expected] of answers) {
          fake.scripts.clear()
          fake.scripts.add({ action: "search", accept: true, answer })
          assert.strictEqual(yield* code(null), expected, JSON.stringify(answer))
        }
      })
    )
  )

  it.live("ends when no answer comes", () =>
    withFake(
      [],
      ({ fake, gateway }) =>
        Effect.gen(function* () {
          fake.scripts.add({ action: "search", accept: true, answer: "stall" })
          const failure = yield* Effect.flip(gateway.searchPeople(account, { url: search, cursor: null, limit: 25 }))
          assert.strictEqual(failure.code, "GATEWAY_ERROR")
        }),
      impatient
    )
  )

  it.live("leaves out rows that name nobody", () =>
    withFake([], ({ fake, gateway }) =>
      Effect.gen(function* () {
        const good = personOf("ann").salesToken
        const items = [{ id: good, name: "Ann", current_positions: [7] }, { id: 7 }, null, { id: "ACoAAx" }, "x"]
        const body = JSON.stringify({ items, cursor: null, paging: { total_count: -5 } })
        fake.scripts.add({ action: "search", accept: true, answer: { status: 200, body } })
        const page = yield* gateway.searchPeople(account, { url: search, cursor: null, limit: 25 })
        assert.deepStrictEqual(
          page.people.map(({ salesNavToken }) => salesNavToken),
          [good]
        )
        assert.strictEqual(page.total, 0)
      })
    )
  )
})

describe("a look at a relation", () => {
  it.live("is repeated twice after a 5xx, and no more", () =>
    withFake(["ann"], ({ fake, gateway }) =>
      Effect.gen(function* () {
        const failing = { action: "profile", accept: true, answer: { status: 502, body: "<html>" } } as const
        fake.scripts.add({ ...failing, times: 2 })
        assert.strictEqual((yield* gateway.relation(account, bySlug("ann")))._tag, "Known")
        fake.scripts.add({ ...failing, times: 3 })
        assert.strictEqual((yield* gateway.relation(account, bySlug("ann")))._tag, "Unavailable")
      })
    )
  )

  it.live("never guesses", () =>
    withFake(["ann", "bob"], ({ fake, gateway }) =>
      Effect.gen(function* () {
        const bob = personOf("bob").profileToken
        const byTokenOfAnn = {
          ...bySlug("ann"),
          identities: [{ kind: "profile_token", value: personOf("ann").profileToken, derived: false } as const]
        }
        const answers = [
          `{"provider_id":"${bob}","network_distance":"FIRST_DEGREE"}`,
          `{"provider_id":"${personOf("ann").profileToken}"}`,
          `{"provider_id":"${personOf("ann").profileToken}","network_distance":"CLOSE","is_relationship":"yes"}`,
          '{"provider_id":7,"network_distance":"FIRST_DEGREE"}',
          "[]",
          "null",
          "",
          "<html>"
        ]
        for (const body of answers) {
          fake.scripts.clear()
          fake.scripts.add({ action: "profile", accept: true, answer: { status: 200, body } })
          const look = yield* gateway.relation(account, byTokenOfAnn)
          assert.strictEqual(look._tag, "Unavailable", body)
        }
        const nobody = yield* gateway.relation(account, bySlug("nobody-here"))
        assert.deepInclude(nobody, { _tag: "Refused", kind: "unreachable" })
        const unknown = yield* gateway.relation(account, { leadId: "ld_1", identities: [], invitedAt: null })
        assert.deepInclude(unknown, { _tag: "Refused", kind: "unreachable", providerCode: "svc/no_linkedin_identity" })
      })
    )
  )

  it.live("takes no group, no locked and no foreign conversation for the one with the person", () =>
    withFake(["ann"], ({ fake, gateway }) =>
      Effect.gen(function* () {
        const attendee_provider_id = personOf("ann").profileToken
        const chat = { account_id: "ua-1", attendee_provider_id, timestamp: "2026-01-01T00:00:00.000Z", type: 0 }
        const items = [
          { ...chat, id: "group", type: 1 },
          { ...chat, id: "locked", read_only: 1 },
          { ...chat, id: "inmail", content_type: "inmail" },
          { ...chat, id: "foreign", account_id: "ua-2" },
          { ...chat, id: "other", attendee_provider_id: personOf("bob").profileToken },
          { ...chat, id: "older" },
          { ...chat, id: "newer", timestamp: "2026-02-01T00:00:00.000Z" }
        ]
        const body = JSON.stringify({ items })
        fake.scripts.add({ action: "chats", accept: true, answer: { status: 200, body } })
        const look = yield* gateway.relation(account, bySlug("ann"))
        assert.strictEqual(look._tag === "Known" && look.relation.chatId, "newer")
      })
    )
  )

  it.live("keeps identities inside their place of the path", () =>
    withFake(["ann"], ({ fake, gateway }) =>
      Effect.gen(function* () {
        for (const slug of ["..", ".", "../accounts", "a/b?c=d#e", "\ud800", "", "%2e%2e"]) {
          yield* gateway.relation(account, bySlug(slug))
          yield* gateway.sendToChat(account, { ...to(bySlug("ann")), chatId: slug, text: "x" })
        }
        for (const { method, path } of fake.seen) {
          assert.isTrue(path.startsWith(method === "GET" ? "/api/v1/users/" : "/api/v1/chats/"), path)
          assert.isTrue(method === "GET" || path.endsWith("/messages"), path)
        }
      })
    )
  )
})

describe("messages and relations", () => {
  it.live("are read a page at a time, since an instant", () =>
    withFake(["ann", "bea-2nd"], ({ fake, gateway }) =>
      Effect.gen(function* () {
        const chat = fake.world.openChat("ua-1", "ann")
        fake.world.write(chat, "old", false)
        fake.advance(60_000)
        const since = new Date(fake.world.now()).toISOString()
        fake.world.write(chat, "news\u0000", false)
        yield* gateway.sendToChat(account, { ...to(bySlug("ann")), chatId: chat.id, text: "answer" })
        const query = { chatId: null, since, cursor: null }
        const { messages, next } = yield* gateway.listMessages(account, query)
        assert.strictEqual(next, null)
        const told = messages.map(({ direction, text, sender }) => [direction, text, sender?.identities[0]?.kind])
        assert.deepStrictEqual(told, [
          ["outbound", "answer", "profile_token"],
          ["inbound", "news", "profile_token"]
        ])
        const one = yield* gateway.listMessages(account, { ...query, chatId: chat.id })
        assert.deepStrictEqual(one.messages, messages)
        yield* gateway.sendInvitation(account, { ...to(bySlug("bea-2nd")), note: null })
        fake.advance(31_000)
        const made = yield* gateway.listRelations(account, { since, cursor: null })
        assert.deepStrictEqual(
          made.relations.map(({ person }) => person.fullName),
          ["Bea 2nd"]
        )
        const later = new Date(fake.world.now() + 1).toISOString()
        assert.deepStrictEqual(yield* gateway.listRelations(account, { since: later, cursor: null }), {
          relations: [],
          next: null
        })
        assert.strictEqual(yield* gateway.findChat(account, bySlug("ann")), chat.id)
        assert.strictEqual(yield* gateway.findChat(account, bySlug("bea-2nd")), null)
        const profile = yield* gateway.resolveProfile(account, bySlug("bea-2nd").identities)
        assert.deepInclude(profile, { connected: true, degree: 1, invitation: "none" })
        const nobody = yield* Effect.flip(gateway.resolveProfile(account, bySlug("nobody").identities))
        assert.strictEqual(nobody.code, "NOT_FOUND")
      })
    )
  )
})

describe("accounts", () => {
  it.live("are looked up, and linked through a page", () =>
    withFake([], ({ fake, gateway }) =>
      Effect.gen(function* () {
        const { connectLink, find } = gateway.accounts
        assert.isDefined(find)
        assert.isDefined(connectLink)
        fake.world.addAccount("ua-2", []).status = "CREDENTIALS"
        fake.world.addAccount("ua-3", ["premium"]).status = "STOPPED"
        const shown = yield* Effect.forEach(["ua-1", "ua-2", "ua-3"], find)
        assert.deepStrictEqual(
          shown.map(({ status, tier }) => [status, tier]),
          [
            ["OK", "SALES_NAVIGATOR"],
            ["CREDENTIALS", "FREE"],
            ["STOPPED", "PREMIUM"]
          ]
        )
        assert.strictEqual((yield* Effect.flip(find("ua-9"))).code, "NOT_FOUND")
        const url = yield* connectLink({
          state: "signed state",
          expiresAt: "2026-12-01T00:00:00.000Z",
          notifyUrl: "https://svc.example/hook",
          reconnect: "ua-2"
        })
        assert.strictEqual(url, `${fake.url}/hosted?name=signed%20state`)
        assert.deepInclude(fake.seen.at(-1)?.body, { type: "reconnect", reconnect_account: "ua-2", api_url: fake.url })
      })
    )
  )
})
