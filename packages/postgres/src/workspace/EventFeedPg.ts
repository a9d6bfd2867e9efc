/** The event feed in PostgreSQL. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId, SequencedEvent } from "@svc/core"
import { type EventFeed, feedPage } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import { type RowOf, recordOf, texts } from "../columns.ts"
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
export const eventFeed = (sql: PgClient): EventFeed => {
  const columns = sql.literal(
    "e.sequence::float8 as sequence, e.id, e.type, e.subject_type, e.subject_id, e.actor_kind, e.actor_id, e.data, e.created_at"
  )
  return {
    // One row at least, with an id of null when the page is empty.
    read: (organizationId, request) =>
      sql<(EventRow | Empty) & { readonly head: number; readonly oldest: number }>`
        select h.oldest::float8 as oldest, h.head::float8 as head, ${columns}
        from (
          select
            coalesce((select min(m.sequence) from svc.events m where m.organization_id = ${organizationId}), 0) as oldest,
            coalesce((select c.sequence from svc.event_heads c where c.organization_id = ${organizationId}), 0) as head
        ) h
        left join lateral (
          select f.* from svc.events f
          where f.organization_id = ${organizationId} and f.sequence > ${request.after}::bigint
            ${request.types === undefined ? sql`` : sql`and f.type = any (${texts(request.types)})`}
          order by f.sequence limit ${request.limit}
        ) e on true
        order by e.sequence
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
        select ${columns} from svc.events e where e.organization_id = ${organizationId} order by e.sequence desc limit ${limit}
      `.pipe(each(eventOf(organizationId)))
  }
}
