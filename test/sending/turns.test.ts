/** Accounts take turns, however much one of them has to send. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import * as TransmissionsPg from "#postgres/outreach/TransmissionsPg.ts"
import { hasPostgres, postgresLayer } from "../support/backends.ts"
import { queueMessages } from "../support/queuedMessages.ts"

describe.skipIf(!hasPostgres())("Ten thousand messages of one organization", () => {
  it.live(
    "delay none of another's ten",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        yield* queueMessages(sql, { prefix: "many", organizations: 1, accountsEach: 1, itemsEach: 10_000 })
        yield* queueMessages(sql, { prefix: "few", organizations: 1, accountsEach: 1, itemsEach: 10 })
        // As every process does within seconds: a plan for what the tables held before may take minutes.
        yield* sql`analyze`
        const queue = yield* TransmissionsRepo
        const now = new Date().toISOString()
        const request = {
          kind: "message",
          organizationId: undefined,
          now,
          isPaced: true,
          leaseSeconds: 60,
          limit: 4
        } as const
        const taken: Array<string> = []
        for (let turn = 0; turn < 6; turn++) {
          taken.push(...(yield* queue.take(request)).map(({ organizationId }) => organizationId))
        }
        const few = taken.filter((organizationId) => organizationId === "few_1")
        assert.lengthOf(few, 10)
        assert.isBelow(taken.lastIndexOf("few_1"), 20, "they get every second turn")
        assert.lengthOf(taken, 24, "and the others all the rest")
      }).pipe(Effect.provide(TransmissionsPg.layer.pipe(Layer.provideMerge(postgresLayer)))),
    600_000
  )
})
