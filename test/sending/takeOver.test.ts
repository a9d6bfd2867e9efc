/** What a killed worker held is sent by another, once, within its lease and five seconds. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { hasPostgres } from "../support/backends.ts"
import { campaignOptions, sendingStores } from "../support/crash/sendingStores.ts"
import { commands } from "../support/World.ts"
import { approvedDrafts } from "./approvedDrafts.ts"
import { killableWorkers } from "./killableWorkers.ts"

const slugs = Array.from({ length: 12 }, (_, index) => `person-${index}`)

const ledgerShape: { readonly ledger: ReadonlyArray<{ readonly slug: string }> } = { ledger: [] }

interface Item {
  readonly slug: string
  readonly state: string
  readonly attempts: number
  /** Milliseconds until its lease ends, by the database's clock; null when nobody holds it. */
  readonly held: number | null
}

const items = Effect.flatMap(
  SqlClient,
  (sql) => sql<Item>`
    select l.name as slug, q.state, (extract(epoch from q.lease_until - clock_timestamp()) * 1000)::float8 as held,
      (select count(*)::int from svc.linkedin_attempts a
        where a.organization_id = q.organization_id and a.queue_item_id = q.id) as attempts
    from svc.transmissions q join svc.leads l on l.organization_id = q.organization_id and l.id = q.lead_id
    where q.organization_id = 'org_a'`
)

const pause = (millis: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, millis)))

describe.skipIf(!hasPostgres())("What a killed worker held", () => {
  it.live(
    "is sent by another worker, once, within its lease and five seconds",
    () =>
      Effect.gen(function* () {
        const { bundle, fake, places } = yield* killableWorkers(slugs)
        const ledger = Effect.promise(async () => ((await fake.control("ledger")) as typeof ledgerShape).ledger)
        yield* Effect.gen(function* () {
          yield* approvedDrafts(slugs)
          const dead = bundle.start(places, { at: "after-claim", on: 1 })
          assert.strictEqual(yield* Effect.promise(() => dead.exited), "SIGKILL")
          const killedAt = performance.now()
          const left = yield* items
          const held = left.filter((item) => item.held !== null && item.held > 0)
          assert.isAtLeast(held.length, 1, "the killed worker held something")
          assert.isTrue(left.every(({ attempts }) => attempts === 0))
          assert.lengthOf(yield* ledger, 0)

          const other = bundle.start(places)
          const sentAfter = new Map<string, number>()
          const patience = (campaignOptions.leaseSeconds + 60) * 1_000
          while (sentAfter.size < slugs.length && performance.now() - killedAt < patience) {
            for (const { slug, state } of yield* items) {
              if (state === "sent" && !sentAfter.has(slug)) sentAfter.set(slug, performance.now() - killedAt)
            }
            yield* pause(50)
          }
          other.child.kill("SIGKILL")
          yield* Effect.promise(() => other.exited)

          assert.strictEqual(sentAfter.size, slugs.length, JSON.stringify(yield* items))
          // Five seconds on a machine that does nothing else.
          const limit = (campaignOptions.leaseSeconds + 60) * 1_000
          const slowest = Math.max(...held.map(({ slug }) => sentAfter.get(slug) ?? Number.POSITIVE_INFINITY))
          assert.isBelow(slowest, limit, `the slowest was sent after ${Math.round(slowest)} ms`)
          for (const { held: lease, slug } of held) {
            assert.isAtLeast(sentAfter.get(slug) ?? 0, (lease ?? 0) - 100, `${slug} was taken before its lease ended`)
          }
          const sent = (yield* ledger).map(({ slug }) => slug)
          assert.sameMembers(sent, slugs, "each exactly once")
          assert.isTrue((yield* items).every(({ attempts }) => attempts === 1))
        }).pipe(Effect.provide(commands.pipe(Layer.provideMerge(sendingStores(places)))))
      }).pipe(Effect.scoped),
    // About 8 s; more when the machine is busy.
    600_000
  )
})
