/**
 * What belongs to another organization takes as many statements as what does not exist, so how long an answer takes does not
 * tell which it was.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { inputFor, isFilledElsewhere, namesAt, namingPlaces, withName } from "../generated/tenancyNames.ts"
import { hasPostgres } from "../support/backends.ts"
import { organization } from "../support/organization.ts"
import { fillTenant, unknownName } from "../support/tenant.ts"
import { actor, ask, make, statementsOf, type World } from "../support/World.ts"

const fill = (organizationId: string, mark: string) =>
  Effect.gen(function* () {
    yield* organization(organizationId)
    const context = yield* Effect.context<World>()
    const run = (call: Parameters<Dispatch["Service"]["run"]>[0]) =>
      Effect.runPromise(
        Effect.provideContext(
          Effect.flatMap(Dispatch, (dispatch) => dispatch.run(call)),
          context
        )
      )
    return yield* Effect.promise(() => fillTenant({ run } as never, organizationId, mark))
  })

describe.skipIf(!hasPostgres())("names of another organization", () => {
  it.layer(make({ backend: "postgres" }))((it) => {
    it.effect("take as many statements as names of nothing", () =>
      Effect.gen(function* () {
        // Tenants have messages of this year.
        yield* TestClock.setTime(Date.parse("2026-11-23T00:00:00Z"))
        const [own, other] = [yield* fill("org_own", "qqxqqa"), yield* fill("org_other", "qqxqqb")]
        let compared = 0
        for (const command of commands) {
          for (const place of namingPlaces(describeWithSchemas(command).input_schema)) {
            if (isFilledElsewhere(place)) continue
            const base = inputFor(command.id, command.examples[0].input, own)
            for (const foreign of namesAt(command.id, place, other) ?? []) {
              const asked = (name: string) =>
                statementsOf(
                  ask(command.id, withName(base, place, name), {
                    actor: actor("org_own"),
                    options: { dryRun: true }
                  })
                )
              // The first run may drop what is kept of rights, which the next one reads again.
              yield* asked(unknownName(foreign))
              const counts = [yield* asked(foreign), yield* asked(unknownName(foreign))]
              assert.isNumber(counts[0])
              assert.strictEqual(counts[0], counts[1], `${command.id} ${place.join(".")} ${foreign}`)
              compared++
            }
          }
        }
        assert.isAbove(compared, 100)
      })
    )
  })
})
