/** The event feed in PostgreSQL: functions of the schema number events and read a page in one round trip. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { EventType, OrganizationId, SequencedEvent } from "@svc/core"
import { type EventFeed, feedPage } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import { orUnavailable } from "../SqlFailure.ts"

interface EventRow {
  readonly sequence: number
  readonly id: string
  readonly type: EventType
  readonly subject_type: string
  readonly subject_id: string
  readonly actor_kind: SequencedEvent["actor"]["kind"]
  readonly actor_id: string
  readonly data: SequencedEvent["data"]
  readonly created_at: Date
}

type Empty = { readonly [Name in keyof EventRow]: null }

const isEvent = (row: EventRow | Empty): row is EventRow => row.id !== null

const eventOf =
  (organizationId: OrganizationId) =>
  (row: EventRow): SequencedEvent => ({
    organizationId,
    id: row.id,
    sequence: row.sequence,
    type: row.type,
    subject: { type: row.subject_type, id: row.subject_id },
    actor: { kind: row.actor_kind, id: row.actor_id },
    data: row.data,
    createdAt: row.created_at.toISOString()
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
          events: rows.flatMap((row) => (isEvent(row) ? [eventOf(organizationId)(row)] : [])),
          oldest: rows[0]?.oldest ?? 0,
          head: rows[0]?.head ?? 0
        })
      )
    ),
  recent: (organizationId, limit) =>
    sql<EventRow>`
      select sequence::float8 as sequence, id, type, subject_type, subject_id, actor_kind, actor_id, data, created_at
      from svc.svc_recent_events(${organizationId}, ${limit}::int)
    `.pipe(
      orUnavailable,
      Effect.map((rows) => rows.map(eventOf(organizationId)))
    )
})
