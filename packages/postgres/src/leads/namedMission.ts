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

/**
 * Whether the lead `l` is in the mission. In a large one each lead is looked up, so that a list in order stops early and reads
 * no more members than leads.
 */
export const inMission = (sql: PgClient, organizationId: OrganizationId, { id, isLarge }: NamedMission): Fragment => {
  const members = sql`from svc.lead_missions k
    where k.organization_id = ${organizationId} and k.mission_id = ${id}::text`
  return isLarge
    ? sql`(select true ${members} and k.lead_id = l.id limit 1)`
    : sql`l.id in (select k.lead_id ${members})`
}
