/** What comes in from LinkedIn, on every backend: messages, relations, account states and links, whatever their order. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { runAsService } from "#core/kernel/background/Worker.ts"
import { isoFromMillis, now } from "#core/kernel/schema/IdsAndTime.ts"
import { CursorSecret } from "#core/kernel/schema/Page.ts"
import { handleEvent } from "#core/outreach/conversations/InboundReceiver.ts"
import { pollInboxes } from "#core/outreach/conversations/pollInboxes.ts"
import { receiveLink } from "#core/outreach/conversations/receiveAccount.ts"
import { GatewayError, GatewayUnconfigured } from "#core/outreach/failures.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import { writeLinkState } from "#core/outreach/provider/LinkedInAccount.ts"
import { LinkedInGateway, sendingOnly } from "#core/outreach/provider/LinkedInGateway.ts"
import type { ConversationMessage, InboundEvent, NewRelation } from "#core/outreach/provider/ProviderReads.ts"
import { lead } from "../core/linkedin/linkedInWorld.ts"
import { effort } from "../support/effort.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { ok, verdict, type World } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"

/** What the provider has to tell; each test says it. */
interface Provider {
  messages: ReadonlyArray<ConversationMessage>
  relations: ReadonlyArray<NewRelation>
  connected: ReadonlySet<string>
  isDown: boolean
  /** What happens while it is asked about a person. */
  meanwhile: Effect.Effect<unknown>
}

const quiet: Provider = { messages: [], relations: [], connected: new Set(), isDown: false, meanwhile: Effect.void }
const provider: Provider = { ...quiet }

const nothing = Effect.fail(new GatewayUnconfigured())
const down = new GatewayError({ message: "The provider failed (503). Retry later." })
const answer = <A>(make: () => A) =>
  Effect.suspend(() => (provider.isDown ? Effect.fail(down) : Effect.succeed(make())))

const slugOf = (identities: ReadonlyArray<{ readonly kind: string; readonly value: string }>): string =>
  identities.find(({ kind }) => kind === "slug")?.value ?? ""

/** The accounts that the provider was asked about, since a test emptied it. */
const asked: Array<string> = []

const gateway = Layer.succeed(LinkedInGateway, {
  ...sendingOnly,
  accounts: {
    ...sendingOnly.accounts,
    find: (id) =>
      Effect.sync(() => {
        asked.push(id)
        return { status: "OK", tier: "FREE", features: [] } as const
      })
  },
  name: "unipile",
  automaticAccount: () => undefined,
  relation: (_account, { identities }) =>
    Effect.sync(() => {
      if (provider.isDown) return { _tag: "Unavailable", detail: "The provider failed (503)." } as const
      const connected = provider.connected.has(slugOf(identities))
      const chatId = connected ? `chat-${slugOf(identities)}` : null
      return { _tag: "Known", relation: { connected, chatId, invitation: "none" } } as const
    }).pipe(Effect.tap(() => Effect.suspend(() => provider.meanwhile))),
  sendToChat: () => Effect.succeed({ _tag: "Confirmed", messageId: null, externalId: null } as const),
  startChat: () => Effect.succeed({ _tag: "Confirmed", messageId: null, externalId: null } as const),
  sendInvitation: () => Effect.succeed({ _tag: "Confirmed", messageId: "inv", externalId: null } as const),
  searchPeople: () => nothing,
  resolveProfile: (_account, [identity]) =>
    answer(() => ({
      ...personOf(identity?.value.replace("token-", "") ?? ""),
      headline: "",
      degree: 1,
      connected: true,
      invitation: "none" as const
    })),
  findChat: () => Effect.succeed(null),
  listMessages: (_account, { chatId, since }) =>
    answer(() => ({
      messages: provider.messages.filter((one) => one.at >= since && (chatId === null || chatId === one.chatId)),
      next: null
    })),
  listRelations: () => answer(() => ({ relations: provider.relations, next: null })),
  withdrawInvitation: () => Effect.succeed({ _tag: "Confirmed", messageId: null, externalId: null } as const)
})

const slug = (n: number): string => `person-${n}`
const personOf = (name: string) => ({
  providerId: `id-${name}`,
  identities: [{ kind: "slug" as const, value: name, derived: false }],
  fullName: name,
  profileUrl: null,
  pictureUrl: null
})

/** When the current test began, which it takes for nine o'clock: the clock of a shared layer only runs forwards. */
let base = 0

/** The provider's id of the account that the current test is about: no two organizations can have one account. */
let accountId = ""

