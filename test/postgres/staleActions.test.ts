/** Changes that concern the next actions of many leads: the first follow at once, the others in the background, none is left out. */

import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AgentsRepo } from "#core/agents/Agent.ts"
import { DueWork } from "#core/kernel/background/DueWork.ts"
import { keepActions } from "#core/leads/ActionsWorker.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import type { MissionStatus } from "#core/missions/MissionStatus.ts"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { batch } from "#postgres/leads/staleActions.ts"
import * as Repositories from "#postgres/repositories.ts"
import { agentRow } from "../contract/outreachRows.ts"
import { hasPostgres, postgresLayer } from "../support/backends.ts"
import { organization } from "../support/organization.ts"

const at = "2026-11-21T08:00:00.000Z"

/** A mission of an organization, and new leads in it. */
const prepare = Effect.fnUntraced(function* (org: string, leads: number) {
  yield* organization(org)
  const sql = yield* PgClient
  yield* sql`
    insert into svc.missions (organization_id, id, handle, name, status, search_text, content, created_at, updated_at)
    values (${org}, 'mis_1', 'one', 'One', 'ACTIVE', 'one', '{}', ${at}::timestamptz, ${at}::timestamptz)`
  yield* sql`
    insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status,
      score, is_flagged, profile, created_at, updated_at)
    select ${org}, 'ld_' || n, 'Lead ' || n, '', '', 'Acme', 'lead' || n || '@mail.acme.example', 'https://li/' || n, '', 'New',
      n % 100, false, '{}', ${at}::timestamptz, ${at}::timestamptz from generate_series(1, ${leads}::int) n`
  yield* sql`insert into svc.lead_identities (organization_id, kind, value, lead_id, derived)
    select organization_id, 'email', email, id, false from svc.leads where organization_id = ${org}`
  yield* sql`insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
    select organization_id, 'mis_1', id, created_at from svc.leads where organization_id = ${org}`
  yield* sql`insert into svc.lead_recency (organization_id, updated_at, lead_id)
    select organization_id, updated_at, id from svc.leads where organization_id = ${org}`
  yield* sql`select svc.svc_keep_actions(${org}, array(select id from svc.leads where organization_id = ${org}))`
})

/** Sets the status of the mission. */
const setStatus = Effect.fnUntraced(function* (org: string, status: MissionStatus) {
  const repo = yield* MissionsRepo
  const mission = yield* repo.findByIdOrHandle(org, "mis_1")
  if (mission === undefined) return assert.fail("no mission")
  assert.isTrue(yield* repo.replace({ ...mission, status }, mission.updatedAt))
})

/** Leads with an action. */
const busy = (org: string) =>
  Effect.flatMap(PgClient, (sql) =>
    Effect.map(
      sql<{ readonly count: number }>`
        select count(*)::int as count from svc.lead_actions where organization_id = ${org} and rank is not null`,
      ([row]) => row?.count
    )
  )

const services = Repositories.layer.pipe(Layer.provideMerge(postgresLayer))

