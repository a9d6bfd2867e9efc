/** What every LinkedIn gateway must hold: it never pretends, never repeats, and fails only as its port says. */
import assert from "node:assert/strict"
import { type FailureCode, failureTable, isoFromMillis } from "@svc/core"
import type { Identity } from "@svc/core/leads"
import { isFunction, isListOf, isOptions, isSwitch, isText, required } from "@svc/core/names"
import {
  type Gateway,
  type LinkedInAccount,
  LinkedInGateway,
  type Recipient,
  type SendResult
} from "@svc/core/outreach"
import type { GatewayDefinition } from "@svc/embed"
import { orThrow, ownGatewayLayer, svcChecks } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { type ContractCase, casesOf } from "./ContractCase.ts"

/** A provider for one case. */
export interface ProviderSubject {
  /** Your gateway: of `defineGateway`, or a layer. */
  readonly gateway: Layer.Layer<LinkedInGateway, unknown> | GatewayDefinition
  /** The provider's id of an account that may write; default that of the gateway's automatic account. */
  readonly gatewayAccountId?: string
  /** The texts of messages and the notes of invitations that arrived at the provider, in order. */
  readonly delivered: () => ReadonlyArray<string> | Promise<ReadonlyArray<string>>
  readonly close?: () => unknown
}

/** How a provider is tested. Identities are those of leads: `[{ kind: "slug", value: "grace-hopper", derived: false }]`. */
export interface ProviderContract {
  /** Opens the provider, with nothing sent, for one case. */
  readonly open: () => ProviderSubject | Promise<ProviderSubject>
  /** Somebody with whom the account is connected. */
  readonly connected: ReadonlyArray<Identity>
  /** Somebody with whom it is not, and who was not invited; without it, the cases of strangers are left out. */
  readonly stranger?: ReadonlyArray<Identity>
  /** Whether it is known that the provider carries out an idempotency key once; default false. */
  readonly refusesRepeats?: boolean
}

const isPerson = isListOf(
  isOptions<Identity>({ kind: required(isText), value: required(isText), derived: required(isSwitch) })
)

const isContract = isOptions<ProviderContract>({
  open: required(isFunction),
  connected: required(isPerson),
  stranger: isPerson,
  refusesRepeats: isSwitch
})

const isSubject = isOptions<ProviderSubject>({
  gateway: required(svcChecks.gateway),
  gatewayAccountId: isText,
  delivered: required(isFunction),
  close: isFunction
})

/** What a case gets: a gateway, an account of it, and people. */
interface ProviderWorld extends Pick<ProviderSubject, "delivered"> {
  readonly gateway: Gateway
  readonly account: LinkedInAccount
  readonly friend: Recipient
  readonly stranger: Recipient
}

type Case = (world: ProviderWorld) => Promise<void>

const run = Effect.runPromise

const accountOf = (name: string, gatewayAccountId: string): LinkedInAccount => ({
  id: "acc_contract",
  organizationId: "org_contract",
  agentId: "agt_contract",
  gateway: name,
  gatewayAccountId,
  status: "OK",
  tier: "SALES_NAVIGATOR",
  features: ["sales_navigator"],
  createdAt: "2026-01-05T09:00:00.000Z",
  updatedAt: "2026-01-05T09:00:00.000Z"
})

const person = (leadId: string, identities: ReadonlyArray<Identity>): Recipient => ({
  leadId,
  identities,
  invitedAt: null
})

/** What the gateway knows of account and person. */
const relationOf = async ({ account, gateway }: ProviderWorld, recipient: Recipient) => {
  const found = await run(gateway.relation(account, recipient))
  assert.equal(found._tag, "Known", JSON.stringify(found))
  return found._tag === "Known" ? found.relation : assert.fail()
}

/** Sends to a conversation if there is one. */
const send = async (world: ProviderWorld, recipient: Recipient, text: string, key: string): Promise<SendResult> => {
  const { account, gateway } = world
  const { chatId } = await relationOf(world, recipient)
  const delivery = { recipient, idempotencyKey: key, text }
  return run(
    chatId === null ? gateway.startChat(account, delivery) : gateway.sendToChat(account, { ...delivery, chatId })
  )
}

/** The result of a read, undefined if the gateway failed as its port says. Rejects for any other end. */
const readable = <A>(read: Effect.Effect<A, { readonly code: FailureCode }>): Promise<A | undefined> =>
  run(
    Effect.match(read, {
      onSuccess: (value): A | undefined => value,
      onFailure: ({ code }) => {
        assert.ok(code in failureTable, `${code} is no code of a failure`)
        return undefined
      }
    })
  )

const texts = ["Hello", "Zoë, a “quote” & 𝒞𝑜𝓁𝑜𝓇 <b>\nsecond line", "'; \\ \" %00"]

