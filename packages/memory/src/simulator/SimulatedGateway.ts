/**
 * A simulated LinkedIn: the gateway of `svc dev`, demonstrations and tests.
 *
 * The end of a person's public slug and the clock decide every outcome. Accepted sends are kept in memory, so tests can
 * count what really went out.
 *
 * | slug ends in | what happens |
 * |---|---|
 * | anything else, or no slug but a member id or token | first-degree relation with a conversation: confirmed |
 * | `-2nd` | not connected; accepts an invitation after {@link SimulatorOptions.acceptSeconds} |
 * | `-blocked` | refuses |
 * | `-down` | unavailable before anything was sent |
 * | `-slow` | confirmed after 2 s |
 * | `-unknown` | accepts the message and drops the connection |
 *
 * A person without a LinkedIn identity, or whose identities LinkedIn cannot have given out, is unreachable.
 */

import { type AccountId, InvalidInput, isoFromMillis, type LeadId, sha256Hex } from "@svc/core"
import { tokenKindOf } from "@svc/core/internal"
import type { Identity } from "@svc/core/leads"
import {
  type Delivery,
  GatewayRejected,
  type InboundEvent,
  type LinkedInAccount,
  LinkedInGateway,
  type Recipient,
  type SendResult
} from "@svc/core/outreach"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { audienceSize, personNamed, simulatedAudience } from "./SimulatedPeople.ts"

export interface SimulatorOptions {
  /** Seconds until a person accepts an invitation (`SVC_SIMULATOR_ACCEPT_SECONDS`). */
  readonly acceptSeconds: number
}

/** A send that the simulated provider accepted. `at` is in milliseconds since 1970. */
interface AcceptedSend {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly kind: "message" | "invitation"
  readonly text: string | null
  readonly idempotencyKey: string
  readonly at: number
  readonly messageId: string
}

/** What the simulated providers know, and what can be made to happen there until the process ends. */
export class SimulatorLedger extends Context.Service<
  SimulatorLedger,
  {
    /** The last 10,000 sends that the simulated provider accepted, oldest first. */
    readonly accepted: Effect.Effect<ReadonlyArray<AcceptedSend>>
    /** Lets a person accept the invitation of an account now. */
    readonly accept: (accountId: AccountId, leadId: LeadId) => Effect.Effect<void>
    /** Lets the mail server refuse an address from now on. */
    readonly bounce: (address: string) => Effect.Effect<void>
    readonly isBouncing: (address: string) => boolean
  }
>()("@svc/core/simulator/SimulatorLedger") {}

const maxKept = 10_000
const behaviours = ["2nd", "blocked", "down", "slow", "unknown"] as const
type Behaviour = (typeof behaviours)[number] | "friend" | "stranger"

/** What LinkedIn allows in the URL of a profile: letters of any script, digits, symbols such as emoji, and hyphens. */
const slugPattern = /^[\p{L}\p{M}\p{N}\p{S}\p{Cf}-]{1,100}$/u

const isFromLinkedIn = ({ kind, value }: Identity): boolean => {
  if (kind === "slug") return slugPattern.test(value)
  return kind === "member_id" || (kind.endsWith("_token") && tokenKindOf(value) === kind)
}

const behaviourOf = ({ identities }: Pick<Recipient, "identities">): Behaviour => {
  const known = identities.filter(isFromLinkedIn)
  if (known.length === 0) return "stranger"
  const slug = known.find(({ kind }) => kind === "slug")?.value ?? ""
  return behaviours.find((behaviour) => slug.endsWith(`-${behaviour}`)) ?? "friend"
}

const down = { _tag: "Unavailable", detail: "The simulated provider is down for this person (503)." } as const
const refused = (
  kind: "blocked" | "not_connected" | "already_connected" | "already_pending" | "unreachable",
  providerCode: string
) => ({ _tag: "Refused", kind, providerCode, retryAfterSeconds: null }) as const

/** The refusal of a person who cannot be asked about at all. */
const absent = (recipient: Recipient) => {
  const behaviour = behaviourOf(recipient)
  if (behaviour === "down") return down
  return behaviour === "stranger" ? refused("unreachable", "errors/resource_not_found") : undefined
}

