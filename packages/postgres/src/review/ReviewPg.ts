/** The review queue, and who looks at its items, in PostgreSQL. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import { reviewTabs } from "@svc/core/internal"
import * as Review from "@svc/core/review"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { type RowOf, recordOf } from "../columns.ts"
import { each, first, only, page, repository } from "../results.ts"
import { type Arm, approvals, messages, replies, replyStates, transmissions } from "./reviewArms.ts"

const arms: Readonly<Record<Review.ReviewKind, Arm>> = {
  message: messages,
  invitation: transmissions("invitation"),
  email: transmissions("email"),
  approval: approvals,
  reply: replies
}

const kindOfPrefix: Readonly<Record<string, Review.ReviewKind>> = {
  drf: "message",
  inv: "invitation",
  eml: "email",
  apr: "approval",
  ld: "reply"
}

const make = (sql: PgClient) => {
  type Parameters = Readonly<Record<string, Fragment>>

  /** SQL with its parameters, `:name`, filled in. */
  const filled = (text: string, parameters: Parameters): Fragment => {
    const [head = "", ...rest] = text.split(/(?<![:\w]):(?=[a-z]+\b)/)
    return rest.reduce(
      (done, part) => {
        const [name = ""] = /^[a-z]+/.exec(part) ?? []
        return sql`${done}${parameters[name] ?? sql``}${sql.literal(part.slice(name.length))}`
      },
      sql`${sql.literal(head)}`
    )
  }

  const parametersOf = (
    organizationId: OrganizationId,
    { at, since }: Pick<Review.ReviewFilter, "at" | "since">
  ): Parameters => ({
    organization: sql`${organizationId}`,
    at: sql`${at}::timestamptz`,
    since: sql`${since}`
  })

  /** Only conditions that were asked for, so that nothing is joined without need. */
  const conditionsOf = (organizationId: OrganizationId, arm: Arm, filter: Review.ReviewFilter): Fragment => {
    const { agent, flagged, hidden, minScore, mission, query, reply } = filter
    const parameters = parametersOf(organizationId, filter)
    const contains = (column: string) => sql`strpos(lower(${filled(column, parameters)}), ${query}::text) > 0`
    return sql.and([
      sql`${sql.literal(arm.alias)}.organization_id = ${organizationId}`,
      ...(arm === approvals ? [sql`r.command_id <> all (${[...hidden]}::text[])`] : []),
      ...(mission === undefined ? [] : [filled(arm.mission, { ...parameters, name: sql`${mission}::text` })]),
      ...(agent === undefined ? [] : [filled(arm.agent, { ...parameters, name: sql`${agent}::text` })]),
      ...(minScore === undefined ? [] : [sql`l.score >= ${minScore}`]),
      ...(reply === undefined ? [] : [filled(arm === replies ? replyStates[reply] : "false", parameters)]),
      ...(flagged === undefined
        ? []
        : [sql`${sql.literal(arm === messages ? "d.flagged" : "false")} = ${flagged}::boolean`]),
      ...(query === undefined
        ? []
        : [sql.or([contains("coalesce(l.name, '')"), contains("coalesce(l.company, '')"), contains(arm.text)])])
    ])
  }

  const armsOf = ({ kinds }: Review.ReviewFilter, tab: (typeof reviewTabs)[number]) =>
    kinds.flatMap((kind) => {
      const arm = arms[kind]
      const place = arm.tabs[tab]
      return place === undefined ? [] : [{ arm, ...place }]
    })

  /** An expression of how many items the arms have under a further condition. */
  const counted = (
    organizationId: OrganizationId,
    filter: Review.ReviewFilter,
    tab: (typeof reviewTabs)[number],
    also: (arm: Arm) => Fragment = () => sql`true`
  ): Fragment =>
    sql.join(
      " + ",
      false,
      "0"
    )(
      armsOf(filter, tab).map(
        ({ arm, where }) => sql`(select count(*)::int from ${sql.literal(arm.from)}
          where ${filled(where, parametersOf(organizationId, filter))} and ${conditionsOf(organizationId, arm, filter)} and ${also(arm)})`
      )
    )

  return Review.ReviewRepo.of({
    list: (organizationId, tab, filter, { after, limit }) => {
      const parts = armsOf(filter, tab)
      if (parts.length === 0) return Effect.succeed({ items: [], next: undefined })
      const direction = sql.literal(Review.isNewestFirst(tab) ? "desc" : "asc")
      const isNext = sql.literal(Review.isNewestFirst(tab) ? "<" : ">")
      const [from, id] = after ?? []
      const selects = parts.map(({ arm, place, where }) => {
        const [key, at] = [sql.literal(`${arm.alias}.id collate "C"`), sql.literal(place)]
        return sql`(
          select ${filled(arm.entry, parametersOf(organizationId, filter))} as entry, ${at} as place, ${key} as key
          from ${sql.literal(arm.from)}
          where ${filled(where, parametersOf(organizationId, filter))} and ${conditionsOf(organizationId, arm, filter)}
            ${from === undefined ? sql`` : sql`and (${at}, ${key}) ${isNext} (${from}::timestamptz, ${id}::text)`}
          order by ${at} ${direction}, ${key} ${direction} limit ${limit + 1})`
      })
      return sql<{ readonly entry: Omit<Review.ReviewEntry, "place">; readonly place: Date }>`
        select entry, place from (${sql.join(" union all ", false)(selects)}) x
        order by place ${direction}, key ${direction} limit ${limit + 1}
      `.pipe(
        page(
          ({ entry, place }): Review.ReviewEntry => ({ place: place.toISOString(), ...entry }),
          limit,
          ({ itemId, place }) => [place, itemId]
        )
      )
    },
    counts: (organizationId, filter, leaving) => {
      const today = sql`(q.id = any (${[...leaving]}::text[]) or (q.kind = 'email' and q.not_before is not null
        and (q.not_before at time zone coalesce(nullif(a.profile ->> 'timezone', ''), 'UTC'))::date
          <= (${filter.at}::timestamptz at time zone coalesce(nullif(a.profile ->> 'timezone', ''), 'UTC'))::date))`
      const columns = [
        ...reviewTabs.map((tab) => sql`${counted(organizationId, filter, tab)} as ${sql.literal(tab)}`),
        sql`${counted(organizationId, filter, "approved", () => today)} as leaving_today`,
        sql`${counted(organizationId, { ...filter, reply: "waiting" }, "replies")} as replies_waiting`
      ]
      return sql<Review.ReviewCounts>`select ${sql.join(", ", false)(columns)}`.pipe(only((row) => row))
    },
    find: (organizationId, itemId, at) => {
      const kind = kindOfPrefix[itemId.slice(0, itemId.indexOf("_"))]
      if (kind === undefined) return Effect.succeed(undefined)
      const arm = arms[kind]
      return sql<{ readonly entry: Omit<Review.ReviewEntry, "place"> }>`
        select ${filled(arm.entry, parametersOf(organizationId, { at, since: at }))} as entry from ${sql.literal(arm.from)}
        where ${sql.literal(arm.alias)}.organization_id = ${organizationId} and ${sql.literal(arm.alias)}.id = ${itemId}
          ${sql.literal(kind === "reply" ? "and l.merged_into is null and l.last_inbound_at is not null" : "")}
      `.pipe(first(({ entry }) => ({ place: entry.createdAt, ...entry })))
    },
    look: (organizationId, { itemId, keyId, userId, viewerId }, at, until) => {
      // Rows that another process deletes are left to it, so that nobody waits.
      const noted = sql`
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
            select k.name from svc.api_keys k where k.organization_id = ${organizationId} and k.key_id = ${keyId}
          ), ${userId}), ${at}::timestamptz, ${until}::timestamptz
          on conflict (organization_id, item_id, viewer_id) do update set name = excluded.name,
            since = case when v.expires_at > excluded.since then v.since else excluded.since end,
            expires_at = excluded.expires_at
          where v.organization_id = excluded.organization_id
        )`
      return sql<RowOf<Review.Viewer>>`${until === undefined ? sql`` : noted}
        select v.name, v.since from svc.review_viewers v
        where v.organization_id = ${organizationId} and v.item_id = ${itemId} and v.viewer_id <> ${viewerId}
          and v.expires_at > ${at}::timestamptz
        order by v.since, v.viewer_id collate "C"
      `.pipe(each(recordOf<Review.Viewer>))
    }
  })
}

/** Reads the review queue from the database, and keeps looks. */
export const layer = repository(Review.ReviewRepo, make)