const nine = Date.parse("1970-01-01T09:00:00Z")

const day = (time: string): string => isoFromMillis(base + Date.parse(`1970-01-01T${time}Z`) - nine)

const said = (name: string, id: string, text: string, at: string, direction: "inbound" | "outbound" = "inbound") =>
  ({
    messageId: id,
    externalId: null,
    chatId: `chat-${name}`,
    direction,
    sender: direction === "inbound" ? personOf(name) : null,
    text,
    at
  }) satisfies ConversationMessage

const told = (message: ConversationMessage): InboundEvent => ({
  _tag: "Message",
  gatewayAccountId: accountId,
  key: null,
  message
})

const related = (name: string): InboundEvent => ({
  _tag: "Relation",
  gatewayAccountId: accountId,
  key: null,
  person: personOf(name)
})

interface Shown {
  readonly lead: { readonly status: string }
}

/** An organization with the agent Ada and her account. */
const withAccount = Effect.fnUntraced(function* (organizationId: string, gateway_account_id: string) {
  yield* organization(organizationId)
  const extra = { actor: owner(organizationId) }
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" }, extra)
  yield* ok("linkedin.account.link", { agent_handle: "ada-martin", gateway_account_id }, extra)
  return extra
})

/** The organization of a test at 09:00, with a provider that has nothing to tell. */
const workspace = Effect.fnUntraced(function* (organizationId: string) {
  Object.assign(provider, quiet)
  base = Date.parse(yield* now)
  accountId = `ua-${organizationId}`
  return yield* withAccount(organizationId, accountId)
})

const unlink = (extra: { readonly actor: ReturnType<typeof owner> }) =>
  ok("linkedin.account.unlink", { agent_handle: "ada-martin" }, extra)

const statusOf = (lead_id: string, extra: object) =>
  Effect.map(ok<Shown>("lead.get", { lead_id }, extra), (shown) => shown.lead.status)

interface Conversation {
  readonly messages: ReadonlyArray<{
    readonly direction: string
    readonly content: string
    readonly external_id: string
  }>
}

const conversation = (lead_id: string, extra: object) =>
  Effect.map(ok<Conversation>("linkedin.conversation.get", { lead_id, limit: 100 }, extra), ({ messages }) =>
    messages.map(({ content, direction, external_id }) => `${direction} ${content} ${external_id}`)
  )

/** An approved draft that waits in the queue; answers its id. */
const approvedFor = Effect.fnUntraced(function* (lead_id: string, extra: object) {
  const { draft } = yield* ok<{ draft: { draft_id: string } }>(
    "linkedin.draft.create",
    { lead_id, variations: ["Hello"] },
    extra
  )
  yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id }, extra)
  return draft.draft_id
})

const draftStatus = (draft_id: string, extra: object) =>
  Effect.map(ok<{ draft: { status: string } }>("linkedin.draft.get", { draft_id }, extra), ({ draft }) => draft.status)

