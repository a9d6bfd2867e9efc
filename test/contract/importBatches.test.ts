/** Files of several batches: what batches have in common, and where a batch begins. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Upload } from "#core/imports/csv/CsvRows.ts"
import { batchSize } from "#core/imports/storeBatches.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { ask, ok } from "../support/World.ts"
import { eachOutreach } from "./outreachWorld.ts"

const header = "Email,Name,Company,LinkedIn URL"
const row = (n: number) => `p${n}@example.com,Person ${n},,`
const fileOf = (rows: ReadonlyArray<string>) => {
  const bytes = new TextEncoder().encode([header, ...rows, ""].join("\n"))
  return { content: Stream.make(bytes), size: bytes.length, digest: undefined }
}
const send = (rows: ReadonlyArray<string>) =>
  ok("POST /missions/{missionHandle}/imports", { missionHandle: "batches" }).pipe(
    Effect.provideService(Upload, fileOf(rows)),
    Effect.map((data) => Object(data.import))
  )
const countsOf = (run: Record<string, unknown>) => [
  run["created_count"],
  run["updated_count"],
  run["skipped_count"],
  run["invalid_count"]
]

eachOutreach("files of several batches", (layer) =>
  it.layer(layer)((it) => {
    it.effect("find in a batch what the one before wrote", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Batches" })
        const people = Array.from({ length: 2 * batchSize }, (_, n) => row(n))
        const last = batchSize - 1
        // The second batch begins with the last person of the first: unchanged, then with more to say, then under two names.
        const rows = [
          ...people.slice(0, batchSize),
          row(last),
          `p${last}@example.com,,Acme,https://www.linkedin.com/in/last-person`,
          `p0@example.com,,,https://www.linkedin.com/in/last-person`,
          `,Renamed ${last},Globex,https://www.linkedin.com/in/last-person`,
          "nobody at all,,,",
          ...people.slice(batchSize)
        ]
        const run = yield* send(rows)
        assert.strictEqual(run.state, "completed")
        assert.deepStrictEqual(countsOf(run), [people.length, 2, 2, 1])
        const { lead } = yield* ok("lead.get", { email: `p${last}@example.com` })
        assert.deepInclude(lead, {
          name: `Renamed ${last}`,
          company: "Globex",
          linkedin_url: "https://www.linkedin.com/in/last-person"
        })
        const { import: stored } = yield* ok("import.get", { import_id: run.import_id })
        assert.deepStrictEqual(
          stored.refused_rows.map((one: { position: number; reason: string }) => [one.position, one.reason]),
          [
            [batchSize + 2, "IDENTITY_CONFLICT"],
            [batchSize + 4, "INVALID_EMAIL"]
          ]
        )
      }).pipe(inOrganization("org_common"))
    )

    it.effect("change the same people one after the other, though each batch knows them by another name", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Batches" })
        const people = Array.from({ length: batchSize }, (_, n) => n)
        const url = (n: number) => `https://www.linkedin.com/in/other-name-${n}`
        const known = yield* send(people.map((n) => `p${n}@example.com,Person ${n},,${url(n)}`))
        assert.deepStrictEqual(countsOf(known), [batchSize, 0, 0, 0])
        const run = yield* send([
          ...people.map((n) => `p${n}@example.com,,First,`),
          ...people.toReversed().map((n) => `,,Second,${url(n)}`)
        ])
        assert.deepStrictEqual([run.state, ...countsOf(run)], ["completed", 0, 2 * batchSize, 0, 0])
        for (const n of [0, 1, batchSize / 2, batchSize - 1]) {
          const { lead } = yield* ok("lead.get", { email: `p${n}@example.com` })
          assert.deepInclude(lead, { company: "Second", linkedin_url: url(n) })
        }
        assert.strictEqual((yield* ok("lead.search", { company: "First" })).leads.length, 0)
      }).pipe(inOrganization("org_renamed"))
    )

    it.effect("are rehearsed whole, and nothing of them is kept", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Batches" })
        const rows = Array.from({ length: 2 * batchSize + 1 }, (_, n) => row(n))
        const { envelope } = yield* ask(
          "POST /missions/{missionHandle}/imports",
          { missionHandle: "batches" },
          { options: { responseProfile: "full", dryRun: true, idempotencyKey: undefined } }
        ).pipe(Effect.provideService(Upload, fileOf(rows)))
        if (!envelope.ok) return assert.fail(envelope.error.message)
        assert.deepStrictEqual(countsOf(Object(Object(envelope.data).import)), [rows.length, 0, 0, 0])
        assert.deepStrictEqual((yield* ok("lead.search", {})).leads, [])
      }).pipe(inOrganization("org_rehearsed"))
    )
  })
)
