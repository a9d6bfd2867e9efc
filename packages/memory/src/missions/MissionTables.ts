/** The in-memory table of missions, and looking one up. */

import type { MissionId } from "@svc/core"
import type { MissionRow } from "@svc/core/missions"
import { type Tables, table } from "../MemoryStore.ts"

/** Missions by id. */
export const missions = table<MissionRow>("missions")

/** Finds a mission by its id or handle. */
export const findMission = (
  tables: Tables,
  organizationId: string,
  idOrHandle: string | null | undefined
): MissionRow | undefined =>
  tables.all(missions, organizationId).find(({ handle, id }) => id === idOrHandle || handle === idOrHandle)

/** What other records show of a mission. */
export const missionRef = ({
  handle,
  id,
  name,
  status
}: MissionRow): Pick<MissionRow, "handle" | "id" | "name" | "status"> => ({
  id,
  handle,
  name,
  status
})

/** The mission of a nullable id. */
export const missionOf = (tables: Tables, organizationId: string, id: MissionId | null): MissionRow | undefined =>
  id === null ? undefined : tables.get(missions, organizationId, id)
