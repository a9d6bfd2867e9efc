/**
 * Runs searches page by page, also when nobody waits any more.
 *
 * After each page the rows, their counts and the provider's cursor are stored in one transaction, so an import that stops
 * anywhere goes on from its last page. A run belongs to the process that started it and is fenced by its attempt number:
 * when its process dies, the next call for the same search takes it over. Source: G20; contract 1.9.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { Actor, type ActorIdentity } from "../Actor.ts"
import { commit, Execution } from "../Execution.ts"
import { type Failure, fail } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { rowsImported } from "../instruments.ts"
import { Journal } from "../Journal.ts"
import { meantLeadReader } from "../leads/index.ts"
import { counted, type LinkedInAccount, LinkedInGateway } from "../linkedin/index.ts"
import type { PeoplePage } from "../linkedin/LinkedInGateway.ts"
import * as Session from "../Session.ts"
import { Transaction } from "../Transaction.ts"
import { leadFieldsOf } from "./foundPerson.ts"
import { type ImportRun, rowsSeen } from "./ImportRun.ts"
import { importAdvanced, importEnded, type Told } from "./importEvents.ts"
import { importRows, recordRows, type Standing } from "./importRows.ts"

/** A search to run. `url` is the address to search by; the run says how far it got and where it ends. */
export interface SearchJob {
  readonly run: ImportRun
  readonly url: string
  readonly account: LinkedInAccount
  readonly actor: ActorIdentity
}

/** How a search ended: the run as it was stored last, and what stopped it early. */
export interface SearchEnd {
  readonly run: ImportRun
  readonly failure: Failure | undefined
}

/** Runs searches in the background, as long as its layer lives. */
export class ImportRunner extends Context.Service<
  ImportRunner,
  {
    /** Starts a search and answers the wait for its end. Whoever stops waiting does not stop the search. */
    readonly start: (job: SearchJob) => Effect.Effect<Effect.Effect<SearchEnd>>
  }
>()("@svc/core/imports/ImportRunner") {}

/** The most that is asked of a provider at once. */
const pageSize = 25

const retries = 2

/** Reads of a provider may be repeated; a limit that is reached is no matter of seconds. */
const worthRepeating = (failure: Failure): boolean => failure.entry.retryable && failure.code !== "USAGE_LIMIT"

/** One page; each request for it counts against the account's limit, and reaching that is no matter of seconds. */
const searchPage = Effect.fnUntraced(function* ({ account, url }: SearchJob, cursor: string | null, limit: number) {
  const gateway = yield* LinkedInGateway
  return yield* counted(account, "search", gateway.searchPeople(account, { url, cursor, limit })).pipe(
    Effect.retry({ times: retries, schedule: Schedule.exponential("1 second", 2), while: worthRepeating })
  )
})

/** A page from the stored cursor; from the start when the provider has forgotten that cursor, once per attempt. */
const firstPage = (job: SearchJob, limit: number): ReturnType<typeof searchPage> =>
  Effect.catch(searchPage(job, job.run.cursor, limit), (failure) =>
    job.run.cursor !== null && failure.code === "GATEWAY_REJECTED" ? searchPage(job, null, limit) : Effect.fail(failure)
  )

const settle = (run: ImportRun, standing: Standing) =>
  commit(
    Effect.gen(function* () {
      const settled = yield* recordRows(run, [], standing)
      yield* importEnded(settled)
      return settled
    })
  )

const storePage = (run: ImportRun, page: PeoplePage, remaining: number, told: Told) =>
  commit(
    Effect.gen(function* () {
      const read = yield* meantLeadReader
      const sources = page.people.map((person) => read(leadFieldsOf(person)))
      const verdicts = yield* importRows(run, rowsSeen(run.counts), sources)
      const isLast = page.next === null || page.people.length === 0 || page.people.length >= remaining
      const stored = yield* recordRows(run, verdicts, {
        cursor: page.next,
        state: isLast ? "completed" : "running",
        reason: null
      })
      return { run: stored, told: yield* importAdvanced(stored, told) }
    })
  )

/** Reads and stores pages until the search or the limit ends. `at` sees every run that was stored. */
const readPages = Effect.fnUntraced(function* (job: SearchJob, at: (run: ImportRun) => void) {
  let run = job.run
  let told: Told = { rows: rowsSeen(run.counts), millis: yield* Clock.currentTimeMillis }
  for (let isFirst = true; run.state === "running"; isFirst = false) {
    const remaining = (run.rowLimit ?? 0) - rowsSeen(run.counts)
    const limit = Math.min(remaining, pageSize)
    const page = yield* isFirst ? firstPage(job, limit) : searchPage(job, run.cursor, limit)
    const stored = yield* storePage(run, page, remaining, told)
    yield* rowsImported(stored.run.counts, run.counts)
    run = stored.run
    told = stored.told
    at(run)
  }
  return run
})

/** What writing rows and reading pages needs. */
type Needs = Exclude<Effect.Services<ReturnType<typeof readPages>>, Actor | Execution>

/** Runs a search to its end and stores how it ended, whatever happens. */
const runSearch = (job: SearchJob): Effect.Effect<SearchEnd, never, Needs | Actor | Execution> => {
  let latest = job.run
  const stop = (state: "failed" | "interrupted" | "paused", failure: Failure) =>
    settle(latest, { cursor: latest.cursor, state, reason: failure.message }).pipe(
      Effect.map((run): SearchEnd => ({ run, failure })),
      // Taken over by another runner, or no store to write to: then the run goes stale and is taken up by the next call.
      Effect.catch(() => Effect.succeed<SearchEnd>({ run: latest, failure }))
    )
  return readPages(job, (run) => {
    latest = run
  }).pipe(
    Effect.map((run): SearchEnd => ({ run, failure: undefined })),
    // A limit passes by itself: the import goes on where it stopped, when somebody says so.
    Effect.catch((failure) => stop(failure.code === "USAGE_LIMIT" ? "paused" : "failed", failure)),
    Effect.onInterrupt(() => stop("interrupted", fail("UNAVAILABLE", "The service was stopped during the import."))),
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const told = fail("INTERNAL", "Something failed that should not have.")
      return Effect.andThen(Effect.logError("an import died", { importId: latest.id }, cause), stop("failed", told))
    })
  )
}

/** Runs searches in fibers of the layer's scope; closing it stops them after the page they are at. */
export const layer: Layer.Layer<ImportRunner, never, Needs | Journal | Transaction> = Layer.effect(
  ImportRunner,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()
    const scope = yield* Effect.scope
    const services = { journal: yield* Journal, transaction: yield* Transaction, ids: yield* Ids }

    return ImportRunner.of({
      start: Effect.fnUntraced(function* (job) {
        // A session of its own: the caller's ends with the caller's answer.
        const session = Session.make(
          {
            actor: job.actor,
            commandId: "import.sales-nav.search",
            hash: "",
            dryRun: false,
            idempotency: undefined
          },
          services
        )
        const given = context.pipe(Context.add(Actor, job.actor), Context.add(Execution, session.execution))
        const fiber = yield* Effect.forkIn(Effect.provideContext(runSearch(job), given), scope)
        return Fiber.join(fiber)
      })
    })
  })
)
