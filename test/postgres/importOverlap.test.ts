/**
 * Three batches of a file at a time on PostgreSQL: later ones are written while the first is, recorded after it, and undone
 * with it.
 */

import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { ImportCsv } from "#core/imports/commands/ImportCsv.ts"
import { Upload } from "#core/imports/csv/CsvRows.ts"
import { ImportsRepo } from "#core/imports/ImportsRepo.ts"
import { batchSize } from "#core/imports/storeBatches.ts"
import { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { type StoreFailure, Unavailable } from "#core/kernel/failure/failures.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { retryTransaction } from "#postgres/SqlFailure.ts"
import { hasPostgres } from "../support/backends.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import * as World from "../support/World.ts"

/** What batches do, in order, and what may happen to them on the way. */
let steps: Array<string> = []
let onRecord: (batch: number) => Effect.Effect<void, StoreFailure> = () => Effect.void
let onLookUp: (batch: number) => Effect.Effect<void, StoreFailure> = () => Effect.void
let onWritten: (batch: number, leads: number) => Effect.Effect<void, StoreFailure> = () => Effect.void

const batchOf = (position: number): number => Math.floor(position / batchSize) + 1
const said = (step: string) => Effect.sync(() => void steps.push(step))

/** The number in the first address of a batch tells which it is. */
const firstNumber = (values: ReadonlyArray<string>): number =>
  Math.min(...values.map((value) => Number(/^p(\d+)@/.exec(value)?.[1] ?? Number.MAX_SAFE_INTEGER)))

const watchedLeads = Layer.effect(
  LeadsRepo,
  Effect.map(LeadsRepo, (repo) =>
    LeadsRepo.of({
      ...repo,
      resolve: (organizationId, references, locks) => {
        const batch = batchOf(firstNumber(references.identities.map(({ value }) => value)))
        return said(`look up ${batch}`).pipe(
          Effect.andThen(onLookUp(batch)),
          Effect.andThen(repo.resolve(organizationId, references, locks))
        )
      },
      write: (change) =>
        Effect.tap(repo.write(change), () =>
          onWritten(batchOf(firstNumber((change.created ?? []).map(({ email }) => email))), change.created?.length ?? 0)
        )
    })
  )
)

const watchedImports = Layer.effect(
  ImportsRepo,
  Effect.map(ImportsRepo, (repo) =>
    ImportsRepo.of({
      ...repo,
      advance: (progress) => {
        const [first] = progress.rows
        if (first === undefined) return repo.advance(progress)
        const batch = batchOf(first.position)
        return onRecord(batch).pipe(Effect.andThen(repo.advance(progress)), Effect.tap(said(`recorded ${batch}`)))
      }
    })
  )
)

const services = World.commands.pipe(
  Layer.provide(Layer.merge(watchedLeads, watchedImports)),
  Layer.provideMerge(World.services({ backend: "postgres" }))
)

/** Time for whoever may go on to do so. */
const turns = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve))).pipe(
  Effect.repeat({ times: 20 })
)

const rowCount = 3 * batchSize

const numbered = Array.from({ length: rowCount }, (_, n) => n)

const fileOf = (numbers: ReadonlyArray<number>): string =>
  `Email,Name\n${numbers.map((n) => `p${n}@example.com,Person ${n}\n`).join("")}`

const send = (organizationId: string, content: string) =>
  Effect.gen(function* () {
    const bytes = new TextEncoder().encode(content)
    const { envelope } = yield* (yield* Dispatch)
      .run({ command: ImportCsv.id, input: { mission_handle: "overlap", content: "-" }, actor: owner(organizationId) })
      .pipe(Effect.provideService(Upload, { content: Stream.make(bytes), size: bytes.length, digest: undefined }))
    return envelope.ok ? Object(envelope.data) : assert.fail(envelope.error.message)
  })

const prepared = (organizationId: string) =>
  Effect.gen(function* () {
    steps = []
    onRecord = () => Effect.void
    onLookUp = () => Effect.void
    onWritten = () => Effect.void
    yield* organization(organizationId)
    const sql = yield* SqlClient
    yield* sql`
      insert into svc.missions (organization_id, id, handle, name, status, search_text, content, created_at, updated_at)
      values (${organizationId}, 'mis_1', 'overlap', 'Overlap', 'ACTIVE', 'overlap', '{}', now(), now())
    `
    return sql
  })

