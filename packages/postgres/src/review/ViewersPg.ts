/** Who looks at an item of the review queue, in PostgreSQL. */
import { PgClient } from "@effect/sql-pg/PgClient"
import { ViewersRepo } from "@svc/core/review"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { each } from "../results.ts"

const viewerOf = ({ name, since }: { readonly name: string; readonly since: Date }) => ({
  name,
  since: since.toISOString()
})

/** Keeps looks in the database. */
export const layer: Layer.Layer<ViewersRepo, never, PgClient> = Layer.effect(
  ViewersRepo,
  Effect.map(PgClient, (sql) =>
    ViewersRepo.of({
      // Rows that another process deletes are left to it, so that nobody waits.
      look: (organizationId, { itemId, viewerId }, at, until) =>
        sql<{ readonly name: string; readonly since: Date }>`
          with old as (
            select v.item_id, v.viewer_id from svc.review_viewers v
            where v.organization_id = ${organizationId} and v.expires_at <= ${at}::timestamptz
              and (v.item_id, v.viewer_id) <> (${itemId}, ${viewerId})
            limit 100 for update skip locked
          ), gone as (
            delete from svc.review_viewers v using old o
            where v.organization_id = ${organizationId} and v.item_id = o.item_id and v.viewer_id = o.viewer_id
          ), seen as (
            insert into svc.review_viewers as v (organization_id, item_id, viewer_id, name, since, expires_at)
            select ${organizationId}, ${itemId}, ${viewerId}, coalesce((
              select k.name from svc.api_keys k where k.organization_id = ${organizationId} and k.key_id = ${viewerId}
            ), ${viewerId}), ${at}::timestamptz, ${until}::timestamptz
            on conflict (organization_id, item_id, viewer_id) do update set name = excluded.name,
              since = case when v.expires_at > excluded.since then v.since else excluded.since end,
              expires_at = excluded.expires_at
            where v.organization_id = ${organizationId}
          )
          select v.name, v.since from svc.review_viewers v
          where v.organization_id = ${organizationId} and v.item_id = ${itemId} and v.viewer_id <> ${viewerId}
            and v.expires_at > ${at}::timestamptz
          order by v.since, v.viewer_id collate "C"
        `.pipe(each(viewerOf)),
      others: (organizationId, { itemId, viewerId }, at) =>
        sql<{ readonly name: string; readonly since: Date }>`
          select v.name, v.since from svc.review_viewers v
          where v.organization_id = ${organizationId} and v.item_id = ${itemId} and v.viewer_id <> ${viewerId}
            and v.expires_at > ${at}::timestamptz
          order by v.since, v.viewer_id collate "C"
        `.pipe(each(viewerOf))
    })
  )
)
