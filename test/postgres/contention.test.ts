/** Commands that meet over the same records end with an answer of their own: never with an error of the database. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "#postgres/Database.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { effort } from "../support/effort.ts"
import { at, openService, type Reply, type Service } from "../support/httpService.ts"

const csv = (domain: number, rows: number): string =>
  `email,name\n${Array.from({ length: rows }, (_, i) => `p${i}@r${domain}.example.com,P ${i}`).join("\n")}`

/** Runs with a service on a database of its own; `deadlocks` closes it and counts those that PostgreSQL ended. */
const onPostgres = (use: (service: Service, deadlocks: () => Promise<number>) => Promise<void>) =>
  Effect.gen(function* () {
    const { url } = yield* freshPostgres()
    yield* Effect.promise(async () => {
      const service = await openService({ databaseUrl: clearUrl(url) })
      await use(service, async () => {
        // A connection reports what it counted when it ends.
        await service.svc.close()
        const counted = Effect.flatMap(
          SqlClient,
          (sql) => sql<{ count: number }>`
            select deadlocks::int as count from pg_stat_database where datname = current_database()`
        )
        const [row] = await Effect.runPromise(Effect.provide(counted, Database.layer(url, { maxConnections: 1 })))
        return row?.count ?? -1
      })
      await service.svc.close()
    })
  })

/** Runs commands. What waited too long for a lock changed nothing and says so with a 503, as on a busy machine: it runs again. */
const runnerOf =
  ({ ask }: Pick<Service, "ask">) =>
  async (command: string, json: unknown): Promise<Reply> => {
    for (let attempt = 1; ; attempt++) {
      const reply = await ask("POST", `/api/v1/commands/${command}`, { json })
      if (reply.status !== 503 || attempt === 20) return reply
    }
  }

/** How often a race is run. */
const rounds = (most: number): number => Math.max(most < 24 ? 6 : 12, effort(most))

const outcomeOf = ({ body, status }: Reply): string => `${status} ${at(body, "error.code") ?? "ok"}`