eachBackendWith({ gateway })("inbound", (layer) => {
  it.layer(layer)((test) => {
    test.effect("stores an answer once, moves the lead on and holds back what waits", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in1")
        const lead_id = yield* lead(slug(1), extra)
        const draft_id = yield* approvedFor(lead_id, extra)
        const message = told(said(slug(1), "m-1", "Tell me more", day("09:05:00")))
        assert.isTrue(yield* handleEvent("org_in1", "unipile", message))
        assert.isFalse(yield* handleEvent("org_in1", "unipile", message))
        assert.strictEqual(yield* statusOf(lead_id, extra), "Replied")
        assert.deepStrictEqual(yield* conversation(lead_id, extra), ["inbound Tell me more m-1"])
        assert.strictEqual(yield* draftStatus(draft_id, extra), "PENDING_REVIEW")
      })
    )

    test.effect("suppresses whoever asks for no further contact, for good", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in2")
        const lead_id = yield* lead(slug(1), extra)
        const draft_id = yield* approvedFor(lead_id, extra)
        yield* handleEvent(
          "org_in2",
          "unipile",
          told(said(slug(1), "m-1", "Please remove me from your list", day("09:05:00")))
        )
        assert.strictEqual(yield* statusOf(lead_id, extra), "DoNotContact")
        assert.strictEqual(yield* draftStatus(draft_id, extra), "CANCELLED")
        const again = { linkedin_url: `https://www.linkedin.com/in/${slug(1)}`, variations: ["Hello again"] }
        assert.strictEqual(yield* verdict("linkedin.draft.create", again, extra), "409 LEAD_SUPPRESSED")
      })
    )

    test.effect("stays within the organization that an account belongs to", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in3")
        const other = yield* withAccount("org_in3b", "ua-org_in3b")
        const mine = yield* lead(slug(1), extra)
        const theirs = yield* lead(slug(1), other)
        yield* handleEvent("org_in3", "unipile", told(said(slug(1), "m-1", "Hello", day("09:05:00"))))
        assert.isFalse(yield* handleEvent("org_in3b", "unipile", told(said(slug(1), "m-1", "Hello", day("09:05:00")))))
        assert.deepStrictEqual([yield* statusOf(mine, extra), yield* statusOf(theirs, other)], ["Replied", "New"])
        const link = { agent_handle: "ada-martin", gateway_account_id: accountId }
        yield* unlink(other)
        assert.strictEqual(yield* verdict("linkedin.account.link", link, other), "404 NOT_FOUND")
      })
    )

    test.effect("keeps an unlinked account for its organization, until its owner logs in for another", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in30")
        const other = yield* withAccount("org_in30b", "ua-org_in30b")
        yield* unlink(extra)
        yield* unlink(other)
        const link = { agent_handle: "ada-martin", gateway_account_id: accountId }
        asked.length = 0
        assert.strictEqual(yield* verdict("linkedin.account.link", link, other), "404 NOT_FOUND")
        assert.deepStrictEqual(asked, [], "nothing is registered at the provider for a stranger")
        const [holder] = yield* (yield* AccountsRepo).list("org_in30b", "unipile", {
          day: day("09:00:00"),
          week: day("09:00:00")
        })
        const agentId = holder?.agent.id ?? ""
        const state = { organizationId: "org_in30b", agentId, expiresAt: day("10:00:00") }
        const login = runAsService("org_in30b", receiveLink("unipile", state, accountId))
        // The organization that has it linked keeps it.
        assert.strictEqual(yield* verdict("linkedin.account.link", link, extra), "ok")
        assert.isFalse(yield* login)
        yield* unlink(extra)
        assert.isTrue(yield* login)
        assert.strictEqual(yield* verdict("linkedin.account.link", link, extra), "404 NOT_FOUND")
      })
    )

    test.effect("frees the account of a deleted agent for another, with all that it sent", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in31")
        yield* ok("agent.create", { first_name: "Bob", last_name: "Berg" }, extra)
        const link = { agent_handle: "bob-berg", gateway_account_id: accountId }
        assert.strictEqual(yield* verdict("linkedin.account.link", link, extra), "409 WRONG_STATE")
        const before = yield* ok<{ account: { account_id: string } }>(
          "linkedin.account.link",
          { agent_handle: "ada-martin", gateway_account_id: accountId },
          extra
        )
        yield* ok("agent.delete", { agent_handle: "ada-martin" }, extra)
        const after = yield* ok<{ account: { account_id: string } }>("linkedin.account.link", link, extra)
        assert.strictEqual(after.account.account_id, before.account.account_id)
      })
    )

    test.effect("takes a message that the queue sent for the one it is", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in4")
        provider.connected = new Set([slug(1)])
        const lead_id = yield* lead(slug(1), extra)
        const draft_id = yield* approvedFor(lead_id, extra)
        yield* ok("linkedin.draft.approve", { draft_id, send_now: true }, extra)
        const own = said(slug(1), "m-9", "Hello", day("09:00:01"), "outbound")
        assert.isFalse(yield* handleEvent("org_in4", "unipile", told(own)))
        assert.deepStrictEqual(yield* conversation(lead_id, extra), ["outbound Hello m-9"])
        const byHand = said(slug(1), "m-10", "By the way", day("09:02:00"), "outbound")
        assert.isTrue(yield* handleEvent("org_in4", "unipile", told(byHand)))
        assert.isFalse(yield* handleEvent("org_in4", "unipile", told(byHand)))
        assert.lengthOf(yield* conversation(lead_id, extra), 2)
      })
    )

    test.effect("lets go what waits for a relation", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in5")
        provider.connected = new Set()
        const lead_id = yield* lead(slug(5), extra)
        const draft_id = yield* approvedFor(lead_id, extra)
        const input = { draft_id, send_now: true, send_invitation: true }
        yield* ok("linkedin.draft.approve", input, extra)
        // Looked at rarely by now.
        yield* TestClock.adjust("1 hour")
        yield* dispatchDue({ organizationId: "org_in5" })
        yield* TestClock.adjust("1 minute")
        provider.connected = new Set([slug(5)])
        assert.strictEqual(yield* dispatchDue({ organizationId: "org_in5" }), 0)
        assert.isTrue(yield* handleEvent("org_in5", "unipile", related(slug(5))))
        assert.isFalse(yield* handleEvent("org_in5", "unipile", related(slug(5))))
        assert.strictEqual(yield* dispatchDue({ organizationId: "org_in5" }), 1)
        assert.strictEqual(yield* draftStatus(draft_id, extra), "DISPATCHED")
      })
    )

    test.effect("is kept when it comes while the provider is asked for a conversation", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in_meanwhile")
        const context = yield* Effect.context<World>()
        const relationOf = (lead_id: string) =>
          Effect.map(ok("lead.get", { lead_id }, extra), ({ prospect_context }) => prospect_context.relation)
        const during = Effect.fnUntraced(function* (
          lead_id: string,
          meanwhile: Effect.Effect<unknown, unknown, World>
        ) {
          provider.meanwhile = Effect.suspend(() => {
            provider.meanwhile = Effect.void
            return Effect.orDie(Effect.provideContext(meanwhile, context))
          })
          yield* ok("linkedin.conversation.sync", { lead_id }, extra)
          return yield* relationOf(lead_id)
        })
        const invited = yield* lead(slug(6), extra)
        yield* TestClock.adjust("1 second")
        const afterInvitation = yield* during(invited, ok("linkedin.invitation.send", { lead_id: invited }, extra))
        assert.isNotNull(afterInvitation.invited_at)
        const accepted = yield* lead(slug(7), extra)
        yield* TestClock.adjust("1 second")
        const afterEvent = yield* during(accepted, handleEvent("org_in_meanwhile", "unipile", related(slug(7))))
        assert.isTrue(afterEvent.connected)
        // What a look finds counts where nothing came in between.
        yield* ok("linkedin.conversation.sync", { lead_id: accepted }, extra)
        assert.isFalse((yield* relationOf(accepted)).connected)
      })
    )

    test.effect("comes to the same whatever the order and however often it is told", () =>
      Effect.gen(function* () {
        let count = 0
        const run = Effect.fnUntraced(function* (events: ReadonlyArray<number>) {
          const organizationId = `org_perm${++count}`
          const extra = yield* workspace(organizationId)
          provider.connected = new Set([slug(2)])
          const ids = yield* Effect.forEach([1, 2, 3], (n) => lead(slug(n), extra))
          const drafts = yield* Effect.forEach(ids, (lead_id) => approvedFor(lead_id, extra))
          // The conversation with the second is known.
          yield* ok("linkedin.conversation.sync", { lead_id: ids[1] }, extra)
          const things = [
            told(said(slug(1), "a-1", "Who are you?", day("09:01:00"))),
            told(said(slug(1), "a-2", "Stop", day("09:03:00"))),
            told(said(slug(2), "b-1", "Hello there", day("09:02:00"))),
            told(said(slug(2), "b-2", "By hand", day("09:04:00"), "outbound")),
            told(said(slug(2), "b-3", "An old one", isoFromMillis(base - 15 * 86_400_000))),
            related(slug(3)),
            told(said("stranger", "s-1", "Buy my things", day("09:04:30")))
          ]
          for (const event of events) {
            const thing = things[event]
            if (thing !== undefined) yield* handleEvent(organizationId, "unipile", thing)
          }
          const state = yield* Effect.all([
            Effect.forEach(ids, (one) => statusOf(one, extra)),
            Effect.forEach(drafts, (one) => draftStatus(one, extra)),
            Effect.forEach(ids, (one) => conversation(one, extra))
          ])
          return state
        })
        const all = [0, 1, 2, 3, 4, 5, 6]
        const expected = yield* run(all)
        assert.deepStrictEqual(
          expected[0],
          ["DoNotContact", "Replied", "New"].map((one, n) => (n === 2 ? "Waiting" : one))
        )
        const orders = fc.sample(
          fc
            .tuple(fc.shuffledSubarray(all, { minLength: 7 }), fc.array(fc.constantFrom(...all), { maxLength: 8 }))
            .chain(([order, more]) =>
              fc.shuffledSubarray([...order, ...more], { minLength: order.length + more.length })
            ),
          { numRuns: effort(12), seed: 20261116 }
        )
        for (const order of orders) assert.deepStrictEqual(yield* run(order), expected, order.join())
      })
    )

    test.effect("finds by reading what was not told, and loses nothing while the provider is down", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in6")
        const lead_id = yield* lead(slug(1), extra)
        const poll = pollInboxes({ organizationId: "org_in6" })
        provider.messages = [said(slug(1), "m-1", "Tell me more", day("09:05:00"))]
        provider.relations = [{ person: personOf(slug(1)), connectedAt: day("09:04:00") }]
        yield* TestClock.adjust("10 minutes")
        provider.isDown = true
        assert.strictEqual(yield* poll, 0)
        assert.strictEqual(yield* verdict("linkedin.conversation.sync", { lead_id }, extra), "502 GATEWAY_ERROR")
        provider.isDown = false
        yield* TestClock.adjust("3 hours")
        assert.strictEqual(yield* poll, 1)
        assert.strictEqual(yield* poll, 0, "it is not due yet")
        assert.strictEqual(yield* statusOf(lead_id, extra), "Replied")
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* poll, 1)
        assert.deepStrictEqual(yield* conversation(lead_id, extra), ["inbound Tell me more m-1"])
      })
    )

    test.effect("looks up who wrote, where the provider names them otherwise than we do", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in9")
        const lead_id = yield* lead(slug(9), extra)
        const identities = [{ kind: "profile_token" as const, value: `token-${slug(9)}`, derived: false }]
        const sender = { ...personOf(slug(9)), identities }
        provider.messages = [{ ...said(slug(9), "m-1", "It is me", day("09:05:00")), sender }]
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* pollInboxes({ organizationId: "org_in9" }), 1)
        assert.deepStrictEqual(yield* conversation(lead_id, extra), ["inbound It is me m-1"])
      })
    )

    test.effect("notes the health of an account, and links what a hosted link was made for", () =>
      Effect.gen(function* () {
        const extra = yield* workspace("org_in7")
        const status = (to: "CREDENTIALS" | "OK" | "DELETED"): InboundEvent => ({
          _tag: "AccountStatus",
          gatewayAccountId: accountId,
          key: null,
          status: to
        })
        interface Accounts {
          readonly accounts: ReadonlyArray<{ readonly status: string; readonly account_id: string }>
        }
        const shown = Effect.map(ok<Accounts>("linkedin.account.list", {}, extra), ({ accounts }) =>
          accounts.map((account) => account.status)
        )
        assert.isTrue(yield* handleEvent("org_in7", "unipile", status("CREDENTIALS")))
        assert.isFalse(yield* handleEvent("org_in7", "unipile", status("CREDENTIALS")))
        assert.deepStrictEqual(yield* shown, ["CREDENTIALS"])
        yield* handleEvent("org_in7", "unipile", status("DELETED"))
        assert.deepStrictEqual(yield* shown, ["STOPPED"])
        const since = { day: day("00:00:00"), week: day("00:00:00") }
        const [ada] = yield* (yield* AccountsRepo).list("org_in7", "unipile", since)
        yield* unlink(extra)
        assert.deepStrictEqual(yield* shown, [])
        const secret = yield* CursorSecret
        const link = (organizationId: string, state: string) =>
          handleEvent(organizationId, "unipile", {
            _tag: "AccountLinked",
            gatewayAccountId: "ua-7",
            key: null,
            state,
            isReconnection: false
          })
        const stateFor = (organizationId: string, expiresAt = day("10:00:00")) =>
          writeLinkState(secret, { organizationId, agentId: ada?.agent.id ?? "", expiresAt })
        assert.isFalse(yield* link("org_in7", "forged.forged"))
        assert.isFalse(yield* link("org_in7", stateFor("org_in6")))
        assert.isFalse(yield* link("org_in7", stateFor("org_in7", day("08:59:59"))))
        assert.isTrue(yield* link("org_in7", stateFor("org_in7")))
        assert.isFalse(yield* link("org_in7", stateFor("org_in7")))
        assert.deepStrictEqual(yield* shown, ["OK"])
      })
    )

    test.effect("keeps tokens and what is due", () =>
      Effect.gen(function* () {
        yield* workspace("org_in8")
        const inbox = yield* AccountsRepo
        assert.isUndefined(yield* inbox.tokenOwner("unipile", "h-8"))
        yield* inbox.saveToken("org_in8", "unipile", "h-8")
        yield* inbox.saveToken("org_in8", "unipile", "h-8")
        assert.strictEqual(yield* inbox.tokenOwner("unipile", "h-8"), "org_in8")
        assert.isUndefined(yield* inbox.tokenOwner("http", "h-8"))
      })
    )
  })
})
