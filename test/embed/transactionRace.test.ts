/**
 * Transactions of a host with several commands hold the counter of events of their organization until they commit, and may meet
 * commands of others in any order: each ends as a whole, by itself or by PostgreSQL that ends a deadlock.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Pool } from "pg"
import { createSvc } from "#embed/createSvc.ts"
import { SvcError } from "../../packages/client/src/SvcError.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { effort } from "../support/effort.ts"

const rounds = Math.max(6, effort(25))

describe.skipIf(!hasPostgres())("transactions of a host with several commands", () => {
  it.live(
    "commit as a whole or leave nothing beside commands that hold what they want",
    () =>
      Effect.gen(function* () {
        const url = clearUrl((yield* freshPostgres("empty")).url)
        const pool = new Pool({ connectionString: url, max: 8 })
        pool.on("error", () => {})
        yield* Effect.promise(async () => {
          const svc = await createSvc({ worker: false, env: false, gateway: "simulator", database: { client: pool } })
          const ids = await Promise.all(
            ["a", "b"].map(async (name) => (await svc.leads.upsert({ email: `${name}@example.com` })).lead_id)
          )
          let whole = 0
          let alone = 0
          const note = (of: Pick<typeof svc, "commands">, lead_id: string | undefined, text: string) =>
            of.commands.run("lead.note.add", { lead_id: String(lead_id), text })
          const several = async (round: number, order: ReadonlyArray<string>) => {
            try {
              await svc.transaction(async (tx) => {
                for (const id of order) {
                  const envelope = await note(tx, id, `host ${round}`)
                  if (!envelope.ok) throw new SvcError(envelope)
                }
              })
              whole++
            } catch (error) {
              assert.include(
                ["UNAVAILABLE", "STATEMENT_TIMEOUT"],
                error instanceof SvcError ? error.code : String(error)
              )
            }
          }
          for (let round = 0; round < rounds; round++) {
            const singles = await Promise.all([
              ...ids.map((id) => note(svc, id, `single ${round}`)),
              several(round, ids),
              several(round, ids.toReversed())
            ])
            for (const single of singles) {
              if (single?.ok) alone++
              // It waited for two transactions of the host, until PostgreSQL ended one of them.
              else if (single !== undefined) assert.include(["UNAVAILABLE", "STATEMENT_TIMEOUT"], single.error.code)
            }
          }
          const { rows } = await pool.query(
            `select (select count(*)::int from svc.lead_notes where text like 'host %') as host,
              (select count(*)::int from svc.lead_notes where text like 'single %') as single,
              (select max(sequence) = count(*) and max(sequence) = (select sequence from svc.event_heads) from svc.events) as gapless`
          )
          assert.deepStrictEqual(rows, [{ host: 2 * whole, single: alone, gapless: true }])
          assert.isAbove(Math.min(whole, alone), 0)
          await svc.close()
          await pool.end()
        })
      }).pipe(Effect.scoped),
    120_000
  )
})