describe.skipIf(!hasPostgres())("contention", () => {
  it.live("a mission is deleted before an import of it begins, or not at all", () =>
    onPostgres(async (service) => {
      const run = runnerOf(service)
      for (let round = 0; round < rounds(40); round++) {
        const mission_id = `m${round}`
        await run("mission.create", { handle: mission_id, name: "M" })
        const imported = run("import.csv", { mission_id, content: csv(round, 300) })
        for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve))
        const outcomes = [await run("mission.delete", { mission_id }), await imported].map(outcomeOf)
        assert.include(["200 ok, 404 NOT_FOUND", "409 MISSION_IN_USE, 200 ok"], outcomes.join(", "))
      }
    })
  )

  it.live("a draft follows its lead into a merge, whichever comes first", () =>
    onPostgres(async (service) => {
      const run = runnerOf(service)
      await run("agent.create", { handle: "g", first_name: "Ada", last_name: "Martin" })
      const idOf = async (email: string): Promise<string> =>
        String(at((await run("lead.upsert", { email })).body, "data.lead_id"))
      for (let round = 0; round < rounds(25); round++) {
        const [winner, loser, other] = await Promise.all(
          ["w", "l", "o"].map((name) => idOf(`${name}${round}@example.com`))
        )
        const variations = [{ body_text: "Hello" }]
        const first = await run("linkedin.draft.create", { lead_id: other, variations })
        const draft_id = String(at(first.body, "data.draft.draft_id"))
        const [created, given, merged] = await Promise.all([
          round % 2 === 0 ? run("linkedin.draft.create", { lead_id: loser, variations }) : undefined,
          round % 2 === 1 ? run("linkedin.draft.update", { draft_id, lead_id: loser }) : undefined,
          run("lead.merge", { winner_lead_id: winner, loser_lead_ids: [loser] })
        ])
        const made = created ?? given
        assert.deepStrictEqual(
          [made, merged].map((reply) => reply && outcomeOf(reply)),
          ["200 ok", "200 ok"]
        )
        const read = await run("linkedin.draft.get", { draft_id: String(at(made?.body, "data.draft.draft_id")) })
        assert.strictEqual(at(read.body, "data.draft.lead.lead_id"), winner)
      }
    })
  )

  it.live("a draft is approved, or its agent deleted, and never both", () =>
    onPostgres(async (service) => {
      const run = runnerOf(service)
      for (let round = 0; round < rounds(25); round++) {
        const agent_handle = `g${round}`
        await run("agent.create", { handle: agent_handle, first_name: "Ada", last_name: "Martin" })
        await run("lead.upsert", { email: "ada@example.com", linkedin_url: "https://www.linkedin.com/in/ada-m" })
        const draft = { email: "ada@example.com", agent_handle, variations: [{ body_text: "Hello" }] }
        const draft_id = String(at((await run("linkedin.draft.create", draft)).body, "data.draft.draft_id"))
        const force = round % 2 === 0
        const [approved, deleted] = await Promise.all([
          run("linkedin.draft.approve", { draft_id }),
          run("agent.delete", { agent_handle, force })
        ])
        const outcomes = [approved, deleted].map(outcomeOf).join(", ")
        const allowed = ["409 WRONG_STATE, 200 ok", force ? "200 ok, 200 ok" : "200 ok, 409 AGENT_IN_USE"]
        assert.include(allowed, outcomes)
        const { body } = await run("linkedin.draft.get", { draft_id })
        const isDeleted = deleted.status === 200
        assert.strictEqual(at(body, "data.draft.status"), isDeleted ? "PENDING_REVIEW" : "READY_TO_SEND")
        assert.strictEqual((await run("linkedin.draft.approve", { draft_id })).status, isDeleted ? 409 : 200)
        await run("linkedin.draft.cancel", { draft_id })
      }
    })
  )

  it.live(
    "an identifier is removed while an upsert or an import finds a lead by it: one lead has it, and nothing is lost",
    () =>
      onPostgres(async (service) => {
        const run = runnerOf(service)
        await run("agent.create", { handle: "g", first_name: "Ada", last_name: "Martin" })
        await run("mission.create", { handle: "m", name: "M", agent_handle: "g" })
        const seen = new Set<string>()
        for (let round = 0; round < Math.max(24, rounds(60)); round++) {
          const email = `p${round}@example.com`
          const company = `Company ${round}`
          const lead_id = String(at((await run("lead.upsert", { email, custom_id: `c${round}` })).body, "data.lead_id"))
          const removes = [
            () => run("lead.identifier.remove", { lead_id, email }),
            () => run("lead.upsert", { lead_id, email: null })
          ]
          const finds = [
            () => run("lead.upsert", { email, company }),
            () => run("import.csv", { mission_id: "m", content: `email,company\n${email},${company}` })
          ]
          const works = [removes[round % 2], finds[(round >> 1) % 2]]
          if (round % 8 > 3) works.reverse()
          const outcomes = (await Promise.all(works.map((work) => work?.()))).map((reply) => reply && outcomeOf(reply))
          assert.deepStrictEqual(outcomes, ["200 ok", "200 ok"])
          const first = at((await run("lead.get", { lead_id })).body, "data.lead")
          const found = (await run("lead.get", { email })).body
          const [mine, its] = [at(first, "company"), at(found, "data.lead.company") ?? at(found, "error.code")]
          assert.isUndefined(at(first, "email"))
          // Found first: the value is at the lead that had it. Removed first: it is at a new one.
          assert.include([`${company}, NOT_FOUND`, `, ${company}`], `${mine}, ${its}`)
          assert.notStrictEqual(at(found, "data.lead_id"), lead_id)
          seen.add(mine === "" ? "removed first" : "found first")
        }
        assert.deepStrictEqual([...seen].toSorted(), ["found first", "removed first"])
      })
  )

  it.live("a change with If-Match is saved while others of its organization append events all the time", () =>
    onPostgres(async (service) => {
      const run = runnerOf(service)
      await run("agent.create", { handle: "g", first_name: "Ada", last_name: "Martin" })
      let changing = true
      const busy = Array.from({ length: 6 }, async (_, n) => {
        const email = `p${n}@example.com`
        await run("lead.upsert", { email })
        for (let turn = 0; changing; turn++) await run("lead.upsert", { email, company: `C${turn}` })
      })
      const path = "/api/v1/agents/g"
      for (let round = 0; round < rounds(20); round++) {
        const { headers } = await service.ask("GET", path)
        const changed = await service.ask("PATCH", path, {
          json: { lastName: `Martin ${round}` },
          headers: { "if-match": headers.get("etag") ?? "" }
        })
        assert.strictEqual(changed.status, 200, changed.text)
      }
      changing = false
      await Promise.all(busy)
    })
  )

  it.live("of two identifiers that are removed at once, one stays", () =>
    onPostgres(async (service) => {
      const run = runnerOf(service)
      for (let round = 0; round < rounds(40); round++) {
        const [email, custom_id] = [`p${round}@example.com`, `c${round}`]
        const lead_id = String(at((await run("lead.upsert", { email, custom_id })).body, "data.lead_id"))
        const replies = await Promise.all([
          run("lead.identifier.remove", { lead_id, email }),
          round % 2 === 0
            ? run("lead.identifier.remove", { lead_id, custom_id })
            : run("lead.upsert", { lead_id, custom_id: "" })
        ])
        assert.deepStrictEqual(replies.map(outcomeOf).toSorted(), ["200 ok", "409 LAST_IDENTIFIER"])
      }
    })
  )

  it.live("drafts for the same people, in whatever order, never wait for each other in a circle", () =>
    onPostgres(async (service, deadlocks) => {
      const run = runnerOf(service)
      await run("agent.create", { handle: "g", first_name: "Ada", last_name: "Martin" })
      const people = Array.from({ length: 12 }, (_, index) => `p${index}@example.com`)
      for (const email of people) await run("lead.upsert", { email })
      const missions = ["m-a", "m-b", "m-c"]
      for (const handle of missions) await run("mission.create", { handle, name: handle, agent_handle: "g" })
      const draft = (email: string, index: number) => ({
        email,
        mission_id: missions[index % missions.length],
        replace_open: true,
        variations: ["Hello"]
      })
      for (let round = 0; round < 6; round++) {
        const drafts = people.map(draft)
        const replies = await Promise.all([
          run("linkedin.draft.create-many", { drafts }),
          run("linkedin.draft.create-many", { drafts: drafts.toReversed() }),
          ...drafts.map((one) => run("linkedin.draft.create", one))
        ])
        for (const reply of replies) assert.strictEqual(outcomeOf(reply), "200 ok", reply.text)
        for (const { body } of replies.slice(0, 2)) {
          const results = at(body, "data.results")
          assert.isTrue(Array.isArray(results) && results.every(({ ok }) => ok), JSON.stringify(results))
        }
      }
      assert.strictEqual(await deadlocks(), 0)
    })
  )

  it.live("two drafts that swap their leads never wait for each other in a circle", () =>
    onPostgres(async (service, deadlocks) => {
      const run = runnerOf(service)
      const agents = ["g", "h"]
      for (const handle of agents) await run("agent.create", { handle, first_name: "Ada", last_name: "Martin" })
      for (let round = 0; round < rounds(12); round++) {
        const leads: Array<string> = []
        for (const agent of agents) {
          const { body } = await run("lead.upsert", { email: `${agent}${round}@example.com` })
          leads.push(String(at(body, "data.lead_id")))
        }
        const drafts = await Promise.all(
          agents.map(async (agent_handle, index) => {
            const draft = { lead_id: leads[index], agent_handle, variations: ["Hello"] }
            return String(at((await run("linkedin.draft.create", draft)).body, "data.draft.draft_id"))
          })
        )
        const replies = await Promise.all(
          drafts.map((draft_id, index) => run("linkedin.draft.update", { draft_id, lead_id: leads[1 - index] }))
        )
        assert.deepStrictEqual(replies.map(outcomeOf), ["200 ok", "200 ok"])
      }
      assert.strictEqual(await deadlocks(), 0)
    })
  )

  it.live("an account is taken from its agent once", () =>
    onPostgres(async (service) => {
      const run = runnerOf(service)
      for (let round = 0; round < rounds(20); round++) {
        const agent_handle = `g${round}`
        await run("agent.create", { handle: agent_handle, first_name: "Ada", last_name: "Martin" })
        const unlink = () => run("linkedin.account.unlink", { agent_handle })
        const outcomes = (await Promise.all([unlink(), unlink()])).map(outcomeOf)
        assert.deepStrictEqual(outcomes.toSorted(), ["200 ok", "409 NO_LINKEDIN_ACCOUNT"])
      }
    })
  )

  it.live("people, missions, drafts and imports that many change at once", () =>
    onPostgres(async (service) => {
      const run = runnerOf(service)
      await run("agent.create", { handle: "g", first_name: "Ada", last_name: "Martin" })
      await run("mission.create", { handle: "m", name: "M", agent_handle: "g" })
      await run("import.csv", { mission_id: "m", content: csv(0, 40) })
      const found = at((await run("lead.search", { limit: 40 })).body, "data.leads")
      const ids = Array.isArray(found) ? found.map((lead) => String(at(lead, "lead_id"))) : []
      assert.strictEqual(ids.length, 40)
      let state = 20_261_122
      const below = (limit: number): number => {
        state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
        return (state >>> 8) % limit
      }
      const someone = (): string => ids[below(ids.length)] ?? ""
      const works: ReadonlyArray<() => Promise<Reply>> = [
        () => run("import.csv", { mission_id: "m", content: csv(0, 60), again: true }),
        () =>
          run("lead.upsert", { email: `p${below(9)}@r0.example.com`, job_title: `T ${below(99)}`, mission_id: "m" }),
        () => run("lead.merge", { winner_lead_id: someone(), loser_lead_ids: [someone()] }),
        () =>
          run("linkedin.draft.create", {
            lead_id: someone(),
            mission_id: "m",
            variations: [{ body_text: "Hello" }],
            replace_open: true
          }),
        () => run("lead.status.set", { lead_id: someone(), status: "NotInterested", reason: "Said so" }),
        () => run("mission.update", { mission_id: "m", description: `D ${below(99)}` }),
        () => run("lead.suppress", { email: `p${below(3)}@r0.example.com`, reason: "Asked for it" }),
        () => run("agent.update", { agent_handle: "g", job_title: `J ${below(99)}` }),
        () => run("lead.mission.remove", { mission_id: "m", lead_ids: [someone(), someone(), someone()] }),
        () => run("lead.mission.add", { mission_id: "m", lead_ids: [someone(), someone(), someone()] }),
        () =>
          run("lead.message.record", {
            lead_id: someone(),
            direction: "inbound",
            channel: "LINKEDIN",
            content: "Thanks"
          }),
        () => run("lead.note.add", { lead_id: someone(), text: "Noted" })
      ]
      const outcomes = new Map<string, number>()
      const work = async () => {
        for (let n = 0; n < 40; n++) {
          const index = below(works.length)
          const reply = await works[index]?.()
          if (reply === undefined) continue
          const outcome = `${index} ${outcomeOf(reply)}`
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        }
      }
      await Promise.all(Array.from({ length: 10 }, work))
      const isFault = (outcome: string) => outcome.includes(" 500 ") || outcome.includes("VERSION_CONFLICT")
      assert.deepStrictEqual(
        [...outcomes].filter(([outcome]) => isFault(outcome)),
        []
      )
      for (const [index] of works.entries())
        assert.isTrue(outcomes.has(`${index} 200 ok`), `${index}: ${[...outcomes]}`)
    })
  )
})
