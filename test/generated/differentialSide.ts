/** A store that takes steps: what it answers as text, in which names that are random are replaced by what they name. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import type { ActorIdentity } from "#core/kernel/command/Execution.ts"
import { type CommandPolicy, scopes } from "#core/kernel/command/Permission.ts"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { canonicalJson } from "#core/kernel/schema/Hash.ts"
import { type IdPrefix, Ids, isoFromMillis, lowestId, now } from "#core/kernel/schema/IdsAndTime.ts"
import { compareText } from "#core/leads/identity/Identity.ts"
import { eraseExpired } from "#core/leads/privacy/LeadRetention.ts"
import { handleEvent } from "#core/outreach/conversations/InboundReceiver.ts"
import { pollInboxes } from "#core/outreach/conversations/pollInboxes.ts"
import { dispatchDue, settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { InboundEvent } from "#core/outreach/provider/ProviderReads.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import { WebhookSender } from "#core/webhooks/delivery/deliver.ts"
import { createDeliveries, deliverOrLog, leaseDue } from "#core/webhooks/delivery/deliveryRounds.ts"
import { expireRequests } from "#core/workspace/approvals/settleRequest.ts"
import { Retention } from "#core/workspace/retention/Retention.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import * as SimulatedEmail from "#memory/simulator/SimulatedEmail.ts"
import { isNode } from "../support/schemaArbitrary.ts"
import { ask, make, type Options, type StoreName, type World } from "../support/World.ts"
import { profileOf, type Reference, rounds, type Step } from "./differentialSteps.ts"
import { missedWork } from "./missedWork.ts"

const organizationId = "org_a"
const createdAt = "2026-11-16T08:00:00.000Z"

/** How a round differs from others. */
export interface Variant {
  readonly pacing: boolean
  /** The policy of the agent's key. */
  readonly agent: CommandPolicy
}

const actorOf = (by: Step["by"], { agent }: Variant): ActorIdentity => ({
  organizationId,
  userId: `usr_${by}`,
  kind: by === "person" ? "USER" : "AI_AGENT",
  mode: "full",
  scopes,
  keyId: by === "person" ? "personaaaaaa" : "agentaaaaaaa",
  ...(by === "person" || Object.keys(agent).length === 0 ? {} : { policies: { key: agent, organization: {} } })
})

/** Ids that are the same on every store, as long as the same are asked for; those of one moment count up. */
export const countedIds = Layer.sync(Ids, () => {
  let count = 0
  const make = <Prefix extends IdPrefix>(prefix: Prefix, millis: number) => {
    const lowest = lowestId(prefix, millis)
    return `${lowest.slice(0, -16)}${String(++count).padStart(16, "0")}` as typeof lowest
  }
  return Ids.of({
    next: (prefix) => Effect.map(Clock.currentTimeMillis, (millis) => make(prefix, millis)),
    maker: Effect.map(Clock.currentTimeMillis, (millis) => (prefix) => make(prefix, millis))
  })
})

const statusOf = (url: string): number => (url.endsWith("/bad") ? 500 : url.endsWith("/gone") ? 410 : 200)
const receivers = Layer.succeed(WebhookSender, {
  post: ({ url }) => Effect.succeed({ _tag: "Answered", status: statusOf(url), retryAfterSeconds: null, snippet: "" })
})

/** An organization with the keys of a person and an agent. */
const furnish = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const key = (by: Step["by"]) => {
    const { keyId, kind, userId } = actorOf(by, { pacing: false, agent: {} })
    const rights = { name: by, userId, actorKind: kind, mode: "full", scopes: ["admin"] } as const
    const times = { createdAt, expiresAt: null, revokedAt: null, lastUsedAt: null }
    return { ...rights, ...times, keyId: keyId ?? "", organizationId, secrets: [{ hash: "0", validUntil: null }] }
  }
  yield* workspaces.createOrganization({ id: organizationId, name: "A", externalId: null, createdAt }, key("person"))
  yield* workspaces.createKey(key("agent"))
})

