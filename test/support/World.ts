/** A whole workspace on any store: every command with what it needs, and how tests call it. */

import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AgentConsequences } from "#core/agents/Agent.ts"
import * as Core from "#core/commands.ts"
import { DomainCheck } from "#core/email/DomainCheck.ts"
import { type EmailGateway, layerNone as noEmail } from "#core/email/EmailGateway.ts"
import type { InboxGateway } from "#core/email/InboxGateway.ts"
import * as ImportRunner from "#core/imports/ImportRunner.ts"
import * as Catalog from "#core/kernel/command/Catalog.ts"
import type { Call } from "#core/kernel/command/Delegation.ts"
import { Dispatch, layer as dispatchLayer } from "#core/kernel/command/Dispatch.ts"
import { type ActorIdentity, defaultOptions, type ExecutionOptions } from "#core/kernel/command/Execution.ts"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { type ResourceReader, layer as readerLayer } from "#core/kernel/resource/ResourceReader.ts"
import { type Ids, idsLayer } from "#core/kernel/schema/IdsAndTime.ts"
import type { LeadConsequences } from "#core/leads/LeadConsequences.ts"
import type { MissionArchival } from "#core/missions/MissionsRepo.ts"
import * as LinkedInPorts from "#core/outreach/LinkedInPorts.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import { makeResources } from "#core/resources/makeResources.ts"
import * as RecentRights from "#core/workspace/organizations/RecentRights.ts"
import type { MemoryStore } from "#memory/MemoryStore.ts"
import * as Memory from "#memory/repositories.ts"
import { type SimulatorLedger, layer as simulatorLayer } from "#memory/simulator/SimulatedGateway.ts"
import { type InboxScript, layer as inboxLayer } from "#memory/simulator/SimulatedInbox.ts"
import { LeasesOnProcessClock } from "#postgres/background/leases.ts"
import * as Repositories from "#postgres/repositories.ts"
import { type BackendName, pgliteLayer, postgresElsewhereLayer, postgresLayer, type SqlServices } from "./backends.ts"
import { CurrentOrganization } from "./inOrganization.ts"
import { owner } from "./memory.ts"
import { recordingCalls } from "./portCalls.ts"
import { callOf } from "./rest.ts"
import { StatementCounter } from "./StatementCounter.ts"

/** What tests may use, whatever the store. */
export type World =
  | Dispatch
  | ResourceReader
  | Memory.Repositories
  | Ids
  | AgentConsequences
  | LeadConsequences
  | MissionArchival
  | LinkedInGateway
  | SimulatorLedger
  | DomainCheck
  | EmailGateway
  | InboxGateway
  | InboxScript

/** What a store gives beside the repositories. */
interface Beside {
  readonly memory: MemoryStore
  readonly pglite: SqlServices
  readonly postgres: SqlServices
  readonly postgresElsewhere: SqlServices
}

/** The repositories of a database. Leases go by the clock of the test. */
const onSql = (base: Layer.Layer<SqlServices, Failure>) =>
  Repositories.layer.pipe(Layer.provide(Layer.succeed(LeasesOnProcessClock, true)), Layer.provideMerge(base))

/** A backend, or PostgreSQL with the tables in another schema. */
export type StoreName = BackendName | "postgresElsewhere"

const stores: { readonly [B in StoreName]: Layer.Layer<Memory.Repositories | Beside[B], Failure> } = {
  memory: Memory.layer,
  pglite: recordingCalls(onSql(pgliteLayer)),
  postgres: onSql(postgresLayer),
  postgresElsewhere: onSql(postgresElsewhereLayer)
}

/** Everything that can be read. */
export const resources = makeResources(Core.commands)

/** Every command, those of resources too. */
export const catalog = Catalog.make([...Core.commands, ...resources.map(({ command }) => command)])

/** Every command and resource, over whatever repositories and gateways. */
export const commands = readerLayer(resources).pipe(
  Layer.provideMerge(dispatchLayer(catalog)),
  Layer.provide(ImportRunner.layer),
  Layer.provideMerge(RecentRights.layer),
  Layer.provideMerge(LinkedInPorts.layer)
)

/** What a world needs beside what it has. */
export type Left<R> = Exclude<R, LinkedInGateway | SimulatorLedger>

/** What a world has instead of the usual. */
export interface Options<R = never> {
  /** Instead of the simulated LinkedIn, which it may build on. */
  readonly gateway?: Layer.Layer<LinkedInGateway, never, LinkedInGateway | SimulatorLedger | R>
  /** Seconds until a simulated person accepts an invitation; 30 unless told otherwise. */
  readonly acceptSeconds?: number
  /** Instead of random ids. */
  readonly ids?: Layer.Layer<Ids>
  /** Instead of no e-mail. */
  readonly email?: Layer.Layer<EmailGateway, never, R>
}

const simulated = Layer.effect(LinkedInGateway, LinkedInGateway)

/** Domains that are set up, but for those that begin with `unset`. */
export const simulatedDomains = Layer.succeed(DomainCheck, {
  check: (domain) => {
    const verdict = domain.startsWith("unset") ? "missing" : "pass"
    return Effect.succeed({ spf: verdict, dkim: "unknown", dmarc: verdict, problems: [] })
  }
})

