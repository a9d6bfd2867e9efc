/**
 * Runs searches page by page, in the background if the caller stops waiting.
 *
 * After each page, rows, counts and the provider's cursor are stored in one transaction, so an import resumes after its last
 * page. A run belongs to the process that started it and is fenced by its attempt number: when the process dies, the next
 * call for the same search takes it over.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { Actor, type ActorIdentity, commit, Execution } from "../kernel/command/Execution.ts"
import * as Session from "../kernel/command/Session.ts"
import type { Failure } from "../kernel/failure/Failure.ts"
import { Journal, Transaction } from "../kernel/journal/Journal.ts"
import { Ids } from "../kernel/schema/IdsAndTime.ts"
import { isHttpUrl } from "../kernel/schema/TextRules.ts"
import { countImportRows } from "../kernel/telemetry/instruments.ts"
import { profileUrl } from "../leads/identity/LinkedInProfile.ts"
import { leadItemReader } from "../leads/upsertLeads.ts"
import { counted } from "../outreach/accountUse.ts"
import type { LinkedInAccount } from "../outreach/provider/LinkedInAccount.ts"
import { type FoundPerson, LinkedInGateway, type PeoplePage } from "../outreach/provider/LinkedInGateway.ts"
import { importAdvanced, progressOf, type RunProgress } from "./Import.ts"
import { type ImportRun, rowsSeen } from "./ImportRun.ts"
import { importRows, recordRows, runImport } from "./importRows.ts"
import { foldSpaces } from "./salesnav/SalesNavSearch.ts"

// Converts a person found by a search to the lead fields of an import row. Provider texts are untrusted: they are folded to one
// line and cut to the maximum length rather than refused, so that no person is lost over a headline.

/** At most `max` code points on one line, well-formed and without control characters. */
const oneLine = (text: string, max: number): string =>
  [...foldSpaces(text.slice(0, max * 4).toWellFormed())].slice(0, max).join("").trim()

/** The profile URL; empty for an invalid slug, as the tokens identify the person. */
const profileUrlOf = ({ publicSlug }: FoundPerson): string =>
  publicSlug !== null && /^[^\s\p{Cc}/?#%]{1,100}$/u.test(publicSlug) ? profileUrl(publicSlug.toWellFormed()) : ""

const pictureOf = ({ pictureUrl }: FoundPerson): string =>
  pictureUrl !== null && /^[!-~]{1,2048}$/.test(pictureUrl) && isHttpUrl(pictureUrl) ? pictureUrl : ""

/** The known fields of `lead.upsert` for a person, in snake_case, not yet decoded. */
export const leadFieldsOf = (person: FoundPerson): Readonly<Record<string, string>> => {
  const fields = {
    linkedin_id: person.profileToken ?? (person.memberId === undefined ? "" : `urn:li:member:${person.memberId}`),
    sales_nav_id: person.salesNavToken ?? "",
    linkedin_url: profileUrlOf(person),
    first_name: oneLine(person.firstName, 100),
    last_name: oneLine(person.lastName, 100),
    headline: oneLine(person.headline, 500),
    job_title: oneLine(person.jobTitle, 200),
    company: oneLine(person.company, 200),
    location: oneLine(person.location, 200),
    avatar_url: pictureOf(person)
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""))
}

/** A search to run. The run holds the progress so far and the row limit. */
export interface SearchJob {
  readonly run: ImportRun
  readonly url: string
  readonly account: LinkedInAccount
  readonly actor: ActorIdentity
}

/** How a search ended: its progress as last stored, and what stopped it early. */
type SearchOutcome = Effect.Success<ReturnType<typeof runSearch>>

/** Runs searches in the background for the lifetime of its layer. */
export class ImportRunner extends Context.Service<
  ImportRunner,
  {
    /** Starts a search and returns an effect that waits for its end. Interrupting the wait does not stop the search. */
    readonly start: (job: SearchJob) => Effect.Effect<Effect.Effect<SearchOutcome>>
  }
