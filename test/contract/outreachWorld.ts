/** Commands of offers, agents, missions, leads and LinkedIn over every repository, with the simulated LinkedIn, on any store. */
import { assert } from "@effect/vitest"
import * as Agents from "@svc/core/agents/index"
import * as Catalog from "@svc/core/Catalog"
import { type Call, Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import type { Failure } from "@svc/core/Failure"
import * as Ids from "@svc/core/Ids"
import * as ImportRunner from "@svc/core/imports/ImportRunner"
import * as Imports from "@svc/core/imports/index"
import * as Leads from "@svc/core/leads/index"
import * as LinkedIn from "@svc/core/linkedin/index"
import * as Ports from "@svc/core/linkedin/LinkedInPorts"
import * as Memory from "@svc/core/memory"
import * as Missions from "@svc/core/missions/index"
import * as Offers from "@svc/core/offers/index"
import * as SimulatedGateway from "@svc/core/simulator/SimulatedGateway"
import * as Repositories from "@svc/postgres/repositories"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { currentOwner } from "../support/inOrganization.ts"
import { StatementCounter } from "../support/StatementCounter.ts"
import { eachBackend } from "./backends.ts"

/** What a suite may use. */
export type World = Dispatch | Memory.Repositories | Ids.Ids

const catalog = Catalog.make([
  ...Offers.commands,
  ...Offers.restCommands,
  ...Agents.commands,
  ...Agents.restCommands,
  ...Missions.commands,
  ...Missions.restCommands,
  ...Leads.commands,
  ...Leads.restCommands,
  ...LinkedIn.commands,
  ...Imports.commands,
  ...Imports.restCommands
])

const gateway = SimulatedGateway.layer({ acceptSeconds: 30 })

/** Days since Monday 2026-11-16 09:00 UTC for what runs inside; the clocks of connections and locks stay as they are. */
let today = 0

/** Lets the commands that follow run on another day. */
export const onDay = (day: number): Effect.Effect<void> =>
  Effect.sync(() => {
    today = day
  })

const start = Date.parse("2026-11-16T09:00:00.000Z")
const live = Clock.Clock.defaultValue()
let ticks = 0

/** Each look at it is a millisecond later, so that what happens one after the other is told apart. */
const millis = (): number => start + today * 24 * 60 * 60 * 1000 + ticks++

const clock: Clock.Clock = {
  ...live,
  currentTimeMillisUnsafe: millis,
  currentTimeMillis: Effect.sync(millis),
  currentTimeNanosUnsafe: () => live.currentTimeNanosUnsafe(),
  currentTimeNanos: live.currentTimeNanos,
  sleep: (duration) => live.sleep(duration)
}

const over = <E>(repositories: Layer.Layer<Memory.Repositories, E>) =>
  dispatchLayer(catalog).pipe(
    // Runs that write have fibers of their own, which go by the clock that the layer was made with.
    Layer.provide(Layer.succeed(Clock.Clock, clock)),
    Layer.provide(ImportRunner.layer),
    Layer.provide(Ports.layer),
    Layer.provideMerge(repositories),
    Layer.provideMerge(Layer.merge(Ids.layer, gateway))
  )

/** Runs a suite on every store, with a layer that every test of it shares. */
export const eachOutreach = (name: string, suite: (layer: Layer.Layer<World, Failure>) => void): void =>
  eachBackend<World>(
    name,
    {
      memory: over(Memory.layer),
      sql: (base) => over(Repositories.layer.pipe(Layer.provideMerge(base)))
    },
    suite
  )

/** Runs a command as an owner of the organization of the test, unless told otherwise. */
export const ask = (command: string, input: unknown, call: Partial<Call> = {}) =>
  Effect.gen(function* () {
    const actor = yield* currentOwner
    return yield* (yield* Dispatch).run({ command, input, actor, ...call })
  }).pipe(Effect.provideService(Clock.Clock, clock))

/** Runs a command that must succeed; answers its output. */
export const done = (command: string, input: unknown, call: Partial<Call> = {}) =>
  Effect.map(ask(command, input, call), ({ envelope }) => {
    if (!envelope.ok) return assert.fail(`${command}: ${envelope.error.code} ${envelope.error.message}`)
    return Object(envelope.data)
  })

/** Runs a command that must succeed; answers its warnings. */
export const warned = (command: string, input: unknown) =>
  Effect.map(ask(command, input), ({ envelope }) => {
    if (!envelope.ok) return assert.fail(`${command}: ${envelope.error.code} ${envelope.error.message}`)
    return envelope.meta.warnings
  })

/** Runs a command that must be refused; answers status, code and message. */
export const refused = (command: string, input: unknown, call: Partial<Call> = {}) =>
  Effect.map(ask(command, input, call), ({ envelope }) =>
    envelope.ok ? "ok" : `${envelope.status} ${envelope.error.code} ${envelope.error.message}`
  )

/** How many statements an effect takes, where there are statements: undefined in memory. */
export const statementsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.serviceOption(StatementCounter), (counter) =>
    Option.isNone(counter)
      ? Effect.as(effect, undefined)
      : Effect.map(counter.value.of(effect), ([, { statements }]) => statements)
  )