const relay = Effect.fnUntraced(function* (input: unknown, gatewayAccountId: string) {
  const { person, text } = Object(input)
  const profileUrl = profileOf(person)
  const slug = profileUrl.split("/").at(-1) ?? ""
  const sender = {
    providerId: slug,
    identities: [{ kind: "slug", value: slug, derived: false }],
    fullName: slug,
    profileUrl,
    pictureUrl: null
  } as const
  const at = yield* now
  const message = {
    messageId: `in-${slug}-${at}`,
    externalId: null,
    chatId: `chat-${slug}`,
    direction: "inbound",
    sender,
    text,
    at
  } as const
  const { name } = yield* LinkedInGateway
  const of = { gatewayAccountId, key: null }
  const event: InboundEvent =
    text === undefined ? { ...of, _tag: "Relation", person: sender } : { ...of, _tag: "Message", message }
  return yield* handleEvent(organizationId, name, event)
})

/** Deliveries one after the other, so that what they cause has one order. */
const deliver = Effect.gen(function* () {
  const created = yield* createDeliveries(organizationId)
  const taken = yield* leaseDue(20, organizationId)
  const byId = taken.toSorted((a, b) => compareText(a.row.delivery_id, b.row.delivery_id))
  yield* Effect.forEach(byId, deliverOrLog, { discard: true })
  return [created, taken.length]
})

type Round = (input: unknown, gatewayAccountId: string) => Effect.Effect<unknown, Failure, World | WebhookSender>

const one = { organizationId, concurrency: 1 }

/** What is older than a few days is deleted, but for rows of imports, whose deletion a database dates by its own clock. Events are
 * numbered and audit rows sealed before, which a database does later.
 */
const forget = Effect.gen(function* () {
  const { audit, events } = yield* Workspaces
  yield* events.recent(organizationId, 1)
  yield* audit.seal(organizationId, 1_000)
  return yield* deleteOldRows(organizationId, eraseExpired)
}).pipe(Effect.provideService(Retention, { events: 3, audit: 3, idempotency: 1, deliveries: 1, importRows: 0 }))

const performed: Readonly<Record<(typeof rounds)[number], Round>> = {
  dispatch: () => dispatchDue(one),
  "dispatch emails": () => dispatchEmails(one),
  settle: () => settleUnknown(one),
  poll: () => pollInboxes({ organizationId, limit: 1 }),
  deliver: () => deliver,
  expire: () => expireRequests(),
  forget: () => forget,
  connect: (input, gatewayAccountId) => relay({ person: Object(input).person }, gatewayAccountId),
  receive: relay
}

/** Fields whose values are random; of the same name, the same value has the same number. */
const randomFields = new Set("key_id api_key secret next_cursor next_uri hash head command_hash".split(" "))
const isRandom = (name: string, value: string): boolean => randomFields.has(name) && !/^(person|agent)a+$/.test(value)

/** Ids of records that are shown with nothing but `id`, by what they are shown as. */
const isRecord = (name: string): boolean => ["mission", "offer", "lead"].includes(name)

const isReference = (value: unknown): value is Reference => isNode(value) && "kind" in value && "nth" in value

/** What a store has named so far. */
class Names {
  private readonly known = new Map<string, Array<string>>()
  private readonly random = new Map<string, string>()
  private readonly shown = new Map<string, string>()

  /** Whether the name is new. */
  private add(kind: string, name: string): boolean {
    const names = this.known.get(kind) ?? []
    if (names.includes(name)) return false
    this.known.set(kind, [...names, name])
    return true
  }

