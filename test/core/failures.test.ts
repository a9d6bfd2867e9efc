/** Failures: every code has one class, and what a class says comes from its fields or from the table. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commands } from "#core/commands.ts"
import { failureClasses } from "#core/failures.ts"
import { isFailure } from "#core/kernel/failure/Failure.ts"
import { commonFailures, NotFound, VersionConflict } from "#core/kernel/failure/failures.ts"
import { failureTable } from "#core/kernel/failure/failureTable.ts"
import { LeadSuppressed } from "#core/leads/failures.ts"

describe("a failure", () => {
  it("has one class for each code of the table", () => {
    assert.sameMembers(Object.keys(failureClasses), Object.keys(failureTable))
    for (const [code, one] of Object.entries(failureClasses)) {
      assert.strictEqual(one.code, code)
      assert.strictEqual(one.name.toLowerCase(), code.replaceAll("_", "").toLowerCase())
    }
  })

  it("says what its class makes of the fields", () => {
    const failure = new NotFound({ kind: "lead", id: "ld_1" })
    assert.strictEqual(failure.message, 'Lead "ld_1" not found. Check the id, or list what exists.')
    assert.strictEqual(failure.entry.status, 404)
    assert.isTrue(isFailure(failure))
  })

  it("says the table's summary and hint where it has nothing else to say", () => {
    const { hint, summary } = failureTable.VERSION_CONFLICT
    assert.strictEqual(new VersionConflict().message, `${summary} ${hint}`)
    assert.strictEqual(new VersionConflict({ message: "Read it again." }).message, "Read it again.")
  })

  it("keeps its class and its fields with another message", () => {
    const failure = new NotFound({ kind: "lead", id: "ld_1", warnings: ["w"] }).withMessage("lead_id: not found")
    assert.instanceOf(failure, NotFound)
    assert.deepStrictEqual(
      [failure.message, failure.kind, failure.id, failure.warnings],
      ["lead_id: not found", "lead", "ld_1", ["w"]]
    )
  })

  it.effect("is caught by its tag", () =>
    Effect.gen(function* () {
      const refused: Effect.Effect<string, LeadSuppressed | VersionConflict> = Effect.fail(
        new LeadSuppressed({ leadId: "ld_1" })
      )
      const caught = yield* refused.pipe(Effect.catchTag("LeadSuppressed", ({ leadId }) => Effect.succeed(leadId)))
      assert.strictEqual(caught, "ld_1")
    })
  )
})

describe("the catalogue", () => {
  it.for(commands)("$id declares each failure once, and none that every command may end with", ({ failures }) => {
    const codes = failures.map(({ code }) => code)
    assert.strictEqual(new Set(codes).size, codes.length)
    const common = new Set<string>(commonFailures.map(({ code }) => code))
    assert.deepStrictEqual(
      codes.filter((code) => common.has(code)),
      []
    )
  })
})
