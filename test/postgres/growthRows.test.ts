/**
 * How many rows each read of the catalogue costs in an organization that has grown: rows of tables and entries of indexes as
 * PostgreSQL counts them, never seconds. A first page costs what it shows, not what there is.
 */
import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { createSvc } from "@svc/embed"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { commands } from "#core/commands.ts"
import { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { defaultOptions } from "#core/kernel/command/Execution.ts"
import { ResourceReader } from "#core/kernel/resource/ResourceReader.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { makeResources } from "#core/resources/makeResources.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { ownerOf } from "../support/memoryService.ts"
import { grownTags, growSample } from "./grownSample.ts"
import { readSoFar } from "./reading.ts"

/** Rows for each row that is shown, and for what a read looks up beside. */
const [each, beside] = [50, 500]

/** Why a read may take more. */
const reasons = {
  actions: "looks at leads in the order of the list until a page of matches is full, 20,000 at most",
  statistics: "counts what a mission did, from an index that has it day by day",
  queues: "counts or sorts all that waits or is listed, whatever is shown",
  planned: "reads the organization by its primary key where an index of the lead has the rows",
  filtered: "looks at rows in the order of the list until a page of matches is full, 50,000 at most"
} as const

/** Searches by a tag, by several, and by a value of an own field, which 400 leads have. */
const searches = (["recent", "score", "name", "action"] as const).flatMap((sort) => [
  ...grownTags.map(({ tag }) => [[{ name: "", value: tag }], sort] as const),
  [["partner", "fair"].map((value) => ({ name: "", value })), sort] as const,
  ...(sort === "recent" || sort === "score" ? [[[{ name: "seats", value: "7" }], sort] as const] : [])
])

const at = "2026-11-28T00:00:00.000Z"

/** Reads of more rows, with the most that each may read: numbers may only fall, and a read that needs none has no line. */
const exceptions: Readonly<Record<string, readonly [most: number, reason: keyof typeof reasons]>> = {
  'lead.search {"sort":"action","needs_action":true,"limit":10}': [84_000, "actions"],
  'lead.search {"mission_id":"spring-outreach","status":["New"]}': [65_000, "actions"],
  'lead.duplicates {"limit":10}': [42_000, "queues"],
  'lead.export {"lead_id":"ld_SAMPLE00000000000000000002"}': [40_000, "planned"],
  "review.counts {}": [16_000, "queues"],
  'email.review.list {"limit":10}': [6_500, "queues"],
  "svc://email/reviews": [6_500, "queues"],
  "svc://email/reviews/first": [6_500, "queues"],
  "svc://linkedin/drafts/pending": [6_500, "queues"],
  "svc://linkedin/drafts/pending/first": [6_500, "queues"],
  "svc://inbox": [6_000, "queues"],
  "svc://inbox/first": [6_000, "queues"],
  "svc://suppressions": [5_500, "queues"],
  "svc://suppressions/first": [5_500, "queues"],
  'review.explain {"about":"spring-outreach"}': [6_500, "queues"],
  "approval.list {}": [3_500, "queues"],
  'mission.get {"mission_id":"spring-outreach"}': [40_000, "statistics"],
  'mission.list {"status":"active","agent_handle":"ada-martin"}': [40_000, "statistics"],
  "svc://missions": [40_000, "statistics"],
  "svc://missions/spring-outreach": [40_000, "statistics"],
  'mission.stats {"mission_id":"spring-outreach"}': [76_000, "statistics"],
  "workspace.status {}": [45_000, "queues"],
  "svc://status": [45_000, "queues"],
  'audit.list {"key_id":"aaaaaaaaaaaa"}': [21_000, "filtered"],
  'audit.list {"actor_kind":"AI_AGENT","command_id":"linkedin.draft.create"}': [21_000, "filtered"]
}

/** How long the longest list in it is; 1 for what has none. */
const shownIn = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Math.max(1, Array.isArray(value) ? value.length : 0, ...Object.values(value).map(shownIn))
    : 1

describe.skipIf(!hasPostgres())("each read of the catalogue in a grown organization", () => {
  it.live(
    "reads rows for what it shows",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshPostgres()
        const svc = yield* Effect.acquireRelease(
          Effect.promise(() =>
            createSvc({ databaseUrl: clearUrl(url), gateway: "simulator", worker: false, sample: true })
          ),
          (svc) => Effect.promise(() => svc.close())
        )
        const context = yield* Effect.promise(() => svc.effect.runtime.context())
        const actor = ownerOf(svc.organization.id)
        const reads = Effect.gen(function* () {
          yield* growSample(actor.organizationId)
          const sql = yield* PgClient
          const dispatch = yield* Dispatch
          const reader = yield* ResourceReader
          const repo = yield* LeadsRepo
          const asked = [
            ...commands
              .filter(({ risk }) => risk === "read")
              .flatMap(({ examples, id }) => examples.map(({ input }) => [id, input] as const))
              .map(([command, input]) => ({
                name: `${command} ${JSON.stringify(input)}`,
                run: dispatch.run({ command, input, actor, options: defaultOptions })
              })),
            ...searches.map(([labels, sort]) => ({
              name: `leads with ${labels.map(({ value }) => value)} by ${sort}`,
              run: Effect.map(
                repo.search(actor.organizationId, { labels }, sort, { limit: 10, after: undefined }, at),
                (data) => ({ envelope: { ok: true as const, data } })
              )
            })),
            ...makeResources(commands).map(({ exampleUri: uri }) => ({ name: uri, run: reader.read({ uri, actor }) }))
          ]
          return yield* Effect.forEach(asked, ({ name, run }) =>
            sql.withTransaction(
              Effect.gen(function* () {
                const before = yield* readSoFar
                const { envelope } = yield* run
                const rows = (yield* readSoFar) - before
                if (!envelope.ok) return assert.fail(`${name}: ${envelope.error.code} ${envelope.error.message}`)
                return { name, rows, shown: shownIn(envelope.data) }
              })
            )
          )
        })
        const sql = Option.getOrThrow(Context.getOption(context, PgClient))
        const read = yield* reads.pipe(
          Effect.provideService(PgClient, sql),
          Effect.provideContext(context),
          Effect.orDie
        )
        const over = read.filter(({ rows, shown }) => rows > each * shown + beside)
        assert.deepStrictEqual(
          over.filter(({ name, rows }) => rows > (exceptions[name]?.[0] ?? 0)),
          []
        )
        assert.deepStrictEqual(
          Object.keys(exceptions).filter((name) => !over.some((one) => one.name === name)),
          [],
          "needs no exception any more"
        )
      }).pipe(Effect.scoped),
    600_000
  )
})