/** Mailboxes with a script, and domains. */
export const simulatedMail = Layer.merge(inboxLayer, simulatedDomains)

/** The repositories of a store, empty, with gateways and ids: what {@link commands} work with. */
export const services = <B extends StoreName, R = never>({
  acceptSeconds = 30,
  backend,
  email = noEmail,
  gateway = simulated,
  ids = idsLayer
}: Options<R> & { readonly backend: B }) => {
  const gateways = Layer.merge(email, gateway).pipe(Layer.provideMerge(simulatorLayer({ acceptSeconds })))
  return Layer.mergeAll(ids, gateways, simulatedMail, stores[backend])
}

/** A workspace without organizations, in memory or on a database of its own. */
export const make = <B extends StoreName, R = never>(options: Options<R> & { readonly backend: B }) =>
  // What is left to provide, in as few words as the compiler does not find.
  commands.pipe(Layer.provideMerge(services(options))) as Layer.Layer<World | Beside[B], Failure, Left<R>>

/** What a call may say beside command and input. */
export interface Extra extends Partial<Omit<Call, "options">> {
  readonly options?: Partial<ExecutionOptions>
}

/** An owner of an organization, with changes. */
export const actor = (organizationId: string, changes: Partial<ActorIdentity> = {}): ActorIdentity => ({
  ...owner(organizationId),
  ...changes
})

/** The options of a call with an idempotency key. */
export const keyed = (idempotencyKey: string): Extra => ({ options: { idempotencyKey } })

/** Runs a command, or an endpoint such as `GET /offers`, as an owner of the organization of the test, unless told otherwise. */
export const ask = (command: string, input: unknown, { options, ...extra }: Extra = {}) =>
  Effect.gen(function* () {
    const call = {
      ...callOf(command, input),
      actor: actor(yield* CurrentOrganization, { policies: noPolicies }),
      ...extra
    }
    return yield* (yield* Dispatch).run({ ...call, options: { ...defaultOptions, ...options } })
  })

/** Runs a command that must succeed; answers its data, which the test knows the shape of, and its warnings. */
export const accepted = (command: string, input: unknown, extra?: Extra) =>
  Effect.map(ask(command, input, extra), ({ envelope }) => {
    if (!envelope.ok) return assert.fail(`${command}: ${envelope.error.code} ${envelope.error.message}`)
    return { data: Object(envelope.data), warnings: envelope.meta.warnings }
  })

interface Ok {
  // biome-ignore lint/suspicious/noExplicitAny: outputs of many commands, looked into by the tests of each
  (command: string, input: unknown, extra?: Extra): Effect.Effect<any, never, Dispatch>
  <A>(command: string, input: unknown, extra?: Extra): Effect.Effect<A, never, Dispatch>
}

/** Runs a command that must succeed; answers its data. */
export const ok: Ok = (command: string, input: unknown, extra?: Extra) =>
  Effect.map(accepted(command, input, extra), ({ data }) => data)

/** Runs a command that must succeed; answers its warnings. */
export const warned = (command: string, input: unknown, extra?: Extra) =>
  Effect.map(accepted(command, input, extra), ({ warnings }) => warnings)

/** Runs a command that must be refused; answers status, code, message and warnings, or `ok`. */
export const refused = (command: string, input: unknown, extra?: Extra) =>
  Effect.map(ask(command, input, extra), ({ envelope }) =>
    envelope.ok
      ? "ok"
      : [envelope.status, envelope.error.code, envelope.error.message, ...envelope.meta.warnings].join(" ")
  )

/** Status and code of a command's refusal; `ok` when it was accepted. */
export const verdict = (command: string, input: unknown, extra?: Extra) =>
  Effect.map(ask(command, input, extra), ({ envelope }) =>
    envelope.ok ? "ok" : `${envelope.status} ${envelope.error.code}`
  )

/** The code of a command's refusal; `ok` when it was accepted. */
export const code = (command: string, input: unknown, extra?: Extra) =>
  Effect.map(ask(command, input, extra), ({ envelope }) => (envelope.ok ? "ok" : envelope.error.code))

/** How many statements an effect takes, where there are statements: undefined in memory. */
export const statementsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.serviceOption(StatementCounter), (counter) =>
    Option.isNone(counter)
      ? Effect.as(effect, undefined)
      : Effect.map(counter.value.of(effect), ([, { statements }]) => statements)
  )

/** Runs a command that must succeed; answers its data and how many statements it took, 0 in memory. */
export const counted = (command: string, input: unknown, extra?: Extra) =>
  Effect.flatMap(Effect.serviceOption(StatementCounter), (counter) =>
    Option.isNone(counter)
      ? Effect.map(ok(command, input, extra), (data) => ({ data, statements: 0 }))
      : Effect.map(counter.value.of(ok(command, input, extra)), ([data, { statements }]) => ({ data, statements }))
  )

/** Adds a lead; answers its id. */
export const lead = (input: object, extra?: Extra): Effect.Effect<string, never, Dispatch> =>
  Effect.map(ok("lead.upsert", input, extra), ({ lead_id }) => String(lead_id))
