/** The workspace that contract suites of leads run in: commands of every domain that leads touch, on any backend. */
import type { ActorIdentity } from "@svc/core/Actor"
import { CreateAgent } from "@svc/core/agents/commands/CreateAgent"
import * as Catalog from "@svc/core/Catalog"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import type { ExecutionOptions } from "@svc/core/ExecutionOptions"
import type { Failure } from "@svc/core/Failure"
import * as Ids from "@svc/core/Ids"
import type { ImportsRepo } from "@svc/core/imports/ImportsRepo"
import { RestAddLeads } from "@svc/core/imports/rest"
import { commands as leadCommands, restCommands as leadRest } from "@svc/core/leads/index"
import type * as LeadsMemory from "@svc/core/leads/LeadsMemory"
import { ApproveDraft } from "@svc/core/linkedin/commands/ApproveDraft"
import { CreateDraft } from "@svc/core/linkedin/commands/CreateDraft"
import { GetDraft } from "@svc/core/linkedin/commands/GetDraft"
import { ListDrafts } from "@svc/core/linkedin/commands/ListDrafts"
import { SendInvitation } from "@svc/core/linkedin/commands/SendInvitation"
import type { DispatchNeeds } from "@svc/core/linkedin/index"
import * as LinkedInPorts from "@svc/core/linkedin/LinkedInPorts"
import { defaultSendOptions, SendOptions } from "@svc/core/linkedin/SendOptions"
import type * as Memory from "@svc/core/memory"
import { CreateMission } from "@svc/core/missions/commands/CreateMission"
import { UpdateMission } from "@svc/core/missions/commands/UpdateMission"
import { CreateOffer } from "@svc/core/offers/commands/CreateOffer"
import { layerSecretRandom } from "@svc/core/Page"
import { inboxResource, suppressionsResource } from "@svc/core/resources/leadResources"
import * as SimulatedGateway from "@svc/core/simulator/SimulatedGateway"
import type { Workspaces } from "@svc/core/workspace/Workspaces"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { currentOwner } from "../support/inOrganization.ts"
import { StatementCounter } from "../support/StatementCounter.ts"
import { type pgliteLayer, repositories } from "./backends.ts"

const catalog = Catalog.make([
  CreateOffer,
  CreateAgent,
  CreateMission,
  UpdateMission,
  ...leadCommands,
  ...leadRest,
  CreateDraft,
  SendInvitation,
  ApproveDraft,
  GetDraft,
  ListDrafts,
  RestAddLeads,
  inboxResource.command,
  suppressionsResource.command
])

const serviceOn = <A>(stores: Layer.Layer<A | Memory.Repositories, Failure>) =>
  dispatchLayer(catalog).pipe(
    Layer.provideMerge(LinkedInPorts.layer),
    Layer.provide(Layer.succeed(SendOptions, defaultSendOptions)),
    Layer.provideMerge(Layer.mergeAll(SimulatedGateway.layer({ acceptSeconds: 30 }), Ids.layer, layerSecretRandom)),
    Layer.provideMerge(stores)
  )

/** What the suites use of it. */
export type LeadService = Dispatch | DispatchNeeds | Workspaces | ImportsRepo | Layer.Success<typeof LeadsMemory.layer>

/** It on every backend. */
export const leadServices = {
  memory: serviceOn(repositories.memory),
  sql: (base: typeof pgliteLayer) => serviceOn(repositories.sql(base))
}

const plain: ExecutionOptions = { responseProfile: "full", dryRun: false, idempotencyKey: undefined }

/** What a call may say beside command and input. */
export interface Extra {
  readonly actor?: ActorIdentity
  readonly options?: Partial<ExecutionOptions>
}

/** Runs a command as an owner of the organization of the test, unless told otherwise; answers its envelope. */
export const run = (command: string, input: object, { actor, options = {} }: Extra = {}) =>
  Effect.gen(function* () {
    const call = { command, input, actor: actor ?? (yield* currentOwner), options: { ...plain, ...options } }
    return (yield* (yield* Dispatch).run(call)).envelope
  })

/** Runs a command that must succeed; answers its data, which the test knows the shape of. */
// biome-ignore lint/suspicious/noExplicitAny: outputs of many commands, looked into by the tests of each
export const ok = (command: string, input: object, extra?: Extra): Effect.Effect<any, never, Dispatch> =>
  Effect.map(run(command, input, extra), (envelope) => {
    if (!envelope.ok) throw new Error(`${command}: ${envelope.error.code} ${envelope.error.message}`)
    return { ...Object(envelope.data), warnings: envelope.meta.warnings }
  })

/** The code of a command's refusal; `ok` when it was accepted. */
export const code = (command: string, input: object, extra?: Extra) =>
  Effect.map(run(command, input, extra), (envelope) => (envelope.ok ? "ok" : envelope.error.code))

/** Runs a call that must succeed; answers its data and how many statements it took, 0 in memory. */
export const counted = (command: string, input: object) =>
  Effect.gen(function* () {
    const counter = yield* Effect.serviceOption(StatementCounter)
    if (Option.isNone(counter)) return { data: yield* ok(command, input), statements: 0 }
    const [data, { statements }] = yield* counter.value.of(ok(command, input))
    return { data, statements }
  })

/** Adds a lead; answers its id. */
export const lead = (input: object, extra?: Extra): Effect.Effect<string, never, Dispatch> =>
  Effect.map(ok("lead.upsert", input, extra), ({ lead_id }) => lead_id)
