/** The in-memory table of missions, and looking one up. */

import type { MissionRow } from "@svc/core/missions"
import * as Struct from "effect/Struct"
import { type Tables, table } from "../MemoryStore.ts"

/** Missions by id. */
export const missions = table<MissionRow>("missions")

/** Finds a mission by its id or handle. */
export const findMission = (tables: Tables, idOrHandle: string | null | undefined): MissionRow | undefined =>
  tables.all(missions).find(({ handle, id }) => id === idOrHandle || handle === idOrHandle)

/** What other records show of a mission. */
export const missionRef = (mission: MissionRow) => Struct.pick(mission, ["id", "handle", "name", "status"])
