/**
 * The mission that a list of leads is filtered by, looked up before the list is planned: whether it is large decides
 * where reading begins.
 */
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"

/** A mission and whether many leads are in it. */
export interface NamedMission {
  readonly id: string
  readonly isLarge: boolean
}

/** From this many leads on, the first of a list are found sooner by looking at leads than at the mission. */
export const large = 5_000

/** The mission of an id or a handle; undefined when there is none. */
export const namedMission = (sql: PgClient, organizationId: string, idOrHandle: string) =>
  Effect.map(
    sql<NamedMission>`
      select m.id, (
        select count(*) from (
          select 1 from lead_missions k
          where k.organization_id = ${organizationId} and k.mission_id = m.id limit ${large}
        ) few
      ) = ${large} as "isLarge"
      from missions m
      where m.organization_id = ${organizationId} and (m.id = ${idOrHandle} or m.handle = ${idOrHandle})
    `,
    ([row]) => row
  )

/** That the lead `l` is in the mission. */
export const inMission = (sql: PgClient, organizationId: string, { id, isLarge }: NamedMission): Fragment => {
  const members = sql`select k.lead_id from lead_missions k
    where k.organization_id = ${organizationId} and k.mission_id = ${id}::text`
  // So written it is a look into a table of the members for each lead in turn, instead of a join over the whole mission.
  return isLarge ? sql`(l.id in (${members})) is true` : sql`l.id in (${members})`
}