/** What the provider tells of itself: a person accepted the invitation of an account. */
const simulatedEvent = (payload: unknown): Result.Result<InboundEvent, InvalidInput> => {
  const { account, profile } = Object(payload)
  if (typeof account !== "string" || typeof profile !== "string") {
    return Result.fail(new InvalidInput({ message: "The event must name account and profile." }))
  }
  const person = { providerId: "", identities: [], fullName: "", profileUrl: profile, pictureUrl: null }
  return Result.succeed({ _tag: "Relation", gatewayAccountId: account, key: null, person })
}

const make = ({ acceptSeconds }: SimulatorOptions) => {
  let accepted: ReadonlyArray<AcceptedSend> = []
  const invitations = new Map<
    string,
    { readonly at: number; readonly recipient: Recipient; readonly accountId: AccountId }
  >()
  const withdrawals = new Map<string, number>()
  const early = new Set<string>()
  const bouncing = new Set<string>()

  const pair = (account: LinkedInAccount, recipient: Recipient): string => `${account.id}/${recipient.leadId}`

  /** When the person was invited: from memory or, after a restart, from the caller's record. */
  const invitedAt = (account: LinkedInAccount, recipient: Recipient): number | undefined => {
    const key = pair(account, recipient)
    const recorded = recipient.invitedAt === null ? undefined : Date.parse(recipient.invitedAt)
    const at = invitations.get(key)?.at ?? recorded
    const withdrawn = withdrawals.get(key)
    return at !== undefined && withdrawn !== undefined && withdrawn >= at ? undefined : at
  }

  const chatOf = (accountId: AccountId, leadId: LeadId): string =>
    `sim-chat-${sha256Hex(`${accountId}/${leadId}`).slice(0, 20)}`

  const isConnected = (account: LinkedInAccount, recipient: Recipient, now: number): boolean => {
    const behaviour = behaviourOf(recipient)
    if (behaviour !== "2nd") return behaviour !== "stranger"
    const since = invitedAt(account, recipient)
    return since !== undefined && (now >= since + acceptSeconds * 1000 || early.has(pair(account, recipient)))
  }

  const isPending = (account: LinkedInAccount, recipient: Recipient, now: number): boolean =>
    !isConnected(account, recipient, now) && invitedAt(account, recipient) !== undefined

  const accept = (
    account: LinkedInAccount,
    { recipient, idempotencyKey }: Delivery,
    kind: AcceptedSend["kind"],
    text: string | null
  ): Effect.Effect<SendResult> =>
    Effect.gen(function* () {
      const behaviour = behaviourOf(recipient)
      if (behaviour === "slow") yield* Effect.sleep("2 seconds")
      const at = yield* Clock.currentTimeMillis
      const counted = Math.min(accepted.length + 1, maxKept)
      const id = sha256Hex(`${account.id}/${idempotencyKey}/${kind}/${at}/${counted}`).slice(0, 20)
      const entry = { accountId: account.id, leadId: recipient.leadId, kind, text, idempotencyKey, at, messageId: id }
      accepted = [...accepted.slice(1 - maxKept), entry]
      if (kind === "invitation") invitations.set(pair(account, recipient), { at, recipient, accountId: account.id })
      if (behaviour === "unknown") return { _tag: "Unknown", detail: "The connection broke after the body was sent." }
      return { _tag: "Confirmed", messageId: `sim-${id}`, externalId: `urn:sim:${kind}:${id}` }
    })

  const message = Effect.fnUntraced(function* (
    account: LinkedInAccount,
    delivery: Delivery & { readonly text: string }
  ): Effect.fn.Return<SendResult> {
    const refusal = absent(delivery.recipient)
    if (refusal !== undefined) return refusal
    if (behaviourOf(delivery.recipient) === "blocked") return refused("blocked", "errors/blocked_recipient")
    const now = yield* Clock.currentTimeMillis
    if (!isConnected(account, delivery.recipient, now)) {
      return refused("not_connected", "errors/no_connection_with_recipient")
    }
    return yield* accept(account, delivery, "message", delivery.text)
  })

  // Every list is a single page.
  const gateway = LinkedInGateway.of({
    accounts: { readEvent: simulatedEvent },
    name: "simulator",
    automaticAccount: (agent) => ({
      gatewayAccountId: `sim-${agent.id}`,
      tier: "SALES_NAVIGATOR",
      features: ["sales_navigator"]
    }),
    relation: (account, recipient) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const refusal = absent(recipient)
        if (refusal !== undefined) return refusal
        const connected = isConnected(account, recipient, now)
        const chatId = connected ? chatOf(account.id, recipient.leadId) : null
        const invitation = isPending(account, recipient, now) ? "pending" : "none"
        return { _tag: "Known", relation: { connected, chatId, invitation } }
      }),
    sendToChat: message,
    startChat: message,
    sendInvitation: (account, delivery) =>
      Effect.gen(function* (): Effect.fn.Return<SendResult> {
        const { recipient } = delivery
        const refusal = absent(recipient)
        if (refusal !== undefined) return refusal
        const now = yield* Clock.currentTimeMillis
        if (isConnected(account, recipient, now)) return refused("already_connected", "errors/already_connected")
        if (invitedAt(account, recipient) !== undefined) {
          return refused("already_pending", "errors/already_invited_recently")
        }
        return yield* accept(account, delivery, "invitation", delivery.note)
      }),
    withdrawInvitation: (account, recipient) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (isPending(account, recipient, now)) {
          invitations.delete(pair(account, recipient))
          withdrawals.set(pair(account, recipient), now)
        }
        return { _tag: "Confirmed", messageId: null, externalId: null }
      }),
    resolveProfile: (account, identities) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const connected = isConnected(account, { leadId: "", identities, invitedAt: null }, now)
        return { ...personNamed(identities), headline: "", degree: connected ? 1 : 2, connected, invitation: "none" }
      }),
    findChat: (account, recipient) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        isConnected(account, recipient, now) ? chatOf(account.id, recipient.leadId) : null
      ),
    listMessages: (account, { chatId, since }) =>
      Effect.sync(() => {
        const messages = accepted.flatMap(({ accountId, at, kind, leadId, messageId, text }) => {
          const chat = chatOf(accountId, leadId)
          const isWanted = accountId === account.id && kind === "message" && (chatId === null || chat === chatId)
          if (!isWanted || isoFromMillis(at) < since) return []
          const ids = { messageId: `sim-${messageId}`, externalId: `urn:sim:message:${messageId}`, chatId: chat }
          return [{ ...ids, direction: "outbound" as const, sender: null, text, at: isoFromMillis(at) }]
        })
        return { messages, next: null }
      }),
    listRelations: (account, { since }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const relations = [...invitations.values()].flatMap(({ accountId, at, recipient }) => {
          const acceptedAt = at + acceptSeconds * 1000
          const connectedAt = isoFromMillis(acceptedAt)
          if (accountId !== account.id || acceptedAt > now || connectedAt < since) return []
          return [{ person: personNamed(recipient.identities), connectedAt }]
        })
        return { relations: relations.toReversed(), next: null }
      }),
    searchPeople: (_account, { url, cursor, limit }) =>
      Effect.gen(function* () {
        const found = yield* Effect.fromResult(simulatedAudience(url))
        const total = audienceSize(found.keywords)
        const start = cursor === null ? (found.page - 1) * found.pageSize : Number(cursor)
        if (!Number.isInteger(start) || start < 0) {
          return yield* new GatewayRejected({
            message: "Unknown search cursor. Start the search again."
          })
        }
        const end = Math.min(start + Math.min(limit, found.pageSize), total)
        const people = Array.from({ length: Math.max(0, end - start) }, (_, i) => found.personAt(start + i))
        return { people, next: end < total ? String(end) : null, total }
      })
  })

  const ledger = SimulatorLedger.of({
    accepted: Effect.sync(() => accepted),
    accept: (accountId, leadId) => Effect.sync(() => void early.add(`${accountId}/${leadId}`)),
    bounce: (address) => Effect.sync(() => void bouncing.add(address.toLowerCase())),
    isBouncing: (address) => bouncing.has(address.toLowerCase())
  })
  return Context.make(LinkedInGateway, gateway).pipe(Context.add(SimulatorLedger, ledger))
}

/** A simulated gateway without any sends. */
export const layer = (options: SimulatorOptions): Layer.Layer<LinkedInGateway | SimulatorLedger> =>
  Layer.effectContext(Effect.sync(() => make(options)))
