/// <reference lib="esnext.disposable" />
/** A service for one test: in memory, with a clock and a provider that the test moves. */
import { type InstantText, scopeBundles } from "@svc/core"
import type { EmailGateway } from "@svc/core/email"
import { isOptions, must } from "@svc/core/names"
import type { LinkedInGateway } from "@svc/core/outreach"
import * as Embed from "@svc/embed"
import { orThrow, ownGatewayLayer, svcChecks } from "@svc/embed/composition"
import { SimulatedEmail, SimulatedGateway } from "@svc/memory"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as EffectClock from "effect/testing/TestClock"
import { makeProvider, type ScriptedProvider, type Sent } from "./ScriptedProvider.ts"

/** Options of a service in a test: those of `createSvc` without database, environment and worker. */
export interface TestOptions<Extra extends Embed.OwnCommand = never>
  extends Omit<Embed.SvcOptions<Extra>, "database" | "databaseUrl" | "env" | "worker" | "gateway" | "email"> {
  /** When the test begins; default 2026-01-05T09:00:00Z, a Monday. */
  readonly at?: Date | InstantText
  /** Your own LinkedIn gateway, whose sends the script may replace; default the simulator. */
  readonly gateway?: Layer.Layer<LinkedInGateway> | Embed.GatewayDefinition
  /** Your own e-mail gateway; default simulated. */
  readonly email?: Layer.Layer<EmailGateway>
}

/** Roles: a person with every right, with the scopes of a bundle, or an AI agent with those of a key without scopes. */
export type Role = "owner" | "approver" | "drafter" | "read_only" | "ai_agent"

const roles: Readonly<Record<Role, Embed.HostActor>> = {
  owner: { userId: "usr_owner", scopes: scopeBundles.full },
  approver: { userId: "usr_approver", scopes: scopeBundles.approver },
  drafter: { userId: "usr_drafter", scopes: scopeBundles.drafter },
  read_only: { userId: "usr_reader", scopes: scopeBundles.read_only },
  ai_agent: { userId: "usr_agent", kind: "AI_AGENT", scopes: scopeBundles.drafter }
}

/** The time of a test, which stands still until it is moved. */
export interface TestClock {
  readonly now: () => Date
  /** Moves to an instant and runs what was waiting for it. Throws if it is in the past. */
  readonly set: (instant: Date | InstantText) => Promise<void>
  /** Moves by milliseconds or by a duration such as `"2 hours"`, and runs what was waiting. */
  readonly advance: (duration: Duration.Input) => Promise<void>
}

/** A service in a test. Its functions may be taken out of it: `const { svc, work } = await testSvc()`. */
export interface TestSvc<Extra extends Embed.OwnCommand = never> {
  readonly svc: Embed.Svc<Embed.CommandOf<Extra>>
  readonly clock: TestClock
  readonly provider: ScriptedProvider
  /** What left through the provider, oldest first. */
  readonly sent: () => ReadonlyArray<Sent>
  /** The events of the default organization, oldest first. */
  readonly events: () => Promise<ReadonlyArray<Embed.SvcEvent>>
  /** Moves the clock by a second, as workers look once a second, and does what is due until nothing is left to do now. */
  readonly work: () => Promise<Embed.WorkCounts>
  /** The service for a role in the default organization, or for any actor. */
  readonly as: (role: Role | Embed.HostActor) => Embed.Svc<Embed.CommandOf<Extra>>
  readonly close: () => Promise<void>
  /** As `close`, for `await using`; present where the runtime has it. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

// What a test decides itself is none of its options.
const { database: _, databaseUrl: __, env: ___, worker: ____, ...ownChecks } = svcChecks

const isTest = isOptions<TestOptions>({
  ...ownChecks,
  at: must("an instant such as 2026-01-05T09:00:00Z", (at) => at instanceof Date || typeof at === "string")
})

const monday = "2026-01-05T09:00:00.000Z"

const millisOf = (instant: Date | InstantText): number => {
  const millis = instant instanceof Date ? instant.getTime() : Date.parse(instant)
  if (Number.isNaN(millis)) throw new RangeError(`${String(instant)} is not an instant such as ${monday}.`)
  return millis
}

const clockLayer = (start: number) =>
  Layer.effectContext(
    Effect.tap(Layer.build(EffectClock.layer()), (context) =>
      Effect.provideContext(EffectClock.setTime(start), context)
    )
  )

/** The events of a service, page by page. */
const allEvents = async (svc: Embed.Svc): Promise<ReadonlyArray<Embed.SvcEvent>> => {
  const found: Array<Embed.SvcEvent> = []
  for (;;) {
    const { events } = await svc.events.list({ limit: 100, after: found.at(-1)?.sequence ?? 0 })
    if (events.length === 0) return found
    found.push(...events)
  }
}

/**
 * Starts a service for a test. Nothing happens by itself: time stands still, and messages are sent by `work()`. Approved
 * messages are due at once, at any hour and without pauses, unless `settings` say otherwise. Close it at the end.
 *
 * Rejects as `createSvc` does.
 */
export const testSvc = async <Extra extends Embed.OwnCommand = never>(
  options: TestOptions<Extra> = {}
): Promise<TestSvc<Extra>> => {
  orThrow(isTest(options, "testSvc", true))
  const { at = monday, email = SimulatedEmail.layer, gateway, layers = Layer.empty, ...rest } = options
  const clock = clockLayer(millisOf(at))
  const settings = { sendHoldSeconds: 0, linkedinPacing: "off", logLevel: "error", ...options.settings } as const
  const simulator = SimulatedGateway.layer({ acceptSeconds: settings.simulatorAcceptSeconds ?? 30 })
  const provider = makeProvider()
  const svc = await Embed.createSvc<Extra>({
    ...rest,
    database: "memory:",
    env: false,
    worker: false,
    settings,
    gateway: provider.gateway(gateway === undefined ? simulator : ownGatewayLayer(gateway)),
    email: provider.email(email),
    layers: Layer.merge(clock, layers)
  })
  const { runtime } = svc.effect
  const { currentTimeMillisUnsafe } = await runtime.runPromise(Clock.Clock)
  const advance: TestClock["advance"] = (duration) => runtime.runPromise(EffectClock.adjust(duration))
  const time = (): Date => new Date(currentTimeMillisUnsafe())
  return {
    svc,
    clock: {
      now: time,
      set: (instant) => {
        const millis = millisOf(instant)
        if (millis < time().getTime()) throw new RangeError(`The clock is past ${new Date(millis).toISOString()}.`)
        return runtime.runPromise(EffectClock.setTime(millis))
      },
      advance
    },
    provider: { next: provider.next, reply: (reply) => runtime.runPromise(provider.reply(reply)) },
    sent: provider.sent,
    // Commands of the host add to the methods, and take none away.
    events: () => allEvents(svc as unknown as Embed.Svc),
    work: async () => {
      await advance("1 second")
      return svc.work()
    },
    as: (role) => svc.as(typeof role === "string" ? roles[role] : role),
    close: svc.close,
    [Symbol.asyncDispose]: svc.close
  }
}