const general: Readonly<Record<string, Case>> = {
  "it has one name, and the same account for an agent every time": async ({ gateway }) => {
    assert.match(gateway.name, /^[a-z][a-z0-9_-]*$/)
    const account = () => gateway.automaticAccount({ id: "agt_1" })
    assert.deepEqual(account(), account())
  },
  "looking at a relation changes nothing": async (world) => {
    const first = await relationOf(world, world.friend)
    assert.equal(first.connected, true)
    assert.deepEqual(await relationOf(world, world.friend), first)
    assert.deepEqual(await world.delivered(), [])
  },
  "a confirmed message arrived once, as it was written": async (world) => {
    for (const [index, text] of texts.entries()) {
      assert.equal((await send(world, world.friend, text, `que_${index}`))._tag, "Confirmed", text)
    }
    assert.deepEqual(await world.delivered(), texts)
  },
  "messages at the same time each arrive once": async (world) => {
    const many = Array.from({ length: 8 }, (_, index) => `Message ${index}`)
    const ended = await Promise.all(many.map((text, index) => send(world, world.friend, text, `que_${index}`)))
    assert.deepEqual(
      ended.map(({ _tag }) => _tag),
      many.map(() => "Confirmed")
    )
    assert.deepEqual((await world.delivered()).toSorted(), many)
  },
  "what was sent is found in its conversation, by the id that was confirmed": async (world) => {
    const { account, friend, gateway } = world
    const since = isoFromMillis(Date.now() - 60_000)
    const result = await send(world, friend, "Find me", "que_1")
    assert.equal(result._tag, "Confirmed")
    const page = await readable(gateway.listMessages(account, { chatId: null, since, cursor: null }))
    // A gateway that cannot read leaves an unknown outcome to people.
    if (page === undefined || result._tag !== "Confirmed") return
    const found = page.messages.find(({ text }) => text === "Find me")
    assert.equal(found?.direction, "outbound")
    assert.ok(result.messageId === found?.messageId || result.externalId === found?.externalId, "another id")
  },
  "a read of what is not there ends as the port says": async ({ account, delivered, friend, gateway }) => {
    const since = "2026-01-01T00:00:00.000Z"
    await readable(gateway.listMessages(account, { chatId: "no-such-chat", since, cursor: null }))
    await readable(gateway.listMessages(account, { chatId: null, since, cursor: "no-such-cursor" }))
    await readable(gateway.listRelations(account, { since, cursor: "no-such-cursor" }))
    await readable(gateway.findChat(account, friend))
    await readable(gateway.resolveProfile(account, [{ kind: "slug", value: "nobody-at-all", derived: false }]))
    await readable(gateway.searchPeople(account, { url: "https://example.com/", cursor: null, limit: 25 }))
    assert.deepEqual(await delivered(), [])
  }
}

const repeats: Readonly<Record<string, Case>> = {
  "a message with the same idempotency key arrives once": async (world) => {
    for (let times = 0; times < 3; times++) await send(world, world.friend, "Once", "que_same")
    assert.deepEqual(await world.delivered(), ["Once"])
  }
}

const strangers: Readonly<Record<string, Case>> = {
  "a message to a stranger is not confirmed, and does not arrive": async (world) => {
    assert.equal((await relationOf(world, world.stranger)).connected, false)
    const delivery = { recipient: world.stranger, idempotencyKey: "que_1", text: "Hello" }
    const result = await run(world.gateway.startChat(world.account, delivery))
    assert.equal(result._tag, "Refused", JSON.stringify(result))
    assert.deepEqual(await world.delivered(), [])
  },
  "an invitation arrives once and is pending, until it is withdrawn": async (world) => {
    const { account, delivered, gateway, stranger } = world
    const invite = (key: string) =>
      run(gateway.sendInvitation(account, { recipient: stranger, idempotencyKey: key, note: "Shall we?" }))
    assert.equal((await invite("que_1"))._tag, "Confirmed")
    assert.deepEqual(await relationOf(world, stranger), { connected: false, chatId: null, invitation: "pending" })
    assert.equal((await invite("que_2"))._tag, "Refused")
    assert.deepEqual(await delivered(), ["Shall we?"])
    const withdraw = () => run(gateway.withdrawInvitation(account, stranger))
    // A gateway that cannot withdraw says that it is not available.
    if ((await withdraw())._tag === "Unavailable") return
    assert.equal((await relationOf(world, stranger)).invitation, "none")
    assert.equal((await withdraw())._tag, "Confirmed")
  },
  "somebody who is connected is not invited": async ({ account, delivered, friend, gateway }) => {
    const result = await run(
      gateway.sendInvitation(account, { recipient: friend, idempotencyKey: "que_1", note: null })
    )
    assert.equal(result._tag, "Refused")
    assert.deepEqual(await delivered(), [])
  }
}

/**
 * The contract of a LinkedIn gateway. `Confirmed` means that it arrived, everything else that it did not or may not have;
 * reads can be repeated; failures are those of the port. Each case opens the provider anew.
 */
export const providerContract = (contract: ProviderContract): ReadonlyArray<ContractCase> => {
  orThrow(isContract(contract, "providerContract", true))
  const { connected, open, refusesRepeats = false, stranger } = contract
  const cases = { ...general, ...(refusesRepeats ? repeats : {}), ...(stranger === undefined ? {} : strangers) }
  return casesOf(cases, async (test) => {
    const subject = await open()
    orThrow(isSubject(subject, "open()"))
    const { close, delivered, gateway: own, gatewayAccountId } = subject
    const inProvider = Effect.gen(function* () {
      const gateway = yield* LinkedInGateway
      const id = gatewayAccountId ?? gateway.automaticAccount({ id: "agt_contract" })?.gatewayAccountId
      assert.ok(id !== undefined, "Give gatewayAccountId, as the gateway has no automatic account")
      const people = { friend: person("ld_friend", connected), stranger: person("ld_stranger", stranger ?? []) }
      yield* Effect.promise(() => test({ gateway, account: accountOf(gateway.name, id), delivered, ...people }))
    })
    try {
      await run(Effect.provide(inProvider, ownGatewayLayer(own)))
    } finally {
      await close?.()
    }
  })
}
