/** A workspace in memory with the simulated LinkedIn, and what the tests look at afterwards. */
import type { ActorIdentity } from "@svc/core/Actor"
import * as AgentsMemory from "@svc/core/agents/AgentsMemory"
import { commands as agentCommands } from "@svc/core/agents/index"
import * as Catalog from "@svc/core/Catalog"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import type { ExecutionOptions } from "@svc/core/ExecutionOptions"
import { layerSequential } from "@svc/core/Ids"
import * as JournalMemory from "@svc/core/JournalMemory"
import { commands as leadCommands } from "@svc/core/leads/index"
import * as LeadsMemory from "@svc/core/leads/LeadsMemory"
import { leadMessages, leads } from "@svc/core/leads/LeadTables"
import * as AccountsMemory from "@svc/core/linkedin/AccountsMemory"
import * as GatewayAdditions from "@svc/core/linkedin/bridge/GatewayAdditions"
import * as DraftsMemory from "@svc/core/linkedin/DraftsMemory"
import * as InboxMemory from "@svc/core/linkedin/inbound/InboxMemory"
import { commands as linkedinCommands } from "@svc/core/linkedin/index"
import type { LinkedInDraft } from "@svc/core/linkedin/LinkedInDraft"
import * as LinkedInPorts from "@svc/core/linkedin/LinkedInPorts"
import { attempts, queueItems } from "@svc/core/linkedin/LinkedInTables"
import * as QueueMemory from "@svc/core/linkedin/QueueMemory"
import { MemoryStore, layer as storeLayer } from "@svc/core/MemoryStore"
import { commands as missionCommands } from "@svc/core/missions/index"
import * as MissionsMemory from "@svc/core/missions/MissionsMemory"
import * as OffersMemory from "@svc/core/offers/OffersMemory"
import { layerSecretRandom } from "@svc/core/Page"
import { SimulatorLedger, layer as simulatorLayer } from "@svc/core/simulator/SimulatedGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { currentOwner } from "../../support/inOrganization.ts"

const stores = Layer.mergeAll(
  JournalMemory.layer,
  OffersMemory.layer,
  AgentsMemory.layer,
  MissionsMemory.layer,
  LeadsMemory.layer,
  DraftsMemory.layer,
  InboxMemory.layer,
  QueueMemory.layer,
  AccountsMemory.layer,
  layerSequential,
  layerSecretRandom
).pipe(Layer.provideMerge(storeLayer))

/** What commands and dispatcher need, over a gateway. */
export const repositories = LinkedInPorts.layer.pipe(Layer.provideMerge(stores))

const catalog = Catalog.make([...agentCommands, ...missionCommands, ...leadCommands, ...linkedinCommands])

/** The whole workspace over the simulated gateway, whose people accept after 30 s. */
export const linkedInWorld = dispatchLayer(catalog).pipe(
  Layer.provideMerge(repositories),
  Layer.provideMerge(simulatorLayer({ acceptSeconds: 30 }))
)

/** The dispatch layer alone, for tests with another gateway, which can do nothing beyond the port. */
export const commandsLayer = dispatchLayer(catalog).pipe(Layer.provide(GatewayAdditions.layerNone))

/** The dispatch layer alone, over a gateway that can do what the simulated one can. */
export const commandsOverSimulator = dispatchLayer(catalog)

/** What a call may say beside command and input. */
export interface Extra {
  readonly actor?: ActorIdentity
  readonly options?: Partial<ExecutionOptions>
}

const options: ExecutionOptions = { responseProfile: "full", dryRun: false, idempotencyKey: undefined }

/** Runs a command as an owner of the organization of the test, unless told otherwise; answers the whole answer. */
export const answer = (command: string, input: unknown, extra: Extra = {}) =>
  Effect.gen(function* () {
    const actor = extra.actor ?? (yield* currentOwner)
    return yield* (yield* Dispatch).run({ command, input, actor, options: { ...options, ...extra.options } })
  })

/** Runs a command that must succeed; answers its data. */
export const ok = <A>(command: string, input: unknown, extra?: Extra) =>
  Effect.map(answer(command, input, extra), ({ envelope }) => {
    if (!envelope.ok) throw new Error(`${envelope.error.code}: ${envelope.error.message}`)
    // The command's output schema says what it is; the test says which command.
    return envelope.data as A
  })

/** Runs a command; answers `ok`, or the status and code of its refusal. */
export const verdict = (command: string, input: unknown, extra?: Extra) =>
  Effect.map(answer(command, input, extra), ({ envelope }) =>
    envelope.ok ? "ok" : `${envelope.status} ${envelope.error.code}`
  )

/** What `linkedin.draft.approve` answers. */
export interface Approved {
  readonly draft: LinkedInDraft
  readonly dispatch_result: Readonly<Record<string, string | null>> | null
  readonly mode: string
}

/** Makes the agents `ada-martin` and, if wanted, `bob-berg`. */
export const agents = Effect.fnUntraced(function* (count = 1) {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  if (count > 1) yield* ok("agent.create", { first_name: "Bob", last_name: "Berg" })
})

/** A lead whose public slug is `slug`; answers its id. */
export const lead = (slug: string, extra?: Extra) =>
  Effect.map(
    ok<{ lead_id: string }>("lead.upsert", { linkedin_url: `https://www.linkedin.com/in/${slug}`, name: slug }, extra),
    ({ lead_id }) => lead_id
  )

/** A draft for a new lead with this slug; answers it. */
export const draftFor = Effect.fnUntraced(function* (slug: string, input: Record<string, unknown> = {}) {
  const lead_id = yield* lead(slug)
  const created = yield* ok<{ draft: LinkedInDraft }>("linkedin.draft.create", {
    lead_id,
    variations: [`Hello ${slug}`],
    ...input
  })
  return created.draft
})

/** The draft as it is now. */
export const read = (draft: { readonly draft_id: string }) =>
  Effect.map(ok<{ draft: LinkedInDraft }>("linkedin.draft.get", { draft_id: draft.draft_id }), (output) => output.draft)

/** send_now of a draft. */
export const send = (draft: { readonly draft_id: string }, input: Record<string, unknown> = {}, extra?: Extra) =>
  answer("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true, ...input }, extra)

/** send_now that must succeed. */
export const sent = (draft: { readonly draft_id: string }, input: Record<string, unknown> = {}, extra?: Extra) =>
  ok<Approved>("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true, ...input }, extra)

/** What the simulated provider took: `kind:text`, in order. */
export const taken = Effect.flatMap(SimulatorLedger, (ledger) =>
  Effect.map(ledger.accepted, (accepted) => accepted.map(({ kind, text }) => `${kind}:${text}`))
)

/** What is stored beside drafts. */
export const stored = Effect.flatMap(MemoryStore, (store) =>
  store.read((tables) => ({
    items: tables.all(queueItems, "org_a").toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    attempts: tables.all(attempts, "org_a").toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1)),
    messages: tables.all(leadMessages, "org_a"),
    statuses: Object.fromEntries(tables.all(leads, "org_a").map(({ name, status }) => [name, status]))
  }))
)

/** Types of events so far that start with one of the prefixes, in order. */
export const eventTypes = (...prefixes: ReadonlyArray<string>) =>
  Effect.flatMap(MemoryStore, (store) =>
    store.read((tables) =>
      tables
        .all(JournalMemory.events, "org_a")
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ type }) => type)
        .filter((type) => prefixes.some((prefix) => type.startsWith(prefix)))
    )
  )
