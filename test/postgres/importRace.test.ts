/** Imports and single upserts at the same time: nobody loses an identifier to the other. */

import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import { Actor, Execution } from "#core/kernel/command/Execution.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { idsLayer } from "#core/kernel/schema/IdsAndTime.ts"
import { leadItemReader } from "#core/leads/upsertLeads.ts"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import * as Repositories from "#postgres/repositories.ts"
import { hasPostgres, postgresLayer } from "../support/backends.ts"
import { owner } from "../support/memory.ts"
import { noConsequences } from "../support/noConsequences.ts"
import { organization } from "../support/organization.ts"
import { upsertMany, upsertOne } from "../support/upsertList.ts"

const services = Layer.mergeAll(Repositories.layer, idsLayer, noConsequences).pipe(Layer.provideMerge(postgresLayer))

const quiet = Execution.of({
  dryRun: false,
  emit: () => Effect.void,
  warn: () => Effect.void,
  commit: (step) => step,
  finish: () => Effect.die("not a command")
})

const people = 120

/** Runs one after what the other did, whose transaction stays open until the first waits for it. */
const whileOpen = Effect.fnUntraced(function* <A, E, R, B, F, S>(
  open: Effect.Effect<A, E, R>,
  late: Effect.Effect<B, F, S>
) {
  const sql = yield* SqlClient
  const isDone = yield* Deferred.make<void>()
  const isWaited = yield* Deferred.make<void>()
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const held = open.pipe(
    Effect.tap(() => Deferred.succeed(isDone, undefined)),
    Effect.tap(() => Deferred.await(isWaited))
  )
  const watched = Effect.repeat(waiting, { until: (found) => found.length > 0 })
  const [, answer] = yield* Effect.all(
    [
      (yield* Transaction).run(held),
      Effect.andThen(Deferred.await(isDone), late),
      Deferred.await(isDone).pipe(Effect.andThen(watched), Effect.andThen(Deferred.succeed(isWaited, undefined)))
    ],
    { concurrency: 3 }
  )
  return answer
})

describe.skipIf(!hasPostgres())("imports beside upserts", () => {
  it.layer(services)((it) => {
    it.effect("make one lead of every person, whoever is faster", () =>
      Effect.gen(function* () {
        yield* organization("org_1")
        const transaction = yield* Transaction
        const read = yield* leadItemReader([])
        const items = Array.from({ length: people }, (_, n) => ({
          email: `person${n}@example.com`,
          linkedin_url: `https://www.linkedin.com/in/person-${n}`
        }))
        const meant = items.flatMap((item) =>
          Result.match(read(item), { onFailure: () => [], onSuccess: (one) => [one] })
        )
        const imports = [meant, meant.toReversed()].map((rows) => transaction.run(upsertMany(rows)))
        const upserts = meant.map(({ input }) => transaction.run(upsertOne(input, { source: "user" })))
        yield* Effect.all([...upserts.slice(0, 40), ...imports, ...upserts.slice(40)], { concurrency: 12 })
        const sql = yield* SqlClient
        const rows = yield* sql<{ leads: number; held: number; complete: number }>`
          select (select count(*)::int from svc.leads) as leads, (select count(*)::int from svc.lead_identities) as held, (
            select count(*)::int from (
              select lead_id from svc.lead_identities group by lead_id having count(*) = 2) both_of_one) as complete
        `
        assert.deepStrictEqual(rows, [{ leads: people, held: 2 * people, complete: people }])
      }).pipe(Effect.provideService(Actor, owner("org_1")), Effect.provideService(Execution, quiet))
    )

    it.effect("an upsert that waits for an import finds what it made", () =>
      Effect.gen(function* () {
        yield* organization("org_2")
        const transaction = yield* Transaction
        const read = yield* leadItemReader([])
        const input = { email: "late@example.com", name: "Late" }
        const meant = [read(input)].flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
        const upserted = yield* whileOpen(upsertMany(meant), transaction.run(upsertOne(input, { source: "user" })))
        assert.strictEqual(upserted.change, "unchanged")
        const sql = yield* SqlClient
        const rows = yield* sql`
          select (select count(*)::int from svc.leads where organization_id = 'org_2') as leads,
            (select count(*)::int from svc.lead_identities where organization_id = 'org_2') as held
        `
        assert.deepStrictEqual(rows, [{ leads: 1, held: 1 }])
      }).pipe(Effect.provideService(Actor, owner("org_2")), Effect.provideService(Execution, quiet))
    )

    it.effect("an upsert into a mission that is being deleted finds it gone", () =>
      Effect.gen(function* () {
        yield* organization("org_3")
        const transaction = yield* Transaction
        const missions = yield* MissionsRepo
        const sql = yield* SqlClient
        yield* sql`
          insert into svc.missions (organization_id, id, handle, name, status, search_text, content, created_at, updated_at)
          values ('org_3', 'mis_3', 'leaving', 'Leaving', 'ACTIVE', 'leaving', '{}', now(), now())
        `
        const upsert = transaction.run(upsertOne({ email: "late@example.com" }, { source: "user", mission: "mis_3" }))
        const refused = yield* whileOpen(missions.remove("org_3", "mis_3"), Effect.flip(upsert))
        assert.strictEqual(refused.code, "NOT_FOUND")
        assert.include(refused.message, "Mission")
        assert.deepStrictEqual(yield* sql`select id from svc.leads where organization_id = 'org_3'`, [])
      }).pipe(Effect.provideService(Actor, owner("org_3")), Effect.provideService(Execution, quiet))
    )
  })
})
