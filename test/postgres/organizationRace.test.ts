/** Two services on one database, each with its own connections, know a host's organizations. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createSvc } from "#embed/createSvc.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"

const rounds = 100

describe.skipIf(!hasPostgres())("two services that ask for the same organization", () => {
  it.live("get one, in every one of a hundred rounds", () =>
    Effect.gen(function* () {
      const { url } = yield* freshPostgres()
      yield* Effect.promise(async () => {
        const open = () => createSvc({ databaseUrl: clearUrl(url), env: false, worker: false })
        const services = await Promise.all([open(), open()])
        const ids = new Set<string>()
        for (let round = 0; round < rounds; round++) {
          const name = `Customer ${round}`
          const made = await Promise.all(
            services.map(({ organizations }) => organizations.ensure({ externalId: `c-${round}`, name }))
          )
          assert.deepStrictEqual(made[0], made[1])
          for (const { id } of made) ids.add(id)
        }
        assert.strictEqual(ids.size, rounds)
        // Each service works in what the other one may have created.
        for (const [index, organizationId] of [...ids].slice(0, 4).entries()) {
          const lead = { email: `${index}@example.com` }
          for (const svc of services)
            await svc.leads.upsert(lead, { actor: { organizationId, scopes: ["leads:write"] } })
        }
        await Promise.all(services.map((svc) => svc.close()))
      })
    })
  )
})
