/** Accounts take turns, however much one of them has to send. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { eachDue } from "#core/kernel/background/Worker.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import * as DueWorkPg from "#postgres/background/DueWorkPg.ts"
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
        yield* sql`insert into svc.due_work select id, 'linkedin', now() from svc.organizations`
        const request = { kind: "message", now, isPaced: true, leaseSeconds: 60 } as const
        const taken: Array<string> = []
        yield* eachDue("linkedin", { limit: 24, batch: 4 }, (organizationId, { limit }) =>
          Effect.map(queue.take({ ...request, organizationId, limit }), (found) => {
            taken.push(...found.map(() => organizationId))
            return found.length
          })
        )
        const few = taken.filter((organizationId) => organizationId === "few_1")
        assert.lengthOf(few, 10)
        assert.isBelow(taken.lastIndexOf("few_1"), 20, "they get every second turn")
        assert.lengthOf(taken, 24, "and the others all the rest")
      }).pipe(
        Effect.provide(Layer.merge(TransmissionsPg.layer, DueWorkPg.layer).pipe(Layer.provideMerge(postgresLayer)))
      ),
    600_000
  )
})
