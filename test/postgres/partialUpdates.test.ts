/** Changes of different fields at the same time are all kept, unless `If-Match` says what was read. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { at, openService } from "../support/httpService.ts"

const rounds = 12

/** What is changed at once: the path of the object, a field each, and what the object is under. */
const objects = [
  ["/api/v1/offers/a", "offer", ["name", "oneLiner", "description", "valueProposition"]],
  ["/api/v1/missions/m", "mission", ["name", "description", "whoAreThey", "toneInstructions"]]
] as const

const agentFields = ["first_name", "last_name", "job_title", "email_signature"]

describe.skipIf(!hasPostgres())("concurrent partial updates", () => {
  it.live("without If-Match all succeed, with the same tag one does", () =>
    Effect.gen(function* () {
      const { url } = yield* freshPostgres()
      yield* Effect.promise(async () => {
        const { ask, svc } = await openService({ databaseUrl: clearUrl(url) })
        const run = (command: string, json: unknown) => ask("POST", `/api/v1/commands/${command}`, { json })
        await run("offer.create", { offer_id: "a", name: "A", one_liner: "One", value_proposition: "Two" })
        await run("agent.create", { handle: "g", first_name: "Ada", last_name: "Martin" })
        await run("mission.create", { handle: "m", name: "M", agent_handle: "g" })
        for (let round = 0; round < rounds; round++) {
          for (const [path, property, fields] of objects) {
            const replies = await Promise.all(
              fields.map((field) => ask("PATCH", path, { json: { [field]: `${field} ${round}` } }))
            )
            assert.deepStrictEqual(
              replies.map(({ status }) => status),
              fields.map(() => 200)
            )
            const { body } = await ask("GET", path)
            for (const field of fields) {
              const read = at(body, `data.${property}.${field}`) ?? at(body, `data.${property}.brief.${field}`)
              assert.strictEqual(read, `${field} ${round}`)
            }
          }
          const replies = await Promise.all(
            agentFields.map((field) => run("agent.update", { agent_handle: "g", [field]: `${field} ${round}` }))
          )
          assert.deepStrictEqual(
            replies.map(({ status }) => status),
            agentFields.map(() => 200)
          )
        }
        for (let round = 0; round < rounds; round++) {
          for (const [path, , fields] of objects) {
            const etag = (await ask("GET", path)).headers.get("etag") ?? ""
            const headers = { "if-match": etag }
            const replies = await Promise.all(
              fields.map((field) => ask("PATCH", path, { json: { [field]: `matched ${round}` }, headers }))
            )
            const statuses = replies.map(({ status }) => status).sort()
            assert.deepStrictEqual(statuses, [200, 412, 412, 412], `${path}, round ${round}`)
          }
        }
        await svc.close()
      })
    })
  )
})
