/**
 * A process that imports a file into the mission `killed` of an organization on PostgreSQL, and prints the answer; or is
 * killed by itself, with SIGKILL, at `CRASH_AT` the `CRASH_ON`-th time. `AHEAD` is by how many milliseconds its clock is
 * ahead, so that nobody has to wait until a killed process counts as gone.
 */

import { createReadStream } from "node:fs"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { ImportCsv } from "#core/imports/commands/ImportCsv.ts"
import { Upload } from "#core/imports/csv/CsvRows.ts"
import { ImportsRepo } from "#core/imports/ImportsRepo.ts"
import * as Catalog from "#core/kernel/command/Catalog.ts"
import { Dispatch, layer as dispatchLayer } from "#core/kernel/command/Dispatch.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { idsLayer } from "#core/kernel/schema/IdsAndTime.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import * as Database from "#postgres/Database.ts"
import { parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import * as Repositories from "#postgres/repositories.ts"
import { owner } from "../memory.ts"
import { noConsequences } from "../noConsequences.ts"
import type { ImportPlace } from "./importPoints.ts"

const env = (name: string): string => process.env[name] ?? ""

let passes = Number(env("CRASH_ON"))

const reach = (place: ImportPlace): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (env("CRASH_AT") !== place || --passes > 0) return Effect.void
    process.kill(process.pid, "SIGKILL")
    return Effect.never
  })

const deadlyImports = Layer.effect(
  ImportsRepo,
  Effect.map(ImportsRepo, (repo) =>
    ImportsRepo.of({
      ...repo,
      insert: (run) =>
        Effect.andThen(reach("before-insert"), repo.insert(run)).pipe(Effect.tap(() => reach("after-insert"))),
      advance: (progress) =>
        Effect.andThen(reach("before-progress"), repo.advance(progress)).pipe(Effect.tap(() => reach("after-progress")))
    })
  )
)

const deadlyLeads = Layer.effect(
  LeadsRepo,
  Effect.map(LeadsRepo, (repo) =>
    LeadsRepo.of({
      ...repo,
      resolve: (organizationId, references, locks) =>
        Effect.andThen(reach("before-look-up"), repo.resolve(organizationId, references, locks)).pipe(
          Effect.tap(() => reach("after-look-up"))
        ),
      write: (change) => Effect.tap(repo.write(change), () => reach("after-leads"))
    })
  )
)

const deadlyTransaction = Layer.effect(
  Transaction,
  Effect.map(Transaction, ({ isOpen, run }) =>
    Transaction.of({ isOpen, run: (effect) => Effect.tap(run(effect), () => reach("after-commit")) })
  )
)

const live = Clock.Clock.defaultValue()
const ahead = Number(env("AHEAD"))
const millis = () => live.currentTimeMillisUnsafe() + ahead
const clock: Clock.Clock = {
  currentTimeMillisUnsafe: millis,
  currentTimeMillis: Effect.sync(millis),
  currentTimeNanosUnsafe: () => live.currentTimeNanosUnsafe(),
  currentTimeNanos: live.currentTimeNanos,
  monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: live.monotonicTimeNanos,
  sleep: (duration) => live.sleep(duration)
}

const parsed = Result.getOrThrow(parseDatabaseUrl(env("DATABASE_URL")))
if (parsed._tag !== "Postgres") throw new Error("The importer needs a postgres:// URL.")

const service = dispatchLayer(Catalog.make([ImportCsv])).pipe(
  Layer.provide(Layer.succeed(Clock.Clock, clock)),
  Layer.provide(Layer.mergeAll(deadlyImports, deadlyLeads, deadlyTransaction)),
  Layer.provide(Layer.merge(Repositories.layer, noConsequences)),
  Layer.provide(Layer.merge(Database.layer(parsed, { maxConnections: 2 }), idsLayer))
)

const program = Effect.gen(function* () {
  const dispatch = yield* Dispatch
  const file = createReadStream(env("FILE"), { highWaterMark: 16 * 1024 })
  const content = Stream.fromAsyncIterable<Uint8Array, never>(file, (error) => {
    throw error
  })
  const { envelope } = yield* dispatch
    .run({
      command: ImportCsv.id,
      input: { mission_handle: "killed", content: "-" },
      actor: owner(env("ORGANIZATION"))
    })
    .pipe(Effect.provideService(Upload, { content, size: undefined, digest: env("DIGEST") }))
  process.stdout.write(JSON.stringify(envelope))
})

await Effect.runPromise(program.pipe(Effect.provide(service), Effect.provideService(Clock.Clock, clock)))
process.exit(0)
