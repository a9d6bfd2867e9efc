/**
 * The mission that filters a list of leads. It is looked up before the list is planned, since its size decides where
 * reading starts.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"

/** A mission and whether it has many leads. */
export interface NamedMission {
  readonly id: string
  readonly isLarge: boolean
}

/** From this many leads on, scanning leads in order is faster than reading the mission. */
export const large = 5_000

/** The mission of an id or a handle; or undefined. */
export const namedMission = (sql: PgClient, organizationId: OrganizationId, idOrHandle: string) =>
  Effect.map(
    sql<NamedMission>`
      select m.id, (
        select count(*) from (
          select 1 from svc.lead_missions k
          where k.organization_id = ${organizationId} and k.mission_id = m.id limit ${large}
        ) few
      ) = ${large} as "isLarge"
      from svc.missions m
      where m.organization_id = ${organizationId} and (m.id = ${idOrHandle} or m.handle = ${idOrHandle})
    `,
    ([row]) => row
  )

/** Whether the lead `l` is in the mission. */
export const inMission = (sql: PgClient, organizationId: OrganizationId, { id, isLarge }: NamedMission): Fragment => {
  const members = sql`select k.lead_id from svc.lead_missions k
    where k.organization_id = ${organizationId} and k.mission_id = ${id}::text`
  // Written so, each lead is looked up in a hash table instead of joining the whole mission.
  return isLarge ? sql`(l.id in (${members})) is true` : sql`l.id in (${members})`
}