>()("@svc/core/imports/ImportRunner") {}

const pageSize = 25

const retries = 2

/** Reads can be retried, except when a usage limit is reached, which takes longer to pass. */
const isRetryable = ({ code, entry }: Failure): boolean => entry.retryable && code !== "USAGE_LIMIT"

/** Reads one page; each request counts against the account's limit. */
const searchPage = Effect.fnUntraced(function* ({ account, url }: SearchJob, cursor: string | null, limit: number) {
  const gateway = yield* LinkedInGateway
  return yield* counted(account, "search", gateway.searchPeople(account, { url, cursor, limit })).pipe(
    Effect.retry({ times: retries, schedule: Schedule.exponential("1 second", 2), while: isRetryable })
  )
})

/** Reads the page at the stored cursor, or the first one if the provider no longer knows the cursor. */
const firstPage = (job: SearchJob, limit: number): ReturnType<typeof searchPage> =>
  Effect.catch(searchPage(job, job.run.cursor, limit), (failure) =>
    job.run.cursor !== null && failure.code === "GATEWAY_REJECTED" ? searchPage(job, null, limit) : Effect.fail(failure)
  )

const storePage = (last: RunProgress, page: PeoplePage, remaining: number) =>
  commit(
    Effect.gen(function* () {
      const { run } = last
      const read = yield* leadItemReader([])
      const sources = page.people.map((person) => read(leadFieldsOf(person)))
      const verdicts = yield* importRows(run, rowsSeen(run.counts), sources)
      const isLast = page.next === null || page.people.length === 0 || page.people.length >= remaining
      const state = isLast ? "completed" : "running"
      const stored = yield* recordRows(run, verdicts, { cursor: page.next, state, reason: null })
      return yield* importAdvanced(stored, last)
    })
  )

/** Reads and stores pages up to the end or the limit. `at` receives the progress after each. */
const readPages = Effect.fnUntraced(function* (
  job: SearchJob,
  first: RunProgress,
  at: (progress: RunProgress) => void
) {
  let last = first
  for (let isFirst = true; last.run.state === "running"; isFirst = false) {
    const { counts, cursor, rowLimit } = last.run
    const remaining = (rowLimit ?? 0) - rowsSeen(counts)
    const limit = Math.min(remaining, pageSize)
    const page = yield* isFirst ? firstPage(job, limit) : searchPage(job, cursor, limit)
    last = yield* storePage(last, page, remaining)
    yield* countImportRows(last.run.counts, counts)
    at(last)
  }
  return last
})

/** Runs a search and stores how it ended, whatever happens. */
const runSearch = Effect.fnUntraced(function* (job: SearchJob) {
  const first = yield* progressOf(job.run)
  return yield* runImport(
    first,
    (at) => readPages(job, first, at),
    // A usage limit passes with time: the import can be resumed.
    ({ code }) => (code === "USAGE_LIMIT" ? "paused" : "failed")
  )
})

type Needs = Exclude<Effect.Services<ReturnType<typeof runSearch>>, Actor | Execution>

/** Runs searches in fibers of the layer's scope; closing it stops them after the current page. */
export const layer: Layer.Layer<ImportRunner, never, Needs | Journal | Transaction> = Layer.effect(
  ImportRunner,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()
    const scope = yield* Effect.scope
    const services = { journal: yield* Journal, transaction: yield* Transaction, ids: yield* Ids }

    return ImportRunner.of({
      start: Effect.fnUntraced(function* (job) {
        // A session of its own, since the caller's ends with the response.
        const { actor } = job
        const call = { actor, commandId: "import.sales-nav.search", hash: "", dryRun: false, idempotency: undefined }
        const session = Session.make(call, services)
        const given = context.pipe(Context.add(Actor, actor), Context.add(Execution, session.execution))
        const fiber = yield* Effect.forkIn(Effect.provideContext(runSearch(job), given), scope)
        return Fiber.join(fiber)
      })
    })
  })
)
