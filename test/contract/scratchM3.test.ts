import { it } from "@effect/vitest"
import { NextActionsRepo } from "@svc/core/leads/NextActionsRepo"
import { MissionReportRepo } from "@svc/core/missions/MissionReportRepo"
import { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { organization } from "../support/organization.ts"
import { done, eachOutreach } from "./outreachWorld.ts"

eachOutreach("scratch", (layer) =>
  it.layer(layer)((it) => {
    it.effect("times", () =>
      Effect.gen(function* () {
        const client = yield* Effect.serviceOption(PgClient)
        if (Option.isNone(client)) return
        const sql = client.value
        yield* organization("org_a")
        yield* done("agent.create", { first_name: "Ada", last_name: "Martin" })
        yield* done("mission.create", { name: "Big", handle: "big", agent_handle: "ada-martin" })
        const n = 150000
        for (let part = 0; part < 2; part++) {
        yield* sql`insert into leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score, is_flagged, search_text, profile, last_outbound_at, created_at, updated_at)
          select 'org_a', 'ld_' || lpad(i::text, 10, '0'), 'N' || i, '', '', '', '', '', '', case when i % 3 = 0 then 'Contacted' when i % 50 = 1 then 'Replied' else 'New' end, i % 100, false, 'n' || i, '{}', case when i % 3 = 0 then now() end, now(), now() from generate_series(${part * n + 1}::int, ${(part + 1) * n}::int) i`
        }
        yield* sql`insert into lead_missions select 'org_a', (select id from missions where handle = 'big'), id, now() from leads where organization_id = 'org_a'`
        yield* sql`insert into events (organization_id, id, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
          select 'org_a', 'evt_' || id, 'lead.status_changed', 'lead', id, 'USER', 'u', '{"from":"New","to":"Contacted"}', now() from leads where status = 'Contacted'`
        yield* sql`insert into events (organization_id, id, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
          select 'org_a', 'evc_' || id, 'lead.created', 'lead', id, 'USER', 'u', '{}', now() from leads`
        yield* sql`analyze`
        for (const [name, effect] of [
          ["next all", (yield* NextActionsRepo).list("org_a", undefined, 25)],
          ["next mission", (yield* NextActionsRepo).list("org_a", "big", 25)],
          ["activity", (yield* MissionReportRepo).activity("org_a", "big", { from: undefined, to: undefined, unit: "day" })]
        ] as const) {
          const began = performance.now()
          yield* effect as Effect.Effect<unknown, unknown>
          console.log(name, Math.round(performance.now() - began), "ms")
        }
        yield* sql`update leads set status = 'Contacted' where organization_id = 'org_a'`
        yield* sql`analyze`
        const began = performance.now()
        yield* (yield* NextActionsRepo).list("org_a", undefined, 25)
        console.log("nothing to do", Math.round(performance.now() - began), "ms")
        const again = performance.now()
        yield* (yield* NextActionsRepo).list("org_a", "big", 25)
        console.log("nothing to do in mission", Math.round(performance.now() - again), "ms")
      }).pipe(Effect.timeout("5 minutes")), 300000
    )
  })
)
