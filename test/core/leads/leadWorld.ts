/** Lead commands over the in-memory store, and what the tests look at afterwards. */
import { assert } from "@effect/vitest"
import type { ActorIdentity } from "@svc/core/Actor"
import * as Catalog from "@svc/core/Catalog"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import type { ExecutionOptions } from "@svc/core/ExecutionOptions"
import { layerSequential } from "@svc/core/Ids"
import * as JournalMemory from "@svc/core/JournalMemory"
import { commands } from "@svc/core/leads/index"
import type { Lead } from "@svc/core/leads/Lead"
import { layerNone } from "@svc/core/leads/LeadConsequences"
import * as LeadsMemory from "@svc/core/leads/LeadsMemory"
import { MemoryStore, layer as storeLayer } from "@svc/core/MemoryStore"
import type { MissionRow } from "@svc/core/missions/Mission"
import * as MissionsMemory from "@svc/core/missions/MissionsMemory"
import { missions } from "@svc/core/missions/MissionTables"
import * as OffersMemory from "@svc/core/offers/OffersMemory"
import { layerSecretRandom } from "@svc/core/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { currentOwner } from "../../support/inOrganization.ts"

const repositories = Layer.mergeAll(
  JournalMemory.layer,
  LeadsMemory.layer,
  MissionsMemory.layer,
  OffersMemory.layer,
  layerNone,
  layerSequential,
  layerSecretRandom
).pipe(Layer.provideMerge(storeLayer))

/** Everything that lead commands need. */
export const leadWorld = dispatchLayer(Catalog.make(commands)).pipe(Layer.provideMerge(repositories))

/** Runs a command as an owner of the organization of the test, unless told otherwise; answers its envelope. */
export const run = (command: string, input: unknown, actor?: ActorIdentity, options?: ExecutionOptions) =>
  Effect.gen(function* () {
    const call = { command, input, actor: actor ?? (yield* currentOwner) }
    return (yield* (yield* Dispatch).run(options === undefined ? call : { ...call, options })).envelope
  })

/** What lead.upsert answers. */
export interface UpsertOutput {
  readonly lead_id: string
  readonly lead: Lead
}

/** Runs a command that must succeed. */
export const ok = <A>(command: string, input: unknown, actor?: ActorIdentity) =>
  Effect.map(run(command, input, actor), (envelope) => {
    if (!envelope.ok) throw new Error(`${envelope.error.code}: ${envelope.error.message}`)
    // The command's output schema says what it is; the test says which command.
    return { data: envelope.data as A, warnings: envelope.meta.warnings }
  })

/** Upserts a lead that must be accepted. */
export const upsert = (input: unknown, actor?: ActorIdentity) =>
  Effect.map(ok<UpsertOutput>("lead.upsert", input, actor), ({ data }) => data)

/** The refusal of a command that must be refused: code and message. */
export const refusal = (command: string, input: unknown, actor?: ActorIdentity) =>
  Effect.map(run(command, input, actor), (envelope) => {
    assert.isFalse(envelope.ok, "the command was accepted")
    return envelope.ok ? "" : `${envelope.error.code} ${envelope.error.message} ${envelope.meta.warnings.join("; ")}`
  })

/** Types of the events so far, in order, with what they are about. */
export const events = Effect.flatMap(MemoryStore, (store) =>
  store.read((tables) =>
    tables
      .all(JournalMemory.events, "org_a")
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ data, subject, type }) => ({ type, subject: subject.id, data }))
  )
)

/** A mission as other domains store it. */
export const missionRow = (id: string, changes: Partial<MissionRow> = {}): MissionRow => ({
  id,
  organizationId: "org_a",
  handle: `handle-${id}`,
  name: `Mission ${id}`,
  language: "en",
  agentId: null,
  offerId: null,
  objective: "",
  description: "",
  channels: ["LINKEDIN"],
  emailReviewStrategy: "AUTO",
  emailReviewWebhookUrl: "",
  importType: "CSV",
  whoAreThey: "",
  whyWeContactThem: "",
  desiredAction: "",
  keyMessage: "",
  ctaUrl: "",
  toneInstructions: "",
  emailExamples: [],
  status: "ACTIVE",
  beforeArchive: null,
  lastUsedAt: null,
  createdAt: "2026-11-20T08:00:00.000Z",
  updatedAt: "2026-11-20T08:00:00.000Z",
  ...changes
})

/** Puts a mission into the store. */
export const addMission = (mission: MissionRow) =>
  Effect.flatMap(MemoryStore, (store) =>
    store.write((tables) => tables.set(missions, mission.organizationId, mission.id, mission))
  )
