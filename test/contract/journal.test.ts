/** Idempotency keys and transactions, as stores keep them. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Journal, Transaction } from "#core/kernel/journal/Journal.ts"
import { organization } from "../support/organization.ts"
import { eachBackend } from "./backends.ts"

const scope = { organizationId: "org_1", route: "lead.upsert", key: "once" }
const claim = (minute: number, fingerprint = "same") =>
  Effect.flatMap(Journal, (journal) =>
    journal.claim(scope, fingerprint, `2026-11-21T09:0${minute}:00.000Z`, `2026-11-21T08:5${minute}:00.000Z`)
  )

eachBackend("the journal", (layer) =>
  it.layer(layer)((it) => {
    it.effect("gives a key to one run, and to another one once it is released", () =>
      Effect.gen(function* () {
        yield* organization("org_1")
        const journal = yield* Journal
        assert.strictEqual((yield* claim(0))._tag, "New")
        assert.deepStrictEqual(yield* claim(1), {
          _tag: "Running",
          fingerprint: "same",
          since: "2026-11-21T09:00:00.000Z"
        })
        yield* journal.release({ ...scope, organizationId: "org_2" })
        assert.strictEqual((yield* claim(2))._tag, "Running", "of another organization")
        assert.isUndefined(yield* journal.find(scope))
        yield* journal.release(scope)
        assert.strictEqual((yield* claim(3, "other"))._tag, "New")
      })
    )

    it.effect("says whether a transaction is open", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        assert.isFalse(yield* transaction.isOpen)
        assert.isTrue(yield* transaction.run(transaction.isOpen))
        assert.isFalse(yield* transaction.isOpen)
      })
    )
  })
)
