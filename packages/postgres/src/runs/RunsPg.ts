/** What keys did, in PostgreSQL. Ids of events sort by time, so the primary key finds those of a span. */
import { type EventType, type InstantText, lowestId } from "@svc/core"
import { type Activity, type Authorship, type Change, partsOfImports, RunsRepo } from "@svc/core/runs"
import * as Effect from "effect/Effect"
import { type RowOf, recordOf, texts } from "../columns.ts"
import { each, repository } from "../results.ts"

/** An event gets its id a moment after its time is read. */
const skewMillis = 60_000

const idSince = (at: InstantText) => lowestId("evt", Date.parse(at) - skewMillis)

type Author = Authorship["actor"]

interface ActorColumns {
  readonly actor_kind: Author["kind"]
  readonly actor_id: string
}

type PlainChange = Omit<Change, "subject" | "actor">

type ChangeRow = RowOf<PlainChange> & ActorColumns & { readonly subject_type: string; readonly subject_id: string }

const changeOf = ({ actor_id, actor_kind, subject_id, subject_type, ...row }: ChangeRow): Change => ({
  ...recordOf<PlainChange>(row),
  subject: { type: subject_type, id: subject_id },
  actor: { kind: actor_kind, id: actor_id }
})

/** A row of nulls where there is none. */
const authorshipOf = ({ actor_id, actor_kind, created_at }: ActorColumns & { readonly created_at: Date | null }) =>
  created_at === null ? undefined : { actor: { kind: actor_kind, id: actor_id }, createdAt: created_at.toISOString() }

const linking: EventType = "mission.leads_added"

/** Reads and marks what keys did. */
export const layer = repository(RunsRepo, (sql) => ({
  activity: (organizationId, { after, before, keyId = null }, limit) =>
    sql<RowOf<Activity>>`
      select key_id, user_id, actor_kind, command_id, created_at from svc.audit_entries
      where organization_id = ${organizationId} and outcome = 'ok' and key_id is not null
        and created_at >= ${after}::timestamptz and created_at < ${before}::timestamptz
        and case when ${keyId}::text is null then actor_kind = 'AI_AGENT' else key_id = ${keyId} end
      order by created_at desc, id collate "C" desc limit ${limit}
    `.pipe(each(recordOf<Activity>)),
  changes: (organizationId, { keyId, since, until }, before, limit) =>
    sql<ChangeRow>`
      select id, sequence::float8 as position, type, subject_type, subject_id, data, actor_kind, actor_id, created_at
      from svc.events
      where organization_id = ${organizationId} and id >= ${idSince(since)} and key_id = ${keyId}
        and created_at >= ${since}::timestamptz and created_at < ${until}::timestamptz
        and not is_undo and undone_at is null and type <> all (${texts(partsOfImports)}) and data -> 'import_id' is null
        and (${before ?? null}::bigint is null or sequence < ${before ?? null}::bigint)
      order by sequence desc limit ${limit}
    `.pipe(each(changeOf)),
  touched: (organizationId, { change, ids, kind, span }) => {
    const others = sql`e.sequence > ${change.position}::bigint
      and (e.key_id is distinct from ${span.keyId} or e.created_at >= ${span.until}::timestamptz)
      and not e.is_undo and e.undone_at is null`
    const named = (field: "lead_id" | "mission_id") => sql`or exists (
      select 1 from svc.events e
      where e.organization_id = ${organizationId} and e.data ->> ${sql.literal(`'${field}'`)} = s.id and ${others})`
    const merged = sql`or exists (
      select 1 from svc.leads l
      where l.organization_id = ${organizationId} and l.id = s.id and l.merged_into is not null)`
    const more = kind === "lead" ? sql`${named("lead_id")} ${merged}` : kind === "mission" ? named("mission_id") : sql``
    return sql<{ readonly id: string }>`
      select s.id from unnest(${texts(ids)}) as s (id)
      where exists (
        select 1 from svc.events e
        where e.organization_id = ${organizationId} and e.subject_type = ${kind} and e.subject_id = s.id and ${others}
          and (${kind} <> 'mission'
            or e.type <> ${linking} and not coalesce(e.data -> 'changed' @> '"leads"', false))) ${more}
    `.pipe(each(({ id }) => id))
  },
  previous: (organizationId, keyId, changes) =>
    sql<Parameters<typeof authorshipOf>[0]>`
      select p.actor_kind, p.actor_id, p.created_at from unnest(${texts(changes.map(({ subject }) => subject.type))},
        ${texts(changes.map(({ subject }) => subject.id))},
        ${changes.map(({ position }) => position)}::bigint[]) with ordinality as s (type, id, position, place)
      left join lateral (
        select e.actor_kind, e.actor_id, e.created_at from svc.events e
        where e.organization_id = ${organizationId} and e.subject_type = s.type and e.subject_id = s.id
          and e.sequence < s.position and e.key_id is distinct from ${keyId}
        order by e.sequence desc limit 1) p on true
      order by s.place
    `.pipe(each(authorshipOf)),
  markUndone: (organizationId, eventIds, at) =>
    sql<{ readonly id: string }>`
      update svc.events set undone_at = ${at}::timestamptz
      where organization_id = ${organizationId} and id = any (${texts(eventIds)}) and undone_at is null returning id
    `.pipe(
      each(({ id }) => id),
      Effect.map((ids) => ids.includes(eventIds[0]))
    )
}))