  /** Notes what an answer names. */
  learn(value: unknown, under = ""): void {
    if (Array.isArray(value)) for (const item of value) this.learn(item, under.replace(/s$/, ""))
    if (!isNode(value)) return
    const { content_hash, email_id, review_id = email_id } = value
    if (typeof content_hash === "string" && typeof review_id === "string" && this.add("hashed", content_hash)) {
      this.known.set("hashed_id", [...(this.known.get("hashed_id") ?? []), review_id])
    }
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== "string" || member === "") this.learn(member, name)
      else if (isRandom(name, member)) {
        const shown = this.random.get(member) ?? `<${name} ${this.random.size}>`
        this.random.set(member, shown)
        this.shown.set(shown, member)
        this.add(name, member)
      } else if (/_(id|hash)$/.test(name)) this.add(name, member)
      else if (name === "id" && isRecord(under)) this.add(`${under}_id`, member)
    }
  }

  /** The value with what its references and the names of random values stand for. */
  resolve(value: unknown): unknown {
    if (isReference(value)) {
      const names = this.known.get(value.kind) ?? []
      return names[value.nth % names.length] ?? "none"
    }
    if (typeof value === "string") return this.shown.get(value) ?? value
    if (Array.isArray(value)) return value.map((item) => this.resolve(item))
    if (!isNode(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.resolve(member)]))
  }

  /** The text of a value, without what is random. */
  textOf(value: unknown): string {
    this.learn(value)
    let text = canonicalJson(value)
    // An API key holds the id of the key.
    const longest = [...this.random].toSorted(([a], [b]) => b.length - a.length)
    for (const [name, shown] of longest) text = text.replaceAll(name, shown)
    return text
  }
}

/** What the answer to a step that failed begins with. */
export const defect = "defect"

/** A store to run a round on, empty but for an organization. */
export const makeSide = Effect.fnUntraced(function* (
  backend: StoreName,
  variant: Variant,
  gateways: Pick<Options, "email" | "gateway"> = { email: SimulatedEmail.layer }
) {
  const world = make({ backend, ids: countedIds, ...gateways }).pipe(Layer.provideMerge(receivers))
  const context = yield* Layer.build(Layer.fresh(world))
  const options = { ...defaultSendOptions, pacing: variant.pacing }
  const names = new Names()
  const inside = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(Effect.provideContext(context), Effect.provideService(SendOptions, options))
  yield* inside(furnish)

  /** Runs a command or a round; returns what it answered as text. */
  const run = (step: Step) =>
    Effect.gen(function* () {
      const input = names.resolve(step.input)
      const round = rounds.find((name) => name === step.what)
      if (round !== undefined) {
        const account = `sim-${names.resolve({ kind: "agent_id", nth: 0 })}`
        return names.textOf(yield* Effect.orDie(performed[round](input, account)))
      }
      const call = { actor: actorOf(step.by, variant), requestId: "req_differential", options: step.options ?? {} }
      const { envelope, replayed, retryAfterSeconds } = yield* ask(step.what, input, call)
      const text = names.textOf({ ...envelope, replayed, retryAfterSeconds: retryAfterSeconds ?? null })
      return envelope.status === 500 || envelope.status === 503 ? `${defect} ${text}` : text
    }).pipe(inside)
  /** What a person reads; nothing where it is refused. */
  const read = (command: string, input: unknown) =>
    ask(command, names.resolve(input), { actor: actorOf("person", variant), requestId: "req_read", options: {} }).pipe(
      Effect.map(({ envelope }) => Object(envelope.ok ? envelope.data : {})),
      inside
    )
  /** The names of a kind that this store has. */
  const known = (kind: string, most: number): ReadonlyArray<string> =>
    Array.from({ length: most }, (_, nth) => String(names.resolve({ kind, nth }))).filter(
      (name, at, all) => all.indexOf(name) === at
    )
  /** Work at an instant that no worker would be told of. */
  const missed = (millis: number) => inside(missedWork(organizationId, isoFromMillis(millis)))
  return { run, read, known, missed }
})

/** See {@link makeSide}. */
export type Side = Effect.Success<ReturnType<typeof makeSide>>