/** What is stored: leads, rows in their order without a gap, and what the import counted. */
const storedIn = (organizationId: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      select (select count(*)::int from svc.leads where organization_id = ${organizationId}) as leads,
        (select count(*)::int from svc.lead_missions where organization_id = ${organizationId}) as links,
        (select count(distinct position)::int from svc.import_rows where organization_id = ${organizationId}) as rows,
        (select max(position) from svc.import_rows where organization_id = ${organizationId}) as last,
        (select count(*)::int from svc.events where organization_id = ${organizationId} and type = 'lead.created') as events,
        (select created_count from svc.imports where organization_id = ${organizationId}) as counted
    `
  )

const whole = (people: number) => [
  { leads: people, links: people, rows: rowCount, last: rowCount - 1, events: people, counted: people }
]

describe.skipIf(!hasPostgres())("batches of a file", () => {
  it.layer(services)((it) => {
    it.effect("are written beside those before, and recorded in their order", () =>
      Effect.gen(function* () {
        yield* prepared("org_beside")
        const others = yield* Deferred.make<void>()
        let written = 0
        // The first batch is not recorded before the others are written: would one wait for the first, nobody went on.
        onWritten = (batch, leads) => {
          if (batch > 1) written += leads
          return written === 2 * batchSize ? Deferred.succeed(others, undefined) : Effect.void
        }
        onRecord = (batch) => (batch === 1 ? Effect.andThen(Deferred.await(others), turns) : Effect.void)
        const run = yield* send("org_beside", fileOf(numbered))
        assert.strictEqual(run.state, "completed")
        assert.deepStrictEqual(
          steps.filter((step) => step.startsWith("record")),
          ["recorded 1", "recorded 2", "recorded 3"]
        )
        assert.deepStrictEqual(yield* storedIn("org_beside"), whole(rowCount))
      })
    )

    it.effect("wait for the one before when they have somebody in common", () =>
      Effect.gen(function* () {
        yield* prepared("org_common")
        const numbers = numbered.map((n) => (n === 2 * batchSize - 1 ? 7 : n))
        yield* send("org_common", fileOf(numbers))
        assert.deepStrictEqual(steps.slice(0, 3), ["look up 1", "recorded 1", "look up 1"], "of batch 2: p7 is in it")
        assert.deepStrictEqual(yield* storedIn("org_common"), whole(rowCount - 1))
      })
    )

    it.effect("are undone with the first, and stored again after it", () =>
      Effect.gen(function* () {
        yield* prepared("org_again")
        const third = yield* Deferred.make<void>()
        let lost = 0
        onLookUp = (batch) => (batch === 3 ? Deferred.succeed(third, undefined) : Effect.void)
        onRecord = (batch) =>
          batch === 1 && lost++ < 2 ? Effect.andThen(Deferred.await(third), retryTransaction) : Effect.void
        const run = yield* send("org_again", fileOf(numbered))
        assert.deepStrictEqual([run.state, run.created_count, lost], ["completed", rowCount, 3])
        for (const batch of [2, 3]) {
          assert.isAbove(
            steps.filter((step) => step === `look up ${batch}`).length,
            1,
            `batch ${batch} was stored again`
          )
        }
        assert.deepStrictEqual(yield* storedIn("org_again"), whole(rowCount))
      })
    )

    it.effect("wait for somebody who holds an identifier for longer than a lock is waited for", () =>
      Effect.gen(function* () {
        const sql = yield* prepared("org_held")
        const held = yield* Deferred.make<void>()
        const release = yield* Deferred.make<void>()
        const other = sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`
              insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url,
                status, score, is_flagged, search_text, profile, created_at, updated_at)
              values ('org_held', 'ld_held', '', '', '', '', 'p5@example.com', '', '', 'New', 0, false, '', '{}', now(), now())
            `
            yield* sql`
              insert into svc.lead_identities (organization_id, kind, value, lead_id, derived)
              values ('org_held', 'email', 'p5@example.com', 'ld_held', false)
            `
            yield* sql`
              insert into svc.lead_recency (organization_id, updated_at, lead_id)
              select organization_id, updated_at, id from svc.leads where organization_id = 'org_held' and id = 'ld_held'
            `
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(release)
          })
        )
        let looks = 0
        onLookUp = (batch) => (batch === 1 && ++looks === 2 ? Deferred.succeed(release, undefined) : Effect.void)
        const sent = Effect.andThen(Deferred.await(held), send("org_held", fileOf(numbered)))
        const [run] = yield* Effect.all([sent, other], { concurrency: 2 })
        assert.deepStrictEqual(
          [run.state, run.created_count, run.updated_count],
          ["completed", rowCount - 1, 1],
          "the person whom the other made is updated"
        )
      })
    )

    it.effect("leave nothing when the one before fails, and the same file goes on from there", () =>
      Effect.gen(function* () {
        const sql = yield* prepared("org_failed")
        const third = yield* Deferred.make<void>()
        onLookUp = (batch) => (batch === 3 ? Deferred.succeed(third, undefined) : Effect.void)
        onRecord = (batch) =>
          batch === 2
            ? Effect.andThen(Deferred.await(third), Effect.fail(new Unavailable({ message: "The disk is full." })))
            : Effect.void
        const broken = yield* send("org_failed", fileOf(numbered))
        assert.deepStrictEqual([broken.state, broken.created_count], ["interrupted", batchSize])
        const part = { leads: batchSize, links: batchSize, rows: batchSize, last: batchSize - 1, events: batchSize }
        assert.deepStrictEqual(yield* storedIn("org_failed"), [{ ...part, counted: batchSize }])
        const open = yield* sql`
          select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
        `
        assert.deepStrictEqual(open, [], "no transaction is left open")
        onRecord = () => Effect.void
        const rest = yield* send("org_failed", fileOf(numbered))
        assert.deepStrictEqual([rest.state, rest.created_count], ["completed", rowCount])
        assert.deepStrictEqual(yield* storedIn("org_failed"), whole(rowCount))
      })
    )
  })
})
