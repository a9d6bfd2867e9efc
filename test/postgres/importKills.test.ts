/**
 * Processes that are killed in the middle of an import, at every point of its life: the same file sent again ends as if
 * nothing had happened, every row accounted for exactly once.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { batchSize } from "#core/imports/storeBatches.ts"
import * as Database from "#postgres/Database.ts"
import * as Repositories from "#postgres/repositories.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { bundled } from "../support/crash/bundled.ts"
import { importPoints } from "../support/crash/importPoints.ts"
import { at } from "../support/httpService.ts"
import { organization } from "../support/organization.ts"
import { temporaryFolder } from "../support/svcProcess.ts"

const rows = 2 * batchSize + 600

/** New people, the same again, rows that say more of somebody, rows of two people at once, and rows of nobody. */
const line = (n: number): string => {
  if (n % 41 === 7) return `no mail,Nobody ${n},,`
  if (n % 53 === 9) return `p${n - 5}@example.com,Person ${n - 5},Acme,`
  if (n % 67 === 11) return `p${n - 3}@example.com,,,https://www.linkedin.com/in/person-${n - 9}`
  return `p${n}@example.com,Person ${n},,${n % 3 === 0 ? `https://www.linkedin.com/in/person-${n}` : ""}`
}

const file = `Email,Name,Company,LinkedIn URL\n${Array.from({ length: rows }, (_, n) => line(n)).join("\n")}\n`

interface Ended {
  readonly signal: NodeJS.Signals | null
  readonly answer: string
}

/** Everything that an import left in an organization, without ids and instants, which differ. */
const leftIn = (organizationId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const imports = yield* sql`
      select state, created_count, updated_count, skipped_count, invalid_count from svc.imports
      where organization_id = ${organizationId}
    `
    const verdicts = yield* sql`
      select r.position, r.outcome, r.reason, l.email from svc.import_rows r
      left join svc.leads l on l.organization_id = ${organizationId} and l.id = r.lead_id
      where r.organization_id = ${organizationId} order by r.position
    `
    const leads = yield* sql`
      select l.email, l.name, l.company, count(i.value)::int as identities, count(distinct k.mission_id)::int as missions
      from svc.leads l
      left join svc.lead_identities i on i.organization_id = ${organizationId} and i.lead_id = l.id
      left join svc.lead_missions k on k.organization_id = ${organizationId} and k.lead_id = l.id
      where l.organization_id = ${organizationId} group by l.id, l.email, l.name, l.company order by l.email
    `
    const events = yield* sql`
      select type, count(*)::int as count from svc.events
      where organization_id = ${organizationId} and type in ('lead.created', 'lead.updated', 'import.completed')
      group by type order by type
    `
    return { imports, verdicts, leads, events }
  })

describe.skipIf(!hasPostgres())("processes that are killed while they import", () => {
  it.live(
    "leave an import that goes on, and count every row once",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshPostgres()
        const importer = yield* Effect.acquireRelease(
          Effect.promise(() => bundled("importer.ts")),
          ({ remove }) => Effect.promise(remove)
        )
        const folder = yield* Effect.acquireRelease(Effect.promise(temporaryFolder), ({ remove }) =>
          Effect.promise(remove)
        )
        const path = join(folder.path, "people.csv")
        yield* Effect.promise(() => writeFile(path, file))
        const digest = createHash("sha256").update(file).digest("hex")

        const start = (organizationId: string, more: Readonly<Record<string, string>>) =>
          Effect.promise(async (): Promise<Ended> => {
            const child = spawn(process.execPath, [importer.file], {
              stdio: ["ignore", "pipe", "inherit"],
              env: {
                PATH: process.env["PATH"] ?? "",
                DATABASE_URL: clearUrl(url),
                FILE: path,
                DIGEST: digest,
                ORGANIZATION: organizationId,
                AHEAD: "0",
                ...more
              }
            })
            const ended = new Promise<NodeJS.Signals | null>((resolve) =>
              child.once("close", (_, signal) => resolve(signal))
            )
            const answer = await text(child.stdout)
            return { signal: await ended, answer }
          })

        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          const prepare = (organizationId: string) =>
            Effect.andThen(
              organization(organizationId),
              sql`
                insert into svc.missions
                  (organization_id, id, handle, name, status, search_text, content, created_at, updated_at)
                values (${organizationId}, 'mis_1', 'killed', 'Killed', 'ACTIVE', 'killed', '{}', now(), now())
              `
            )
          yield* prepare("org_whole")
          const whole = yield* start("org_whole", {})
          assert.strictEqual(at(JSON.parse(whole.answer), "data.state"), "completed", whole.answer)
          // Statistics that know one organization only: the others must not be held for empty.
          yield* sql`analyze`
          const expected = yield* leftIn("org_whole")
          assert.lengthOf(expected.verdicts, rows)
          assert.strictEqual(new Set(expected.verdicts.map(({ outcome }) => outcome)).size, 4, "every outcome occurs")

          yield* Effect.forEach(
            importPoints,
            (point, index) =>
              Effect.gen(function* () {
                const organizationId = `org_${index}`
                yield* prepare(organizationId)
                const crash = { CRASH_AT: point.at, CRASH_ON: String(point.on) }
                assert.strictEqual((yield* start(organizationId, crash)).signal, "SIGKILL", point.name)
                const before = yield* sql<{ readonly seen: number; readonly counted: number }>`
                  select (select count(*)::int from svc.import_rows where organization_id = ${organizationId}) as seen,
                    coalesce((select created_count + updated_count + skipped_count + invalid_count from svc.imports
                      where organization_id = ${organizationId}), 0) as counted
                `
                assert.strictEqual(before[0]?.seen, before[0]?.counted, `${point.name}: counted what is not there`)
                const { answer, signal } = yield* start(organizationId, { AHEAD: "20000" })
                assert.isNull(signal)
                assert.strictEqual(at(JSON.parse(answer), "data.state"), "completed", `${point.name}: ${answer}`)
                assert.deepStrictEqual(yield* leftIn(organizationId), expected, point.name)
              }),
            { concurrency: 3, discard: true }
          )
        }).pipe(Effect.provide(Repositories.layer.pipe(Layer.provideMerge(Database.layer(url, { maxConnections: 4 })))))
      }).pipe(Effect.scoped),
    // About 30 s; more when the machine is busy.
    600_000
  )
})
