/** What keys did, in PostgreSQL. Ids of events sort by time, so the primary key finds those of a span. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { type EventType, type InstantText, lowestId } from "@svc/core"
import { type Activity, type Change, partsOfImports, RunsRepo } from "@svc/core/runs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { texts } from "../columnParameter.ts"
import { each } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"

/** An event gets its id a moment after its time is read. */
const skewMillis = 60_000

const idSince = (at: InstantText) => lowestId("evt", Date.parse(at) - skewMillis)

interface ActivityRow extends Omit<Activity, "createdAt"> {
  readonly createdAt: Date
}

interface ChangeRow extends Omit<Change, "subject" | "createdAt"> {
  readonly subjectType: string
  readonly subjectId: string
  readonly createdAt: Date
}

const changeOf = ({ createdAt, subjectId, subjectType, ...row }: ChangeRow): Change => ({
  ...row,
  subject: { type: subjectType, id: subjectId },
  createdAt: createdAt.toISOString()
})

const linking: EventType = "mission.leads_added"

/** Reads and marks what keys did. */
export const layer: Layer.Layer<RunsRepo, never, PgClient> = Layer.effect(
  RunsRepo,
  Effect.map(PgClient, (sql) =>
    RunsRepo.of({
      activity: (organizationId, { after, before, keyId = null }, limit) =>
        sql<ActivityRow>`
          select key_id as "keyId", user_id as "userId", actor_kind as "actorKind", command_id as "commandId",
            created_at as "createdAt"
          from svc.audit_entries
          where organization_id = ${organizationId} and outcome = 'ok' and key_id is not null
            and created_at >= ${after}::timestamptz and created_at < ${before}::timestamptz
            and case when ${keyId}::text is null then actor_kind = 'AI_AGENT' else key_id = ${keyId} end
          order by created_at desc, id collate "C" desc limit ${limit}
        `.pipe(each(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }))),
      changes: (organizationId, { keyId, since, until }, limit) =>
        sql<ChangeRow>`
          select id, position::float8 as position, type, subject_type as "subjectType", subject_id as "subjectId",
            data ->> 'lead_id' as "leadId", former, created_at as "createdAt"
          from svc.events
          where organization_id = ${organizationId} and id >= ${idSince(since)} and key_id = ${keyId}
            and created_at >= ${since}::timestamptz and created_at < ${until}::timestamptz
            and not is_undo and undone_at is null
            and (former is not null or type <> all (${texts(partsOfImports)}))
          order by position desc limit ${limit}
        `.pipe(each(changeOf)),
      touched: (organizationId, { change, ids, kind, span }) => {
        const others = sql`e.position > ${change.position}::bigint
          and (e.key_id is distinct from ${span.keyId} or e.created_at >= ${span.until}::timestamptz)
          and not e.is_undo and e.undone_at is null`
        const isSubject = sql`e.subject_type = ${kind} and e.subject_id = s.id`
        const found =
          kind === "lead"
            ? sql`exists (
                select 1 from svc.events e
                where e.organization_id = ${organizationId} and e.subject_type = 'lead' and e.subject_id = s.id and ${others}
              ) or exists (
                select 1 from svc.events e
                where e.organization_id = ${organizationId} and e.data ->> 'lead_id' = s.id and ${others})`
            : change.leadId !== null
              ? sql`exists (
                  select 1 from svc.events e
                  where e.organization_id = ${organizationId} and e.data ->> 'lead_id' = ${change.leadId}
                    and ${isSubject} and ${others})`
              : sql`exists (
                  select 1 from svc.events e
                  where e.organization_id = ${organizationId} and e.id >= ${idSince(change.createdAt)}
                    and ${isSubject} and ${others}
                    and e.type <> ${linking} and not coalesce(e.data -> 'changed' @> '"leads"', false))`
        return sql<{ readonly id: string }>`
          select s.id from unnest(${texts(ids)}) as s (id) where ${found}
        `.pipe(each(({ id }) => id))
      },
      markUndone: (organizationId, eventId, at) =>
        sql`
          update svc.events set undone_at = ${at}::timestamptz, former = null
          where organization_id = ${organizationId} and id = ${eventId} and undone_at is null returning 1
        `.pipe(
          orUnavailable,
          Effect.map((rows) => rows.length > 0)
        )
    })
  )
)
