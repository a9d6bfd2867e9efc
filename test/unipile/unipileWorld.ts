/** The adapter over the fake provider, and accounts and recipients to use with it. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { LinkedInAccount } from "#core/outreach/provider/LinkedInAccount.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { Recipient } from "#core/outreach/provider/ProviderReads.ts"
import { layer, type UnipileTimeouts } from "#providers/unipile/index.ts"
import { type FakeUnipile, startFakeUnipile } from "../support/fakeUnipile/FakeUnipile.ts"

/** The key of every test here; it must appear nowhere. */
export const secret = "canary-key-5f3a9c1e77"

/** Waits so many milliseconds for an answer. */
const waiting = (millis: number): UnipileTimeouts => ({ read: millis, write: millis, search: millis, pauses: [5, 5] })

/** Where an answer comes, the machine may be slow. */
const patient = waiting(15_000)

/** Where none comes, the test waits as long. */
export const impatient = waiting(1_000)

/** How long to wait for a scripted answer. */
export const timeoutsFor = (answer: unknown): UnipileTimeouts =>
  answer === "stall" || answer === "drip" ? impatient : patient

/** An account of ours at the provider. */
export const accountAt = (gatewayAccountId: string): LinkedInAccount => ({
  id: "acc_1",
  organizationId: "org_1",
  agentId: "agt_1",
  gateway: "unipile",
  gatewayAccountId,
  status: "OK",
  tier: "SALES_NAVIGATOR",
  features: ["sales_navigator"],
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z"
})

/** The account that every fake has. */
export const account = accountAt("ua-1")

/** Somebody known by public slug only. */
export const bySlug = (slug: string): Recipient => ({
  leadId: `ld_${slug}`,
  identities: [{ kind: "slug", value: slug, derived: false }],
  invitedAt: null
})

/** Somebody known by profile token. */
export const byToken = (token: string): Recipient => ({
  leadId: "ld_token",
  identities: [{ kind: "profile_token", value: token, derived: false }],
  invitedAt: null
})

/** The adapter for an address. */
export const adapter = (dsn: string, apiKey = secret, timeouts = patient) =>
  layer({ dsn, apiKey: Redacted.make(apiKey), timeouts })

/** What a test works with. */
export interface Setting {
  readonly fake: FakeUnipile
  readonly gateway: LinkedInGateway["Service"]
  readonly services: Context.Context<LinkedInGateway>
}

const startedFake = Effect.acquireRelease(
  Effect.promise(() => startFakeUnipile({ apiKey: secret })),
  (fake) => Effect.promise(() => fake.close())
)

/** Runs a test against a new fake with the people of these slugs. */
export const withFake = <A, E>(
  slugs: ReadonlyArray<string>,
  run: (setting: Setting) => Effect.Effect<A, E>,
  timeouts = patient
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const fake = yield* startedFake
      fake.world.addAccount("ua-1")
      for (const slug of slugs) fake.world.addPerson(slug)
      const services = yield* Layer.build(adapter(fake.url, secret, timeouts))
      const gateway = Context.get(services, LinkedInGateway)
      return yield* run({ fake, gateway, services })
    })
  )

/** A delivery to a recipient. */
export const to = (recipient: Recipient) => ({ recipient, idempotencyKey: "que_1" })