describe.skipIf(!hasPostgres())("actions of many leads on PostgreSQL", () => {
  it.layer(services, { excludeTestServices: true })((it) => {
    it.effect("follow a mission and a domain, a batch at once and the others in the background", () =>
      Effect.gen(function* () {
        const leads = batch + batch / 2
        yield* prepare("org_many", leads)
        const { find } = yield* DueWork
        const { addSuppressions, liftSuppressions } = yield* PrivacyRepo
        const entry = { organizationId: "org_many", kind: "domain", value: "acme.example" } as const
        const suppress = addSuppressions("org_many", [
          { ...entry, leadId: null, reason: "asked", until: null, createdAt: at }
        ])
        const changes = [
          [setStatus("org_many", "COMPLETED"), setStatus("org_many", "ACTIVE")],
          [suppress, liftSuppressions("org_many", [entry], undefined)]
        ] as const
        for (const [silence, revive] of changes) {
          yield* silence
          assert.strictEqual(yield* busy("org_many"), leads - batch)
          assert.deepStrictEqual(yield* find("actions", "2199-01-01T00:00:00.000Z", 10), ["org_many"])
          yield* keepActions
          assert.strictEqual(yield* busy("org_many"), 0)
          yield* revive
          assert.strictEqual(yield* busy("org_many"), batch)
          yield* keepActions
          assert.strictEqual(yield* busy("org_many"), leads)
        }
        assert.deepStrictEqual(yield* find("actions", "2199-01-01T00:00:00.000Z", 10), [])
      })
    )

    it.effect("follow the steps of a mission, its agent, and the hours of that", () =>
      Effect.gen(function* () {
        const org = "org_steps"
        const leads = batch + batch / 2
        yield* prepare(org, leads)
        const sql = yield* PgClient
        yield* sql`update svc.leads set status = 'Contacted', last_outbound_at = ${at}::timestamptz
          where organization_id = ${org}`
        yield* sql`select svc.svc_keep_leads(${org}, array(select id from svc.leads where organization_id = ${org}))`
        const agents = yield* AgentsRepo
        for (const id of ["agt_1", "agt_2"]) yield* agents.insert(agentRow(org, id, id), [id])
        const missions = yield* MissionsRepo
        const change = (agentId: string) =>
          Effect.gen(function* () {
            const mission = yield* missions.findByIdOrHandle(org, "mis_1")
            if (mission !== undefined) yield* missions.replace({ ...mission, agentId }, mission.updatedAt)
          })
        const setHolidays = (id: string, ...holidays: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            const agent = yield* agents.find(org, id)
            if (agent !== undefined) yield* agents.replace({ ...agent, workingHours: { holidays } }, agent.updatedAt)
          })
        /** How many leads have a follow-up, by the day on which it is due. */
        const due = Effect.map(
          sql<{ readonly day: string; readonly count: number }>`
            select left(follow_up ->> 'dueAt', 10) as day, count(*)::int as count from svc.lead_actions
            where organization_id = ${org} and rank = 5 group by 1 order by 1`,
          (rows) => Object.fromEntries(rows.map(({ count, day }) => [day, count]))
        )
        const step = { after: "no_reply", working_days: 1, channel: "LINKEDIN", purpose: "Ask" } as const
        yield* setHolidays("agt_2", "2026-11-23", "2026-11-24")
        // The 21st is a Saturday.
        const changes = [
          [missions.saveSteps(org, "mis_1", [step]), "2026-11-23"],
          [setHolidays("agt_1", "2026-11-23"), "2026-11-23"],
          [change("agt_1"), "2026-11-24"],
          [setHolidays("agt_1"), "2026-11-23"],
          [change("agt_2"), "2026-11-25"]
        ] as const
        let before: string | undefined
        for (const [deed, day] of changes) {
          yield* deed
          if (day !== before) {
            assert.deepStrictEqual(yield* due, { ...(before && { [before]: leads - batch }), [day]: batch })
            yield* keepActions
          }
          assert.deepStrictEqual(yield* due, { [day]: leads })
          before = day
        }
        yield* setStatus(org, "PAUSED")
        assert.deepStrictEqual(yield* due, { "2026-11-25": leads - batch })
        yield* keepActions
        assert.deepStrictEqual(yield* due, {})
      })
    )

    const rounds = 60
    it.effect(`follow a mission that is completed while leads are added to it, in ${rounds} rounds`, () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        yield* prepare("org_race", 20)
        const relink = (lead: string, pause: number) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`select 1 from svc.leads where organization_id = 'org_race' and id = ${lead} for no key update`
              yield* sql`delete from svc.lead_missions where organization_id = 'org_race' and lead_id = ${lead}`
              yield* sql`insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
                values ('org_race', 'mis_1', ${lead}, ${at}::timestamptz)`
              yield* sql`select svc.svc_keep_actions('org_race', array[${lead}::text])`
              yield* Effect.sleep(pause)
            })
          )
        for (let round = 0; round < rounds; round++) {
          const isDone = round % 2 === 0
          const change = setStatus("org_race", isDone ? "COMPLETED" : "ACTIVE")
          yield* Effect.all(
            [
              ...[1, 2, 3].map((n) => relink(`ld_${n + (round % 10)}`, (round + n) % 6)),
              Effect.andThen(Effect.sleep(round % 7), change)
            ],
            { concurrency: "unbounded" }
          )
          yield* keepActions
          assert.strictEqual(yield* busy("org_race"), isDone ? 0 : 20, `round ${round}`)
        }
      })
    )
  })
})
