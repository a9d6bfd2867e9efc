/** The event feed in PostgreSQL: functions of the schema number events and read a page in one round trip. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId, SequencedEvent } from "@svc/core"
import { type EventFeed, feedPage } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import { type RowOf, recordOf } from "../columns.ts"
import { each } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"

type PlainEvent = Omit<SequencedEvent, "organizationId" | "subject" | "actor">

type EventRow = RowOf<PlainEvent> & {
  readonly subject_type: string
  readonly subject_id: string
  readonly actor_kind: SequencedEvent["actor"]["kind"]
  readonly actor_id: string
}

type Empty = { readonly [Name in keyof EventRow]: null }

const isEvent = (row: EventRow | Empty): row is EventRow => row.id !== null

const eventOf =
  (organizationId: OrganizationId) =>
  ({ actor_id, actor_kind, subject_id, subject_type, ...row }: EventRow): SequencedEvent => ({
    organizationId,
    ...recordOf<PlainEvent>(row),
    subject: { type: subject_type, id: subject_id },
    actor: { kind: actor_kind, id: actor_id }
  })

/** Reads the events of the database. */
export const eventFeed = (sql: PgClient): EventFeed => ({
  read: (organizationId, request) =>
    sql<(EventRow | Empty) & { readonly head: number; readonly oldest: number }>`
      select oldest::float8 as oldest, head::float8 as head, sequence::float8 as sequence, id, type, subject_type, subject_id, actor_kind,
        actor_id, data, created_at
      from svc.svc_read_events(${organizationId}, ${request.after}::bigint,
        ${request.types === undefined ? null : [...request.types]}::text[], ${request.limit}::int)
    `.pipe(
      orUnavailable,
      Effect.map((rows) =>
        feedPage(request, {
          events: rows.flatMap(({ head: _, oldest: __, ...row }) =>
            isEvent(row) ? [eventOf(organizationId)(row)] : []
          ),
          oldest: rows[0]?.oldest ?? 0,
          head: rows[0]?.head ?? 0
        })
      )
    ),
  recent: (organizationId, limit) =>
    sql<EventRow>`
      select sequence::float8 as sequence, id, type, subject_type, subject_id, actor_kind, actor_id, data, created_at
      from svc.svc_recent_events(${organizationId}, ${limit}::int)
    `.pipe(each(eventOf(organizationId)))
})
